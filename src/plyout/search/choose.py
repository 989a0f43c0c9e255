"""The final choice: which root move is played (Topolewski, chapter 3, names the four rules)."""

from collections.abc import Callable
from math import sqrt

from plyout.errors import InputError
from plyout.search.graph import DRAWN, SURE, UNPROVEN, Graph

Rule = Callable[[Graph, list[int], float], int]


def mean(graph: Graph, edge: int) -> float:
    """The mean score of an edge for its mover; 0.5 where nothing is known."""
    visits = float(graph.visits[edge])
    return float(graph.value[edge]) / visits if visits > 0 else 0.5


def robust(graph: Graph, edges: list[int], secure: float) -> int:
    """The most visited."""
    return max(edges, key=lambda e: (graph.visits[e], graph.value[e], -e))


def best_value(graph: Graph, edges: list[int], secure: float) -> int:
    """The one with the highest value."""
    return max(edges, key=lambda e: (graph.visits[e] > 0, mean(graph, e), graph.visits[e], -e))


def secure_child(graph: Graph, edges: list[int], secure: float) -> int:
    """The one with the highest lower bound, value - A / sqrt(visits)."""

    def bound(e: int) -> tuple[bool, float, int]:
        visits = float(graph.visits[e])
        return visits > 0, mean(graph, e) - secure / sqrt(visits) if visits > 0 else 0.0, -e

    return max(edges, key=bound)


# "max-robust" plays the most visited once it has the highest value, too; the engine searches on until then.
RULES: dict[str, Rule] = {"robust": robust, "max": best_value, "max-robust": robust, "secure": secure_child}


def rule_named(name: str) -> Rule:
    if name not in RULES:
        raise InputError(f"no final choice is called {name!r}: there are {', '.join(RULES)}")
    return RULES[name]


def proof_of(graph: Graph, edge: int) -> int:
    """What is proven about the move of an edge, for its mover."""
    child = int(graph.child[edge])
    proof = int(graph.proof[child]) if child >= 0 else UNPROVEN
    if abs(proof) > SURE:
        return -proof + 1 if proof > 0 else -proof - 1
    return proof


def choose(graph: Graph, node: int, rule: Rule, secure: float) -> int | None:
    """The edge to play: the shortest proven win, else by the rule among what is not proven lost, else the longest
    loss; None if the node has no children. A proven draw is worth half a point, whatever its visits."""
    first = int(graph.first[node])
    edges = list(range(first, first + int(graph.children[node])))
    if not edges:
        return None
    proofs = {e: proof_of(graph, e) for e in edges}
    best = max(edges, key=lambda e: proofs[e])
    if proofs[best] > SURE:
        return best
    alive = [e for e in edges if proofs[e] >= -SURE]
    if not alive:
        return best
    chosen = rule(graph, alive, secure)
    draws = [e for e in alive if proofs[e] == DRAWN]
    if draws and proofs[chosen] != DRAWN and mean(graph, chosen) < 0.5:
        return rule(graph, draws, secure)
    return chosen


def agree(graph: Graph, node: int) -> bool:
    """Whether the most visited move also has the highest value: the max-robust child."""
    return choose(graph, node, robust, 0.0) == choose(graph, node, best_value, 0.0)
