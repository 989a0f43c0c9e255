"""The table of parameters refuses what makes no sense, in one line that says what would; kernels get it in groups."""

import re
from typing import Any, get_type_hints

import numpy as np
import pytest

from plyout import Engine
from plyout.errors import InputError
from plyout.parameters import (
    ADDRESSES,
    BY_NAME,
    RENAMED,
    SETTING_BY_NAME,
    TABLE,
    Expansion,
    Leaf,
    Loop,
    Parameter,
    Parameters,
    Selection,
    for_kernels,
    group,
    texts,
    values,
)
from tests.conftest import ROOT

GROUPS: tuple[Any, ...] = (Selection, Expansion, Leaf, Loop)

READ_BY_PYTHON = {
    "batch", "exploit", "hash_mb", "history", "killers", "null_move", "overhead", "pace", "prune", "q_weight", "reduce",
    "secure", "similar", "soft_trap", "tables", "tables_from", "temperature", "time_fraction", "transpositions",
    "top_bfs", "trap_level", "trap_playouts", "trap_root",
}  # fmt: skip
"""Parameters of no group: Python alone reads them, by name."""


def test_every_default_is_allowed() -> None:
    for p in TABLE:
        assert p.check(p.default) == p.default
        assert p.help


def test_numbers_may_come_as_text() -> None:
    assert values({"c": "0.7", "threads": "2"})["c"] == 0.7


@pytest.mark.parametrize(
    "changes, text",
    [
        ({"no_such": 1}, "no parameter is called 'no_such': there are advice, ahead, "),
        ({"c": "much"}, "c must be a number, not 'much'"),
        ({"c": None}, "c must be a number, not None"),
        ({"c": [1]}, "c must be a number, not"),
        ({"c": -0.1}, "c must lie between 0 and 100, not -0.1"),
        ({"c": "nan"}, "c must lie between 0 and 100, not 'nan'"),
        ({"epsilon": 1.5}, "epsilon must lie between 0 and 1, not 1.5"),
        ({"threads": 1.5}, "threads must be a whole number, not 1.5"),
        ({"threads": 0}, "threads must lie between 1 and 256, not 0"),
        ({"threads": "inf"}, "threads must "),
        ({"seed": 10**400}, "seed must "),
        ({"hash_mb": 0}, "hash_mb must lie between 1 and"),
    ],
)
def test_wrong_values_are_the_users_mistake(changes: dict[str, Any], text: str) -> None:
    with pytest.raises(InputError) as caught:
        Engine("mcc", **changes)
    assert str(caught.value).startswith(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("parameter", TABLE, ids=lambda p: p.name)
def test_just_outside_the_range_is_outside(parameter: Parameter) -> None:
    for value in (parameter.low - 1 - abs(parameter.low), parameter.high + 1 + abs(parameter.high)):
        with pytest.raises(InputError):
            parameter.check(value)
    assert parameter.check(parameter.low) == parameter.low
    assert parameter.check(parameter.high) == parameter.high


def test_no_name_stands_for_two_things() -> None:
    assert len(BY_NAME) == len(TABLE)
    assert not set(BY_NAME) & set(SETTING_BY_NAME)
    assert not set(RENAMED) & (set(BY_NAME) | set(SETTING_BY_NAME)), "an old name is still in use"


def test_values_are_all_there_and_cannot_be_changed() -> None:
    changes: dict[str, Any] = {"c": 0.5, "book": "own"}
    numbers: Any = values(changes)
    assert set(numbers) == set(BY_NAME)
    assert texts(changes)["book"] == "own"
    with pytest.raises(TypeError):
        numbers["c"] = 1.0
    changes["c"] = 2
    assert numbers["c"] == 0.5


@pytest.mark.parametrize("old, new", RENAMED.items())
def test_an_old_name_is_answered_with_the_new_one(old: str, new: str) -> None:
    with pytest.raises(InputError, match=f"^{old} is now called {new}$"):
        values({old: 1})


# -- groups -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", GROUPS, ids=lambda kind: kind.__name__)
def test_every_field_of_a_group_is_a_parameter_of_its_type(kind: Any) -> None:
    for name, as_type in get_type_hints(kind).items():
        if name in ADDRESSES:
            assert as_type is int and name in SETTING_BY_NAME
            continue
        parameter = BY_NAME[name]
        if as_type is bool:
            assert (parameter.low, parameter.high, parameter.whole) == (0, 1, True), f"{name} is no switch"
        elif as_type is int:
            assert parameter.whole, f"{name} may have a fraction"
        else:
            assert as_type is float


def test_every_parameter_is_read() -> None:
    in_groups = {name for kind in GROUPS for name in kind._fields}
    assert set(BY_NAME) - in_groups == READ_BY_PYTHON
    files = [path for path in (ROOT / "src/plyout").rglob("*.py") if path.name != "parameters.py"]
    source = "\n".join(path.read_text(encoding="utf-8") for path in files)
    for name in READ_BY_PYTHON:
        assert f'"{name}"' in source, f"nobody reads {name}"
    for name in in_groups:
        assert re.search(rf"\.{name}\b", source), f"no kernel reads {name}"


def test_groups_hold_the_numbers_as_the_machine_computes_with_them() -> None:
    numbers = {p.name: p.high if i % 2 else p.low for i, p in enumerate(TABLE)}
    made = for_kernels(values(numbers))
    assert made._fields == Parameters._fields
    for kind, one in zip(GROUPS, made, strict=True):
        assert isinstance(one, kind)
        assert one == group(kind, values(numbers))
        for name, as_type in get_type_hints(kind).items():
            assert getattr(one, name) == (numbers | dict.fromkeys(ADDRESSES, 0))[name], name
            assert type(getattr(one, name)) is {int: np.int64, float: np.float64, bool: bool}[as_type], name
