"""TL-BFS: the replies to every root move are tried before the selection rule may choose (Topolewski 2019, 2.7.1).

A root move is worth its worst reply. One whose worst reply so far is no better than the worst of another root move
that was tried whole cannot come out best: its other replies are left to the selection rule (alpha pruning).
"""

from plyout.kernel import atomic_load, inlined
from plyout.search.graph import OPEN, ROOT, UNPROVEN, Graph


@inlined
def _worst_reply(g: Graph, node: int) -> float:
    """What the moves of `node` that were tried leave to the other side, at the least; 2 if none was."""
    worst = 2.0
    for e in range(g.first[node], g.first[node] + g.children[node]):
        if g.visits[e] > 0.0:
            worst = min(worst, 1.0 - g.value[e] / g.visits[e])
    return worst


@inlined
def _has_untried(g: Graph, node: int) -> bool:
    """Whether a move of `node` was not yet tried; rules of selection try them in order, so the last one tells."""
    if g.proof[node] != UNPROVEN:
        return False
    return atomic_load(g.state, node) != OPEN or g.visits[g.first[node] + g.children[node] - 1] == 0.0


@inlined
def next_in_breadth(g: Graph) -> int:
    """The edge of the root whose replies are to be tried next, or -1 when that is done."""
    root = g.used[ROOT]
    first, last = g.first[root], g.first[root] + g.children[root]
    waiting = False
    for e in range(first, last):
        child = g.child[e]
        if child < 0 or _has_untried(g, child):
            waiting = True
            break
    if not waiting:
        return -1
    alpha = -1.0
    for e in range(first, last):
        child = g.child[e]
        if child >= 0 and not _has_untried(g, child):
            alpha = max(alpha, _worst_reply(g, child))
    for e in range(first, last):
        child = g.child[e]
        if child < 0 or (_has_untried(g, child) and _worst_reply(g, child) > alpha):
            return int(e)
    return -1
