"""Leaves evaluated in batches: the same search as one by one, and what goes wrong is said."""

from typing import Any

import chess
import chess.variant
import numpy as np
import pytest

from plyout import Engine, Limits
from plyout.errors import InputError
from plyout.games import CHESS, CRAZYHOUSE, state_of
from plyout.games.chess.border import decode
from plyout.games.contract import TURN
from plyout.networks.positions import Positions
from plyout.networks.residual.planes import PLANES, POLICY, move_places, planes
from tests.search.graphs import edges, reachable

FEN = "8/5pk1/4p1p1/8/3R4/4P1P1/r4PK1/8 w - - 0 1"


def by_key(positions: Positions) -> tuple[Any, None]:
    """A value that depends on the position in no simple way."""
    return (positions.states[:, 1] % 2003) / 2003 * 0.8 - 0.4, None


def by_key_alone(state, scratch, parameters):  # type: ignore[no-untyped-def]
    return 0.5 + 0.5 * ((state[1] % 2003) / 2003 * 0.8 - 0.4)


@pytest.mark.parametrize("share", [0, 1, 2, 3])
def test_batches_of_one_make_the_tree_of_a_rule(share: int) -> None:
    rules: dict[str, Any] = {"share": share, "solver": 1, "hash_mb": 32}
    batched = Engine("mcts", evaluator=by_key, batch=1, prior="none", **rules).search(FEN, Limits(nodes=3000))
    alone = Engine("mcts", evaluate=by_key_alone, prior="none", open_at=1, **rules).search(FEN, Limits(nodes=3000))
    for name in ("key", "visits", "value", "proof", "children"):
        assert np.array_equal(batched.tree.nodes[name], alone.tree.nodes[name]), name
    for name in ("move", "child", "visits", "value"):
        assert np.array_equal(batched.tree.edges[name], alone.tree.edges[name]), name


def in_three_steps(positions: Positions) -> tuple[Any, None]:
    """Lost, drawn or won, which depends on the position in no simple way."""
    return positions.states[:, 1] % 3 - 1.0, None


def in_three_steps_alone(state, scratch, parameters):  # type: ignore[no-untyped-def]
    return 0.5 * (state[1] % 3)


@pytest.mark.parametrize("changes", [{"draw_weight": 0.25}, {"later_period": 100}], ids=str)
def test_results_count_in_batches_as_they_do_by_a_rule(changes: dict[str, Any]) -> None:
    rules: dict[str, Any] = {"prior": "none", "hash_mb": 32, **changes}
    batched = Engine("mcts", evaluator=in_three_steps, batch=1, **rules).search(FEN, Limits(nodes=1000)).tree
    alone = Engine("mcts", evaluate=in_three_steps_alone, open_at=1, **rules).search(FEN, Limits(nodes=1000)).tree
    assert np.array_equal(batched.nodes["visits"], alone.nodes["visits"])
    assert np.array_equal(batched.edges["value"], alone.edges["value"])
    assert batched.nodes["visits"][batched.root] != 1000


def all_even(positions: Positions) -> tuple[Any, None]:
    return np.zeros(len(positions)), None


@pytest.mark.parametrize("batch", [1, 64])
def test_a_drawn_leaf_weighs_as_much_as_draws_do(batch: int) -> None:
    """An evaluator that calls everything even: all results are draws."""
    for weight in (0.25, 1.0):
        tree = (
            Engine("mcts", evaluator=all_even, batch=batch, draw_weight=weight, hash_mb=4)
            .search(FEN, Limits(nodes=400))
            .tree
        )
        assert tree.nodes["visits"][tree.root] == 400 * weight
        assert tree.nodes["value"][tree.root] == 200 * weight
        children = list(tree.children(tree.root))
        assert tree.edges["visits"][children].sum() == 399 * weight


@pytest.mark.parametrize("batch", [1, 64])
def test_later_results_of_an_evaluator_count_more(batch: int) -> None:
    """Result number n counts 1 + n // period times."""
    tree = (
        Engine("mcts", evaluator=all_even, batch=batch, later_period=100, hash_mb=4).search(FEN, Limits(nodes=400)).tree
    )
    assert tree.nodes["visits"][tree.root] == sum(1 + n // 100 for n in range(1, 401))


@pytest.mark.parametrize("share", [0, 1, 2, 3])
@pytest.mark.parametrize("variant", ["chess", "crazyhouse"])
def test_nothing_waits_when_a_batched_search_is_over(share: int, variant: str) -> None:
    engine = Engine("mcts", variant, evaluator=by_key, batch=64, share=share, hash_mb=64)
    start = chess.variant.CrazyhouseBoard() if variant == "crazyhouse" else chess.Board(FEN)
    result = engine.search(start, Limits(nodes=5000))
    graph = result.tree.graph
    assert result.nodes == 5000
    assert not graph.nodes["in_flight"][: result.graph["nodes"]].any()
    assert not graph.edges["in_flight"][: result.graph["edges"]].any()
    for node in reachable(graph, result.tree.root):
        if len(edges(graph, node)):
            assert graph.edges["visits"][edges(graph, node)].sum() == graph.nodes["visits"][node] - 1


def test_an_evaluator_sees_each_leaf_with_its_legal_moves_and_its_priors_are_kept() -> None:
    seen: list[tuple[str, set[str]]] = []

    def prefers_captures(positions: Positions) -> tuple[Any, Any]:
        priors = np.ones(positions.moves.shape)
        for i in range(len(positions)):
            board = chess.Board(CHESS.show(positions.states[i]))
            moves = [decode(int(m), False) for m in positions.moves[i, : positions.counts[i]]]
            assert (positions.moves[i, positions.counts[i] :] == -1).all()
            assert set(moves) == set(board.legal_moves)
            priors[i, : len(moves)] = [10.0 if board.is_capture(m) else 1.0 for m in moves]
            seen.append((board.epd(), {m.uci() for m in moves}))
        return np.zeros(len(positions)), priors

    fen = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 2 3"
    result = Engine("mcts", evaluator=prefers_captures, batch=16, hash_mb=16).search(fen, Limits(nodes=300))
    assert len(seen) == result.playouts > 100
    board = chess.Board(fen)
    shares = {m.move: m.prior for m in result.moves}
    captures = sum(board.is_capture(m) for m in board.legal_moves)
    total = 10 * captures + board.legal_moves.count() - captures
    for move in board.legal_moves:
        assert shares[move] == pytest.approx((10 if board.is_capture(move) else 1) / total, rel=1e-6)


@pytest.mark.parametrize(
    "answer, complaint",
    [
        (lambda p: (np.full(len(p), 2.0), None), "a value from -1 to 1"),
        (lambda p: (np.full(len(p), np.nan), None), "a value from -1 to 1"),
        (lambda p: (np.zeros(len(p) + 1), None), "a value from -1 to 1"),
        (lambda p: (np.zeros(len(p)), np.ones((len(p), 1000))), "priors of shape"),
        (lambda p: (np.zeros(len(p)), -np.ones(p.moves.shape)), "none of them negative"),
    ],
)
def test_a_wrong_answer_is_named(answer: Any, complaint: str) -> None:
    engine = Engine("mcts", evaluator=answer, hash_mb=4)
    with pytest.raises(InputError, match=complaint):
        engine.search(chess.STARTING_FEN, Limits(nodes=10))


def test_an_evaluator_that_fails_leaves_the_engine_fit_to_search_again() -> None:
    calls = 0

    def fails_once(positions: Positions) -> tuple[Any, None]:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise RuntimeError("no")
        return np.zeros(len(positions)), None

    engine = Engine("mcts", evaluator=fails_once, hash_mb=8)
    with pytest.raises(InputError, match="yours raised RuntimeError: no"):
        engine.search(chess.STARTING_FEN, Limits(nodes=1000))
    result = engine.search(chess.STARTING_FEN, Limits(nodes=1000))
    assert result.nodes == 1000
    assert not result.tree.graph.nodes["in_flight"][: result.graph["nodes"]].any()


@pytest.mark.parametrize("changes", [{"threads": 2}, {"rave": 10}, {"blind": 1}])
def test_what_an_evaluator_cannot_go_with_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="an evaluator of your own") as caught:
        Engine("mcts", evaluator=by_key, **changes)
    assert next(iter(changes)) in str(caught.value)
    assert "\n" not in str(caught.value)


BOARDS = [
    chess.Board("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 7 1"),
    chess.Board("4k3/2P1P3/8/3pP3/8/8/1p6/R3K2R w KQ d6 0 1"),
    chess.Board("4k3/8/8/8/3Pp3/8/1p6/R3K2R b KQ d3 0 1"),
    chess.variant.CrazyhouseBoard("r1b1k2r/ppp2ppp/2p5/4P3/4n3/8/PPP2PPP/R1BK1B1R[QNPqnn] b kq - 0 11"),
]


@pytest.mark.parametrize("board", BOARDS, ids=lambda b: b.fen())
def test_planes_say_what_the_board_says(board: chess.Board) -> None:
    game = CRAZYHOUSE if board.uci_variant == "crazyhouse" else CHESS
    seen = planes(state_of(board)[None], game)[0]
    assert seen.shape == (PLANES[game.name], 8, 8)
    us = board.turn
    for square in chess.SQUARES:
        rank, file = chess.square_rank(square), chess.square_file(square)
        row = rank if us else 7 - rank
        piece = board.piece_at(square)
        column = list(seen[:12, row, file])
        wanted = [0] * 12
        if piece:
            wanted[piece.piece_type - 1 + (0 if piece.color == us else 6)] = 1
        assert column == wanted, chess.square_name(square)
        assert seen[12, row, file] == bool(board.castling_rights & chess.BB_SQUARES[square])
    assert (seen[14] == pytest.approx(board.halfmove_clock / 100)) or np.allclose(seen[14], board.halfmove_clock / 100)
    if isinstance(board, chess.variant.CrazyhouseBoard):
        for piece in range(1, 6):
            assert np.allclose(seen[14 + piece], board.pockets[us].count(piece) / 8)
            assert np.allclose(seen[19 + piece], board.pockets[not us].count(piece) / 8)


@pytest.mark.parametrize("board", BOARDS, ids=lambda b: b.fen())
def test_different_moves_have_different_places_and_a_mirrored_move_the_same(board: chess.Board) -> None:
    game = CRAZYHOUSE if board.uci_variant == "crazyhouse" else CHESS
    states = np.stack([state_of(board), state_of(board.mirror())])
    lists = [sorted(game.moves(state)) for state in states]
    places = [move_places(np.array([moves]), states[i : i + 1, TURN])[0] for i, moves in enumerate(lists)]
    assert len(set(places[0])) == len(lists[0])
    assert all(0 <= place < POLICY for place in places[0])
    assert set(places[0]) == set(places[1])
