"""A UCI program at the board: its options, its clock, and what its faults cost it."""

import re
import time

import chess

from plyout.errors import InputError
from plyout.lab.match.players import Answer, Fault
from plyout.lab.match.timecontrol import Clock
from plyout.lab.match.uci_program import STARTING, UciProgram

_SPIN = re.compile(r" min (-?\d+) max (-?\d+)")


class UciPlayer:
    """One process of a program, started by `new_game` if it is not running, or no more."""

    def __init__(
        self, command: tuple[str, ...], settings: dict[str, str], variant: str = "chess", seeded: bool = False
    ) -> None:
        self._command, self._settings, self._variant, self._seeded = command, settings, variant, seeded
        self._program: UciProgram | None = None
        self._ended = False

    def prepare(self) -> None:
        try:
            self._start()
        except Fault as fault:
            raise InputError(f"{' '.join(self._command)} does not start as a UCI engine: {fault}") from None

    def _start(self) -> None:
        self._program = program = UciProgram(self._command)
        program.greet()
        self._set_up()
        program.send("isready")
        program.wait("readyok", STARTING)

    def _running(self) -> UciProgram:
        if self._program is None:
            raise Fault("crash", "it is not running")
        return self._program

    @property
    def called(self) -> str:
        """The name that the program gives itself; nothing if it gives none."""
        return self._running().name

    def range_of(self, option: str) -> tuple[int, int] | None:
        """The least and the greatest value of an option that is a number; None if it has none such."""
        found = _SPIN.search(self._running().options.get(option.lower(), ("", ""))[1])
        return None if found is None else (int(found[1]), int(found[2]))

    # -- options ------------------------------------------------------------------------------------------------

    def _set_up(self) -> None:
        program = self._running()
        if self._variant == "chess960":
            self._must_offer("UCI_Chess960", "chess960")
            program.send("setoption name UCI_Chess960 value true")
        elif self._variant != "chess":
            self._must_offer("UCI_Variant", self._variant)
            program.send(f"setoption name UCI_Variant value {self._variant}")
        for name, value in self._settings.items():
            program.send("setoption name {} value {}".format(*self._checked(name, value)))

    def _must_offer(self, option: str, variant: str) -> None:
        kind = self._running().options.get(option.lower(), ("", ""))[1]
        if not kind or (option == "UCI_Variant" and f" var {variant}" not in kind):
            raise InputError(f"{self._command[0]} does not play {variant}")

    def _checked(self, name: str, value: str) -> tuple[str, str]:
        """An option as the program spells it; `InputError` if it has none such or the value is out of range."""
        if name.lower() not in self._running().options:
            names = ", ".join(name for name, _ in self._running().options.values())
            raise InputError(f"{self._command[0]} has no option {name!r}: it has {names or 'none'}")
        spelt, kind = self._running().options[name.lower()]
        if kind.startswith("spin") and (limits := _SPIN.search(kind)):
            low, high = int(limits[1]), int(limits[2])
            if not (re.fullmatch(r"-?\d+", value) and low <= int(value) <= high):
                raise InputError(f"{spelt} must be a whole number between {low} and {high}, not {value!r}")
        if kind.startswith("check"):
            value = {"1": "true", "0": "false"}.get(value, value.lower())
            if value not in ("true", "false"):
                raise InputError(f"{spelt} must be true or false, not {value!r}")
        if kind.startswith("combo") and f" var {value} " not in kind + " ":
            raise InputError(f"{spelt} cannot be {value!r}: it has {', '.join(kind.split(' var ')[1:])}")
        return spelt, value

    # -- playing ------------------------------------------------------------------------------------------------

    def new_game(self, seed: int) -> None:
        if self._program is not None and not self._program.alive():
            self._program.end()
            self._program = None
        if self._program is None and not self._ended:
            try:
                self._start()
            except InputError as error:  # the program was there when the match began
                raise Fault("crash", str(error)) from None
        program = self._running()
        if self._seeded:
            program.send(f"setoption name Seed value {seed + int(self._settings.get('Seed', '1'))}")
        program.send("ucinewgame", "isready")
        program.wait("readyok", STARTING)

    def go(self, board: chess.Board, mine: Clock, other: Clock, margin: float, patience: float) -> Answer:
        program = self._running()
        # What was said unasked comes before this answer: a second move for the last position does not count for this.
        program.send(_position(board, self._variant), "isready")
        program.wait("readyok", patience)
        program.info = ""
        command = _go(board.turn, mine, other)
        began = time.perf_counter()
        program.send(command)
        budget = mine.budget
        try:
            when, line = program.wait("bestmove", patience if budget is None else budget + margin)
        except TimeoutError:
            when, line = _late(program, patience, budget is not None)
        move = line.split()[1] if " " in line else ""
        return Answer(move, when - began, *_thoughts(program.info))

    def stop(self) -> None:
        self._ended = True
        if self._program is not None:
            self._program.stop()

    def close(self) -> None:
        program, self._program = self._program, None
        if program is not None:
            program.quit()


def _late(program: UciProgram, patience: float, timed: bool) -> tuple[float, str]:
    """Its time is up. One that still answers has lost on time; one that does not has stalled, and is ended."""
    program.send("stop")
    try:
        answer = program.wait("bestmove", patience)
    except TimeoutError:
        program.end()
        raise Fault("stall", "no move, and no answer to 'stop': the process was ended") from None
    if not timed:
        raise Fault("stall", f"no move in {patience:g} s but when told to stop: it may not know 'go nodes'")
    return answer


def _position(board: chess.Board, variant: str) -> str:
    root = board.root()
    start = "startpos" if variant != "chess960" and root.fen() == type(root)().fen() else f"fen {root.fen()}"
    moves = " ".join(move.uci() for move in board.move_stack)
    return f"position {start} moves {moves}" if moves else f"position {start}"


def _go(turn: chess.Color, mine: Clock, other: Clock) -> str:
    words = ["go"]
    if mine.left is not None:
        theirs = other if other.left is not None else mine
        white, black = (mine, theirs) if turn else (theirs, mine)
        for name, clock in (("w", white), ("b", black)):
            words += [f"{name}time {max(1, int(1000 * (clock.left or 0.0)))}"]
            words += [f"{name}inc {int(1000 * clock.control.increment)}"]
        words += [f"movestogo {mine.moves_to_go}"] if mine.moves_to_go else []
    if mine.control.movetime is not None:
        words.append(f"movetime {max(1, int(1000 * mine.control.movetime))}")
    if mine.control.nodes is not None:
        words.append(f"nodes {mine.control.nodes}")
    return " ".join(words)


def _thoughts(info: str) -> tuple[int | None, int | None, int | None]:
    """(centipawns, mate, depth) of an ``info`` line."""
    score = re.search(r" score (cp|mate) (-?\d+)", info)
    depth = re.search(r" depth (\d+)", info)
    cp = int(score[2]) if score and score[1] == "cp" else None
    mate = int(score[2]) if score and score[1] == "mate" else None
    return cp, mate, int(depth[1]) if depth else None
