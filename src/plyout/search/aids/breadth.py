"""TL-BFS: the replies to every root move are tried before the selection rule may choose (Topolewski 2019, 2.7.1).

A root move is worth its worst reply. One whose worst reply so far is no better than the worst of another root move
that was tried whole cannot come out best: its other replies are left to the selection rule (alpha pruning).
"""

from plyout.kernel import atomic_load, inlined
from plyout.search.graph import OPEN, ROOT, UNPROVEN, Graph, edges_from


@inlined
def _worst_reply(g: Graph, node: int) -> float:
    """What the moves of `node` that were tried leave to the other side, at the least; 2 if none was."""
    worst = 2.0
    first, last = edges_from(g, node)
    for e in range(first, last):
        if g.edges[e].visits > 0.0:
            worst = min(worst, 1.0 - g.edges[e].value / g.edges[e].visits)
    return worst


@inlined
def _has_untried(g: Graph, node: int) -> bool:
    """Whether a move of `node` was not yet tried; rules of selection try them in order, so the last one tells."""
    if g.nodes[node].proof != UNPROVEN:
        return False
    _, last = edges_from(g, node)
    return atomic_load(g.nodes[node], "state") != OPEN or g.edges[last - 1].visits == 0.0


@inlined
def _any_untried(g: Graph, first: int, last: int) -> bool:
    """Whether some of these root moves have replies that were not tried."""
    for e in range(first, last):
        child = g.edges[e].child
        if child < 0 or _has_untried(g, child):
            return True
    return False


@inlined
def next_in_breadth(g: Graph) -> int:
    """The edge of the root whose replies are to be tried next, or -1 when that is done."""
    first, last = edges_from(g, g.used[ROOT])
    if not _any_untried(g, first, last):
        return -1
    alpha = -1.0
    for e in range(first, last):
        child = g.edges[e].child
        if child >= 0 and not _has_untried(g, child):
            alpha = max(alpha, _worst_reply(g, child))
    for e in range(first, last):
        child = g.edges[e].child
        if child < 0 or (_has_untried(g, child) and _worst_reply(g, child) > alpha):
            return int(e)
    return -1
