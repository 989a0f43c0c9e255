"""What is true of a search: visits, values, priors, and the lines that it looked at most."""

from collections.abc import Iterator

import chess

from plyout.engine.tree import Tree
from plyout.explain.certain import side
from plyout.explain.statement import METHOD, SEARCH, Statement
from plyout.explain.subject import Candidate
from plyout.search.choose import edges_of

_ENOUGH = 8  # visits of a move in a line: behind fewer there is hardly a search
_A_SEARCH = 32  # visits in all: before them tables or a mate have told all
_LONGEST = 8  # plies of a line after the first move


def visits(c: Candidate, best: Candidate | None) -> Iterator[Statement]:
    """How much the search looked at the move, and what it thinks of it, beside the best."""
    known = c.known
    if c.result.book:
        if known is not None:
            yield c.state("book", METHOD)
        return
    if known is None:
        yield c.state("left_out", SEARCH, trap=c.move in c.result.history.traps)
        return
    if c.result.plies is not None:  # alpha-beta knows bounds of most moves, and no visits
        if best is None and known.mate is None and c.result.centipawns is not None:
            yield c.state(
                "plies", SEARCH, plies=c.result.plies, centipawns=c.result.centipawns, mover=side(c.board.turn)
            )  # fmt: skip
        return
    if c.total < _A_SEARCH:
        return
    if known.visits <= 0:
        yield c.state("unvisited", SEARCH)
        return
    value = known.value if known.proof is None else None  # a mean says little where the result is proven
    beside = best.known if best and best.known and best.known.visits and best.known.proof is None else None
    yield c.state(
        "share", SEARCH, visits=known.visits, total=c.total, share=known.visits / c.total, value=value,
        best=best.san if best and beside else None, best_value=beside.value if beside else None,
    )  # fmt: skip


def prior(c: Candidate) -> Iterator[Statement]:
    """How the move stood before the search, where there are priors that tell moves apart."""
    priors = [m.prior for m in c.result.moves]
    if c.known is None or c.total < _A_SEARCH or len(set(priors)) < 2:
        return
    yield c.state(
        "prior", SEARCH, prior=c.known.prior, rank=1 + sum(p > c.known.prior for p in priors), of=len(priors),
        is_share=c.result.tree.parameters["policy"] > 0, share=c.known.visits / c.total,
    )  # fmt: skip


def line_of(tree: Tree, node: int) -> list[chess.Move]:
    """The most visited moves from a node on, as far as they have visits enough."""
    graph, line, met = tree.graph, list[chess.Move](), {-1}
    while node not in met and len(line) < _LONGEST:
        met.add(node)
        edges = edges_of(graph, node)
        if not len(edges):
            break
        best = int(edges[graph.edges["visits"][edges].argmax()])
        if graph.edges["visits"][best] < _ENOUGH:
            break
        line.append(tree.move(best))
        node = int(graph.edges["child"][best])
    return line


def reply_share(tree: Tree, node: int) -> tuple[float, float]:
    """(the share of the most visited reply at a node, the visits of all replies)"""
    found = tree.graph.edges["visits"][edges_of(tree.graph, node)]
    total = float(found.sum())
    return float(found.max()) / total, total


def line(c: Candidate) -> Iterator[Statement]:
    """The most visited line from the move on."""
    place = c.place
    replies = line_of(place.tree, place.node) if place.node >= 0 else []
    if replies:
        share, total = reply_share(place.tree, place.node)
        facts = c.line([c.move, *replies])
        yield c.state(
            "line", SEARCH, reply=c.after.san(replies[0]), reply_share=share, replies=total, **facts
        )  # fmt: skip


def others(c: Candidate) -> Iterator[Statement]:
    """How many of the other moves are proven lost."""
    rest = [m for m in c.result.moves if m.move != c.move]
    lost = sum(m.proof == "loss" for m in rest)
    if lost and not c.result.restricted:
        yield c.state("others", SEARCH, lost=lost, of=len(rest))
