"""Advice: alpha-beta looks for what the graph search has missed.

Alpha-beta searches some ten positions in the time of one visit, and so deeper, but it knows of a move only whether it
is better than another. So now and then, with a share of the time, it gets a null-window search from the root: is there
a move that is better by `ahead_margin` than the graph thinks of its most visited, and better than alpha-beta thinks of
that one? It goes on where it was the last time, because its transposition table remembers. It evaluates as the leaves
of the graph are evaluated, by the value network where there is one.

That table advises all nodes: at 8 visits, 16, and so on, a node asks it for a move that is better by so much than its
most visited one. PUCT adds `advice` to the prior of that move. What it is worth, the visits must show.
"""

from math import ceil
from typing import Any

import numpy as np

from plyout.errors import InputError
from plyout.evaluate.score import centipawns, score
from plyout.games import CHESS, Game
from plyout.games.contract import KEY
from plyout.kernel import Ints, inlined, kernel
from plyout.parameters import Loop, Values
from plyout.search.alphabeta.null_window import null_window_search
from plyout.search.alphabeta.stack import ALL, HISTORIES, PATH, new_stack
from plyout.search.alphabeta.table import UPPER
from plyout.search.alphabeta.table import probe as probe_table
from plyout.search.graph import ROOT, Graph, advise_move, most_visited
from plyout.search.rules import Rules, look_ahead
from plyout.search.workspace import Workspace

_SHARE = 0.125  # of the memory, for the transposition table
_POSITIONS = 32_768  # in one go: fewer do not get through what the table remembers
_MANY = 20_000  # visits of the root before the first search: a short one has no time to spare
_FIRST, _LAST = 8, 1024  # a node asks at these visits and their doublings, then each time as many more as the last
_DEPTH = 6  # plies: what was seen less far is no better than what a few visits say
_ENOUGH = 0.99  # who expects to score so much is not advised
_GRID = 32.0  # centipawns: what was answered for one question shall serve the next


@kernel
def no_look(
    state: Ints, preferred: int, beta: int, margin: int, positions: int, stack: Ints, table: Ints, stop: Ints
) -> int:
    """Nobody looks ahead."""
    return 0


class Advisor:
    """What looking ahead needs: the kernel, a search stack for each thread, and the transposition table of all."""

    def __init__(self, game: Game, numbers: Values, weights: Any, network: int = 0, room: int = 0) -> None:
        can = numbers["ahead"] > 0
        if can and game is not CHESS:
            raise InputError(f"looking ahead is for chess only: in {game.name} leave ahead at 0")
        self.rule = null_window_search if can else no_look
        threads = range(int(numbers["threads"]))
        self.stacks = [
            new_stack(numbers, ALL, weights, network, room) if can else np.zeros(1, np.int64) for _ in threads
        ]
        self.megabytes = _SHARE * numbers["hash_mb"] if can else 0.0
        self.table = np.zeros(2 * max(int(self.megabytes * 1e6 / 16), 1), np.int64)

    def forget(self) -> None:
        self.table[:] = 0
        for stack in self.stacks:
            stack[HISTORIES:PATH] = 0


@inlined
def advise(g: Graph, node: int, state: Ints, rules: Rules, work: Workspace, p: Loop) -> None:
    """Give `node` a move that selection should try, if it is time to ask and alpha-beta has seen one."""
    visits = int(g.nodes[node].visits)
    searches = node == g.used[ROOT] and visits >= _MANY and visits % int(_POSITIONS / p.ahead) == 0
    asks = visits >= _FIRST and (visits & (visits - 1) == 0 if visits < _LAST else visits % _LAST == 0)
    if not searches and not asks:
        return
    g.nodes[node].advised = 0
    favourite = most_visited(g, node)
    if favourite < 0:
        return
    preferred = np.int64(g.edges[favourite].move)
    wanted = g.edges[favourite].value / g.edges[favourite].visits + p.ahead_margin
    if wanted > _ENOUGH:
        return
    if searches:
        beta = int(_GRID * ceil(centipawns(wanted, p.squash) / _GRID))
        question = (preferred, beta, np.int64(_GRID), np.int64(_POSITIONS))
        look_ahead(rules, state, question, work.stack, work.table, work.stop)
    move, value, depth, bound = probe_table(work.table, state[KEY], 0)
    seen = bound != 0 and bound != UPPER and depth >= _DEPTH
    if seen and move != preferred and score(value, p.squash) >= wanted:
        advise_move(g, node, move)
