"""Every preset is a file that says only what is known, and changes what it says."""

from pathlib import Path

import pytest

from plyout import Engine, Limits
from plyout import presets as package
from plyout.errors import InputError
from plyout.parameters import BY_NAME, SETTING_BY_NAME, texts, values
from plyout.presets import Preset, preset, presets
from tests.dump import SHORT
from tests.playable import playable

FOLDER = Path(package.__file__).parent


def test_presets_are_named_as_their_files() -> None:
    assert set(presets()) == {path.stem for path in FOLDER.glob("*.toml")}
    assert all(name == found.name for name, found in presets().items())
    assert {"mcc", "mcc-combined", "mcc-rave", "mcc-widening"} <= set(presets())


@pytest.mark.parametrize("found", presets().values(), ids=presets())
def test_a_preset_says_only_what_is_known(found: Preset) -> None:
    assert set(found.rules) == {"select", "evaluate", "prior", "choose", "similarity", "scaling"}
    assert set(found.parameters) <= set(BY_NAME) | set(SETTING_BY_NAME)
    assert found.description.endswith(".")
    assert found.paper
    settings: dict[str, object] = {**values(found.parameters), **texts(found.parameters)}
    for name in found.parameters:
        default = (BY_NAME.get(name) or SETTING_BY_NAME[name]).default
        assert settings[name] != default, f"{name} is the default anyway"
    if found.name in playable():
        nodes = Engine(found.name, hash_mb=1).search(SHORT, Limits(nodes=20)).nodes
        assert nodes == 20


def test_no_two_presets_are_the_same() -> None:
    contents = [(p.search, tuple(p.rules.items()), tuple(sorted(p.parameters.items()))) for p in presets().values()]
    assert len(set(contents)) == len(contents)


def test_the_combined_preset_is_that_of_the_paper() -> None:
    """Arenz 2012: solver, exchange playouts with ε = 0.4, decisive moves, bias 0.001."""
    numbers = values(preset("mcc-combined").parameters)
    wanted = {"solver": 1, "greedy": 2, "epsilon": 0.4, "decisive": 1, "bias": 0.001, "c": 1, "open_at": 2}
    assert {name: numbers[name] for name in wanted} == wanted


def test_a_preset_that_is_another_and_something_more_follows_it() -> None:
    """When the default is tuned, the one for puzzles is, too."""
    default, tactics = preset("plyout"), preset("plyout-tactics")
    assert tactics.rules == default.rules
    assert tactics.parameters == default.parameters | {"explore_all": 0.2, "ahead": 1}
    plain, learnt = preset("alphabeta").parameters, preset("alphabeta-net").parameters
    assert learnt == plain | {
        name: default.parameters[name] for name in ("value_net", "quiet_depth", "quiet_delta")
    } | {"time_fraction": 0.09}


def test_an_unknown_preset_is_the_users_mistake() -> None:
    with pytest.raises(InputError, match=r"no preset is called 'mcd': did you mean 'mcc'.*'plyout presets' lists all"):
        preset("mcd")
