"""After many simulations: do the visits of a large graph add up, and does every edge lead on?

python tests/soak/visits.py --simulations 10000000
"""

import argparse
import sys
import time

import numpy as np

from plyout import Engine, Limits
from plyout.search.graph import EDGES, NODES, ROOT, UNPROVEN, Graph

FEN = "8/5pk1/4p1p1/8/3R4/4P1P1/r4PK1/8 w - - 0 1"  # a rook ending: orders of moves are changed often


def faults(graph: Graph) -> list[str]:
    """What is wrong with a graph in which nothing was pruned and no trajectory was disconnected."""
    nodes, edges = int(graph.used[NODES]), int(graph.used[EDGES])
    first, children = graph.nodes["first"][:nodes].astype(np.int64), graph.nodes["children"][:nodes]
    owner = np.full(edges, -1, np.int64)
    opened = np.flatnonzero(children)
    for step in range(int(children.max())):
        some = opened[children[opened] > step]
        owner[first[some] + step] = some
    child = graph.edges["child"][:edges]
    leads = np.flatnonzero(child >= 0)
    sums = np.bincount(owner, graph.edges["visits"][:edges], nodes)
    unproven = opened[graph.nodes["proof"][opened] == UNPROVEN]
    parents = np.bincount(child[leads], minlength=nodes)
    root = int(graph.used[ROOT])
    parents[root] = graph.nodes["parents"][root]
    found = {
        "edges without a node": int((owner < 0).sum()),
        "edges that do not lead one ply on": int(
            (graph.nodes["ply"][child[leads]] != graph.nodes["ply"][owner[leads]] + 1).sum()
        ),
        "nodes whose visits are not one more than their edges'": int(
            (sums[unproven] != graph.nodes["visits"][unproven] - 1).sum()
        ),
        "nodes with another number of parents than edges lead to them": int(
            (parents != graph.nodes["parents"][:nodes]).sum()
        ),
        "results that never came": int(np.count_nonzero(graph.nodes["in_flight"][:nodes]))
        + int(np.count_nonzero(graph.edges["in_flight"][:edges])),
        "means outside of 0 to 1": int(
            (
                (graph.edges["value"][:edges] < -1e-6)
                | (graph.edges["value"][:edges] > graph.edges["visits"][:edges] + 1e-6)
            ).sum()
        ),
    }
    return [f"{count} {what}" for what, count in found.items() if count]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--simulations", type=int, default=10_000_000)
    parser.add_argument("--hash", type=int, default=8000, help="MB, enough for all nodes")
    chosen = parser.parse_args()
    wrong = False
    for changes in ({}, {"solver": 1}):
        engine = Engine("mcgs", hash_mb=chosen.hash, **changes)
        engine.prepare()
        began = time.perf_counter()
        result = engine.search(FEN, Limits(nodes=chosen.simulations))
        seconds = time.perf_counter() - began
        found = faults(result.tree.graph)
        wrong |= bool(found)
        shared = int((result.tree.graph.nodes["parents"][: result.graph["nodes"]] > 1).sum())
        print(
            f"mcgs {changes or ''}: {result.nodes:,} simulations in {seconds:.0f} s, {result.graph['nodes']:,} nodes, "
            f"{shared:,} of them shared, {result.graph['bytes'] / 1e6:,.0f} MB: {'; '.join(found) or 'all adds up'}"
        )
    sys.exit(wrong)


if __name__ == "__main__":
    main()
