"""Tic-tac-toe is small enough to be counted out, and its numbers are well known."""

from collections import Counter
from functools import cache

import pytest

from plyout.errors import InputError
from plyout.games import TICTACTOE

PERFT = [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]


@pytest.mark.parametrize("depth, count", list(enumerate(PERFT, 1)))
def test_counts_are_the_published_ones(depth: int, count: int) -> None:
    assert TICTACTOE.perft(TICTACTOE.start(), depth) == count


@cache
def games(position: str) -> Counter[str]:
    """How the games from a position end, each counted once."""
    state = TICTACTOE.parse(position)
    score = TICTACTOE.result(state)
    if score is not None:
        other = "ox"[int(state[0])]
        return Counter(["drawn" if score == 0.5 else f"{other} has won"])
    total: Counter[str] = Counter()
    for move in TICTACTOE.moves(state):
        total += games(TICTACTOE.show(TICTACTOE.after(state, move)))
    return total


def test_all_games_end_as_published() -> None:
    """Also a round trip of parse and show through each of the 5,478 positions."""
    games.cache_clear()
    assert games(".../.../...") == {"x has won": 131184, "o has won": 77904, "drawn": 46080}
    assert games.cache_info().currsize == 5478


def test_positions_have_keys_of_their_own_whatever_the_order_of_moves() -> None:
    keys: dict[str, int] = {}
    level = {TICTACTOE.show(TICTACTOE.start()): TICTACTOE.start()}
    for _ in range(9):
        level = {
            TICTACTOE.show(child): child
            for state in level.values()
            for child in (TICTACTOE.after(state, move) for move in TICTACTOE.moves(state))
        }
        for text, state in level.items():
            assert state.tolist() == TICTACTOE.parse(text).tolist()
            keys[text] = int(state[1])
    assert len(set(keys.values())) == len(keys) == 5477


def test_moves_are_named_like_squares_of_a_board() -> None:
    state = TICTACTOE.start()
    names = [TICTACTOE.move_text(state, move) for move in TICTACTOE.moves(state)]
    assert names == ["a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"]


@pytest.mark.parametrize(
    "text, wrong",
    [
        ("", "three rows"),
        ("xo", "three rows"),
        ("xox/.o./..", "three rows"),
        ("xox/.o./..../", "three rows"),
        ("xyz/.../...", "three rows"),
        ("x" * 10_000, "three rows"),
        ("xo\0/.../...", "three rows"),
        ("o../.../...", "x moves first"),
        ("xx./.../...", "x moves first"),
        ("xxx/oo./o..", "has won already"),
        ("ooo/xx./x.x", "has won already"),
        ("xxx/ooo/...", "has won already"),
    ],
)
def test_nonsense_is_refused_in_one_line(text: str, wrong: str) -> None:
    with pytest.raises(InputError, match=wrong) as caught:
        TICTACTOE.parse(text)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 250
