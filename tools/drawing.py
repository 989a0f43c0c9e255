"""Trees and graphs as pictures, and the colours and lines that all figures of `draw_figures.py` share."""

from collections.abc import Sequence
from math import cos, log2, pi, sin
from typing import Any

import numpy as np
from matplotlib.patches import PathPatch
from matplotlib.path import Path as Outline

from plyout.engine.tree import Tree

INK, SOFT, FAINT = "#222222", "#8a8f98", "#d5d8dd"
BLUE, ORANGE, RED, GREEN = "#2b6cb0", "#d9822b", "#c0392b", "#2f855a"
STYLE = {
    "font.family": ["DejaVu Sans", "sans-serif"], "font.size": 9, "axes.titlesize": 10, "axes.titleweight": "bold",
    "axes.titlelocation": "left", "axes.edgecolor": SOFT, "axes.labelcolor": INK, "text.color": INK,
    "axes.spines.top": False, "axes.spines.right": False, "xtick.color": SOFT, "ytick.color": SOFT,
    "xtick.labelcolor": INK, "ytick.labelcolor": INK, "axes.grid.axis": "both", "grid.color": FAINT,
    "grid.linewidth": 0.6, "axes.axisbelow": True, "legend.frameon": False, "figure.facecolor": "white",
    "svg.fonttype": "none", "svg.hashsalt": "plyout", "path.simplify": False,
    "path.snap": False, "figure.constrained_layout.use": True,
}  # fmt: skip


def lines(axes: Any, pairs: Sequence[tuple[Any, Any]], color: str, width: float) -> None:
    """Many straight lines as one path: a small file."""
    if pairs:
        points = [point for pair in pairs for point in pair]
        codes = [Outline.MOVETO, Outline.LINETO] * len(pairs)
        axes.add_patch(PathPatch(Outline(points, codes), fill=False, edgecolor=color, linewidth=width))


def dots(axes: Any, points: Sequence[Any], areas: Sequence[float], color: str) -> None:
    """Discs of such areas, as the round ends of lines without length: those of about one size are one path."""
    classes: dict[int, list[Any]] = {}
    for point, area in zip(points, areas, strict=True):
        classes.setdefault(round(4 * log2(max(area, 0.01))), []).append(point)
    for size, some in classes.items():
        ends = [end for x, y in some for end in ((x, y), (x + 1e-3, y))]
        outline = Outline(ends, [Outline.MOVETO, Outline.LINETO] * len(some))
        axes.add_patch(
            PathPatch(outline, fill=False, edgecolor=color, linewidth=2.0 ** (size / 8), capstyle="round", zorder=2)
        )


def bare(axes: Any) -> None:
    """Nothing around the picture but its title and its label."""
    axes.set(xticks=[], yticks=[])
    axes.spines[:].set_visible(False)


def wheel(axes: Any, tree: Tree, least: float, colors: dict[str, str]) -> None:
    """A tree around its root: a ring a ply, sectors and discs by visits, one colour for each named root move."""
    graph = tree.graph
    drawn: dict[str, tuple[list[Any], list[Any], list[float]]] = {}

    def branch(node: int, at: Any, begin: float, end: float, ply: int, color: str) -> None:
        edges = [e for e in tree.children(node) if graph.edges["child"][e] >= 0 and graph.edges["visits"][e] >= least]
        shares = np.array([graph.edges["visits"][e] ** 0.6 for e in edges])
        corners = begin + (end - begin) * np.concatenate([[0.0], np.cumsum(shares) / max(shares.sum(), 1e-9)])
        for i, e in enumerate(edges):
            angle, radius = (corners[i] + corners[i + 1]) / 2, ply**0.7
            point = radius * cos(angle), radius * sin(angle)
            shade = colors.get(str(tree.move(e)), SOFT) if ply == 1 else color
            pairs, points, areas = drawn.setdefault(shade, ([], [], []))
            pairs.append((at, point))
            points.append(point)
            areas.append(float(graph.edges["visits"][e]))
            branch(int(graph.edges["child"][e]), point, corners[i], corners[i + 1], ply + 1, shade)

    branch(tree.root, (0.0, 0.0), 0.0, 2 * pi, 1, SOFT)
    total = float(graph.nodes["visits"][tree.root])
    for shade, (pairs, points, areas) in sorted(drawn.items(), key=lambda item: item[0] != SOFT):
        lines(axes, pairs, "#b9bec6" if shade == SOFT else shade, 0.35)
        dots(axes, points, [3000 * a / (total + 2000) / 12 + 1.2 for a in areas], shade)
    axes.plot(0, 0, "o", markersize=8, color=INK)
    axes.set_aspect("equal")
    bare(axes)


def layers(tree: Tree) -> tuple[dict[int, tuple[float, float]], list[tuple[int, int]]]:
    """(where each node stands, edges as pairs of nodes): a row a ply, each node near the mean of its parents."""
    graph, rows, links = tree.graph, [[tree.root]], []
    place = {tree.root: 0.0}
    while rows[-1]:
        above: dict[int, list[float]] = {}
        for node in rows[-1]:
            for e in tree.children(node):
                if graph.edges["child"][e] >= 0:
                    child = int(graph.edges["child"][e])
                    links.append((node, child))
                    above.setdefault(child, []).append(place[node] + 1e-3 * len(above))
        row = sorted(above, key=lambda n: float(np.mean(above[n])))
        place.update({n: (i + 0.5) / len(row) - 0.5 for i, n in enumerate(row)})
        rows.append(row)
    widest = max(map(len, rows))
    return {
        n: (place[n] * min(1.0, (len(row) + 1) / widest * 1.15), -float(y)) for y, row in enumerate(rows) for n in row
    }, links
