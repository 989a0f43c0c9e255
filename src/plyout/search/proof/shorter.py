"""After a proof: the search for shorter mates."""

import time

from plyout.games import CHESS, State
from plyout.search.proof.hunt import attend
from plyout.search.proof.mate import Budget
from plyout.search.proof.graft import complete_line, distance, shorten
from plyout.search.root import Root
from plyout.search.threads import Stop

_POSITIONS_A_SECOND, _FEW_POSITIONS, _MANY_POSITIONS = 150_000, 1_000, 3_000_000  # to look for shorter mates in


def shorten_mate(root: Root, state: State, seconds: float, stop: Stop, by_checks: bool) -> bool:
    """Look for the shortest mate of a proven root, as far as half of the `seconds` that are left allow; whether it is
    known to be the shortest now.

    Whoever has stopped a search is in a hurry, and a `stop` that comes meanwhile ends this, too. Mates that were found
    `by_checks` have no nodes yet along their line.
    """
    graph, game, proof = root.graph, root.game, root.proof
    if by_checks:
        complete_line(graph, root.node, state, game)
    if game is not CHESS:
        return distance(proof) <= 1
    positions = min(max(seconds / 2 * _POSITIONS_A_SECOND, _FEW_POSITIONS), _MANY_POSITIONS)
    if stop:
        return shorten(graph, root.node, state, game, Budget(int(min(positions, _FEW_POSITIONS))))
    budget = Budget(int(positions))
    until = time.perf_counter() + seconds
    return attend(lambda: shorten(graph, root.node, state, game, budget), budget, stop, until)
