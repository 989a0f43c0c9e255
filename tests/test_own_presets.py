"""A preset in a file of the user's own: read by its path wherever a preset is named, and refused with one line."""

from pathlib import Path

import pytest

from plyout import Engine
from plyout.errors import InputError
from plyout.lab.match.players import parse_spec
from plyout.presets import preset
from plyout.uci.options import Settings

GOOD = 'search = "mcts"\n[rules]\nselect = "puct"\n[parameters]\npuct_init = 1.25\n'


def written(folder: Path, text: str) -> str:
    path = folder / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_a_file_is_named_by_its_path(tmp_path: Path) -> None:
    path = written(tmp_path, GOOD)
    assert preset(path).name == path
    assert Engine(path, hash_mb=1).parameters["puct_init"] == 1.25
    assert preset(path).rules["select"] == "puct"
    assert preset(path).rules["choose"] == "robust", "what a preset has unless it says otherwise"
    spec = parse_spec(f"{path}?c=2")
    assert (spec.preset, spec.settings) == (path, {"c": "2"})
    settings = Settings(preset(path))
    assert settings["Preset"] == path
    assert settings["puct_init"] == "1.25"


def test_a_file_that_was_changed_is_read_anew(tmp_path: Path) -> None:
    path = written(tmp_path, GOOD)
    assert preset(path).parameters == {"puct_init": 1.25}
    written(tmp_path, GOOD.replace("1.25", "2"))
    assert preset(path).parameters == {"puct_init": 2}


@pytest.mark.parametrize(
    "text, problem",
    [
        ("x = ", "is no preset: "),
        ("x = 1", "is no preset: 'x' is none of description, paper, search, rules, parameters"),
        ("rules = 1", "rules and parameters are tables"),
        ("parameters = []", "rules and parameters are tables"),
        ("description = 3", "description is a text, not 3"),
        ("[rules]\nselect = 3", "select is a text, not 3"),
        ("[rules]\nselekt = 'uct'", "'selekt' is none of the rules select, evaluate"),
        ("search = 'depth-first'", "search is one of mcts, alphabeta, not 'depth-first'"),
        ("[parameters]\nvisits = 3", "no parameter is called 'visits'"),
        ("[parameters]\nc = [1]", "c must be a number"),
        ("[parameters]\nc = 1000", "c must lie between"),
        ("[rules]\nselect = 'best'", "no select rule is called 'best'"),
    ],
)
def test_a_file_that_is_no_preset_gets_one_line(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem) as told:
        Engine(written(tmp_path, text), hash_mb=1)
    assert "\n" not in str(told.value)


def test_a_file_that_cannot_be_read_gets_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nothing.toml cannot be read: no such file"):
        preset(str(tmp_path / "nothing.toml"))
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match=r"bytes.toml is no preset: "):
        preset(str(tmp_path / "bytes.toml"))
    with pytest.raises(InputError, match="is no preset"):
        preset("a\0b.toml")
