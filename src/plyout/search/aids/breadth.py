"""TL-BFS as Topolewski 2019 tells it in section 2.7.1: an alpha search over two plies, before the tree is searched.

A root move is worth its worst reply, and a reply the mean of some playouts after it. Once a reply is no better than
what another root move is worth, its fellows are left out: the move cannot come out best.

Every root move then begins with the same number of visits, each worth what the move is worth: they tell the selection
rule where to begin, and as all have as many, they do not count for the final choice.
"""

from collections.abc import Callable

import numpy as np

from plyout.games import State
from plyout.kernel import Ints, borrowed, entry, f64, i64, ints
from plyout.parameters import Leaf
from plyout.playout.scratch import LEAF
from plyout.search.graph import OPEN
from plyout.search.root import Root
from plyout.search.rules import RULES, Rules, evaluate, play
from plyout.search.workspace import EVALUATED, ITERATIONS, WORKSPACE, Workspace

NOT_KNOWN = -1.0  # in the place of a value: the budget ran out

WorstReply = Callable[[State, Ints, float], float]
"""``worst_reply(state, replies, alpha) -> value``, with what else the kernel of that name needs filled in."""


@entry(f64(ints, ints, f64, i64, ints, RULES, WORKSPACE, LEAF))
def worst_reply(
    state: Ints, replies: Ints, alpha: float, playouts: int, budget: Ints, rules: Rules, work: Workspace, p: Leaf
) -> float:
    """What the replies in `state` leave the other side at the least, or some value up to `alpha` if that is no more;
    NOT_KNOWN if that takes more playouts than `budget[0]`."""
    state, replies, budget, work = borrowed((state, replies, budget, work))
    worst = 1.0
    for reply in replies:
        total = 0.0
        for _ in range(playouts):
            if budget[0] <= 0:
                return NOT_KNOWN
            budget[0] -= 1
            for word in range(state.size):
                work.trial[word] = state[word]
            play(rules, work.trial, reply)
            total += evaluate(rules, work.trial, work.scratch, p)
            work.counters[ITERATIONS] += 1
            work.counters[EVALUATED] += 1
        worst = min(worst, total / playouts)
        if worst <= alpha:
            break
    return worst


def search_in_breadth(root: Root, state: State, playouts: int, worst: WorstReply) -> None:
    """Try the replies to all root moves, and give each move so many visits of what it is worth; none gets any if the
    worth of one is not known."""
    graph, node = root.graph, root.node
    if graph.nodes["state"][node] != OPEN:
        root.open(state, root.game.moves(state))
    edges, alpha = root.edges, -1.0
    values = np.empty(len(edges))
    for i, move in enumerate(graph.edges["move"][edges]):
        after = root.game.after(state, int(move))
        replies, result = np.array(root.game.moves(after), np.int64), root.game.result(after)
        values[i] = worst(after, replies, alpha) if result is None else 1.0 - result
        if values[i] == NOT_KNOWN:
            return
        alpha = max(alpha, values[i])
    for records, at, visits, value in (
        (graph.edges, edges, playouts, playouts * values),
        (graph.nodes, node, playouts * len(edges), playouts * values.sum()),
    ):
        records["visits"][at] += visits
        records["value"][at] += value
