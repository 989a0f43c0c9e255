"""The errors of a run over time. Needs matplotlib, which is in the extra ``lab``."""

from collections.abc import Sequence
from pathlib import Path

from plyout.lab.report.pyplot import pyplot
from plyout.lab.train.checkpoint import Row
from plyout.lab.train.held_back import NAMES

_DRAWN = ("value_mse", "policy_nll")


def draw(rows: Sequence[Row], path: Path) -> None:
    """The held-back errors of value and policy, each with a scale of its own."""
    figure, panels = pyplot().subplots(1, len(_DRAWN), figsize=(9, 3.5), layout="constrained")
    for panel, name in zip(panels, _DRAWN, strict=True):
        panel.plot([row.seconds for row in rows], [row.errors[name] for row in rows], marker=".")
        panel.set(title=NAMES[name], xlabel="seconds of learning")
        panel.grid(alpha=0.3)
    figure.savefig(path, dpi=120)
    pyplot().close(figure)
