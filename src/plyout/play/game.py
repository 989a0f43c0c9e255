"""The game: whose move it is, the clocks, how it ends, and its PGN. It knows neither engines nor the terminal."""

import time
from collections.abc import Callable
from copy import copy
from dataclasses import replace
from typing import NamedTuple

import chess
import chess.pgn

from plyout.errors import InputError
from plyout.knowledge.books.openings import opening_name
from plyout.lab.match.game import ending_of
from plyout.lab.match.timecontrol import Clock, TimeControl
from plyout.lab.record import TERMINATIONS

USER = "You"
"""The name of whoever sits at the terminal."""
FLAG, RESIGNATION = "time", "resignation"
_DRAWN = {
    "stalemate": "stalemate",
    "material": "neither side has enough to mate with",
    "repetition": "the position has come up for the third time",
    "fifty moves": "fifty moves without a capture or a pawn's move",
}


class Ending(NamedTuple):
    """How a game has ended."""

    result: str
    reason: str
    text: str
    """the reason for people"""


def minutes(text: str) -> TimeControl:
    """A clock as players write it, in minutes and seconds a move; matches between engines have theirs in seconds.

    >>> str(minutes("5+3"))
    '300+3'
    """
    try:
        control = TimeControl.parse(text)
        return replace(control, base=60 * (control.base or 0.0))
    except InputError:
        raise InputError(f"a clock is minutes+seconds a move, as in 5+3 or 40/90+30, not {text[:40]!r}") from None


def colour_name(colour: chess.Color) -> str:
    return chess.COLOR_NAMES[colour].capitalize()


class Game:
    """A game that goes on from a board, with a clock for each side if there is a time control.

    What was played on the board is part of the game; `left` is what the clocks then show, if not the whole time.
    """

    def __init__(
        self,
        board: chess.Board,
        control: TimeControl | None = None,
        now: Callable[[], float] = time.monotonic,
        left: dict[chess.Color, float] | None = None,
    ) -> None:
        self.start, self.board, self.control = board.root().copy(), board.copy(), control
        self._now = now
        self._clocks = {colour: Clock(control) for colour in chess.COLORS} if control else None
        for colour, clock in (self._clocks or {}).items():
            clock.left = (left or {}).get(colour, clock.left)
        self._before: list[dict[chess.Color, Clock] | None] = []  # the clocks as they were when a move began
        self._before += [self._copied() for _ in board.move_stack]
        self._given: Ending | None = None
        self._began = now()

    # -- the clock ------------------------------------------------------------------------------------------------

    def start_clock(self) -> None:
        """The time of the move that is to be made begins now."""
        self._began = self._now()

    def left(self, colour: chess.Color) -> float | None:
        """Seconds on a side's clock; None where there are no clocks."""
        if self._clocks is None:
            return None
        left = self._clocks[colour].left or 0.0
        running = colour == self.board.turn and self.ending is None
        return max(0.0, left - (self._now() - self._began)) if running else left

    @property
    def moves_to_go(self) -> int | None:
        """Moves until the side to move gets more time."""
        return None if self._clocks is None else self._clocks[self.board.turn].moves_to_go

    def flag_has_fallen(self) -> bool:
        """Whether the time of the side to move is over; if so, the game is."""
        loser = self.board.turn
        if self.ending or self.left(loser) != 0.0:
            return False
        late = f"{colour_name(loser)}'s flag has fallen"
        assert self._clocks is not None
        self._clocks[loser].left = 0.0
        if self.board.has_insufficient_material(not loser):
            unable = f"{late}, and {colour_name(not loser)} has not enough to mate with"
            self._given = Ending("1/2-1/2", FLAG, unable)
        else:
            self._given = Ending(_won_by(not loser), FLAG, late)
        return True

    def _copied(self) -> dict[chess.Color, Clock] | None:
        return self._clocks and {colour: copy(clock) for colour, clock in self._clocks.items()}

    # -- moves ----------------------------------------------------------------------------------------------------

    @property
    def ending(self) -> Ending | None:
        """How the game has ended, if it has."""
        if self._given is not None:
            return self._given
        found = ending_of(self.board)
        if found is None:
            return None
        result, reason = found
        text = "checkmate" if reason == "checkmate" else _DRAWN[reason]
        return Ending(result, reason, text)

    @property
    def number(self) -> str:
        """That of the move to make, as scores have it: "12." or "12..."."""
        return f"{self.board.fullmove_number}.{'' if self.board.turn else '..'}"

    def play(self, move: chess.Move) -> bool:
        """Make a legal move, and say whether it came in time; if not, the flag has fallen."""
        if self.ending:
            raise InputError("the game is over: 'new' begins another, 'back' takes back")
        if self.flag_has_fallen():
            return False
        mover = self.board.turn
        self._before.append(self._copied())
        if self._clocks is not None:
            self._clocks[mover].spend(self._now() - self._began)
        self.board.push(move)
        self.start_clock()
        return True

    def take_back(self, mover: chess.Color) -> list[chess.Move]:
        """Take back up to the last move of `mover`, and set the clocks to what they were; the moves, the last first.

        A resignation, or a flag that has fallen, is taken back likewise.
        """
        if not any(self._mover(ply) == mover for ply in range(len(self.board.move_stack))):
            raise InputError("there is no move of yours to take back")
        gone: list[chess.Move] = []
        while not gone or self.board.turn != mover:
            gone.append(self.board.pop())
            self._clocks = self._before.pop()
        self._given = None
        self.start_clock()
        return gone

    def _mover(self, ply: int) -> chess.Color:
        return self.start.turn if ply % 2 == 0 else not self.start.turn

    def resign(self, colour: chess.Color) -> None:
        if self.ending:
            raise InputError("the game is over already")
        if self._clocks is not None:
            self._clocks[self.board.turn].left = self.left(self.board.turn)
        self._given = Ending(_won_by(not colour), RESIGNATION, f"{colour_name(colour)} resigns")

    # -- what is told ---------------------------------------------------------------------------------------------

    def score_sheet(self) -> list[str]:
        """The moves so far, a text for each number: "12.Nf3 Nc6"."""
        board, lines = self.start.copy(), list[str]()
        for move in self.board.move_stack:
            if board.turn or not lines:
                lines.append(f"{board.fullmove_number}.{'' if board.turn else '..'}{board.san(move)}")
            else:
                lines[-1] += f" {board.san(move)}"
            board.push(move)
        return lines

    def pgn(self, white: str, black: str, day: str) -> str:
        """The game so far, with what was left on the clocks after each move."""
        told = chess.pgn.Game()
        told.setup(self.start)
        ending = self.ending
        heads = {"Event": "Plyout in the terminal", "Site": "?", "Date": day, "Round": "-", "White": white}
        heads |= {"Black": black, "Result": ending.result if ending else "*"}
        if known := opening_name(self.board):
            heads |= {"ECO": known[0], "Opening": known[1]}
        heads["TimeControl"] = str(self.control) if self.control else "-"
        heads["Termination"] = TERMINATIONS.get(ending.reason, "normal") if ending else "unterminated"
        for name, value in heads.items():
            told.headers[name] = value
        node: chess.pgn.GameNode = told
        for ply, move in enumerate(self.board.move_stack):
            node = node.add_variation(move)
            if (left := self._left_after(ply)) is not None:
                node.set_clock(left)
        if ending:
            node.comment = f"{node.comment} {ending.text}".strip()
        return str(told.accept(chess.pgn.StringExporter(columns=100)))

    def _left_after(self, ply: int) -> float | None:
        """What was left on the mover's clock after a move."""
        clocks = self._before[ply + 1] if ply + 1 < len(self._before) else self._clocks
        return clocks[self._mover(ply)].left if clocks else None


def _won_by(colour: chess.Color) -> str:
    return "1-0" if colour else "0-1"
