"""What a run of training tells of itself, on its way and in the end."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from plyout.lab.train.checkpoint import Row


NAMES = {
    "value_mse": "value, mean square error",
    "value_mae": "value, mean error",
    "policy_nll": "policy, -log p of the best move",
    "first": "best move is the first",
    "first_three": "best move is among the first three",
    "value_told": "value, mean square distance to what is told",
}
"""Errors on games that are not learnt from."""
MEASURED = tuple(name for name in NAMES if name != "value_told")
"""Those of networks that learn with JAX, whatever they are told."""
_IN_SHORT = {"value_mse": "value {:.5f}", "policy_nll": "policy {:.3f}", "value_told": "of what is told {:.5f}"}


def in_short(errors: dict[str, float]) -> str:
    """The errors in a line."""
    return ", ".join(shown.format(errors[name]) for name, shown in _IN_SHORT.items() if name in errors)


class Trained(NamedTuple):
    """What came of it so far."""

    about: dict[str, Any]
    rows: list[Row]
    files: list[Path]

    def as_dict(self) -> dict[str, Any]:
        rows = [row._asdict() for row in self.rows]
        return self.about | {"rows": rows, "files": [str(path) for path in self.files]}


class Show(NamedTuple):
    """Where a run shows how it goes."""

    say: Callable[[str], None] = lambda text: None
    row: Callable[[Row, float], None] = lambda row, speed: None
    """a new row, and positions a second"""
    quiet: bool = True
    """no progress bar"""
