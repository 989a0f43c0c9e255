"""``plyout trap-density``: how often positions of games hold traps (after Ramanujan, Sabharwal & Selman 2010).

A position holds a trap of level k if some legal move allows a mate in k plies and not sooner.
"""

import csv
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import chess
import chess.pgn

from plyout.errors import InputError
from plyout.games import CHESS, state_of
from plyout.lab.match.read import pgn_games
from plyout.lab.match.store import write_whole
from plyout.progress import Progress
from plyout.search.proof.mate import Budget
from plyout.search.traps.hard import LEVELS, hard_traps

PHASE = 16  # plies
_PHASES = 6  # the last one has no end
_NUMBER = re.compile("[0-9]{1,9}")
_COLUMNS = ("game", "ply", "fen", *(f"level {level}" for level in LEVELS))


@dataclass(frozen=True)
class Counted:
    """A position of a game, and how many traps of each level it has; None where the search was cut short."""

    game: int
    ply: int
    fen: str
    traps: dict[int, int | None]

    @property
    def phase(self) -> int:
        return min(self.ply // PHASE, _PHASES - 1)


def phase_names() -> list[str]:
    inner = [f"{PHASE * i}–{PHASE * (i + 1) - 1}" for i in range(_PHASES - 1)]
    return [*inner, f"{PHASE * (_PHASES - 1)}+"]


def sample(path: Path, count: int, seed: int) -> list[tuple[int, int, str]]:
    """(game, ply, FEN) of positions drawn by chance from a PGN file, as many from each phase as there are, or fewer."""
    phases: list[list[tuple[int, int, str]]] = [[] for _ in range(_PHASES)]
    for number, game in enumerate(_games(path), 1):
        try:
            board = game.board()
        except ValueError as error:  # a FEN that is none, a variant that nobody knows
            raise InputError(f"{path}, game {number}: {error}") from None
        if board.uci_variant != "chess" or not board.is_valid():
            continue
        for move in game.mainline_moves():
            ply = board.ply()
            phases[min(ply // PHASE, _PHASES - 1)].append((number, ply, board.fen()))
            board.push(move)
    if not any(phases):
        raise InputError(f"{path} has no games of chess in PGN")
    chance = random.Random(seed)
    share = max(1, count // _PHASES)
    return sorted(position for found in phases for position in chance.sample(found, min(share, len(found))))


def _games(path: Path) -> Iterator[chess.pgn.Game]:
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            yield from pgn_games(file)
    except OSError as error:
        raise InputError(f"cannot read {path}: {error}") from None


def count_traps(fen: str, level: int, budget: int) -> dict[int, int | None]:
    """How many traps of each level, up to `level`, a position has; within a budget of positions to search."""
    state = state_of(chess.Board(fen))
    counts: dict[int, int | None] = {}
    if CHESS.result(state) is not None:
        return {k: 0 for k in LEVELS if k <= level}
    left = Budget(budget)
    for k in (k for k in LEVELS if k <= level):
        traps = hard_traps(state, k, left)
        if left.left[0] < 0:
            break
        counts[k] = sum(trap.level == k for trap in traps)
    return {k: counts.get(k) for k in LEVELS if k <= level}


def density(
    positions: list[tuple[int, int, str]], level: int, budget: int, store: Path | None, quiet: bool
) -> list[Counted]:
    """Count the traps of every position. What stands in `store` is not counted again; what is new is added to it."""
    known = stored(store, level) if store and store.exists() else {}
    counted: list[Counted] = []
    with Progress("positions", len(positions), quiet, keep=lambda: counted or None) as progress:
        for game, ply, fen in positions:
            one = known.get((game, ply, fen))
            if one is None:
                one = Counted(game, ply, fen, count_traps(fen, level, budget))
                if store:
                    _add(store, one)
            counted.append(one)
            progress.step()
    return counted


def _add(store: Path, one: Counted) -> None:
    store.parent.mkdir(parents=True, exist_ok=True)
    new = not store.exists()
    with store.open("a", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        if new:
            writer.writerow(_COLUMNS)
        counts = ["" if one.traps.get(k) is None else one.traps[k] for k in LEVELS]
        writer.writerow([one.game, one.ply, one.fen, *counts])


def stored(store: Path, level: int) -> dict[tuple[int, int, str], Counted]:
    """What was counted before; a line that a kill cut short is forgotten."""
    advice = "name another folder, or move it away"
    try:
        text = store.read_text(encoding="utf-8")
        whole = text[: text.rfind("\n") + 1]
        lines = list(csv.reader(whole.splitlines()))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{store} cannot be read ({error}): {advice}") from None
    if lines[:1] != [list(_COLUMNS)]:
        raise InputError(f"{store} is not a file of this command: {advice}")
    known = {}
    for number, line in enumerate(lines[1:], 2):
        numbers = (*line[:2], *filter(None, line[3:]))
        if len(line) != len(_COLUMNS) or not all(map(_NUMBER.fullmatch, numbers)):
            raise InputError(f"{store}, line {number} is not one of this command: {advice}")
        game, ply, fen, *counts = line
        traps = {k: int(n) if n else None for k, n in zip(LEVELS, counts, strict=True) if k <= level}
        known[int(game), int(ply), fen] = Counted(int(game), int(ply), fen, traps)
    if whole != text:
        write_whole(store, whole)
    return known


def summary(counted: list[Counted], level: int) -> list[dict[str, Any]]:
    """For each phase: how many positions, and the share of them that hold a trap of each level."""
    rows = []
    for phase, name in enumerate(phase_names()):
        inside = [one for one in counted if one.phase == phase]
        shares: dict[int, float | None] = {}
        for k in (k for k in LEVELS if k <= level):
            known = [one.traps[k] for one in inside if one.traps.get(k) is not None]
            shares[k] = sum(bool(n) for n in known) / len(known) if known else None
        rows.append({"plies": name, "positions": len(inside), "share_with_trap": shares,
                     "cut_short": sum(None in one.traps.values() for one in inside)})  # fmt: skip
    return rows
