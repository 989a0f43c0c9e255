"""``plyout rate``: what is wrong is said before anything is played."""

import pytest

from tests.cli.client import mistake


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("--method", "guess"), "--method is search, estimate or both"),
        (("--levels", "1350,strong"), "--levels wants numbers with commas between"),
        (("--levels", ""), "--levels wants numbers with commas between"),
        (("--nodes", "100"), "mcc needs a limit of its own"),
        (("--program", "nosuchengine"), "nosuchengine"),
    ],
)
def test_a_mistake_gets_one_line(arguments: tuple[str, ...], problem: str) -> None:
    assert problem in mistake("rate", "-e", "mcc", *arguments)
