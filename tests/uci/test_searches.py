"""``go`` with every limit: one legal move, and what is told of it."""

import re

import chess
import pytest

from tests.positions import KIWIPETE, MATE_IN_1
from tests.uci.client import Talk, is_legal, moves_of, ranks

LIMITS = {
    "nodes": "nodes 100",
    "depth": "depth 2",
    "movetime": "movetime 60",
    "clocks": "wtime 400 btime 400 winc 10 binc 10",
    "clocks and moves to go": "wtime 200 btime 200 movestogo 5",
    "searchmoves": "nodes 100 searchmoves a2a3 h7h6",
}


@pytest.mark.parametrize("fen", [KIWIPETE, "r3k2r/p1pNqpb1/bn2pnp1/3P4/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1"])
@pytest.mark.parametrize("name", ["nodes", "depth", "movetime", "clocks", "clocks and moves to go"])
def test_a_search_with_a_limit_tells_one_legal_move(talk: Talk, name: str, fen: str) -> None:
    talk.ask(f"position fen {fen}")
    answer = talk.go(LIMITS[name])
    assert all(is_legal(line) for line in answer)
    board = chess.Board(fen)
    words = answer[-1].split()
    board.push_uci(words[1])
    if len(words) > 2:
        board.push_uci(words[3])
    pv = answer[-2].split(" pv ")[1].split()
    assert pv[0] == words[1]
    line = chess.Board(fen)
    for move in pv:
        line.push_uci(move)


def test_nodes_are_counted_exactly(talk: Talk) -> None:
    assert " nodes 123 " in talk.go("nodes 123")[-2]


def test_a_ply_deeper_takes_twice_the_nodes(talk: Talk) -> None:
    reported = []
    for depth in (1, 2, 3):
        talk.ask("ucinewgame")
        found = re.search(r"info depth (\d+) .* nodes (\d+)", talk.go(f"depth {depth}")[-2])
        assert found
        reported.append((int(found[1]), int(found[2])))
    assert [depth for depth, _ in reported] == [1, 2, 3]
    assert reported[2][1] == 2 * reported[1][1] == 4 * reported[0][1]


@pytest.mark.parametrize("milliseconds", [20, 100, 400])
def test_movetime_is_used(talk: Talk, milliseconds: int) -> None:
    """And the search ends; how late it does on a busy machine, tests/soak measures."""
    found = re.search(r" time (\d+) ", talk.go(f"movetime {milliseconds}")[-2])
    assert found
    assert int(found[1]) >= milliseconds


def test_the_clock_of_the_side_to_move_counts(talk: Talk) -> None:
    for position, clocks in (("startpos", "wtime 100 btime 900000"), ("startpos moves e2e4", "wtime 900000 btime 100")):
        talk.ask(f"position {position}")
        talk.go(clocks, seconds=40)  # a twentieth of the other clock would be 45 s


def test_only_searchmoves_are_searched(talk: Talk) -> None:
    talk.ask("position startpos", "setoption name MultiPV value 5")
    answer = talk.go("searchmoves a2a3 h2h3 b1a3 nodes 200")
    assert {move for _, move in ranks(answer)} == {"a2a3", "h2h3", "b1a3"}
    assert moves_of(answer) in {"a2a3", "h2h3", "b1a3"}
    assert len(ranks(talk.go("nodes 200"))) == 5, "and all moves in the next search"


@pytest.mark.parametrize("count", [1, 3, 20, 500])
def test_multipv_ranks_distinct_moves(talk: Talk, count: int) -> None:
    talk.ask("position startpos", f"setoption name MultiPV value {count}")
    answer = talk.go("nodes 50000")  # what the policy likes least is visited late
    found = ranks(answer)
    assert [rank for rank, _ in found] == list(range(1, min(count, 20) + 1))
    assert len({move for _, move in found}) == len(found)
    assert found[0][1] == moves_of(answer)


@pytest.mark.parametrize("limit", ["mate 1", "mate 3", "nodes 3000"])
def test_a_mate_is_found_and_said(talk: Talk, limit: str) -> None:
    talk.ask(f"position fen {MATE_IN_1}")
    answer = talk.go(limit)
    assert " score mate 1 " in answer[-2]
    assert answer[-1] == "bestmove a1a8"


def test_being_mated_is_said_with_a_minus(talk: Talk) -> None:
    talk.ask("position fen 7k/5K2/8/8/8/8/8/6R1 b - - 0 1")
    answer = talk.go("nodes 5000")
    assert " score mate -1 " in answer[-2]
    assert moves_of(answer) == "h8h7"
