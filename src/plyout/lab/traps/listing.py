"""``plyout traps`` and ``plyout similarity``: the traps of a position, and all measures for two of them."""

import time
from typing import Any

import chess

from plyout.engine import Engine, Limits
from plyout.games import CHESS, game, state_of
from plyout.games.chess.border import decode
from plyout.games.contract import Game, State
from plyout.progress import Progress
from plyout.search.graph import ROOT
from plyout.search.proof.mate import Budget
from plyout.search.similarity import MEASURES, STATISTICAL, Settings, similarity, similarity_of_statistics
from plyout.search.traps.avoid import statistics_of
from plyout.search.traps.hard import check_level, hard_traps, refutation
from plyout.search.traps.soft import soft_traps


def trap_list(board: chess.Board, level: int, soft: float) -> dict[str, Any]:
    """The traps of a position with their refutations, and the soft ones if a loss in centipawns is given."""
    state = state_of(board)
    check_level(level)
    over = CHESS.result(state) is not None
    hard_traps(state, level, Budget(1))  # compiled, or loaded, before the clock starts
    began = time.perf_counter()
    hard = [] if over else hard_traps(state, level)
    seconds = time.perf_counter() - began
    found = []
    for trap in hard:
        line = [decode(move, board.chess960) for move in refutation(state, trap)]
        move = decode(trap.move, board.chess960)
        after = board.copy()
        after.push(move)
        found.append({"move": move.uci(), "san": board.san(move), "level": trap.level, "line": [m.uci() for m in line],
                      "refutation": after.variation_san(line)})  # fmt: skip
    listed = {trap.move for trap in hard}
    losing = [] if over or not soft else soft_traps(state, min(level, 3), soft)
    moves = [decode(trap.move, board.chess960) for trap in losing if trap.move not in listed]
    return {
        "fen": board.fen(), "level": level, "moves": board.legal_moves.count(), "traps": found,
        "soft_traps": [{"move": m.uci(), "san": board.san(m)} for m in moves], "soft_loss": soft, "seconds": seconds,
    }  # fmt: skip


def all_similarities(
    variant: str, first: str, second: str, threshold: float, nodes: int, seed: int
) -> dict[str, float]:
    """Two positions compared by every measure; the last compares what searches of `nodes` iterations find."""
    which = game(variant)
    states = which.parse(first), which.parse(second)
    settings = Settings(threshold=threshold)
    values: dict[str, float] = {}
    with Progress("measures", len(MEASURES) + 1, quiet=True, keep=lambda: values) as progress:
        for name in MEASURES:
            values[name] = similarity(which, *states, name, settings)
            progress.step()
        values[STATISTICAL] = similarity_of_statistics(*(_statistics(which, state, nodes, seed) for state in states))
        progress.step()
    return values


def _statistics(which: Game, state: State, nodes: int, seed: int) -> dict[int, float]:
    graph = Engine("mcc", which, hash_mb=16, seed=seed).search(state, Limits(nodes=nodes)).tree.graph
    return statistics_of(graph, int(graph.used[ROOT]))
