"""What is tuned: ranges from the table, starts from the preset, steps by rule, and one line for each mistake."""

import pytest

from plyout.errors import InputError
from plyout.lab.tune.axis import Axis, axes_of, default_step
from plyout.parameters import TABLE
from plyout.presets import preset

PLYOUT = preset("plyout").parameters | {"puct_init": 1, "policy": 1.9}  # whatever they are tuned to


def one(text: str) -> Axis:
    (axis,) = axes_of([text], PLYOUT)
    return axis


def test_what_is_not_given_comes_from_the_preset_and_the_table() -> None:
    assert one("puct_init") == Axis("puct_init", 1, 0, 100, 0.2)
    assert one("puct_init=1.5") == Axis("puct_init", 1.5, 0, 100, 0.3)
    assert one("policy=:1:3") == Axis("policy", 1.9, 1, 3, 0.2)
    assert one("policy=1.8:1:3:0.25") == Axis("policy", 1.8, 1, 3, 0.25)
    assert one("policy=:::0.25") == Axis("policy", 1.9, 0, 100, 0.25)
    assert one("quiet_depth") == Axis("quiet_depth", 4, 0, 32, 0.8, whole=True)


def test_an_axis_is_written_as_it_is_read() -> None:
    for text in ("policy=1.8:1:3:0.25", "quiet_depth=4:0:32:0.8", "puct_base=19652:1:1e+09:3930.4"):
        assert str(one(text)) == text


def test_every_number_of_the_table_has_a_step_that_can_be_used() -> None:
    for p in TABLE:
        if p.names or (p.whole and p.high - p.low <= 1):
            with pytest.raises(InputError, match="a match compares"):
                axes_of([p.name], {})
            continue
        (axis,) = axes_of([p.name], {})
        assert 0 < axis.step <= (axis.high - axis.low) / 2
        assert axis.low <= axis.start <= axis.high
        assert not axis.whole or axis.step >= 0.5


def test_a_step_follows_the_start_and_where_that_is_nothing_the_range() -> None:
    assert default_step(1000, 0, 1e9, whole=False) == 200
    assert default_step(0, 0, 50, whole=False) == 5
    assert default_step(-2, -10, 0, whole=False) == pytest.approx(0.4)


def test_the_digits_of_a_result_are_those_that_mean_anything() -> None:
    assert one("puct_init").final(1.23456789) == 1.235
    assert one("puct_base=19652:1:1e5:4000").final(18234.567) == 18235
    assert one("quiet_depth").final(4.5001) == 5
    assert one("puct_init=0.5:0.1234567:1:0.2").final(0.12346) >= 0.1234567, "rounding does not lead out of the range"


@pytest.mark.parametrize(
    "text, problem",
    [
        ("book_use", "book_use is one of best, weighted, .*: a match compares two of them"),
        ("value_net", "value_net is a text, and only numbers can be tuned"),
        ("solver", "solver is on or off"),
        ("pukt", "no parameter is called 'pukt': there are advice"),
        ("judge", "judge is now called evaluate"),
        ("puct_init=1:2:3", "puct_init starts at 1, which is not between 2 and 3"),
        ("puct_init=1:-1:3", "puct_init is tuned between 0 and 100, the lower end first, not from -1 to 3"),
        ("puct_init=1:3:1", "the lower end first"),
        ("puct_init=1:1:1", "the lower end first"),
        ("puct_init=x", "-p wants name, name=start"),
        ("puct_init=1:2:3:4:5", "-p wants name, name=start"),
        ("puct_init=nan", "-p wants name, name=start"),
        ("puct_init=1:0:3:0", "a step is above 0 and at most half the range, not 0"),
        ("puct_init=1:0:3:2", "a step is above 0 and at most half the range, not 2"),
        ("quiet_depth=4:0:8:0.1", "its step is 0.5 at least"),
        ("quiet_depth=4.5", "quiet_depth must be a whole number"),
        ("quiet_depth=4:0.5:8", "so are the ends of its range"),
        ("puct_init=200", "puct_init must lie between 0 and 100"),
    ],
)
def test_a_mistake_gets_one_line(text: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem) as told:
        one(text)
    assert "\n" not in str(told.value)


def test_nothing_and_twice_the_same_are_refused() -> None:
    with pytest.raises(InputError, match="nothing is to be tuned"):
        axes_of([], PLYOUT)
    with pytest.raises(InputError, match="-p policy is given twice"):
        axes_of(["policy", "puct_init", "policy=2"], PLYOUT)
