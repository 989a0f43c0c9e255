"""The talk at the board: moves and commands in, moves and answers out, until somebody leaves. No game is lost by it."""

import random
import re
import shlex
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import chess

from plyout.errors import InputError
from plyout.explain import Explanation
from plyout.explain.subject import board_of
from plyout.lab.match.timecontrol import TimeControl
from plyout.play.engines import hint_text
from plyout.play.game import USER, Game, colour_name
from plyout.play.keeping import Keeper
from plyout.play.moves import completions, read_move
from plyout.play.reading import Leaving, Reader, TimeOver, interruptible, interrupts, leaving_by_signals
from plyout.play.resume import Left
from plyout.play.screen import Screen
from plyout.presets.levels import HIGHEST, LOWEST
from plyout.search.threads import Stop

HELP = {
    "e4, Nf3, e2e4": "a move, in SAN or UCI; a drop is N@f3; the tabulator completes",
    "?": "a hint: what Plyout would play in your place",
    "why": "why the hint, or else why the last move that was played against you",
    "why not Nf3": "what speaks against another move; 'why not' alone: against those that tempt",
    "back": "take back your last move and the answer to it",
    "board, flip": "show the board; turn it",
    "moves, fen, pgn": "the moves so far; the position; the whole game",
    "save [FILE]": "add the game to a file of PGN",
    "level [ELO]": f"how strong it plays: from {LOWEST} to {HIGHEST}",
    "new [SIDE]": "another game, as white, black or by chance",
    "resign, quit": "give up; leave: the game is saved",
}
COMMANDS = ("help", "why", "back", "board", "flip", "moves", "fen", "pgn", "save", "level", "new", "resign", "quit")
_OTHER_NAMES = {"?": "hint", "h": "help", "undo": "back", "takeback": "back", "exit": "quit", "q": "quit", "b": "board"}
SIDES = {"white": chess.WHITE, "black": chess.BLACK}
_LIKE_A_MOVE = re.compile("[a-h][1-8]|[o0]-?[o0]", re.IGNORECASE)
_TEMPTING = 3  # moves that 'why not' alone explains


class Plays(Protocol):
    """Who plays against the user: `plyout.play.engines.Opponent`."""

    @property
    def name(self) -> str: ...
    def set_level(self, elo: str) -> None: ...
    def new_game(self) -> None: ...
    def think(self, game: Game, stop: Stop) -> Any: ...


class Advises(Protocol):
    """Who gives hints: `plyout.play.engines.Adviser`."""

    def hint(self, board: chess.Board, stop: Stop) -> Any: ...
    def explain(self, result: Any, named: list[chess.Move], most: int) -> Explanation: ...


@dataclass(frozen=True)
class Setup:
    """How games begin."""

    start: Callable[[], chess.Board]
    side: str = "white"
    control: TimeControl | None = None
    choice: random.Random | None = None
    """draws the side where that is left to chance"""
    left: Left | None = None
    """a game that the first one goes on with"""

    def colour(self, side: str) -> chess.Color:
        if side == "random":
            return (self.choice or random.Random()).random() < 0.5
        if side not in SIDES:
            raise InputError(f"a side is white, black or random, not {side[:20]!r}")
        return SIDES[side]


class Quit(Exception):
    """The user leaves."""


class Session:
    """Games between the user and an opponent."""

    def __init__(self, setup: Setup, opponent: Plays, adviser: Advises, screen: Screen, keeper: Keeper) -> None:
        self._setup, self._opponent, self._adviser = setup, opponent, adviser
        self._screen, self._keeper = screen, keeper
        self._reader = Reader(self._completions)
        self._legend: set[str] = set()  # kinds of statements that have been explained
        left = setup.left
        self._begin(setup.side, left and Game(left.board, setup.control, left=left.clocks))

    def _begin(self, side: str, game: Game | None = None) -> None:
        self._user = self._setup.colour(side)
        self._bottom = self._user
        self._game = game or Game(self._setup.start(), self._setup.control)
        self._hint: Any = None  # the result for the position on the board
        self._answer: Any = None  # the result behind the last move of the opponent's
        self._announced = False

    # -- the loop -------------------------------------------------------------------------------------------------

    def run(self) -> int:
        """Play until somebody leaves; the exit code. However that happens, the game is kept."""
        code = 0
        with leaving_by_signals():
            try:
                self._greet()
                while True:
                    self._turn()
            except Quit:
                pass
            except KeyboardInterrupt:
                code = 130
                self._screen.say("")
            except Leaving as leaving:
                code = leaving.code
            finally:
                self._keep()
        return code

    def _greet(self) -> None:
        control = self._setup.control
        clock = "" if control is None or control.base is None else f", {control.base / 60:g} minutes each"
        clock += f" and {control.increment:g} seconds a move" if control and control.increment else ""
        told = f"{self._opponent.name}; you are {colour_name(self._user)}{clock}."
        self._screen.sentences(f"{told} 'help' lists the commands.")
        self._game.start_clock()
        if self._game.board.turn == self._user or self._game.ending:
            self._show()

    def _turn(self) -> None:
        """One line of the user's, after the opponent's move if it is to move."""
        game = self._game
        if game.ending is None and game.board.turn != self._user:
            self._answer_move()
        self._announce()
        over = game.ending is not None
        try:
            line = self._reader.line("> " if over else f"{game.number} ", None if over else game.left(self._user))
        except TimeOver:
            self._screen.say("")
            line = ""
        if line is None:
            raise Quit
        if not game.flag_has_fallen():
            self._try(line)
            game.flag_has_fallen()  # it has gone on while somebody was asked

    def _answer_move(self) -> None:
        stop = Stop()
        with self._screen.waiting(f"{self._opponent.name} is thinking …"), interrupts(stop.set):
            result = self._opponent.think(self._game, stop)
        self._hint, self._answer = None, result
        played = f"{self._game.number}{self._game.board.san(result.move)}"
        if self._game.play(result.move):
            self._screen.say(f"{self._opponent.name} plays {played}")
        self._show()

    def _announce(self) -> None:
        """Say once how the game has ended."""
        ending = self._game.ending
        if ending is None or self._announced:
            return
        self._announced = True
        winner = {"1-0": chess.WHITE, "0-1": chess.BLACK}.get(ending.result)
        what = "a draw" if winner is None else f"{colour_name(winner)} wins"
        told = f"{ending.text}: {what} ({ending.result})."
        self._screen.sentences(f"{told} 'new' begins another game, 'save' keeps this one.")

    def _try(self, line: str) -> None:
        """Do what a line says; what is wrong with it gets one line."""
        words = line.split()
        if not words:
            return
        name = _OTHER_NAMES.get(words[0].lower(), words[0].lower())
        command = getattr(self, f"_do_{name}", None) if name.isidentifier() else None
        try:
            if command is not None:
                command(words[1:])
            elif len(words) > 1:
                raise InputError(f"{words[0][:20]!r} is no command: 'help' lists them; moves come one by one")
            else:
                self._play(words[0])
        except InputError as error:
            self._screen.say(str(error))
        except KeyboardInterrupt:
            self._screen.say("interrupted")

    def _play(self, text: str) -> None:
        if self._game.ending:
            raise InputError("the game is over: 'new' begins another, 'back' takes back")
        if not _LIKE_A_MOVE.search(text):
            raise InputError(f"{text[:20]!r} is neither a move nor a command: 'help' lists what there is")
        self._game.play(read_move(self._game.board, text))
        self._hint = None
        if self._game.ending:
            self._show()

    # -- commands -------------------------------------------------------------------------------------------------

    def _do_help(self, words: list[str]) -> None:
        wide = max(map(len, HELP))
        self._screen.say("\n".join(f"  {name:<{wide}}  {text}" for name, text in HELP.items()))

    def _do_hint(self, words: list[str]) -> None:
        self._look()
        self._screen.sentences(f"{hint_text(self._game.board, self._hint)} ('why' says why)")

    def _look(self) -> None:
        """Search the position on the board for the user."""
        if self._game.ending:
            raise InputError("the game is over: there is nothing to play")
        if self._hint is None:
            stop = Stop()
            with self._screen.waiting("looking …"), interrupts(stop.set):
                self._hint = self._adviser.hint(self._game.board, stop)

    def _do_why(self, words: list[str]) -> None:
        if words[:1] not in ([], ["not"]) or len(words) > 2:
            raise InputError("'why', 'why not' or 'why not Nf3' can be asked")
        result, named = self._hint or self._answer, list[chess.Move]()
        if len(words) == 2:
            result, move = self._subject(words[1])
            named = [move]
        if result is None:
            raise InputError("there is nothing to explain yet: '?' gives a hint")
        most = _TEMPTING if words == ["not"] else 0
        with self._screen.waiting("looking …"), interruptible():
            explanation = self._adviser.explain(result, named, most)
        self._tell(explanation, why_not=bool(words))

    def _subject(self, text: str) -> tuple[Any, chess.Move]:
        """(the search that knows a move, the move): that of the hint, of the last answer, or a new one."""
        for result in filter(None, (self._hint, self._answer)):
            with suppress(InputError):
                return result, read_move(board_of(result), text)
        move = read_move(self._game.board, text)
        self._look()
        return self._hint, move

    def _tell(self, explanation: Explanation, why_not: bool) -> None:
        told = [line for other in explanation.why_not for line in other.lines("why not")]
        why = explanation.why
        if why and (not why_not or why.tempting):  # the move that is named may be the one that was chosen
            told = why.lines("why")
        elif not told:
            told = ["no other move tempts"]
        self._screen.sentences("\n".join(told))
        legend = [line for line in explanation.legend.splitlines() if line not in self._legend]
        self._legend.update(legend)
        if legend:
            self._screen.sentences("\n".join(legend))

    def _do_back(self, words: list[str]) -> None:
        self._game.take_back(self._user)
        self._hint = self._answer = None
        self._announced = False
        self._show()

    def _do_flip(self, words: list[str]) -> None:
        self._bottom = not self._bottom
        self._show()

    def _do_board(self, words: list[str]) -> None:
        self._show()

    def _do_moves(self, words: list[str]) -> None:
        self._screen.say("  ".join(self._game.score_sheet()) or "no move has been played")

    def _do_fen(self, words: list[str]) -> None:
        self._screen.say(self._game.board.fen())

    def _do_pgn(self, words: list[str]) -> None:
        self._screen.say(self._pgn())

    def _do_save(self, words: list[str]) -> None:
        if not self._game.board.move_stack:
            raise InputError("no move has been played: there is nothing to save")
        path = Path(" ".join(words)) if words else None
        self._screen.say(f"saved: {self._keeper.keep(self._pgn(), path)}")

    def _do_level(self, words: list[str]) -> None:
        if len(words) > 1:
            raise InputError("'level 1500' sets the level, 'level' tells it")
        if words:
            with self._screen.waiting("preparing …"), interruptible():
                self._opponent.set_level(words[0])
        self._screen.say(f"you play against {self._opponent.name}")

    def _do_new(self, words: list[str]) -> None:
        side = words[0].lower() if words else ("white" if self._user else "black")
        self._setup.colour(side)  # a mistake must not end this game
        self._keep()
        self._keeper.next_game()
        self._opponent.new_game()
        self._begin(side)
        self._greet()

    def _do_resign(self, words: list[str]) -> None:
        self._game.resign(self._user)

    def _do_quit(self, words: list[str]) -> None:
        raise Quit

    # -- what they share ------------------------------------------------------------------------------------------

    def _show(self) -> None:
        names = {self._user: USER, not self._user: self._opponent.name}
        self._screen.show(self._game, names, self._bottom)

    def _pgn(self) -> str:
        names = {self._user: USER, not self._user: self._opponent.name}
        return self._game.pgn(names[chess.WHITE], names[chess.BLACK], time.strftime("%Y.%m.%d"))

    def _keep(self) -> None:
        """Keep a game that has moves, and say where; if no file can be written, show it."""
        if not self._game.board.move_stack:
            return
        pgn = self._pgn()
        path = self._keeper.keep_somewhere(pgn)
        with suppress(OSError, ValueError):  # the terminal may be gone
            self._screen.say(f"the game is saved: {path}" if path else f"no file could be written; the game:\n\n{pgn}")
            if path and not self._game.ending:
                self._screen.say(f"'plyout play --resume {shlex.quote(str(path))}' goes on with it")

    def _completions(self, before: str, begun: str) -> list[str]:
        words = before.split()
        if not words:
            commands = [name for name in COMMANDS if begun and name.startswith(begun)]
            return (completions(self._game.board, begun) if not self._game.ending else []) + commands
        if words == ["why"]:
            return ["not"]
        if words == ["why", "not"]:
            boards = [self._game.board, *([board_of(self._answer)] if self._answer else [])]
            return sorted({name for board in boards for name in completions(board, begun)})
        return [side for side in (*SIDES, "random") if words == ["new"] and side.startswith(begun)]
