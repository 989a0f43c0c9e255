"""Traps in a position: moves that tempt, and lose.

- By force: the move allows a mate within `LEVEL` plies (`plyout.search.traps`), which is exact.
- By search: the search liked it and then found it refuted (`plyout.engine.events`).

Either way it must cost `COST` of a point against the best move: where all is lost, nothing is a trap.
"""

from typing import Any

import chess

from plyout.engine.result import Result
from plyout.explain.tempting import tempting
from plyout.games import CHESS
from plyout.games.chess.border import decode
from plyout.search.proof.mate import Budget
from plyout.search.traps.hard import hard_traps, refutation

LEVEL = 5
COST = 0.2
_POSITIONS = 300_000  # to look for mates in; some hundredths of a second
_TEMPTING, _MOST = 6, 2
_LONGEST = 8  # plies of a refutation that does not end in mate


def traps_of(result: Result, board: chess.Board) -> list[dict[str, Any]]:
    """The traps for the side to move, those by force first: the move, what tempts, and the line that refutes it."""
    if result.move is None or result.book or result.value < COST:
        return []
    reasons = dict(tempting(result, board, [], _TEMPTING))
    found = _by_force(result, board, reasons)
    found += _by_search(result, reasons, {trap["move"] for trap in found})
    return found[:_MOST]


def _by_force(result: Result, board: chess.Board, reasons: dict[chess.Move, tuple[str, ...]]) -> list[dict[str, Any]]:
    state = result.tree.state
    if result.tree.game is not CHESS or not reasons:
        return []
    found = []
    for trap in hard_traps(state, LEVEL, Budget(_POSITIONS)):
        move = decode(trap.move, board.chess960)
        if move in reasons:
            line = [decode(m, board.chess960).uci() for m in refutation(state, trap)]
            found.append(
                {"move": move.uci(), "tempting": list(reasons[move]), "mate": (len(line) + 1) // 2, "line": line}
            )
    order = list(reasons)
    return sorted(found, key=lambda trap: order.index(chess.Move.from_uci(str(trap["move"]))))


def _by_search(result: Result, reasons: dict[chess.Move, tuple[str, ...]], known: set[str]) -> list[dict[str, Any]]:
    refuted = {event.move: event for event in result.history.events if event.kind == "refutation"}
    found = []
    for m in result.moves[1:]:
        event = refuted.get(m.move)
        if event is None or m.move.uci() in known or result.value - m.known_value < COST or len(m.pv) < 2:
            continue
        line = m.pv[1:] if m.mate is not None else m.pv[1 : 1 + _LONGEST]
        tempts = list(reasons.get(m.move, ()))
        found.append(
            {"move": m.move.uci(), "tempting": tempts, "mate": None, "proof": m.proof, "line": [x.uci() for x in line],
             "before": event.before, "after": m.known_value}
        )  # fmt: skip
    return sorted(found, key=lambda trap: (trap["proof"] != "loss", trap["after"]))
