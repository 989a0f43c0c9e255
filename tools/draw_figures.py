"""Draw the figures of docs/ from searches made on the spot: ``python tools/draw_figures.py [NAME …] [--png FOLDER]``.

Every search has a seed and a number of iterations, no clock: the same figures come out on every machine. All of them
take a minute or two, most of it compiling. Needs ``pip install .[lab]``; ``--png`` draws bitmaps instead.
"""

import argparse
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import chess
import matplotlib
import numpy as np

matplotlib.use("Agg")
from drawing import BLUE, FAINT, GREEN, INK, ORANGE, RED, SOFT, STYLE, bare, dots, layers, lines, wheel
from matplotlib import pyplot as plt
from matplotlib.lines import Line2D

from plyout import Engine, Limits
from plyout.engine.result import Result
from plyout.games import CHESS
from plyout.kernel.random import seeded
from plyout.knowledge.books.book import open_book
from plyout.knowledge.tables.probe import no_tables
from plyout.lab.studies.sharing import POSITIONS
from plyout.lab.traps.study import LEGAL
from plyout.parameters import Leaf, group, values
from plyout.playout.playouts import chess_evaluator
from plyout.playout.scratch import new_scratch
from plyout.presets import preset

FIGURES = Path(__file__).parent.parent / "docs" / "figures"
SEED = 1
PAWN_ENDING = POSITIONS["chess"][-1]  # Lasker and Reichhelm: two kings that walk about


def after(moves: str) -> chess.Board:
    """The position after moves from the start."""
    board = chess.Board()
    for san in moves.split():
        board.push_san(san)
    return board


def search(name: str, position: chess.Board | str, nodes: int, **changes: Any) -> Result:
    """Without endgame tables: they would change the playouts where they are built."""
    return Engine(name, **{"seed": SEED, "hash_mb": 64, "tables": 0} | changes).search(position, Limits(nodes=nodes))


def growing() -> Any:
    """Two searches at three moments each: UCT spreads in rings, PUCT grows arms."""
    figure, panels = plt.subplots(2, 3, figsize=(9, 6.9))
    figure.get_layout_engine().set(h_pad=0.12)
    colors = {"c6e5": BLUE, "h5d1": RED}
    rows: tuple[tuple[str, dict[str, Any], float, str], ...] = (
        ("mcc-combined", {}, 2.3, "UCT, playouts"),
        ("mcts", {"solver": 1}, 7.2, "PUCT, quiescence"),
    )
    for row, (name, changes, reach, label) in zip(panels, rows, strict=True):
        for axes, (nodes, least) in zip(row, ((50, 1), (500, 1), (5000, 4)), strict=True):
            result = search(name, LEGAL, nodes, **changes)
            wheel(axes, result.tree, least, colors)
            axes.set_title(f"{label}: {nodes:,} iterations", loc="center", fontsize=9)
            axes.set_xlim(-reach, reach)
            axes.set_ylim(-reach, reach)
            named = {str(m.move): m for m in result.moves}
            taken, lost = named["c6e5"], named["h5d1"]
            proven = ", proven lost" if lost.proof == "loss" else ""
            text = f"Nxe5 {taken.visits:,.0f} visits, Bxd1 {lost.visits:,.0f}{proven}"
            axes.set_xlabel(text, fontsize=8)
    entries = [Line2D([], [], marker="o", ls="", color=c) for c in (BLUE, RED, SOFT)]
    names = ["below Nxe5, which holds", "below Bxd1, which is mated", "below other moves"]
    figure.legend(entries, names, loc="outside lower center", ncols=3)
    return figure


def selection() -> Any:
    """UCT and PUCT with the same evaluation: where the visits go at the root, and how deep."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(8, 3.2), width_ratios=(3, 2))
    board = after("e4 e5 Nf3 Nc6 Bc4")
    for number, (rule, color) in enumerate((("uct", ORANGE), ("puct", BLUE))):
        result = search("mcts", board, 5000, select=rule)
        ranked = sorted(result.moves, key=lambda m: -m.visits)
        places = np.arange(1, len(ranked) + 1)
        left.bar(
            places + 0.4 * (number - 0.5), [m.visits for m in ranked], 0.4, color=color,
            label=f"{rule.upper()}: most to {board.san(ranked[0].move)}, {ranked[0].visits / 50:.0f} %",
        )  # fmt: skip
        plies = np.bincount(result.tree.nodes["ply"])
        right.plot(
            range(len(plies)),
            plies,
            "o-",
            color=color,
            markersize=3.5,
            label=f"{rule.upper()}, {result.depth:.1f} on average",
        )
    left.set_yscale("log")
    left.set_ylim(0.8)
    left.yaxis.set_major_formatter("{x:,.0f}")
    right.yaxis.set_major_formatter("{x:,.0f}")
    left.set_title("visits of the root moves")
    left.set_xlabel("root moves, the most visited first")
    left.set_xticks([1, 10, 20, 30])
    right.set_title("nodes at each depth")
    right.set_xlabel("plies below the root")
    for axes in (left, right):
        axes.grid(axis="y")
        axes.legend()
    return figure


def trap() -> Any:
    """Légal's trap over the iterations, with and without the solver and knowing playouts."""
    figure, panels = plt.subplots(2, 2, figsize=(8, 4.6), sharex=True, sharey="row")
    steps = [2**k for k in range(6, 18)]
    moves = (("h5d1", RED, "Bxd1, the trap"), ("c6e5", BLUE, "Nxe5, the way out"))
    for column, name in enumerate(("mcc", "mcc-combined")):
        runs = [{str(m.move): m for m in search(name, LEGAL, n).moves} for n in steps]
        for move, color, label in moves:
            seen = [run[move] for run in runs]
            share = [100 * m.visits / n for m, n in zip(seen, steps, strict=True)]
            known = [100 * m.known_value for m in seen]
            panels[0, column].plot(steps, known, "o-", color=color, markersize=3.5, label=label)
            panels[1, column].plot(steps, share, "o-", color=color, markersize=3.5)
            closed = next((i for i, m in enumerate(seen) if m.proof == "loss"), None)
            if closed is not None:
                panels[0, column].annotate(
                    "proven lost", (steps[closed], 0), (steps[closed] * 1.5, 14), color=color, fontsize=8.5
                )  # fmt: skip
        panels[0, column].set_title(name)
        panels[1, column].set_xlabel("iterations")
        for axes in panels[:, column]:
            axes.set_xscale("log")
            axes.xaxis.set_major_formatter("{x:,.0f}")
            axes.grid()
    panels[0, 0].set_ylabel("value for Black, %")
    panels[1, 0].set_ylabel("share of the visits, %")
    panels[0, 0].set_ylim(-4, 104)
    panels[0, 0].legend()
    return figure


def sharing() -> Any:
    """A pawn ending after as many iterations as a tree and as a graph, and how both grow."""
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(9, 3.6), width_ratios=(5, 5, 4))
    deepest = 0.0
    for axes, name in ((left, "mcts"), (middle, "mcgs")):
        tree = search(name, PAWN_ENDING, 60).tree
        at, links = layers(tree)
        keys = [(int(tree.graph.nodes["key"][n]), int(tree.graph.nodes["ply"][n])) for n in at]
        again = {
            n for n, key in zip(at, keys, strict=True) if keys.count(key) > 1 or tree.graph.nodes["parents"][n] > 1
        }
        lines(axes, [(at[a], at[b]) for a, b in links], SOFT, 0.6)
        for some, color in (((set(at) - again), SOFT), (again, BLUE if name == "mcgs" else ORANGE)):
            dots(axes, [at[n] for n in some], [14 + 1.5 * float(tree.graph.nodes["visits"][n]) for n in some], color)
        kinds = len({key for n, key in zip(at, keys, strict=True) if n in again})
        below = f"orange: {len(again)} nodes for {kinds} positions,\neach met twice or more"
        if name == "mcgs":
            below = f"blue: {len(again)} nodes to which\nseveral ways lead"
        title = f"{'a tree' if name == 'mcts' else 'a graph'}: {len(at)} nodes"
        axes.set_title(title, loc="center")
        axes.set_xlabel(below)
        bare(axes)
        axes.set_xlim(-0.56, 0.56)
        deepest = min(deepest, *(y for _, y in at.values()))
    for axes in (left, middle):
        axes.set_ylim(deepest - 0.4, 0.5)
    steps = [2**k for k in range(5, 15)]
    for name, color, label in (("mcts", ORANGE, "a tree"), ("mcgs", BLUE, "a graph")):
        counts = [len(search(name, PAWN_ENDING, n).tree.nodes["key"]) for n in steps]
        right.plot(steps, counts, "o-", color=color, markersize=3.5, label=label)
    right.set_xscale("log")
    right.set_yscale("log")
    for axis in (right.xaxis, right.yaxis):
        axis.set_major_formatter("{x:,.0f}")
    right.set_title("nodes by iterations")
    right.set_xlabel("iterations")
    right.grid()
    right.legend()
    return figure


# -- evaluations and visits -------------------------------------------------------------------------------------------


def played_out(name: str, board: chess.Board, games: int) -> tuple[list[float], list[int]]:
    """(White's scores, lengths in plies) of playouts as a preset plays them."""
    parameters = group(Leaf, values(preset(name).parameters))
    state, scratch = CHESS.parse(board.fen()), new_scratch(no_tables(), rave=True)  # for the moves: how many there are
    scratch.rng[0] = seeded(np.int64(SEED), np.int64(0))
    scores, lengths = [], []
    for _ in range(games):
        score = chess_evaluator(state, scratch, parameters)
        scores.append(score if board.turn else 1 - score)
        lengths.append(int(scratch.trace[0]))
    return scores, lengths


def playouts() -> Any:
    """How playouts end, random and heavy, where White is a knight up."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.2), width_ratios=(5, 4))
    board = after("e4 Nf6 e5 c5 exf6")
    games = 4000
    kinds = (
        ("mcc", "random", SOFT), ("mcc-hp-eval", "evaluation, ε = 0.6", GREEN),
        ("mcc-hp-see", "exchanges, ε = 0.4", BLUE), ("mcc-combined", "and mates in one", ORANGE),
    )  # fmt: skip
    for row, (name, _, color) in enumerate(kinds):
        scores, lengths = played_out(name, board, games)
        begin = 0.0
        for score, shade, ink in ((1.0, BLUE, "white"), (0.5, FAINT, INK), (0.0, RED, "white")):
            share = 100 * scores.count(score) / games
            left.barh(-row, share, 0.7, left=begin, color=shade)
            left.text(begin + share / 2, -row, f"{share:.0f}", ha="center", va="center", color=ink)
            begin += share
        left.text(102, -row, f"{100 * sum(scores) / games:.1f} %", va="center")
        edges = np.arange(0, 641, 20)
        counts, _ = np.histogram(lengths, edges)
        middle = float(np.median(lengths))
        right.stairs(100 * counts / games, edges, color=color, linewidth=1.6, label=f"{name}, median {middle:.0f}")
    left.set_yticks([0, -1, -2, -3], [f"{name}\n{label}" for name, label, _ in kinds])
    left.set_xticks([])
    left.set_xlim(0, 122)
    left.spines[["left", "bottom"]].set_visible(False)
    left.tick_params(length=0)
    left.set_title(f"how {games:,} playouts end, and White's score", x=-0.3)
    left.set_xlabel("blue: White wins, grey: drawn, red: Black wins, %")
    right.set_title("their length")
    right.set_ylabel("share of the playouts, %")
    right.set_xlabel("plies")
    right.legend(fontsize=8)
    return figure


def starving() -> Any:
    """The visits of the root moves of Légal's position: payoffs in centipawns, and squashed."""
    figure, panels = plt.subplots(1, 2, figsize=(8, 3.2), sharey=True)
    board = chess.Board(LEGAL)
    for axes, name, color in zip(panels, ("alphaone", "alphaone-fixed"), (ORANGE, BLUE), strict=True):
        ranked = sorted(search(name, LEGAL, 5000).moves, key=lambda m: -m.visits)
        shades = [RED if str(m.move) == "h5d1" else color for m in ranked]
        axes.bar(range(1, len(ranked) + 1), [m.visits for m in ranked], 0.75, color=shades)
        once = sum(m.visits <= 1 for m in ranked)
        axes.set_title(name)
        best = f"{board.san(ranked[0].move)}: {100 * ranked[0].visits / 5000:.0f} % of the visits"
        few = f"{once} of {len(ranked)} moves" if once else "no move"
        axes.text(0.97, 0.95, f"{best}\n{few} visited only once", transform=axes.transAxes, ha="right", va="top")
        for number, m in enumerate(ranked, 1):
            if str(m.move) == "h5d1" and m.proof == "loss":
                axes.text(number + 0.8, m.visits, "Bxd1, proven lost", color=RED, va="center")
        axes.set_xlabel("root moves, the most visited first")
        axes.set_xticks([1, 10, 20, 30])
        axes.grid(axis="y")
    panels[0].set_yscale("log")
    panels[0].yaxis.set_major_formatter("{x:,.0f}")
    panels[0].set_ylabel("visits of 5,000")
    return figure


def books() -> Any:
    """The replies to 1.e4 c5 2.Nf3 that a search visits, by what it does with the book."""
    board = after("e4 c5 Nf3")
    book = {board.san(e.move): e for e in open_book("own").lookup(board)}
    uses = ("no book", "explore", "bias", "prune")
    shares = {}
    for use in uses:
        changes = {} if use == "no book" else {"book": "own", "book_use": use}
        result = search("singh-mcts", board, 5000, **changes)
        shares[use] = {board.san(m.move): 100 * m.visits / 5000 for m in result.moves}
    ranked = sorted(
        shares["no book"], key=lambda san: (san not in book, -max(s.get(san, 0.0) for s in shares.values()))
    )
    shown = ranked[: len(book) + 6]
    figure, panels = plt.subplots(1, 4, figsize=(9, 3.6), sharey=True)
    for axes, use in zip(panels, uses, strict=True):
        for row, san in enumerate(shown):
            share = shares[use].get(san, 0.0)
            axes.barh(-row, share, 0.7, color=BLUE if san in book else ORANGE)
            axes.text(share + 2, -row, f"{share:.1f}" if share >= 0.05 else "0", va="center", fontsize=8)
        axes.set_title(use)
        axes.set_xlabel("% of 5,000 visits")
        axes.set_xlim(0, 112)
        axes.set_xticks([])
        axes.spines["bottom"].set_visible(False)
    panels[0].set_ylabel("replies to 1.e4 c5 2.Nf3")
    panels[0].set_yticks([-r for r in range(len(shown))], shown)
    entries = [Line2D([], [], marker="s", ls="", color=c) for c in (BLUE, ORANGE)]
    figure.legend(entries, ["in the book", "not in the book"], loc="outside upper right", ncols=2)
    return figure


DRAWINGS: dict[str, Callable[[], Any]] = {
    "tree-growing": growing, "uct-puct": selection, "trap-closing": trap, "graph-sharing": sharing,
    "playouts": playouts, "alphaone-visits": starving, "book-moves": books,
}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description="Draw the figures of docs/ from searches made on the spot.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"some of {', '.join(DRAWINGS)}; none: all")
    parser.add_argument("--png", type=Path, metavar="FOLDER", help="draw bitmaps into FOLDER instead")
    arguments = parser.parse_args()
    unknown = set(arguments.names) - set(DRAWINGS)
    if unknown:
        parser.error(f"no figure is called {', '.join(sorted(unknown))}: there are {', '.join(DRAWINGS)}")
    plt.rcParams.update(STYLE)
    for name in arguments.names or DRAWINGS:
        path = arguments.png / f"{name}.png" if arguments.png else FIGURES / f"{name}.svg"
        path.parent.mkdir(parents=True, exist_ok=True)
        figure = DRAWINGS[name]()
        figure.savefig(path, dpi=150, metadata=None if arguments.png else {"Date": None})
        plt.close(figure)
        if not arguments.png:  # hundredths of a point are fine enough
            path.write_text(re.sub(r"\d+\.\d{3,}", lambda number: f"{float(number[0]):.2f}", path.read_text()))
        print(f"{path}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
