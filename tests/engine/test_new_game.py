"""An engine's parameters are fixed when it is made; a new game may have another seed, which reaches everything."""

from typing import Any

import chess
import pytest

from plyout import Engine, Limits
from plyout.errors import InputError
from plyout.parameters import SETTING_BY_NAME
from tests.dump import changes_by_chance, digest
from tests.playable import playable
from tests.positions import KIWIPETE, START

LEGAL = "r2qkbnr/ppp2ppp/2np4/4N2b/2B1P3/2N4P/PPPP1PP1/R1BQK2R b KQkq - 0 6"


def played(engine: Engine, fen: str, plies: int, nodes: int) -> list[tuple[str, str]]:
    """(move, digest of the tree) of each ply of a game of the engine against itself."""
    board, game = chess.Board(fen), []
    for _ in range(plies):
        result = engine.search(board, Limits(nodes=nodes))
        game.append((str(result.move), digest(result.tree)))
        board.push(result.move)
    return game


@pytest.mark.parametrize("name", playable())
def test_after_a_new_game_with_another_seed_an_engine_searches_as_a_new_one(name: str) -> None:
    """Priors, playouts and the trap lists that are kept from turn to turn, by chance."""
    engine = Engine(name, hash_mb=4, seed=7)
    before = played(engine, LEGAL, 3, 120)
    engine.new_game(seed=8)
    assert engine.parameters["seed"] == 8
    reseeded = played(engine, LEGAL, 3, 120)
    assert reseeded == played(Engine(name, hash_mb=4, seed=8), LEGAL, 3, 120)
    assert reseeded != before or not changes_by_chance(name)
    engine.new_game()
    assert engine.parameters["seed"] == 8, "without another seed it stays"
    assert played(engine, LEGAL, 3, 120) == reseeded


def test_a_seed_reaches_the_priors_of_alphaone() -> None:
    """As matches do it, which reseed an engine before each game."""
    engine = Engine("alphaone", hash_mb=4)
    priors = []
    for seed in (2, 3, 2):
        engine.new_game(seed=seed)
        result = engine.search(START, Limits(nodes=30))
        assert result.seed == seed
        priors.append([m.prior for m in sorted(result.moves, key=lambda m: str(m.move))])
    assert priors[0] == priors[2] != priors[1]


def test_a_seed_reaches_the_choice_by_temperature() -> None:
    engine, chosen = Engine("mcts", hash_mb=4, temperature=5), []
    for seed in range(8):
        engine.new_game(seed=seed)
        chosen.append(engine.search(START, Limits(nodes=300)).move)
        fresh = Engine("mcts", hash_mb=4, temperature=5, seed=seed)
        assert fresh.search(START, Limits(nodes=300)).move == chosen[-1]
    assert len(set(chosen)) > 2, "all seeds choose alike: the test shows nothing"


def test_a_seed_reaches_the_choice_from_a_book() -> None:
    engine, chosen = Engine("mcc", hash_mb=1, book="own", book_use="weighted"), []
    for seed in range(12):
        engine.new_game(seed=seed)
        result = engine.search(START, Limits(nodes=10))
        assert result.book
        chosen.append(result.move)
        fresh = Engine("mcc", hash_mb=1, book="own", book_use="weighted", seed=seed)
        assert fresh.search(START, Limits(nodes=10)).move == chosen[-1]
    assert len(set(chosen)) > 2


@pytest.mark.parametrize("seed", [0.5, "dice", 2**60])
def test_a_wrong_seed_is_the_users_mistake(seed: Any) -> None:
    engine = Engine("mcc", hash_mb=1)
    with pytest.raises(InputError, match=r"^seed must"):
        engine.new_game(seed=seed)
    assert engine.parameters["seed"] == 1


@pytest.mark.parametrize("name", ["mcc", "plyout", "alphabeta"])
def test_parameters_cannot_be_changed_once_an_engine_is_made(name: str) -> None:
    changes: dict[str, Any] = {"hash_mb": 4, "seed": 3}
    engine = Engine(name, **changes)
    parameters: Any = engine.parameters
    for key in ("c", "seed", "new"):
        with pytest.raises(TypeError):
            parameters[key] = 99.0
    with pytest.raises(TypeError):
        del parameters["c"]
    assert not hasattr(parameters, "update")
    with pytest.raises(AttributeError):
        engine.parameters = {}  # type: ignore[misc,assignment]
    changes["seed"] = 5
    assert engine.parameters["seed"] == 3


def test_the_result_of_a_search_tells_the_parameters_that_it_had() -> None:
    engine = Engine("mcc", hash_mb=1, c=0.5, seed=3)
    first = engine.search(KIWIPETE, Limits(nodes=20))
    engine.new_game(seed=4)
    second = engine.search(KIWIPETE, Limits(nodes=20))
    assert [r.seed for r in (first, second)] == [r.tree.parameters["seed"] for r in (first, second)] == [3, 4]
    assert first.tree.parameters["c"] == 0.5
    assert not set(SETTING_BY_NAME) & set(first.tree.parameters), "texts are not among the numbers"
