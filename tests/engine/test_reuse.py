"""Consecutive positions of a game keep what is known of them, and nothing else."""

import chess
import pytest

from plyout import Engine, Limits
from plyout.engine.tree import Tree
from plyout.games import state_of
from plyout.search.graph import NODES
from tests.positions import KIWIPETE
from tests.search.graphs import described, reachable


def node_after(tree: Tree, moves: list[chess.Move]) -> int:
    node = tree.root
    for move in moves:
        node = next(int(tree.graph.edges["child"][e]) for e in tree.children(node) if tree.move(e) == move)
    return node


@pytest.mark.parametrize("name", ["mcc", "mcc-combined", "mcc-rave"])
def test_the_reply_keeps_what_was_known_of_it(name: str) -> None:
    """The statistics after our move and the reply are exactly those that the node had."""
    engine = Engine(name, hash_mb=16)
    board = chess.Board()
    for _ in range(4):
        result = engine.search(board, Limits(nodes=3000))
        line = result.pv[:2]
        node = node_after(result.tree, line)
        before = described(result.tree.graph, node)
        visits = float(result.tree.graph.nodes["visits"][node])
        for move in line:
            board.push(move)
        root = engine._searcher.root
        root.find(state_of(board))
        graph = root.graph
        assert described(graph, 0) == before
        assert graph.used[NODES] == len(set(reachable(graph, 0)))
        after = engine.search(board, Limits(nodes=1))
        assert after.tree.graph.nodes["visits"][after.tree.root] == visits + 1


def test_one_ply_and_the_same_position_are_reused_too() -> None:
    engine = Engine("mcc", hash_mb=16)
    board = chess.Board()
    result = engine.search(board, Limits(nodes=1000))
    visits = result.moves[0].visits
    board.push(result.move)
    assert engine.search(board, Limits(nodes=10)).tree.graph.nodes["visits"][0] == visits + 10


@pytest.mark.parametrize("case", ["unrelated", "three plies on", "other history", "new game"])
def test_what_does_not_belong_to_the_position_is_forgotten(case: str) -> None:
    engine = Engine("mcc", hash_mb=16)
    board = chess.Board()
    result = engine.search(board, Limits(nodes=2000))
    if case == "unrelated":
        board = chess.Board(KIWIPETE)
    elif case == "three plies on":
        for move in result.pv[:2]:
            board.push(move)
        board.push(next(iter(board.legal_moves)))
    elif case == "other history":
        for text in ("g1f3", "g8f6", "f3g1", "f6g8"):
            board.push_uci(text)
    else:
        engine.new_game()
    after = engine.search(board, Limits(nodes=100))
    assert after.tree.graph.nodes["visits"][after.tree.root] == 100
