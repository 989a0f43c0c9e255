"""``plyout presets``."""

from plyout.parameters import SETTINGS, TABLE
from plyout.presets import presets
from tests.cli.client import answer, mistake, plyout


def test_presets_are_listed() -> None:
    found = answer("presets", "--json")["presets"]
    assert [p["name"] for p in found] == list(presets())
    assert all(p["description"] and p["paper"] for p in found)


def test_a_preset_is_shown_with_every_parameter() -> None:
    found = answer("presets", "show", "mcc-combined", "--json")
    assert found["name"] == "mcc-combined"
    assert set(found["rules"]) == {"select", "evaluate", "prior", "choose", "similarity", "scaling"}
    assert set(found["parameters"]) == {p.name for p in (*TABLE, *SETTINGS)}
    assert found["parameters"]["bias"] == 0.001


def test_readers_get_the_default_first_and_every_preset_once() -> None:
    listed = [line.split()[0] for line in plyout("presets").stdout.splitlines() if line.startswith("  ")]
    assert listed[0] == "plyout"
    assert sorted(listed) == sorted(presets())


def test_readers_get_every_parameter_of_a_preset() -> None:
    shown = plyout("presets", "show", "mcc-combined").stdout
    assert all(f" {p.name} " in shown for p in (*TABLE, *SETTINGS))


def test_an_unknown_preset_gets_one_line() -> None:
    said = mistake("presets", "show", "mcc-combind")
    assert said.startswith("no preset is called 'mcc-combind': did you mean 'mcc-combined'")
