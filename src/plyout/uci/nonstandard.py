"""The commands that UCI does not have, but engines do: ``d``, ``eval``, ``tree``, ``perft`` and ``bench``."""

import time
from collections.abc import Iterator
from typing import Any

import chess

from plyout.errors import InputError
from plyout.search.limits import Limits

_BENCH = (
    chess.STARTING_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
)


def board_lines(board: chess.Board) -> list[str]:
    return [*str(board).splitlines(), "", f"Fen: {board.fen()}"]


def evaluation_text(board: chess.Board) -> str:
    from plyout.evaluate.static import centipawns_of

    if type(board) is not chess.Board:
        raise InputError("eval: there is a static evaluation for chess only")
    centipawns = centipawns_of(board) * (1 if board.turn else -1)
    return f"static evaluation {centipawns / 100:+.2f} pawns for White"


def tree_texts(result: Any, count: int) -> Iterator[str]:
    """The first `count` root moves of a search."""
    for m in result.moves[:count]:
        line = " ".join(str(move) for move in m.pv[:8])
        yield f"{m.move} visits {m.visits:.0f} value {m.value:.4f} proof {m.proof or '-'} pv {line}"


def perft_lines(board: chess.Board, depth: int) -> Iterator[str]:
    from plyout.games import game, state_of

    rules, state = game(board.uci_variant or "chess"), state_of(board)
    total = 0
    for move in rules.moves(state) if depth > 0 else ():
        count = sum(rules.perft_in_slices(rules.after(state, move), depth - 1))
        total += count
        yield f"{rules.move_text(state, move)}: {count}"
    yield ""
    yield f"Nodes searched: {total if depth > 0 else 1}"


def bench_lines(engine: Any) -> Iterator[str]:
    """Search a few positions, each as the first of a game."""
    nodes, began = 0, time.perf_counter()
    for fen in _BENCH:
        engine.new_game()
        nodes += engine.search(fen, Limits(nodes=5000)).nodes
    seconds = time.perf_counter() - began
    engine.new_game()
    yield f"Nodes searched: {nodes}"
    yield f"Nodes/second: {round(nodes / seconds)}"
