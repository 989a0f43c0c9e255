"""Mates by checks: when the search looks for them, and what becomes of one.

A node is searched when its visits reach `checks`, and again whenever they have doubled, each time a little deeper and
at most as many positions as it has visits. Of such a proof only the first move is noted in the graph, as what its node
is advised; `plyout.search.proof.graft` adds the rest where it matters.
"""

from math import log2

from plyout.kernel import Ints, inlined, shr
from plyout.parameters import Loop
from plyout.search.graph import PROVEN, ROOT, Graph, advise_move
from plyout.search.proof.checking import FARTHEST, LAST_SEARCH
from plyout.search.rules import Rules, find_mate
from plyout.search.workspace import Workspace


@inlined
def proven_by_checks(g: Graph, node: int, state: Ints, rules: Rules, work: Workspace, p: Loop) -> bool:
    """Whether a mate by checks is found from here, if it is time to search for one; it is then the node's proof.

    The root is left out: its move is chosen by what is proven of its children.
    """
    visits = int(g.nodes[node].visits)
    if visits & (visits - 1) or visits < p.checks or visits > LAST_SEARCH or node == g.used[ROOT]:
        return False
    plies = min(1 + 2 * int(log2(visits) / 3.0), FARTHEST)
    found = find_mate(rules, state, plies, visits, work.mate_buffer)
    if not found:
        return False
    advise_move(g, node, shr(found, 8))
    g.nodes[node].proof = PROVEN - (found & 255)
    return True
