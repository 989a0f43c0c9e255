"""The errors of a run over time. Needs matplotlib, which is in the extra ``lab``."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from plyout.errors import InputError
from plyout.lab.train.checkpoint import Row
from plyout.lab.train.held_back import NAMES

_DRAWN = ("value_mse", "policy_nll")


def _pyplot() -> Any:
    try:
        import matplotlib
    except ImportError:
        raise InputError("plots need matplotlib: pip install 'plyout[lab]'") from None
    matplotlib.use("Agg")
    import matplotlib.pyplot

    return matplotlib.pyplot


def check_plot(path: Path) -> None:
    """An `InputError` now, not after the training, where nothing can be drawn, or not in this form."""
    figure, _ = _pyplot().subplots()
    kinds = figure.canvas.get_supported_filetypes()
    _pyplot().close(figure)
    if path.suffix.removeprefix(".").lower() not in kinds:
        raise InputError(f"--plot draws {', '.join(f'.{kind}' for kind in sorted(kinds))}, and not {path.name!r}")


def draw(rows: Sequence[Row], path: Path) -> None:
    """The held-back errors of value and policy, each with a scale of its own."""
    figure, panels = _pyplot().subplots(1, len(_DRAWN), figsize=(9, 3.5), layout="constrained")
    for panel, name in zip(panels, _DRAWN, strict=True):
        panel.plot([row.seconds for row in rows], [row.errors[name] for row in rows], marker=".")
        panel.set(title=NAMES[name], xlabel="seconds of learning")
        panel.grid(alpha=0.3)
    figure.savefig(path, dpi=120)
    _pyplot().close(figure)
