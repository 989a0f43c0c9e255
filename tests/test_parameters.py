"""The table of parameters refuses what makes no sense, in one line that says what would."""

from typing import Any

import pytest

from plyout import parameters
from plyout.engine import Engine
from plyout.errors import InputError
from plyout.parameters import TABLE, Parameter, values, vector


def test_every_default_is_allowed() -> None:
    for p in TABLE:
        assert p.check(p.default) == p.default
        assert p.help


def test_the_constants_are_the_places_in_the_vector() -> None:
    numbers = vector({p.name: float(i) for i, p in enumerate(TABLE)})
    for i, p in enumerate(TABLE):
        assert getattr(parameters, p.name.upper()) == i
        assert numbers[i] == i


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
