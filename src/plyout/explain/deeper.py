"""A second look: the position after a move that had few visits, searched by itself."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import chess

from plyout.engine.engine import Engine
from plyout.engine.result import Result
from plyout.explain.seen import line_of, reply_share
from plyout.explain.statement import SEARCH, Statement
from plyout.explain.subject import Candidate, Place
from plyout.search.graph import SURE
from plyout.search.limits import Limits

THIN = 1000
"""Visits of a move below which it is searched by itself."""
_MEMORY = 64  # MB


@dataclass
class Second:
    """Searches positions by themselves, with an engine of its own: the tree that is explained must stay."""

    nodes: int
    make: Callable[[], Engine] | None = None
    engine: Engine | None = None

    def wanted(self, c: Candidate) -> bool:
        """Whether the search has looked too little at a move to tell what is wrong with it."""
        if not self.nodes or c.result.tree.game.result(c.place.state) is not None:
            return False
        known, place = c.known, c.place
        if place.node >= 0 and abs(int(place.tree.graph.nodes["proof"][place.node])) > SURE:
            return False
        return known is None or known.visits < THIN or c.result.plies is not None  # alpha-beta's are bounds

    def search(self, c: Candidate) -> Result:
        """Search the position after a move, as a new game: the answer depends on nothing that was searched before."""
        if self.engine is None:
            tree = c.result.tree
            same = partial(Engine, tree.preset, tree.game, seed=c.result.seed, hash_mb=_MEMORY)
            self.engine = (self.make or same)()
        self.engine.new_game()
        return self.engine.search(c.place.state, Limits(nodes=self.nodes), lines=1)


def place_of(c: Candidate, second: Result) -> Place:
    """The position after the move, in the graph of the second search."""
    return Place(second.tree, second.tree.root, second.tree.state, c.after)


def deeper(c: Candidate, second: Result) -> Iterator[Statement]:
    """What the second search says; values are those of the move's mover."""
    replies: list[chess.Move] = line_of(second.tree, second.tree.root) if second.plies is None else []
    share = reply_share(second.tree, second.tree.root)[0] if replies else None
    yield c.state(
        "deeper", SEARCH, preset=second.preset, seed=second.seed, nodes=second.nodes,
        unit="iterations" if second.plies is None else "nodes", value=1.0 - second.value,
        reply=c.after.san(replies[0]) if replies else None, reply_share=share, **c.line([c.move, *replies]),
    )  # fmt: skip
