"""Explanations: which moves tempt, what is asked for, other games, plain data."""

import json

import chess
import chess.variant
import pytest

from plyout import Engine, Limits
from plyout.engine.result import Result
from plyout.errors import InputError
from tests.explain.test_truth import LEGAL
from tests.positions import MATED, STALEMATE, START


def searched(where: object, preset: str = "plyout", game: str = "chess", nodes: int = 300) -> Result:
    return Engine(preset, game, hash_mb=16, seed=1).search(where, Limits(nodes=nodes))  # type: ignore[arg-type]


def test_moves_that_are_named_come_first_and_once() -> None:
    explanation = searched(LEGAL).explain(["a6", "Bxd1", "h5d1"], nodes=0, most=1)
    assert [m.san for m in explanation.why_not][:2] == ["a6", "Bxd1"]
    assert len(explanation.why_not) == 3
    assert explanation.why_not[1].tempting == ("named", "highest prior", "wins by exchanges")


def test_the_move_that_is_played_is_not_tempting() -> None:
    result = searched(LEGAL)
    assert result.move is not None
    explanation = result.explain([result.move], nodes=0)
    assert explanation.why is not None and explanation.why.tempting == ("named, and the search's choice",)
    assert result.move not in [m.move for m in explanation.why_not]


def test_the_tree_is_the_same_after_second_searches() -> None:
    result = searched(LEGAL, preset="mcc")
    before = result.tree.edges["visits"].copy()
    result.explain(["a6"], nodes=100)
    assert (result.tree.edges["visits"] == before).all()


@pytest.mark.parametrize("move", ["Qh8", "e2e5", "", "0000", "Bxd1 "])
def test_a_move_that_is_not_legal_is_told(move: str) -> None:
    with pytest.raises(InputError, match="is no legal move in"):
        searched(START, nodes=40).explain([move], nodes=0)


@pytest.mark.parametrize("fen", [MATED, STALEMATE])
def test_where_the_game_is_over_there_is_nothing_to_explain(fen: str) -> None:
    assert str(searched(fen).explain()) == "the game is over: there is no move to explain"


def test_crazyhouse_is_explained_without_exchanges() -> None:
    board = chess.variant.CrazyhouseBoard("r1bqk2r/pppp1ppp/2n1p3/4P3/1b1Pn3/2NB1N2/PPP2PPP/R1BQK2R[] b KQkq - 0 1")
    explanation = searched(board, game="crazyhouse").explain(["Nxc3"], nodes=100)
    types = {s.type for s in explanation.statements}
    assert "share" in types and not types & {"exchange", "answer", "material", "table"}


def test_games_that_are_not_chess_are_not_explained() -> None:
    with pytest.raises(InputError, match="chess and crazyhouse"):
        searched("xx./oo./...", preset="mcc", game="tictactoe").explain()


def test_facts_are_plain_data() -> None:
    explanation = searched(LEGAL).explain(["Bxd1"], nodes=100)
    read = json.loads(json.dumps(explanation.as_dict()))
    (told,) = (m for m in read["why_not"] if m["san"] == "Bxd1")
    (mated,) = (s for s in told["statements"] if s["type"] == "mated")
    assert mated["kind"] == "certain"
    facts = mated["facts"]
    assert (facts["moves"], facts["exact"], facts["lines"]) == (2, True, 1)
    assert facts["line"] == ["h5d1", "c4f7", "e8e7", "c3d5"]


def test_a_result_is_printed_as_a_short_table() -> None:
    shown = str(searched(LEGAL, nodes=400)).splitlines()
    assert shown[0].endswith("s)") and "(plyout, seed 1, 400 iterations in " in shown[0]
    assert shown[1].split() == ["move", "visits", "share", "value", "line"]
    assert len(shown) == 8 and shown[-1].startswith("31 more")
    assert {line.find(" %") for line in shown[2:]} == {shown[2].find(" %")}, "the columns stand one under the other"
    assert str(searched(MATED)) == "the side to move is mated"
    assert "mate in 1" in str(searched("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1")).splitlines()[0]
    assert str(searched("xx./oo./...", preset="mcc", game="tictactoe")).splitlines()[0].startswith("2, ")
