"""Positions with traps, mined from games of our own, each with its refutation.

A record is a line of EPD: ``am`` are the moves that are traps, ``pv`` is the one that tempts, with the moves that
punish it, ``c0`` says of which level it is, and ``id`` from which game it came.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from pathlib import Path

import chess

from plyout.engine import Engine
from plyout.errors import InputError
from plyout.games import CHESS, State, state_of
from plyout.games.chess.border import decode
from plyout.lab.duel import LONGEST_GAME, openings
from plyout.search.mate import Budget
from plyout.search.traps.hard import Trap, hard_traps, refutation

SHIPPED = "traps.epd"
DEEPEST = 5  # the level up to which positions are searched
_A_GAME = 3  # records taken from one game at most: neighbours are alike
_PLAYING, _TEMPTED = 60, 400  # iterations for a move of the games, and to see what tempts a plain search
_BUDGET = 2_000_000


@dataclass(frozen=True)
class TrapPosition:
    """A position in which a plain search is tempted by a trap."""

    board: chess.Board
    traps: tuple[chess.Move, ...]
    """All moves that are traps, up to the level of the one that tempts."""
    line: tuple[chess.Move, ...]
    """The move that tempts, and its refutation."""
    level: int
    name: str

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
    return read((resources.files("plyout.lab") / SHIPPED).read_text(encoding="utf-8"), SHIPPED)


def load(path: Path | None) -> list[TrapPosition]:
    """The positions of a file, or those that come with Plyout."""
    if path is None:
        return shipped()
    try:
        return read(path.read_text(encoding="utf-8"), str(path))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read {path}: {error}") from None


def mine(seed: int, first_game: int = 0) -> Iterator[tuple[int, TrapPosition | None]]:
    """Play games without end; (number of the game, a trap position found in it), and (number, None) at its end.

    A game depends on the seed and its number alone, so that mining can be taken up again anywhere.
    """
    player, plain = Engine("mcc-combined", hash_mb=8), Engine("mcc", hash_mb=8)
    game = first_game
    while True:
        board = next(openings(seed + 7919 * game))
        player.new_game()
        player.parameters["seed"] = seed + game
        found = 0
        while len(board.move_stack) < LONGEST_GAME:
            if found < _A_GAME:
                record = _tempting(plain, board, f"{seed}-{game}-{len(board.move_stack)}")
                if record:
                    found += 1
                    yield game, record
            move = player.search(board, nodes=_PLAYING).move
            if move is None:
                break
            board.push(move)
        yield game, None
        game += 1


def _tempting(plain: Engine, board: chess.Board, name: str) -> TrapPosition | None:
    """The position as a record, if a plain search falls for a trap and has a move that is none."""
    state = state_of(board)
    if CHESS.result(state) is not None:
        return None
    traps = hard_traps(state, DEEPEST, Budget(_BUDGET))
    if not traps or len(traps) == len(CHESS.moves(state)):
        return None
    plain.new_game()
    chosen = plain.search(board, nodes=_TEMPTED).move
    tempting = next((trap for trap in traps if decode(trap.move) == chosen), None)
    return _as_record(board, state, traps, tempting, name) if tempting and tempting.level > 1 else None


def _as_record(board: chess.Board, state: State, traps: list[Trap], tempting: Trap, name: str) -> TrapPosition:
    line = (tempting.move, *refutation(state, tempting))
    listed = tuple(decode(trap.move) for trap in traps if trap.level <= tempting.level)
    return TrapPosition(board.copy(stack=False), listed, tuple(map(decode, line)), tempting.level, name)
