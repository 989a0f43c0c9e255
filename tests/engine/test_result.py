"""What a search answers can be read, walked, saved and loaded."""

import json
from math import isclose
from pathlib import Path

import chess
import numpy as np
import pytest

from plyout import Engine, Limits
from plyout.engine.result import Result
from plyout.engine.tree import Tree, end_in_ply, mate_in, proof_text
from plyout.errors import InputError
from plyout.evaluate.scale import centipawns
from plyout.games import TICTACTOE
from plyout.knowledge.tables.probe import FAR
from plyout.search.graph import DRAWN, DRAWN_HERE, PROVEN, UNPROVEN
from tests.positions import KIWIPETE

MATE_IN_ONE = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1"


@pytest.fixture(scope="module")
def result() -> Result:
    return Engine("mcc-combined", hash_mb=16).search(KIWIPETE, Limits(nodes=2000))


def test_a_result_becomes_json(result: Result) -> None:
    answer = json.loads(json.dumps(result.as_dict()))
    wanted = "bestmove ponder value score wdl proof mate nodes time_ms nps pv moves graph preset seed"
    assert set(wanted.split()) <= set(answer)
    assert set(answer["moves"][0]) == {"move", "visits", "value", "prior", "proof", "mate", "end_in_ply", "pv"}
    assert set(answer["graph"]) == {"nodes", "edges", "bytes", "shared"}
    assert len(answer["moves"]) == chess.Board(KIWIPETE).legal_moves.count()
    assert len(result.as_dict(multipv=3)["moves"]) == 3


def test_the_best_move_leads_the_list_and_the_line(result: Result) -> None:
    assert result.move == result.moves[0].move == result.pv[0]
    assert result.ponder == result.pv[1]
    assert result.value == result.moves[0].value
    visits = [m.visits for m in result.moves]
    assert visits == sorted(visits, reverse=True)
    assert sum(visits) == 1999


def test_every_line_is_legal(result: Result) -> None:
    for m in result.moves:
        board = chess.Board(KIWIPETE)
        assert m.pv[0] == m.move
        for move in m.pv:
            assert board.is_legal(move)
            board.push(move)


def test_the_walk_meets_every_node_once_with_legal_lines(result: Result) -> None:
    tree = result.tree
    visits = list(tree.walk())
    assert len(visits) == len({v.node for v in visits}) == result.graph["nodes"]
    assert visits[0].line == ()
    assert isclose(visits[0].value, 1 - float(tree.graph.nodes["value"][0]) / 2000)
    met = set()
    for v in visits:
        assert v.line[:-1] in met or not v.line, "parents come before children"
        met.add(v.line)
        board = chess.Board(KIWIPETE)
        for move in v.line:
            assert board.is_legal(move)
            board.push(move)
    few = list(tree.walk(depth=2, visits=10))
    assert all(len(v.line) <= 2 and v.visits >= 10 for v in few)
    assert 1 < len(few) < len(visits)


def test_the_tree_is_read_without_copying(result: Result) -> None:
    assert np.shares_memory(result.tree.nodes["visits"], result.tree.graph.nodes)
    assert len(result.tree.edges["move"]) == result.graph["edges"]
    assert result.tree.best_line()[0] == result.move
    moves = result.tree.top_moves(3)
    assert [m.move for m in result.moves[:3]] == [move for move, _, _ in moves]


def test_a_saved_tree_comes_back(result: Result, tmp_path: Path) -> None:
    path = tmp_path / "tree.npz"
    result.tree.save(path)
    loaded = Tree.load(path)
    assert [(v.line, v.visits, v.value, v.proof) for v in loaded.walk()] == [
        (v.line, v.visits, v.value, v.proof) for v in result.tree.walk()
    ]
    assert loaded.parameters == result.tree.parameters
    assert loaded.preset == "mcc-combined"
    assert loaded.best_line() == result.tree.best_line()


@pytest.mark.parametrize("preset", ["mcc", "mcc-rave"])
def test_trees_of_other_games_and_small_ones_come_back(preset: str, tmp_path: Path) -> None:
    for nodes in (1, 2, 50):
        tree = Engine(preset, TICTACTOE, hash_mb=1).search("startpos", Limits(nodes=nodes)).tree
        tree.save(tmp_path / "tree.npz")
        assert list(Tree.load(tmp_path / "tree.npz").walk()) == list(tree.walk())


@pytest.mark.parametrize("content", ["missing", "empty", "text", "cut off", "one array"])
def test_a_file_that_is_no_tree_is_the_users_mistake(content: str, result: Result, tmp_path: Path) -> None:
    path = tmp_path / "tree.npz"
    if content == "empty":
        path.write_bytes(b"")
    elif content == "text":
        path.write_text("not a tree")
    elif content == "cut off":
        result.tree.save(path)
        path.write_bytes(path.read_bytes()[:1000])
    elif content == "one array":
        with path.open("wb") as file:
            np.save(file, np.zeros(3))
    with pytest.raises(InputError, match="is not a saved tree"):
        Tree.load(path)


def test_a_proven_win_is_told() -> None:
    result = Engine("mcc-solver", hash_mb=4).search(MATE_IN_ONE, Limits(nodes=2000))
    assert (result.proof, result.mate, result.value, result.score) == ("win", 1, 1.0, {"mate": 1})
    assert str(result.move) == "a1a8"
    assert result.pv == [result.move]
    assert result.moves[0].proof == "win"


@pytest.mark.parametrize(
    "number, text, moves, plies",
    [
        (UNPROVEN, None, None, None),
        (DRAWN, "draw", None, 0),
        (DRAWN + 3, "draw", None, 3),
        (DRAWN_HERE, "draw", None, None),
        (PROVEN - 1, "win", 1, 1),
        (PROVEN - 3, "win", 2, 3),
        (-PROVEN, "loss", 0, 0),
        (-(PROVEN - 2), "loss", -1, 2),
        (-(PROVEN - 4), "loss", -2, 4),
        (PROVEN - FAR, "win", None, None),
    ],
)
def test_a_proof_is_put_into_words(number: int, text: str | None, moves: int | None, plies: int | None) -> None:
    assert (proof_text(number), mate_in(number), end_in_ply(number)) == (text, moves, plies)


def test_centipawns_are_even_in_the_middle_and_finite_at_the_ends() -> None:
    assert centipawns(0.5) == 0
    assert centipawns(10 / 11) == 400
    assert centipawns(1.0) == -centipawns(0.0) < 10_000
    scores = [centipawns(v / 100) for v in range(101)]
    assert scores == sorted(scores)
