"""Matplotlib, for commands that draw: it is in the extra ``lab``, and what cannot be drawn is told before the work."""

from pathlib import Path
from typing import Any

from plyout.errors import InputError


def pyplot() -> Any:
    """``matplotlib.pyplot``, which opens no windows."""
    try:
        import matplotlib
    except ImportError:
        raise InputError("plots need matplotlib: pip install 'plyout[lab]'") from None
    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "plyout"  # the same picture is the same file
    import matplotlib.pyplot

    return matplotlib.pyplot


def check_plot(path: Path) -> None:
    """An `InputError` now, not after the work, where nothing can be drawn, or not in this form."""
    figure, _ = pyplot().subplots()
    kinds = figure.canvas.get_supported_filetypes()
    pyplot().close(figure)
    if path.suffix.removeprefix(".").lower() not in kinds:
        raise InputError(f"--plot draws {', '.join(f'.{kind}' for kind in sorted(kinds))}, and not {path.name!r}")
