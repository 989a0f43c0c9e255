"""Positions with traps, mined from games of our own, each with its refutation.

A record is a line of EPD: ``am`` are the moves that are traps, ``pv`` is the one that was played, with the moves
that punish it, ``c0`` says of which level it is, and ``id`` from which game it came.
"""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from pathlib import Path

import chess

from plyout.engine import Engine, Limits
from plyout.errors import InputError
from plyout.evaluate.static import centipawns_of
from plyout.games import CHESS, State, state_of
from plyout.games.chess.border import decode, encode
from plyout.search.proof.mate import Budget, shortest_mate
from plyout.search.traps.hard import Trap, hard_traps, refutation

SHIPPED = "traps.epd"
DEEPEST = 5  # the level up to which traps are searched for
_A_GAME = 3  # records taken from one game at most: neighbours are alike
_ITERATIONS = 200  # for a move: a plain search that is easily tempted
_BUDGET = 2_000_000

LONGEST_GAME = 400  # plies


@dataclass(frozen=True)
class TrapPosition:
    """A position in which a plain search fell for a trap."""

    board: chess.Board
    traps: tuple[chess.Move, ...]
    """All moves that are traps, up to the level of the one played."""
    line: tuple[chess.Move, ...]
    """The move played, and its refutation."""
    level: int
    name: str

    @property
    def game(self) -> int:
        """The number of the game that it came from; -1 where its name does not say."""
        found = re.match(r"-?\d+-(\d{1,18})-\d+$", self.name)
        return int(found[1]) if found else -1

    @cached_property
    def epd(self) -> str:
        traps = sorted(self.traps, key=lambda move: move != self.line[0])
        return self.board.epd(am=traps, pv=list(self.line), c0=f"level {self.level}", id=self.name)


def read(text: str, source: str) -> list[TrapPosition]:
    """The records of an EPD file; `source` names it where something is wrong."""
    records = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                records.append(_record(line))
            except (ValueError, KeyError, TypeError) as error:
                raise InputError(f"{source}, line {number}: not a trap position: {error}") from None
    return records


def _record(line: str) -> TrapPosition:
    board = chess.Board()
    operations = board.set_epd(line)
    level = re.fullmatch(r"level (\d+)", str(operations.get("c0", "")))
    if not level:
        raise InputError("the operation c0 should say 'level K'")
    missing = [name for name in ("am", "pv", "id") if not operations.get(name)]
    if missing:
        raise InputError(f"the operation {missing[0]} is missing")
    traps, moves = operations["am"], operations["pv"]
    return TrapPosition(board, tuple(traps), tuple(moves), int(level[1]), str(operations["id"]))  # type: ignore[arg-type]


def shipped() -> list[TrapPosition]:
    """The positions that come with Plyout."""
    return read((resources.files(__package__) / SHIPPED).read_text(encoding="utf-8"), SHIPPED)


def load(path: Path | None) -> list[TrapPosition]:
    """The positions of a file, or those that come with Plyout."""
    if path is None:
        return shipped()
    try:
        return read(path.read_text(encoding="utf-8"), str(path))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read {path}: {error}") from None


def _start(seed: int) -> chess.Board:
    """A balanced position after six random moves."""
    generator = random.Random(seed)
    while True:
        board = chess.Board()
        for _ in range(6):
            board.push(generator.choice(list(board.legal_moves)))
        if not board.is_game_over() and abs(centipawns_of(board)) <= 80:
            return board


def mine(seed: int, first_game: int = 0) -> Iterator[tuple[int, TrapPosition | None]]:
    """Play games without end; (number of the game, a position in which the player fell for a trap), and (number, None)
    at the game's end.

    A game depends on the seed and its number alone, so that mining can be taken up again anywhere.
    """
    game = first_game
    while True:
        board = _start(seed + 7919 * game)
        player = Engine("mcc", hash_mb=4, seed=seed + game)
        found = 0
        while len(board.move_stack) < LONGEST_GAME and found < _A_GAME:
            move = player.search(board, Limits(nodes=_ITERATIONS)).move
            if move is None:
                break
            record = _fallen_for(board, move, f"{seed}-{game}-{len(board.move_stack)}")
            if record:
                found += 1
                yield game, record
            board.push(move)
        yield game, None
        game += 1


def _fallen_for(board: chess.Board, move: chess.Move, name: str) -> TrapPosition | None:
    """The position as a record, if `move` is a trap of level 3 or more and another move is none."""
    state = state_of(board)
    number = encode(board, move)
    level = shortest_mate(CHESS.after(state, number), DEEPEST, Budget(_BUDGET)) or 0
    if level < 3:
        return None
    traps = hard_traps(state, level)
    return _as_record(board, state, traps, Trap(number, level), name) if len(traps) < len(CHESS.moves(state)) else None


def _as_record(board: chess.Board, state: State, traps: list[Trap], played: Trap, name: str) -> TrapPosition:
    line = (played.move, *refutation(state, played))
    listed = tuple(decode(trap.move) for trap in traps)
    return TrapPosition(board.copy(stack=False), listed, tuple(map(decode, line)), played.level, name)
