"""TL-BFS: before the selection rule may choose, the replies to every root move are tried, or pruned by alpha."""

from itertools import pairwise

from plyout import Engine, Limits
from plyout.engine.tree import Tree
from plyout.games import TICTACTOE
from plyout.search.graph import UNPROVEN
from tests.search.mirror import RULES


def worst_replies(tree: Tree) -> dict[int, tuple[float, bool]]:
    """For each root move: what its worst reply leaves, and whether all replies were tried."""
    g, found = tree.graph, {}
    for edge in tree.children(tree.root):
        child = int(g.edges["child"][edge])
        replies = list(tree.children(child))
        tried = [e for e in replies if g.edges["visits"][e] > 0]
        worst = min((1 - g.edges["value"][e] / g.edges["visits"][e] for e in tried), default=2.0)
        whole = bool(replies) and len(tried) == len(replies)
        found[int(g.edges["move"][edge])] = (float(worst), whole or g.nodes["proof"][child] != UNPROVEN)
    return found


def searched(nodes: int, **changes: float) -> Tree:
    return Engine("mcc", TICTACTOE, **RULES, hash_mb=4, **changes).search("startpos", Limits(nodes=nodes)).tree


def swept(tree: Tree) -> bool:
    """Whether each root move was tried whole, or can be no better than one that was."""
    replies = worst_replies(tree).values()
    alpha = max((worst for worst, whole in replies if whole), default=-1.0)
    return all(whole or worst <= alpha for worst, whole in replies)


def test_the_first_iterations_go_through_the_replies_in_order() -> None:
    """Nine moves, each opened on its second visit: after one visit to see it, its replies come one by one."""
    visits = []
    for nodes in range(2, 40):
        tree = searched(nodes, top_bfs=1)
        visits.append([int(tree.graph.edges["visits"][e]) for e in tree.children(tree.root)])
    for earlier, later in pairwise(visits):
        assert sum(later) == sum(earlier) + 1
    assert visits[3][0] > 1, "the first move is not left for the next before its replies are tried"


def test_all_replies_are_tried_or_pruned_before_the_rule_chooses() -> None:
    nodes = next(n for n in range(10, 200) if swept(searched(n, top_bfs=1)))
    assert nodes < 9 * 9 + 10
    without = next(n for n in range(10, 400) if swept(searched(n)))
    assert without > nodes, "the rule alone is as fast: there is nothing to test"


def test_alpha_prunes_replies() -> None:
    tree = searched(next(n for n in range(10, 200) if swept(searched(n, top_bfs=1))), top_bfs=1)
    assert any(not whole for _, whole in worst_replies(tree).values()), "nothing was pruned"


def test_without_it_nothing_changes() -> None:
    a, b = searched(300), searched(300, top_bfs=0)
    assert [float(v) for v in a.graph.edges["visits"][:200]] == [float(v) for v in b.graph.edges["visits"][:200]]
