"""The leaf rule of Singh 2023 with Stockfish's network: equal to the same rule in plain Python."""

from math import log10

import chess
import pytest

from plyout import Engine, Limits
from plyout.errors import InputError
from plyout.evaluate.material import VALUE
from plyout.networks.library import NO_STOCKFISH, STOCKFISH, find
from plyout.networks.nnue.evaluate import PAWN, Evaluator
from plyout.networks.nnue.file import read
from tests import sampling
from tests.networks.nnue import oracle
from tests.playable import playable

WITH_NETWORK = pytest.mark.skipif(
    "nnue-mcts" not in playable(), reason="Debian 12's package stockfish is not installed"
)
OF_THE_PAPER = ("nnue-mcts", "dm-mcts", "iec-mcts", "prune-mcts", "bias-mcts")


def captures(board: chess.Board, alpha: int, beta: int, evaluator: Evaluator) -> int:
    """Section 3.4 of the paper, and promotions to queens; the order of moves does not matter to the value."""
    if board.is_insufficient_material():
        return min(max(0, alpha), beta)
    value = evaluator.value(board.fen())
    if value >= beta:
        return beta
    alpha = max(alpha, value)
    for move in list(board.legal_moves):
        if move.promotion == chess.QUEEN or (board.is_capture(move) and not move.promotion):
            board.push(move)
            value = -captures(board, -beta, -alpha, evaluator)
            board.pop()
            if value >= beta:
                return beta
            alpha = max(alpha, value)
    return alpha


def material(board: chess.Board) -> int:
    pieces = [p for p in board.piece_map().values() if p.piece_type != chess.KING]
    return sum(int(VALUE[p.piece_type - 1]) * (1 if p.color == board.turn else -1) for p in pieces)


@WITH_NETWORK
def test_a_leaf_is_its_evaluation_or_where_material_is_not_even_that_after_captures() -> None:
    evaluator = Evaluator(read(find(STOCKFISH)))
    engine = Engine("nnue-mcts", hash_mb=1)
    boards = [board.copy(stack=False) for board in sampling.positions(400, seed=11, every=3)]
    boards = [b for b in boards if len(b.piece_map()) < 15 and not b.is_insufficient_material()][:60]
    boards += [chess.Board(fen) for fen in (chess.STARTING_FEN, "4k3/8/8/3q4/4P3/8/8/3QK3 w - - 0 1")]
    even = 0
    for board in boards:
        even += material(board) == 0
        value = captures(board, -(10**6), 10**6, evaluator) if material(board) else evaluator.value(board.fen())
        engine.new_game()
        result = engine.search(board, Limits(nodes=1))
        score = float(result.tree.graph.nodes["value"][result.tree.root])
        assert -460 * log10(1 / score - 1) == pytest.approx(int(100 * value / PAWN), abs=1e-6), board.fen()
    assert 2 <= even <= len(boards) - 40


@WITH_NETWORK
@pytest.mark.parametrize("name", OF_THE_PAPER)
def test_two_threads_search_each_with_its_own_sums(name: str) -> None:
    result = Engine(name, hash_mb=4, threads=2, book="").search(oracle.positions(1, seed=1)[0], Limits(nodes=3000))
    assert result.nodes >= 3000


@WITH_NETWORK
def test_many_queens_end_in_time() -> None:
    fen = "qqqqkqqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQKQQ1 w - - 0 1"
    assert Engine("nnue-mcts", hash_mb=1).search(fen, Limits(nodes=100)).seconds < 20


@pytest.mark.parametrize("name", OF_THE_PAPER)
def test_without_the_network_one_line_says_how_to_get_it(
    name: str, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLYOUT_NETWORKS", str(tmp_path_factory.mktemp("none")))
    with pytest.raises(InputError) as caught:
        Engine(name, hash_mb=1)
    assert str(caught.value) == f"value_net 'stockfish': {NO_STOCKFISH}"


@WITH_NETWORK
def test_stockfishs_network_is_for_the_rule_of_the_paper_only() -> None:
    for changes in ({"preset": "plyout"}, {"preset": "alphabeta"}, {"preset": "nnue-mcts", "evaluate": "quiescence"}):
        name = changes.pop("preset")
        with pytest.raises(InputError, match=r"^value_net 'stockfish': \S*stockfish.nnue is no network of ours: "):
            Engine(name, hash_mb=1, value_net="stockfish", **changes)
