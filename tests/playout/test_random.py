"""Random moves are drawn uniformly from the legal ones, and random games keep to the rules."""

import random
from collections import Counter
from typing import Any

import chess
import chess.variant
import numpy as np
import numpy.typing as npt
import pytest
import scipy.stats

from plyout.games import CHESS, CRAZYHOUSE, GAMES, TICTACTOE, Game
from plyout.games.chess.board import load
from plyout.games.chess.border import decode, parse_board
from plyout.games.chess.moves import SETS_SIZE, draw
from plyout.games.crazyhouse import draw_house, load_house
from plyout.kernel import kernel
from plyout.kernel.random import stream
from plyout.playout.random import LONGEST, Tally, random_games
from tests.fuzz.differential import ending
from tests.positions import CRAZYHOUSE_DRAWS, DRAWS, KIWIPETE

TOO_UNLIKELY = 1e-4
MATE, STALEMATE = "R6k/8/6K1/8/8/8/8/8 b - - 0 1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
Moves = npt.NDArray[np.int64]


@kernel
def begin(seed: int, index: int) -> int:
    return stream(seed, index)


@kernel
def draws(state: Any, rng: int, out: Any) -> int:
    """Fill `out` with moves drawn at `state`; return the generator's state."""
    sets = np.empty(SETS_SIZE, np.int64)
    b = load(state)
    for i in range(out.size):
        out[i], _, rng = draw(b, sets, rng)
    return rng


@kernel
def draws_house(state: Any, rng: int, out: Any) -> int:
    sets = np.empty(SETS_SIZE, np.int64)
    h = load_house(state)
    for i in range(out.size):
        out[i], _, rng = draw_house(h, sets, rng)
    return rng


DRAW = {CHESS.name: draws, CRAZYHOUSE.name: draws_house}


def p_value(drawn: Moves, legal: list[int]) -> float:
    """How likely numbers as uneven as these are if all legal moves have the same chance."""
    counts = Counter(drawn.tolist())
    assert set(counts) == set(legal), "moves drawn and legal moves differ"
    return float(scipy.stats.chisquare([counts[move] for move in legal]).pvalue)


@pytest.mark.parametrize(
    "game, fen",
    [
        pytest.param(game, fen, id=f"{game.name}: {name}")
        for game, table in ((CHESS, DRAWS), (CRAZYHOUSE, CRAZYHOUSE_DRAWS))
        for name, fen in table.items()
    ],
)
def test_every_legal_move_is_drawn_equally_often(game: Game, fen: str) -> None:
    state = game.parse(fen)
    drawn = np.empty(200_000, np.int64)
    DRAW[game.name](state, begin(np.int64(1), np.int64(0)), drawn)
    assert p_value(drawn, game.moves(state)) > TOO_UNLIKELY, fen


def test_biased_draws_would_be_caught() -> None:
    """Drawing a piece first and then one of its moves; and one move that comes a fifth too often."""
    rng = random.Random(1)
    legal = CHESS.moves(CHESS.parse(KIWIPETE))
    moves_of = {start: [move for move in legal if move & 63 == start] for start in {move & 63 for move in legal}}
    drawn = rng.choices(list(moves_of), k=200_000)
    by_piece = [rng.choice(moves_of[start]) for start in drawn]
    assert p_value(np.array(by_piece), legal) < TOO_UNLIKELY
    favoured = rng.choices(legal, [1.2] + [1.0] * (len(legal) - 1), k=200_000)
    assert p_value(np.array(favoured), legal) < TOO_UNLIKELY


@pytest.mark.parametrize("fen", [MATE, STALEMATE])
def test_where_no_move_is_legal_none_is_drawn(fen: str) -> None:
    drawn = np.empty(10, np.int64)
    draws(CHESS.parse(fen), np.int64(1), drawn)
    assert set(drawn.tolist()) == {-1}


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_games_depend_on_seed_and_number_alone(game: Game) -> None:
    start = game.start()
    whole = random_games(game, start, 1, 0, 100)
    parts = [random_games(game, start, 1, first, last) for first, last in ((40, 100), (0, 1), (1, 40))]
    assert whole == Tally(*map(sum, zip(*parts, strict=True)))
    assert whole == random_games(game, start, 1, 0, 100)
    assert whole.white + whole.draw + whole.black == 100
    assert start.tolist() == game.start().tolist(), "the start was changed"


@pytest.mark.parametrize(
    "game, tally",
    [
        (CHESS, Tally(white=74, draw=852, black=74, plies=342_728)),
        (CRAZYHOUSE, Tally(white=509, draw=0, black=491, plies=330_561)),
        (TICTACTOE, Tally(white=567, draw=122, black=311, plies=7_615)),
    ],
    ids=GAMES,
)
def test_games_are_the_same_on_every_machine_and_in_every_version(game: Game, tally: Tally) -> None:
    """Written down once: whoever changes how moves are drawn changes all results by seed, and should know."""
    assert random_games(game, game.start(), 1, 0, 1000) == tally


@pytest.mark.parametrize("game", [CHESS, CRAZYHOUSE], ids=lambda game: game.name)
def test_other_seeds_and_numbers_give_other_games(game: Game) -> None:
    plies = [random_games(game, game.start(), seed, 0, 1).plies for seed in range(-10, 10)]
    plies += [random_games(game, game.start(), 1, n, n + 1).plies for n in range(1, 20)]
    assert len(set(plies)) > 30


def replay(game: Game, fen: str, seed: int, index: int) -> tuple[chess.Board, str]:
    """Draw the moves of one random game again and make them with python-chess, up to an end that a playout sees."""
    state = game.parse(fen)
    board = parse_board(fen, chess.variant.CrazyhouseBoard if game is CRAZYHOUSE else chess.Board)
    rng = begin(np.int64(seed), np.int64(index))
    drawn = np.empty(1, np.int64)
    while True:
        legal = list(board.legal_moves)
        end = ending(board, legal)
        if end and end != "repetition" and not (game is CRAZYHOUSE and end == "insufficient material"):
            return board, end
        rng = DRAW[game.name](state, rng, drawn)
        move = decode(int(drawn[0]), board.chess960)
        assert move in legal, f"{move} at {board.fen()}"
        game.play(state, drawn[0])
        board.push(move)


@pytest.mark.parametrize(
    "game, fen, games",
    [
        (CHESS, "startpos", 12),
        (CHESS, "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", 6),
        (CHESS, "8/8/4k3/8/8/3QK3/8/8 w - - 30 60", 30),
        (CRAZYHOUSE, "startpos", 6),
    ],
)
def test_random_games_are_legal_and_end_by_the_rules(game: Game, fen: str, games: int) -> None:
    ends = Counter[str]()
    for index in range(games):
        board, end = replay(game, fen, 5, index)
        ends[end] += 1
        mated = None if end != "checkmate" else board.turn
        expected = Tally(mated is chess.BLACK, mated is None, mated is chess.WHITE, len(board.move_stack))
        assert random_games(game, game.parse(fen), 5, index, index + 1) == expected, f"{end} at {board.fen()}"
    assert len(ends) > (1 if game is CHESS else 0), f"only {ends}: too few kinds of ends to test anything"


def test_a_game_that_is_over_has_no_plies() -> None:
    ends = {
        MATE: Tally(5, 0, 0, 0),
        STALEMATE: Tally(0, 5, 0, 0),
        "8/8/8/4k3/8/8/8/4K3 w - - 0 1": Tally(0, 5, 0, 0),  # bare kings
        "4k3/8/8/8/8/8/8/R3K3 w - - 100 90": Tally(0, 5, 0, 0),  # fifty moves
    }
    assert {fen: random_games(CHESS, CHESS.parse(fen), 1, 0, 5) for fen in ends} == ends


def test_mate_on_the_hundredth_ply_is_a_win_in_playouts_too() -> None:
    tally = random_games(CHESS, CHESS.parse("k7/2Q5/1K6/8/8/8/8/8 w - - 99 80"), 1, 0, 400)
    assert tally.plies == 400
    assert tally.white > 0
    assert tally.draw > 0


def test_endless_crazyhouse_games_are_drawn_in_the_end() -> None:
    """Playouts look for no repetitions, so bare kings would go on for ever."""
    tally = random_games(CRAZYHOUSE, CRAZYHOUSE.parse("4k3/8/8/8/8/8/8/4K3[] w - - 0 1"), 1, 0, 2)
    assert tally == Tally(0, 2, 0, 2 * LONGEST)


def test_most_random_games_of_chess_are_drawn() -> None:
    """About 85 in 100, as everybody finds; White's first move is worth next to nothing."""
    tally = random_games(CHESS, CHESS.start(), 1, 0, 4000)
    assert 0.83 < tally.draw / 4000 < 0.87
    assert scipy.stats.binomtest(tally.white, tally.white + tally.black).pvalue > TOO_UNLIKELY
    assert 320 < tally.plies / 4000 < 370


def test_random_tic_tac_toe_is_won_as_often_as_its_tree_says() -> None:
    """Weighing each of the 255,168 games by its chance gives x 737/1260, o 121/420, a draw 8/63."""
    tally = random_games(TICTACTOE, TICTACTOE.start(), 1, 0, 100_000)
    expected = [100_000 * chance for chance in (737 / 1260, 8 / 63, 121 / 420)]
    assert scipy.stats.chisquare(tally[:3], expected).pvalue > TOO_UNLIKELY
