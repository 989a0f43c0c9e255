"""Figures of the trap laboratory. They need matplotlib, which is in the extra ``lab``."""

from pathlib import Path
from typing import Any

import numpy as np

from plyout.lab.report.pyplot import pyplot
from plyout.lab.traps.study import Study
from plyout.search.similarity.scaling import normalised, squashed, standardised

_PERSISTS, _GONE = "#1f6f8b", "#d98c3f"


def check_available() -> None:
    """An `InputError` now, not after the work is done, where there is nothing to draw with."""
    pyplot()


def _save(figure: Any, path: Path) -> list[Path]:
    """As PNG and as SVG."""
    path.parent.mkdir(parents=True, exist_ok=True)
    written = []
    for suffix in (".png", ".svg"):
        file = path.with_suffix(suffix)
        figure.savefig(file, dpi=120, bbox_inches="tight", metadata={"Date": None} if suffix == ".svg" else None)
        written.append(file)
    pyplot().close(figure)
    return written


def _histogram(axes: Any, values: Any, colour: str, low: float, high: float) -> None:
    axes.hist(values, bins=np.linspace(low, high, 41), color=colour)
    axes.spines[["top", "right"]].set_visible(False)


def histograms(done: Study, folder: Path) -> list[Path]:
    """Figures 5.5 to 5.10, a file a measure (persisting left, gone right), and 5.13 with 5.14 for legal actions."""
    written: list[Path] = []
    for measure, values in done.observed.items():
        figure, axes = pyplot().subplots(1, 2, figsize=(9, 3.2))
        for axis, subset, colour, title in (
            (axes[0], done.persists, _PERSISTS, "trap persists"),
            (axes[1], ~done.persists, _GONE, "trap gone"),
        ):
            _histogram(axis, values[subset], colour, 0, 1)
            axis.set(title=f"{title} ({int(subset.sum()):,} pairs)", xlabel=f"similarity: {measure}", ylabel="pairs")
        figure.tight_layout()
        written += _save(figure, folder / f"histogram-{measure}")
    return written + _scalings(done, folder)


def _scalings(done: Study, folder: Path) -> list[Path]:
    values = done.observed["legal-actions"]
    figure, axes = pyplot().subplots(1, 4, figsize=(14, 3.2))
    panels = (("raw", values), ("standardised", standardised(values)), ("normalised", normalised(values)),
              ("through the logistic", squashed(values)))  # fmt: skip
    for axis, (title, numbers) in zip(axes, panels, strict=True):
        low, high = (float(numbers.min()), float(numbers.max())) if title == "standardised" else (0.0, 1.0)
        _histogram(axis, numbers, _PERSISTS, low, high or 1.0)
        axis.set(title=title, xlabel="legal actions")
    axes[0].set(ylabel="pairs")
    figure.tight_layout()
    return _save(figure, folder / "scaling-legal-actions")


def density(shares: dict[int, dict[str, float]], phases: list[str], folder: Path) -> list[Path]:
    """Ramanujan's figure: the share of positions with a trap of each level, by game phase."""
    figure, axes = pyplot().subplots(figsize=(8, 4))
    width = 0.8 / len(shares)
    for i, (level, of_phase) in enumerate(shares.items()):
        places = np.arange(len(phases)) + (i - (len(shares) - 1) / 2) * width
        heights = [100 * of_phase.get(phase, 0.0) for phase in phases]
        axes.bar(places, heights, width, label=f"level {level}", color=pyplot().get_cmap("viridis")(0.15 + 0.25 * i))
    axes.set(xticks=range(len(phases)), xlabel="plies played", ylabel="% of positions with such a trap")
    axes.set_xticklabels(phases)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    return _save(figure, folder / "trap-density")


def visits(curves: dict[str, list[float]], steps: list[int], folder: Path) -> list[Path]:
    """How many of the positions each preset is still trapped in, by iterations."""
    figure, axes = pyplot().subplots(figsize=(10, 6))
    colours = pyplot().get_cmap("tab20")
    order = sorted(curves, key=lambda name: (-curves[name][-1], -sum(curves[name])))
    for i, name in enumerate(order):
        style = ("-", "--", ":")[i // 20 if i < 60 else 2]
        axes.step(
            steps, [100 * share for share in curves[name]], style, where="post", label=name, color=colours(i % 20)
        )
    axes.set(
        xscale="log", xlabel="iterations", ylabel="% of positions in which the trap is still played", ylim=(0, 102)
    )
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5))
    return _save(figure, folder / "visits-to-refutation")
