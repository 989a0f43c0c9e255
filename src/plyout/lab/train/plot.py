"""The errors of a run over time. Needs matplotlib, which is in the extra ``lab``."""

from collections.abc import Sequence
from pathlib import Path

from plyout.lab.report.pyplot import pyplot
from plyout.lab.train.checkpoint import Row
from plyout.lab.train.show import NAMES

_DRAWN = ("value_mse", "policy_nll", "value_told")


def draw(rows: Sequence[Row], path: Path) -> None:
    """The held-back errors, two of them, each with a scale of its own."""
    drawn = [name for name in _DRAWN if name in rows[0].errors]
    figure, panels = pyplot().subplots(1, len(drawn), squeeze=False, figsize=(9, 3.5), layout="constrained")
    for panel, name in zip(panels[0], drawn, strict=True):
        panel.plot([row.seconds for row in rows], [row.errors[name] for row in rows], marker=".")
        panel.set(title=NAMES[name], xlabel="seconds of learning")
        panel.grid(alpha=0.3)
    figure.savefig(path, dpi=120)
    pyplot().close(figure)
