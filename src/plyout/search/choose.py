"""The final choice: which root move is played (Topolewski, chapter 3, names four rules, Czech et al. a fifth)."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from plyout.errors import InputError
from plyout.search.graph import DRAWN, SURE, UNPROVEN, Graph

Edges = npt.NDArray[np.int64]
Numbers = Mapping[str, float]
Rule = Callable[[Graph, Edges, Numbers], int]


def mean(graph: Graph, edge: int) -> float:
    """The mean score of an edge for its mover; 0.5 where nothing is known."""
    visits = float(graph.edges["visits"][edge])
    return float(graph.edges["value"][edge]) / visits if visits > 0 else 0.5


def _first_best(edges: Edges, *criteria: npt.NDArray[Any]) -> int:
    """The edge that is greatest by the first criterion, among equals by the next; then the first."""
    return int(edges[np.lexsort((-edges, *reversed(criteria)))[-1]])


def robust(graph: Graph, edges: Edges, numbers: Numbers) -> int:
    """The most visited."""
    return _first_best(edges, graph.edges["visits"][edges], graph.edges["value"][edges])


def best_value(graph: Graph, edges: Edges, numbers: Numbers) -> int:
    """The one with the highest value."""
    visits = graph.edges["visits"][edges]
    means = np.where(visits > 0, graph.edges["value"][edges] / np.maximum(visits, 1e-9), -np.inf)
    return _first_best(edges, means, visits)


def secure_child(graph: Graph, edges: Edges, numbers: Numbers) -> int:
    """The one with the highest lower bound, value - A / sqrt(visits)."""
    visits = graph.edges["visits"][edges]
    seen = np.maximum(visits, 1e-9)
    bounds = np.where(visits > 0, graph.edges["value"][edges] / seen - numbers["secure"] / np.sqrt(seen), -np.inf)
    return _first_best(edges, bounds)


def _shares(graph: Graph, edges: Edges, numbers: Numbers) -> npt.NDArray[np.float64]:
    """The visits, those of the second most visited move raised by 2 · ΔQ times the first's if its value is higher by ΔQ
    (Czech et al., equations 13 to 15)."""
    visits: npt.NDArray[np.float64] = graph.edges["visits"][edges].astype(float)
    if len(edges) < 2:
        return visits
    best = robust(graph, edges, numbers)
    second = robust(graph, edges[edges != best], numbers)
    lead = 2.0 * (mean(graph, second) - mean(graph, best))  # as values, which run from -1 to 1
    if graph.edges["visits"][second] > 0 and lead > 0:
        visits[edges == second] += numbers["q_weight"] * lead * graph.edges["visits"][best]
    return visits


def q_value(graph: Graph, edges: Edges, numbers: Numbers) -> int:
    """The most visited, unless the second has the higher value, and the greater share when that is counted in."""
    fields = graph.edges["visits"][edges], graph.edges["value"][edges]
    return _first_best(edges, _shares(graph, edges, numbers), *fields)


def sample(graph: Graph, node: int, rule: Rule, numbers: Numbers, rng: np.random.Generator) -> int | None:
    """An edge drawn by visits^(1/temperature) (equation 12) among what is not proven lost; None if there is none.

    Where the `rule` raises some visits it is these that count.
    """
    edges = edges_of(graph, node)
    edges = edges[(proofs_of(graph, edges) > -SURE) & (graph.edges["visits"][edges] > 0)]
    if not len(edges):
        return None
    visits = _shares(graph, edges, numbers) if rule is q_value else graph.edges["visits"][edges]
    return draw(edges, visits, numbers["temperature"], rng)


def draw(edges: Edges, visits: npt.NDArray[Any], temperature: float, rng: np.random.Generator) -> int:
    """One of these edges, by visits^(1/temperature)."""
    powers = (visits / visits.max()) ** (1.0 / temperature)
    return int(rng.choice(edges, p=powers / powers.sum()))


# "max-robust" plays the most visited once it has the highest value, too; the engine searches on until then.
RULES: dict[str, Rule] = {
    "robust": robust, "max": best_value, "max-robust": robust, "secure": secure_child, "q-value": q_value,
}  # fmt: skip


def rule_named(name: str) -> Rule:
    if name not in RULES:
        raise InputError(f"no final choice is called {name!r}: there are {', '.join(RULES)}")
    return RULES[name]


def proofs_of(graph: Graph, edges: Edges) -> npt.NDArray[np.int32]:
    """What is proven about the moves of edges, for their mover: one ply more than about the children."""
    children = graph.edges["child"][edges]
    proofs: npt.NDArray[np.int32] = graph.nodes["proof"][children] * (children >= 0)
    return turned(proofs) if proofs.any() else proofs  # of most nodes nothing is proven


def turned(proofs: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """What is proven of positions, as of the moves that lead there: for the other side, and one ply more."""
    decided = np.where(np.abs(proofs) > SURE, np.sign(proofs) - proofs, proofs)
    return np.where(drawn(proofs) & (proofs >= DRAWN), proofs + 1, decided)


def drawn(proofs: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
    """Where proofs are draws, by one way or by all."""
    return (proofs > UNPROVEN) & (proofs <= SURE)


def proof_of(graph: Graph, edge: int) -> int:
    """What is proven about the move of an edge, for its mover."""
    return int(proofs_of(graph, np.array([edge]))[0])


def edges_of(graph: Graph, node: int) -> Edges:
    first = int(graph.nodes["first"][node])
    return np.arange(first, first + int(graph.nodes["children"][node]))


def choose(graph: Graph, node: int, rule: Rule, numbers: Numbers) -> int | None:
    """The edge to play: the shortest proven win, else by the rule among what is not proven lost, else the longest
    loss; None if the node has no children. A proven draw is worth half a point, whatever its visits."""
    edges = edges_of(graph, node)
    if not len(edges):
        return None
    proofs = proofs_of(graph, edges)
    best = int(proofs.argmax())
    if abs(proofs[best]) > SURE:
        return int(edges[best])
    draws = edges[drawn(proofs)]
    unproven = edges[proofs == UNPROVEN]
    if not len(draws):
        return rule(graph, unproven, numbers)
    best = rule(graph, unproven, numbers) if len(unproven) else -1
    return best if best >= 0 and mean(graph, best) > 0.5 else rule(graph, draws, numbers)


def agree(graph: Graph, node: int) -> bool:
    """Whether the most visited move also has the highest value: the max-robust child."""
    return choose(graph, node, robust, {}) == choose(graph, node, best_value, {})
