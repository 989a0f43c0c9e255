"""Measures of similarity: symmetric, within bounds, 1 for equal positions, and the thesis' worked examples."""

import random
from itertools import permutations

import chess
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyout.errors import InputError
from plyout.games import CHESS, CRAZYHOUSE, TICTACTOE, Game, State
from plyout.kernel import Ints, kernel
from plyout.lab.traps.expected import expected
from plyout.search.similarity import (
    MEASURES,
    Settings,
    similarities,
    similarity,
    similarity_of_statistics,
)
from plyout.search.similarity.matching import greatest_matching

GAMES = (CHESS, CRAZYHOUSE, TICTACTOE)


def walk(game: Game, rng: random.Random, plies: int) -> State:
    """A position by chance."""
    while True:
        state = game.start()
        for _ in range(plies):
            if game.result(state) is not None:
                break
            state = game.after(state, rng.choice(game.moves(state)))
        else:
            return state


def pairs(game: Game, count: int, seed: int) -> tuple[list[State], list[State]]:
    """Pairs two plies apart, and pairs that have nothing to do with each other."""
    rng = random.Random(seed)
    firsts, seconds = [], []
    longest = 5 if game is TICTACTOE else 60
    for i in range(count):
        first = walk(game, rng, rng.randrange(longest))
        second = first
        for _ in range(2):
            if i % 2 and game.moves(second):
                second = game.after(second, rng.choice(game.moves(second)))
        firsts.append(first)
        seconds.append(second if i % 2 else walk(game, rng, rng.randrange(longest)))
    return firsts, seconds


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@pytest.mark.parametrize("measure", MEASURES)
def test_measures_are_symmetric_bounded_and_one_for_equal_positions(game: Game, measure: str) -> None:
    firsts, seconds = pairs(game, 12 if "recursive" in measure and game is CRAZYHOUSE else 60, seed=1)
    settings = Settings(one_to_one=True)
    forth = similarities(game, firsts, seconds, measure, settings)
    back = similarities(game, seconds, firsts, measure, settings)
    assert np.array_equal(forth, back), "not the same to the last bit"
    for values in (forth, similarities(game, firsts, seconds, measure)):
        assert ((values >= 0) & (values <= 1)).all()
    same = similarities(game, firsts, firsts, measure)
    assert (same == (0.5 if measure == "constant" else 1.0)).all()
    if measure != "constant" and "states" not in measure:
        assert len(set(forth)) > 5, "hardly tells positions apart"


@pytest.mark.parametrize("measure", MEASURES)
def test_measures_are_those_of_python_chess_and_sets(measure: str) -> None:
    """The recursive ones as the appendix prints them, which depends on the order."""
    slow = {"recursive-legal-actions": 16, "recursive-expandable-states": 3}
    firsts, seconds = pairs(CHESS, slow.get(measure, 60), seed=3)
    ours = similarities(CHESS, firsts, seconds, measure)
    boards = [[chess.Board(CHESS.show(state)) for state in states] for states in (firsts, seconds)]
    for before, now, value in zip(*boards, ours, strict=True):
        assert value == pytest.approx(expected(measure, before, now, Settings())), (before.fen(), now.fen())
    if measure == "recursive-legal-actions":
        assert not np.array_equal(ours, similarities(CHESS, seconds, firsts, measure)), "as printed"


def test_expandable_states_are_those_of_python_chess() -> None:
    """A knight out and home again: the same moves lead to positions with other clocks, which are the same positions."""
    board = chess.Board()
    for san in ("Nf3", "Nf6", "Ng1", "Ng8"):
        board.push_san(san)
    assert similarity(CHESS, CHESS.start(), CHESS.parse(board.fen()), "expandable-states") == 1.0
    assert similarity(CHESS, CHESS.start(), CHESS.parse(board.fen()), "recursive-expandable-states") == 1.0
    board.push_san("a3")
    board.push_san("a6")
    assert similarity(CHESS, CHESS.start(), CHESS.parse(board.fen()), "expandable-states") == 0.0


def test_depth_and_breadth_and_pieces_are_the_formulas() -> None:
    first, second = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 11", "4k3/8/8/8/8/8/8/R3K3 w - - 0 31"
    a, b = CHESS.parse(first), CHESS.parse(second)
    moves = [chess.Board(fen).legal_moves.count() for fen in (first, second)]
    depth, breadth = 1 - 40 / 80, 1 - abs(moves[0] - moves[1]) / sum(moves)
    assert similarity(CHESS, a, b, "depth-breadth") == pytest.approx((0.7 * depth + 0.6 * breadth) / 1.3)
    assert similarity(CHESS, a, b, "pieces") == 2 / 4


# -- the thesis' examples, as games whose trees are written down ------------------------------------------------------


def tree_game(children: dict[int, list[tuple[int, int]]], plies: dict[int, int], pieces: dict[int, list[int]]) -> Game:
    """A game of the given tree: node -> (action, node) …; a state is (turn, key, node), the key names the node."""
    nodes = 64
    table = np.full(nodes * 16, -1, np.int64)
    for node, moves in children.items():
        for i, (action, target) in enumerate(moves):
            table[node * 16 + 2 * i], table[node * 16 + 2 * i + 1] = action, target
    depth = np.array([plies.get(node, 0) for node in range(nodes)], np.int64)
    counts = np.array([(pieces.get(node) or [0, 0])[kind] for node in range(nodes) for kind in range(2)], np.int64)

    @kernel
    def legal(state: Ints, moves: Ints) -> int:
        n = 0
        while n < 8 and table[state[2] * 16 + 2 * n] >= 0:
            moves[n] = table[state[2] * 16 + 2 * n]
            n += 1
        return n

    @kernel
    def play(state: Ints, move: int) -> None:
        for i in range(8):
            if table[state[2] * 16 + 2 * i] == move:
                state[2] = table[state[2] * 16 + 2 * i + 1]
                break
        state[0] ^= 1
        state[1] = state[2]

    @kernel
    def outcome(state: Ints, count: int) -> float:
        return -1.0 if count else 0.5

    @kernel
    def ply(state: Ints) -> int:
        return depth[state[2]]  # type: ignore[no-any-return]

    @kernel
    def piece_counts(state: Ints, found: Ints) -> int:
        found[0], found[1] = counts[2 * state[2]], counts[2 * state[2] + 1]
        return 2

    return Game("tree", 3, 8, legal, play, outcome, lambda: at(0), ply=ply, pieces=piece_counts)


def at(node: int) -> State:
    return np.array([0, node, node], np.int64)


def test_the_worked_examples_of_the_thesis_come_out() -> None:
    """Figures 3.2 to 3.6: checkers, two trees of other shapes, shared actions and states, a match one ply deeper."""
    followers = [(20, 40), (21, 41), (22, 42)]
    children = {
        # Figures 3.4 and 3.6: two of five actions, and two of five states, are shared.
        0: [(1, 10), (2, 11), (3, 12)],
        1: [(1, 10), (2, 11), (4, 13), (5, 14)],
        # Figure 3.5: what a3 and a4 lead to allows the same actions, what a5 leads to does not.
        12: followers,
        13: followers,
        14: [(30, 43)],
        # Figure 3.3: breadths 3 and 4.
        2: [(1, 50), (2, 51), (3, 52)],
        3: [(1, 50), (2, 51), (3, 52), (4, 53)],
    }
    # Figure 3.2: pieces of two colours, 10 of each, of which 1 and 3 are gone in the second position.
    game = tree_game(children, {2: 2, 3: 1}, {0: [10, 10], 1: [9, 7]})
    assert similarity(game, at(0), at(1), "pieces") == 0.8
    shape = similarity(game, at(2), at(3), "depth-breadth", Settings(depth_weight=0.5, breadth_weight=1))
    assert shape == pytest.approx(0.79, abs=0.005)
    assert similarity(game, at(0), at(1), "legal-actions") == 0.4
    assert similarity(game, at(0), at(1), "expandable-states") == 0.4
    assert similarity(game, at(0), at(1), "recursive-legal-actions", Settings(one_to_one=True)) == 0.75
    assert similarity(game, at(0), at(1), "recursive-legal-actions") == 0.6, "by equation 3.6 the union stays at 5"


def test_a_state_is_matched_only_once_or_as_printed_by_all_that_resemble_it() -> None:
    """Both moves of the first position resemble the one move of the second."""
    followers = [(20, 40), (21, 41)]
    children = {0: [(1, 10), (2, 11)], 1: [(3, 12)], 10: followers, 11: followers, 12: followers}
    game = tree_game(children, {}, {})
    for before, now in ((at(0), at(1)), (at(1), at(0))):
        assert similarity(game, before, now, "recursive-legal-actions", Settings(one_to_one=True)) == 0.5
    assert similarity(game, at(0), at(1), "recursive-legal-actions") == pytest.approx(1 / 3)
    assert similarity(game, at(1), at(0), "recursive-legal-actions") == pytest.approx(2 / 3), "both of the second count"


@given(st.integers(1, 4), st.integers(1, 4), st.lists(st.integers(0, 9), min_size=16, max_size=16))
def test_the_matching_is_the_heaviest_there_is(rows: int, columns: int, numbers: list[int]) -> None:
    weights = np.array(numbers[: rows * columns], np.int64)
    table = weights.reshape(rows, columns)
    wide = table if rows <= columns else table.T
    best = max(sum(wide[i, j] for i, j in enumerate(p)) for p in permutations(range(wide.shape[1]), wide.shape[0]))
    chosen = np.empty(columns, np.int64)
    assert greatest_matching(weights, np.int64(rows), np.int64(columns), chosen) == best
    used = [int(i) for i in chosen if i >= 0]
    assert len(set(used)) == len(used)
    assert sum(table[i, j] for j, i in enumerate(chosen) if i >= 0) == best


def test_statistics_compare_the_values_of_shared_moves() -> None:
    a, b = {1: 0.5, 2: 0.9, 3: 0.1}, {2: 0.4, 3: 0.3, 4: 0.0}
    assert similarity_of_statistics(a, b) == similarity_of_statistics(b, a) == pytest.approx(2 / (1 + np.exp(0.7)))
    assert similarity_of_statistics(a, a) == 1.0
    assert similarity_of_statistics(a, {9: 0.5}) == 0.0, "nothing in common"
    assert similarity_of_statistics({}, {}) == 1.0


def test_what_is_missing_or_wrong_is_said() -> None:
    bare = Game("bare", 3, 8, *TICTACTOE.rules(), lambda: at(0))
    with pytest.raises(InputError, match="give the game a `ply`"):
        similarity(bare, at(0), at(0), "depth-breadth")
    with pytest.raises(InputError, match="give the game `pieces`"):
        similarity(bare, at(0), at(0), "pieces")
    with pytest.raises(InputError, match="no measure of similarity is called 'looks': there are constant"):
        similarity(CHESS, CHESS.start(), CHESS.start(), "looks")
    with pytest.raises(InputError, match="between 0 and 1"):
        Settings(threshold=2)
