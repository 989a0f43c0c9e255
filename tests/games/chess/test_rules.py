"""When games end and what counts as the same position, in the cases that random games seldom meet."""

import copy
import itertools
import random

import chess
import chess.polyglot
import chess.variant
import numpy as np
import pytest

from plyout.games import CHESS, CRAZYHOUSE, Game, State, state_of
from plyout.games.chess.board import MEMORY, PAST
from plyout.games.chess.border import encode
from tests.fuzz.differential import compare, compare_thoroughly, few_pieces, scattered, uniform

Board, House = chess.Board, chess.variant.CrazyhouseBoard
PIECES = "PNBRQpnbrq"


def play(game: Game, state: State, board: chess.Board, *moves: str | chess.Move) -> None:
    """Make the moves on both sides of the comparison."""
    for move in moves:
        if isinstance(move, str):
            move = board.parse_uci(move)
        game.play(state, np.int64(encode(board, move)))
        board.push(move)


def agree(game: Game, board: chess.Board) -> None:
    try:
        compare(game, state_of(board), board)
    except AssertionError as difference:
        raise AssertionError(f"{difference} at {board.fen()}") from None


@pytest.mark.parametrize("extra", range(4))
def test_material_suffices_exactly_where_python_chess_says_so(extra: int) -> None:
    """All sets of up to five pieces, each on several random squares, which decide the colours of bishops."""
    rng = random.Random(extra)
    for pieces in itertools.combinations_with_replacement(PIECES, extra):
        for turn in chess.COLORS:
            agree(CHESS, scattered(rng, Board(None), "Kk" + "".join(pieces), turn))
            agree(CHESS, scattered(rng, Board(None), "Kk" + "".join(pieces), turn))


@pytest.mark.parametrize("extra", range(3))
def test_pieces_in_crazyhouse_pockets_count_as_material(extra: int) -> None:
    rng = random.Random(extra)
    for pieces in itertools.combinations_with_replacement(PIECES, extra):
        for on_board in range(extra + 1):
            board = scattered(rng, House(None), "Kk" + "".join(pieces[:on_board]), chess.WHITE)
            for symbol in pieces[on_board:]:
                piece = chess.Piece.from_symbol(symbol)
                board.pockets[piece.color].add(piece.piece_type)
            agree(CRAZYHOUSE, board)


def test_a_promoted_piece_is_sufficient_material_in_crazyhouse() -> None:
    """It is a pawn again when it is taken."""
    assert CRAZYHOUSE.result(CRAZYHOUSE.parse("4k3/8/8/8/8/8/8/4KN2[] w - - 0 1")) == 0.5
    assert CRAZYHOUSE.result(CRAZYHOUSE.parse("4k3/8/8/8/8/8/8/4KN~2[] w - - 0 1")) is None


@pytest.mark.parametrize(
    "fen, same_at_once",
    [
        ("4k3/3p4/8/K3P2r/8/8/8/8 b - - 0 1", True),  # the pawn on e5 may not take: two pawns leave the fifth rank
        ("4k3/3p4/8/4P2r/K7/8/8/8 b - - 0 1", False),  # here it may
    ],
)
def test_an_en_passant_square_makes_a_position_another_one_only_if_it_can_be_used(fen: str, same_at_once: bool) -> None:
    """Polyglot's key has it wherever a pawn stands ready, so the key alone does not tell repetitions."""
    board = Board(fen)
    state = state_of(board)
    play(CHESS, state, board, "d7d5")
    first = chess.polyglot.zobrist_hash(board)
    assert board.has_pseudo_legal_en_passant()
    assert board.has_legal_en_passant() != same_at_once
    home = chess.square_name(board.king(chess.WHITE))
    around = (f"{home}b4", "e8e7", f"b4{home}", "e7e8")
    for lap in range(1, 4):
        for move in around:
            play(CHESS, state, board, move)
            compare_thoroughly(CHESS, state, board)
        assert chess.polyglot.zobrist_hash(board) != first
        repeated = lap >= (2 if same_at_once else 3)
        assert board.is_repetition(3) == repeated, "the test itself is wrong"
        assert CHESS.result(state) == CHESS.result(state_of(board)) == (0.5 if repeated else None), f"lap {lap}"


def test_the_loss_of_a_castling_right_makes_a_position_another_one() -> None:
    board = Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    state = state_of(board)
    results = []
    for _ in range(3):
        play(CHESS, state, board, "h1g1", "e8d8", "g1h1", "d8e8")
        compare(CHESS, state, board)
        results.append(CHESS.result(state))
    assert results == [None, None, 0.5], "the first position still had the right to castle"


def test_history_reaches_back_to_the_last_irreversible_move_and_no_further() -> None:
    board = Board()
    for move in ("g1f3", "g8f6", "f3g1", "f6g8", "e2e4", "e7e5", "g1f3", "g8f6", "f3g1", "f6g8"):
        board.push_uci(move)
    assert state_of(board)[PAST] == 4
    assert CHESS.result(state_of(board)) is None
    for move in ("g1f3", "g8f6", "f3g1", "f6g8"):
        board.push_uci(move)
    assert CHESS.result(state_of(board)) == 0.5


def test_history_ends_at_a_null_move() -> None:
    board = Board()
    board.push_uci("g1f3")
    board.push(chess.Move.null())
    board.push_uci("f3g1")
    assert state_of(board)[PAST] == 1
    compare(CHESS, state_of(board), board)


@pytest.mark.parametrize(
    "fen, move, score",
    [
        ("7k/8/6K1/8/8/8/8/R7 w - - 99 80", "a1a8", 0.0),  # mate on the hundredth ply is mate
        ("7k/8/6K1/8/8/8/8/R7 w - - 99 80", "a1b1", 0.5),
        ("7k/8/6K1/8/8/8/8/R7 w - - 98 80", "a1b1", None),
        ("7k/8/6K1/8/8/8/7P/R7 w - - 99 80", "h2h3", None),
        ("7k/8/6K1/7p/8/8/8/R6R w - - 99 80", "h1h5", None),
        ("7k/8/5K2/8/8/8/8/5Q2 w - - 99 80", "f1f5", 0.5),
    ],
)
def test_the_fifty_move_rule_draws_unless_the_last_ply_mates(fen: str, move: str, score: float | None) -> None:
    board = Board(fen)
    state = state_of(board)
    play(CHESS, state, board, move)
    compare(CHESS, state, board)
    assert CHESS.result(state) == score


def test_crazyhouse_has_no_fifty_move_rule() -> None:
    assert CRAZYHOUSE.result(CRAZYHOUSE.parse("4k3/8/8/8/8/8/8/R3K3[] w - - 200 150")) is None


def shuffle(game: Game, state: State, board: chess.Board, plies: int) -> None:
    """Move about behind a closed wall of pawns without taking anything."""
    rng = random.Random(1)
    for _ in range(plies):
        play(game, state, board, rng.choice([move for move in board.legal_moves if not board.is_zeroing(move)]))


CLOSED = "2b1kb2/8/8/pppppppp/PPPPPPPP/8/8/2B1KB2 w - - 0 1"


@pytest.mark.parametrize("game, kind", [(CHESS, Board), (CRAZYHOUSE, House)], ids=["chess", "crazyhouse"])
def test_hundreds_of_reversible_plies_overrun_nothing(game: Game, kind: type[chess.Board]) -> None:
    """More than the ring of earlier keys holds."""
    board = kind(CLOSED)
    state = state_of(board)
    shuffle(game, state, board, 3 * MEMORY)
    assert state[PAST] == MEMORY - 1
    assert {game.move_text(state, m) for m in game.moves(state)} == {move.uci() for move in board.legal_moves}
    compare_thoroughly(game, state, board)
    assert game.result(state) == (0.5 if game is CHESS else None)


@pytest.mark.parametrize("before", range(MEMORY - 10, MEMORY + 2))
def test_a_repetition_is_found_across_the_end_of_the_ring(before: int) -> None:
    """In crazyhouse, where no fifty-move rule comes first."""
    board = House(CLOSED)
    state = state_of(board)
    shuffle(CRAZYHOUSE, state, board, before)
    results = [CRAZYHOUSE.result(state)]
    for _ in range(2):
        there = []
        for _ in range(2):
            move = next(m for m in board.legal_moves if not board.is_zeroing(m))
            play(CRAZYHOUSE, state, board, move)
            there.append(move)
        play(CRAZYHOUSE, state, board, *(chess.Move(move.to_square, move.from_square) for move in there))
        results.append(CRAZYHOUSE.result(state))
    assert results == [None, None, 0.5]


def past_of(board: chess.Board) -> list[str]:
    """All positions of a game, read from a deep copy: python-chess's own copies share pockets."""
    board = copy.deepcopy(board)
    fens = [board.fen()]
    while board.move_stack:
        board.pop()
        fens.append(board.fen())
    return fens


@pytest.mark.parametrize("kind", [Board, House])
@pytest.mark.parametrize("seed", range(5))
def test_reading_a_board_leaves_it_and_its_history_alone(kind: type[chess.Board], seed: int) -> None:
    rng = random.Random(seed)
    board = few_pieces(rng, kind(None)) if seed % 2 else kind()
    while len(board.move_stack) < 150 and not board.is_game_over():
        board.push(uniform(rng, board, list(board.legal_moves)))
        if len(board.move_stack) % 30 == 0:
            before = past_of(board), board.move_stack[:]
            state_of(board)
            assert (past_of(board), board.move_stack) == before
