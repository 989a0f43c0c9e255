"""What a search answers, and what it does not claim."""

import json

import chess
import numpy as np
import pytest

from plyout import Engine, Limits
from plyout.errors import InputError
from plyout.search.graph import UNPROVEN
from tests.positions import KIWIPETE, START

LEGALS_TRAP = "r2qkbnr/ppp2ppp/2np4/4N2b/2B1P3/2N4P/PPPP1PP1/R1BQK2R b KQkq - 0 1"


@pytest.mark.parametrize(
    "fen, proof, value, mate",
    [
        ("R6k/8/6K1/8/8/8/8/8 b - - 0 1", "loss", 0.0, 0),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "draw", 0.5, None),
        ("8/8/8/4k3/8/8/8/4K3 w - - 0 1", "draw", 0.5, None),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 100 90", "draw", 0.5, None),
    ],
)
@pytest.mark.parametrize("name", ["mcc", "mcc-solver"])
def test_a_finished_game_has_no_move_but_a_result(
    name: str, fen: str, proof: str, value: float, mate: int | None
) -> None:
    engine = Engine(name, hash_mb=1)
    engine.search(START, Limits(nodes=50))
    result = engine.search(fen, Limits(nodes=100))
    assert (result.move, result.proof, result.value, result.mate) == (None, proof, value, mate)
    assert result.moves == result.pv == []
    assert result.nodes == 0
    json.dumps(result.as_dict())


def test_a_third_repetition_is_a_finished_game() -> None:
    board = chess.Board()
    for text in ("g1f3", "g8f6", "f3g1", "f6g8") * 2:
        board.push_uci(text)
    result = Engine("mcc", hash_mb=1).search(board, Limits(nodes=100))
    assert (result.move, result.proof) == (None, "draw")


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_legals_trap_is_not_fallen_into(seed: int) -> None:
    """Taking the queen is mated in two."""
    result = Engine("mcc-combined", hash_mb=64, seed=seed).search(LEGALS_TRAP, Limits(nodes=20_000))
    assert str(result.move) in ("c6e5", "d6e5")
    loses = next(m for m in result.moves if str(m.move) == "h5d1")
    assert loses.visits < result.moves[0].visits


def test_max_robust_searches_on_until_the_best_is_the_most_visited() -> None:
    for seed in range(4):
        result = Engine("mcc", hash_mb=16, choose="max-robust", seed=seed).search(KIWIPETE, Limits(nodes=300))
        best = max(result.moves, key=lambda m: m.value)
        assert 300 <= result.nodes <= 600
        assert result.move == best.move or result.nodes == 600


def test_nothing_is_proven_without_a_solver() -> None:
    result = Engine("mcc", hash_mb=16).search("7k/8/8/8/8/8/R7/1R2K3 w - - 0 1", Limits(nodes=3000))
    assert result.proof is None
    assert int(result.tree.graph.nodes["proof"][result.tree.root]) == UNPROVEN
    assert np.count_nonzero(result.tree.nodes["proof"]) > 0, "ends of games are known all the same"


def test_a_loss_of_some_moves_is_no_proof_of_the_position() -> None:
    board = chess.Board("7k/8/8/8/2Q5/1R3R2/8/K7 b - - 0 1")
    result = Engine("mcc-solver", hash_mb=4).search(board, Limits(nodes=50_000), moves=[next(iter(board.legal_moves))])
    assert result.restricted
    assert result.proof == "loss"
    with pytest.raises(InputError, match="only some"):
        result.certificate()
