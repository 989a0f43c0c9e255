"""The games by name, and what all of them promise."""

import pytest

from plyout.errors import InputError
from plyout.games import GAMES, Game, game


@pytest.mark.parametrize("name", GAMES)
def test_games_are_found_by_name(name: str) -> None:
    assert game(name).name == name


def test_an_unknown_game_is_refused_with_the_names_of_those_there_are() -> None:
    with pytest.raises(InputError, match=r"'checkers'.*chess, crazyhouse, tictactoe"):
        game("checkers")


@pytest.mark.parametrize("g", GAMES.values(), ids=GAMES)
def test_after_leaves_the_given_state_alone(g: Game) -> None:
    state = g.start()
    child = g.after(state, g.moves(state)[0])
    assert state.tolist() == g.start().tolist()
    assert child[0] == 1 - state[0], "the other player is to move"


@pytest.mark.parametrize("g", GAMES.values(), ids=GAMES)
def test_a_game_goes_on_at_its_start_and_shows_and_reads_it(g: Game) -> None:
    assert g.result(g.start()) is None
    assert g.parse("startpos").tolist() == g.parse(g.show(g.start())).tolist() == g.start().tolist()
