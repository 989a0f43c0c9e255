"""AlphaOne as published does what its paper says, and fails as it says; the corrected one does not."""

from math import log, sqrt

import chess
import numpy as np

from plyout import Engine, Limits
from plyout.evaluate.score import RAW
from plyout.lab.puzzles.read import read_puzzles
from plyout.lab.puzzles.solve import attempt
from plyout.parameters import Selection, group
from plyout.search.select import payoff_uct
from tests.evaluate import oracle


def test_each_iteration_opens_a_leaf_and_evaluates_one_of_its_children() -> None:
    engine = Engine("alphaone", hash_mb=16, weighted=0)
    tree = engine.search(chess.STARTING_FEN, Limits(nodes=1)).tree
    assert [len(v.line) for v in tree.walk()] == [0, 1], "the root is the first leaf"
    engine.new_game()
    tree = engine.search(chess.STARTING_FEN, Limits(nodes=20)).tree
    assert tree.edges["visits"][:20].tolist() == [1.0] * 20, "nobody is visited twice before all are once"
    depths = sorted(len(v.line) for v in tree.walk())
    assert depths == [0] + [1] * 20 + [2] * 19, "each but the first was opened, and a child of it evaluated"
    board = chess.Board()
    for visit in tree.walk():
        if len(visit.line) == 2:
            after = board.copy()
            for move in visit.line:
                after.push(move)
            payoff = (2 * visit.value - 1) * RAW
            assert round(payoff) == -oracle.tapered(after, after.turn), "raw centipawns of the child"


def test_selection_is_the_paper_s_formula_in_raw_centipawns() -> None:
    engine = Engine("alphaone", hash_mb=16, c=50)
    tree = engine.search(chess.STARTING_FEN, Limits(nodes=400)).tree
    graph, selection = tree.graph, group(Selection, engine.parameters)
    checked = 0
    for node in range(len(tree.nodes["key"])):
        edges = tree.children(node)
        if len(edges) and all(graph.edges["visits"][e] > 0 for e in edges):
            parent = float(graph.nodes["visits"][node])
            bounds = [
                (2 * graph.edges["value"][e] / graph.edges["visits"][e] - 1) * RAW
                + 50 * sqrt(log(parent) / graph.edges["visits"][e])
                for e in edges
            ]
            assert payoff_uct(graph, np.int64(node), selection) == edges[int(np.argmax(bounds))]
            checked += 1
    assert checked >= 3


def test_the_published_one_does_not_see_a_finished_game() -> None:
    board = chess.Board("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1")
    assert Engine("alphaone", hash_mb=16).search(board, Limits(nodes=5000)).mate is None
    assert Engine("alphaone-fixed", hash_mb=16).search(board, Limits(nodes=5000)).mate == 1


def test_the_corrected_one_solves_mates_that_the_published_one_does_not() -> None:
    published, corrected = (Engine(name, hash_mb=64) for name in ("alphaone", "alphaone-fixed"))
    puzzles = read_puzzles("mate-in-2.epd")[:20]
    assert sum(attempt(corrected, p, Limits(nodes=100_000)).solved for p in puzzles) >= 18
    assert sum(attempt(published, p, Limits(nodes=20_000)).solved for p in puzzles) <= 8


def test_the_same_seed_draws_the_same_children() -> None:
    def first(seed: int) -> list[float]:
        engine = Engine("alphaone", hash_mb=16, seed=seed)
        return [float(v) for v in engine.search(chess.STARTING_FEN, Limits(nodes=300)).tree.edges["value"]]

    assert first(1) == first(1)
    assert first(1) != first(2)
