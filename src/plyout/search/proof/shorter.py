"""After a proof: the search for shorter mates."""

from plyout.games import CHESS, State
from plyout.search.limits import FOREVER
from plyout.search.proof.mate import Budget
from plyout.search.proof.graft import complete_line, distance, shorten
from plyout.search.root import Root

_POSITIONS_A_SECOND, _FEW_POSITIONS, _MANY_POSITIONS = 150_000, 1_000, 3_000_000  # to look for shorter mates in


def shorten_mate(root: Root, state: State, seconds: float, hurry: bool, by_checks: bool) -> bool:
    """Look for the shortest mate of a proven root, as far as half of the `seconds` that are left allow; whether it is
    known to be the shortest now.

    Whoever stopped a search without limits is in a `hurry`. Mates found `by_checks` have no nodes yet along their line.
    """
    graph, game, proof = root.graph, root.game, root.proof
    if by_checks:
        complete_line(graph, root.node, state, game)
    if game is not CHESS:
        return distance(proof) <= 1
    positions = min(max(seconds / 2 * _POSITIONS_A_SECOND, _FEW_POSITIONS), _MANY_POSITIONS)
    if hurry and seconds == FOREVER:
        positions = _FEW_POSITIONS
    return shorten(graph, root.node, state, game, Budget(int(positions)))
