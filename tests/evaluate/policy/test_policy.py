"""The policy scores every move, alike for both colours, and prefers what strong engines prefer."""

import json
import lzma
import math
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import chess
import chess.variant
import numpy as np
import pytest

from plyout.evaluate.policy.linear import crazyhouse_prior, policy_prior
from plyout.evaluate.policy.move_features import PARTS
from plyout.evaluate.policy.weights import FITTED
from plyout.games import CRAZYHOUSE, Game, state_of
from plyout.games.chess.border import encode
from plyout.kernel import INTERPRETED
from plyout.parameters import Expansion, group, values
from plyout.search.own import compiled
from tests.evaluate import oracle
from tests.kernel.test_door import interpreted
from tests.positions import CASTLING_960, CRAZYHOUSE_CASES, DRAWS, KIWIPETE, START
from tests.sampling import positions, set_up

PARAMETERS = group(Expansion, values({}))


def scored(board: chess.Board) -> dict[chess.Move, float]:
    """The score of each legal move."""
    moves = list(board.legal_moves)
    numbers = np.array([encode(board, m) for m in moves], np.int64)
    scores = np.full(len(moves), math.nan)
    prior = crazyhouse_prior if isinstance(board, chess.variant.CrazyhouseBoard) else policy_prior
    prior(state_of(board.copy(stack=False)), numbers, len(moves), scores, PARAMETERS)
    return dict(zip(moves, scores.tolist(), strict=True))


def best(fen: str, variant: type[chess.Board] = chess.Board) -> str:
    scores = scored(variant(fen))
    return max(scores, key=lambda m: scores[m]).uci()


def house_positions(count: int, seed: int) -> Iterator[chess.variant.CrazyhouseBoard]:
    rng = random.Random(seed)
    board = chess.variant.CrazyhouseBoard()
    while count > 0:
        moves = list(board.legal_moves)
        if not moves or board.is_game_over() or len(board.move_stack) > 80:
            board = chess.variant.CrazyhouseBoard()
            continue
        count -= 1
        yield board
        takes = [m for m in moves if board.is_capture(m) or m.promotion]
        board.push(rng.choice(rng.choice((takes, moves)) or moves))


def mirrored(move: chess.Move) -> chess.Move:
    return chess.Move(
        chess.square_mirror(move.from_square), chess.square_mirror(move.to_square), move.promotion, move.drop
    )  # fmt: skip


def boards() -> Iterator[chess.Board]:
    for source in (positions(300, seed=21, every=5), set_up(100, 22), house_positions(300, 23)):
        yield from source


def test_every_legal_move_gets_a_finite_score_and_the_same_one_again() -> None:
    for board in boards():
        scores = scored(board)
        assert all(math.isfinite(r) and abs(r) < 32_000 and r == int(r) for r in scores.values()), board.fen()
        assert scored(board) == scores


def test_both_colours_are_scored_alike() -> None:
    """But for exchanges that depend on which of two equal pieces captures first: the one on the lower square does."""
    seen = apart = 0
    for board in boards():
        turned = scored(board.mirror())
        for move, score in scored(board).items():
            seen += 1
            if turned[mirrored(move)] != score:
                swapped = oracle.exchange(board.mirror(), mirrored(move))
                assert oracle.exchange(board, move) != swapped, f"{move} in {board.fen()}"
                apart += 1
    assert apart < seen / 1000


def test_the_order_of_the_moves_does_not_matter() -> None:
    rng = np.random.default_rng(5)
    for board in boards():
        numbers = np.array([encode(board, m) for m in board.legal_moves], np.int64)
        prior = crazyhouse_prior if isinstance(board, chess.variant.CrazyhouseBoard) else policy_prior
        state, order = state_of(board.copy(stack=False)), rng.permutation(len(numbers))
        straight, shuffled = np.zeros(len(numbers)), np.zeros(len(numbers))
        prior(state, numbers, len(numbers), straight, PARAMETERS)
        prior(state, numbers[order], len(numbers), shuffled, PARAMETERS)
        assert (shuffled == straight[order]).all(), board.fen()


def test_crazyhouse_without_captures_and_pockets_is_scored_as_chess() -> None:
    seen = 0
    for board in positions(400, seed=24, every=3):
        if not board.chess960:
            house = chess.variant.CrazyhouseBoard(board.fen())
            quiet = {m: r for m, r in scored(board).items() if not board.is_capture(m)}
            assert {m: r for m, r in scored(house).items() if not board.is_capture(m)} == quiet, board.fen()
            seen += 1
    assert seen > 100


def test_the_weights_fill_the_table_and_their_sum_fits_its_words() -> None:
    assert {part: len(weights) for part, weights in FITTED.items()} == PARTS
    assert sum(max(map(abs, weights)) for weights in FITTED.values()) < 32_768


@pytest.mark.parametrize(
    "fen, move",
    [
        ("4k3/8/8/3q4/8/8/8/3RK3 w - - 0 1", "d1d5"),  # a queen for nothing
        ("4k3/8/8/8/8/8/1r6/1Q2K3 b - - 0 1", "b2b1"),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8"),  # mate
        ("8/P5k1/8/8/8/8/8/4K3 w - - 0 1", "a7a8q"),
        ("r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", "h5f7"),
        ("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", "e4d5"),
    ],
)
def test_plain_moves_come_first(fen: str, move: str) -> None:
    assert best(fen) == move


def test_chess960_castling_is_scored_as_the_same_castling_of_chess() -> None:
    fen = "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 1"
    plain, other = scored(chess.Board(fen)), scored(chess.Board(fen, chess960=True))
    assert plain[chess.Move.from_uci("e1g1")] == other[chess.Move.from_uci("e1h1")]
    assert plain[chess.Move.from_uci("e1c1")] == other[chess.Move.from_uci("e1a1")]


def test_a_captured_promoted_piece_is_a_pawn_in_hand() -> None:
    take = chess.Move.from_uci("d1d5")
    real, promoted = (scored(CrazyhouseBoard(f"4k3/8/8/3q{mark}4/8/8/8/3RK3[] w - - 0 1"))[take] for mark in ("", "~"))
    assert real > promoted


CrazyhouseBoard = chess.variant.CrazyhouseBoard


def test_drops_that_check_score_high_and_drops_that_a_pawn_captures_low() -> None:
    scores = scored(CrazyhouseBoard("6k1/5ppp/8/8/8/8/5PPP/6K1[RN] w - - 0 1"))
    rook = {chess.square_name(m.to_square): r for m, r in scores.items() if m.drop == chess.ROOK}
    knight = {chess.square_name(m.to_square): r for m, r in scores.items() if m.drop == chess.KNIGHT}
    assert max(rook, key=lambda s: rook[s])[1] == "8", "a rook mates on the last rank"
    assert knight["g6"] < knight["g5"], "a pawn takes the knight on g6"
    assert knight["e7"] > knight["a1"], "a knight's check is better than one in the corner"


def plies(path: Path, games: int) -> Iterator[tuple[chess.Board, chess.Move]]:
    """Every seventh position of some games of every fifth, which were kept back, and the engine's move there."""
    with lzma.open(path) as file:
        data = np.frombuffer(file.read(8_000_000), np.uint16)
    at = number = 0
    while number < 5 * games:
        count, board = int(data[at]), chess.Board()
        words = data[at + 2 : at + 2 + 3 * count].reshape(count, 3).tolist()
        at, number = at + 2 + 3 * count, number + 1
        if number % 5 == 1:  # the first game of the first file is number 0
            for ply, (played, wanted, score) in enumerate(words):
                if ply % 7 == 0 and score != 32767:
                    yield board, move_of(wanted)
                board.push(move_of(played))


def move_of(code: int) -> chess.Move:
    return chess.Move(code & 63, code >> 6 & 63, code >> 12 or None)


def test_the_engine_s_move_is_often_among_the_first(data_file: Callable[[str], Path]) -> None:
    ranks = []
    for board, move in plies(data_file("labels/games-a.bin.xz"), 60):
        scores = scored(board)
        ranks.append(sum(r > scores[move] for r in scores.values()))
    assert len(ranks) > 500
    assert np.mean(np.array(ranks) == 0) > 0.30
    assert np.mean(np.array(ranks) < 3) > 0.56


def figures() -> dict[str, list[float]]:
    fens = [START, KIWIPETE, *DRAWS.values(), *CASTLING_960.values()]
    chess_boards: list[chess.Board] = [chess.Board(fen, chess960=True) for fen in fens]
    houses: list[chess.Board] = [CrazyhouseBoard(fen) for fen in CRAZYHOUSE_CASES.values()]
    return {board.fen(): list(scored(board).values()) for board in chess_boards + houses}


@pytest.mark.skipif(INTERPRETED, reason="there is nothing to compare with")
def test_interpreted_scores_are_the_compiled_ones() -> None:
    assert json.loads(interpreted("-m", "tests.evaluate.policy.test_policy")) == figures()


@pytest.mark.parametrize("rule", [policy_prior, crazyhouse_prior])
def test_the_priors_fit_the_signature_of_a_rule(rule: Any) -> None:
    assert compiled("prior", rule) is rule


def test_all_moves_of_a_full_pocket_are_scored() -> None:
    game: Game = CRAZYHOUSE
    state = game.parse(CRAZYHOUSE_CASES["full pockets"])
    moves = np.array(game.moves(state), np.int64)
    scores = np.full(len(moves), math.nan)
    crazyhouse_prior(state, moves, len(moves), scores, PARAMETERS)
    assert np.isfinite(scores).all()


if __name__ == "__main__":
    print(json.dumps(figures()))
