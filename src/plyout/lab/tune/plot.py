"""The ways of the parameters. Needs matplotlib, which is in the extra ``lab``."""

from pathlib import Path

from plyout.lab.report.pyplot import pyplot
from plyout.lab.tune.result import Tuned

_COLUMNS = 3


def draw(tuned: Tuned, path: Path) -> None:
    """Each parameter in a panel of its own, between the values that were tried; a line marks where it began."""
    spsa = tuned.plan.spsa
    columns = min(_COLUMNS, len(spsa.axes))
    rows = -(-len(spsa.axes) // columns)
    figure, panels = pyplot().subplots(
        rows, columns, figsize=(3.6 * columns + 0.6, 2.7 * rows + 0.5), layout="constrained", squeeze=False, sharex=True
    )
    pairs = range(len(spsa.path))
    last = spsa.gains.pairs - 1
    for panel, i in zip(panels.flat, range(rows * columns), strict=True):
        if i >= len(spsa.axes):
            panel.set_visible(False)
            continue
        axis = spsa.axes[i]
        middle = [point[i] for point in spsa.path]
        apart = [spsa.gains.apart(min(pair, last)) * axis.step for pair in pairs]
        low = [axis.within(value - by) for value, by in zip(middle, apart, strict=True)]
        high = [axis.within(value + by) for value, by in zip(middle, apart, strict=True)]
        panel.fill_between(pairs, low, high, alpha=0.2, linewidth=0, label="tried")
        panel.axhline(axis.start, color="0.5", linewidth=0.8, linestyle="--", label="start")
        panel.plot(pairs, middle, label="now")
        panel.set_title(f"{axis.name}: {axis.text(axis.start)} → {axis.text(axis.final(middle[-1]))}", fontsize=10)
        panel.grid(alpha=0.3)
        if i + columns >= len(spsa.axes):
            panel.set_xlabel("pairs")
            panel.tick_params(labelbottom=True)
    panels[0][0].legend(fontsize=8)
    figure.savefig(path, dpi=120)
    pyplot().close(figure)
