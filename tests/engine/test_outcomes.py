"""Won, drawn and lost per mille: what scores were worth in our own games."""

import chess
import pytest

from plyout import Engine, Limits
from plyout.engine.outcomes import FITTED, material, of_value
from plyout.games import state_of

SCORES = range(-1600, 1601, 50)
LEFT = (0.0, 0.1, 0.3, 0.6, 1.0)


@pytest.mark.parametrize("kind", FITTED)
def test_the_three_are_shares_of_a_thousand_whatever_the_score(kind: str) -> None:
    for left in LEFT:
        for cp in SCORES:
            outcomes = FITTED[kind].outcomes(cp, left)
            assert sum(outcomes) == 1000
            assert min(outcomes) >= 0, (cp, left, outcomes)


@pytest.mark.parametrize("kind", FITTED)
def test_what_one_side_wins_the_other_loses(kind: str) -> None:
    for left in LEFT:
        for cp in SCORES:
            won, drawn, lost = FITTED[kind].outcomes(cp, left)
            assert FITTED[kind].outcomes(-cp, left) == (lost, drawn, won)


@pytest.mark.parametrize("kind", FITTED)
def test_a_greater_lead_wins_more_and_loses_less(kind: str) -> None:
    for left in LEFT:
        found = [FITTED[kind].outcomes(cp, left) for cp in SCORES]
        assert [won for won, _, _ in found] == sorted(won for won, _, _ in found)
        assert [lost for _, _, lost in found] == sorted((lost for _, _, lost in found), reverse=True)


def test_material_goes_from_a_full_board_to_bare_kings() -> None:
    assert material(state_of(chess.Board())) == 1
    assert material(state_of(chess.Board("4k3/8/8/8/8/8/8/4K3 w - - 0 1"))) == 0
    assert material(state_of(chess.Board("4k3/8/8/8/8/8/P7/4K2R w - - 0 1"))) == pytest.approx(6 / 78)


def test_a_balanced_game_is_often_drawn_and_a_won_one_seldom() -> None:
    engine = Engine("plyout", hash_mb=16)
    won, drawn, lost = engine.search(chess.STARTING_FEN, Limits(nodes=300)).wdl
    assert drawn > 200, "in our own games more than a third of such games are drawn"
    assert won > 100 and lost > 100
    queen_up = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    won, drawn, lost = engine.search(queen_up, Limits(nodes=300)).wdl
    assert won > 950


def test_what_is_proven_is_certain() -> None:
    result = Engine("plyout", hash_mb=16).search("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", Limits(nodes=500))
    assert result.wdl == (1000, 0, 0)
    assert all(result.wdl_of(move) == (0, 1000, 0) for move in result.moves if move.proof == "draw")


def test_without_a_model_the_value_is_what_draws_and_wins_add_up_to() -> None:
    for value in (0.0, 0.1, 0.5, 0.77, 1.0):
        for drawn in (0.0, 0.4, 1.0):
            won, drew, lost = of_value(value, drawn)
            assert won + drew + lost == 1000
            assert abs(won + drew / 2 - 1000 * value) <= 1
