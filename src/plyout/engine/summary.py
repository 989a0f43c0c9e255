"""What a search has found so far, read from its graph."""

from typing import Any

import numpy as np

from plyout.games import State
from plyout.knowledge.tables.probe import HITS
from plyout.engine.result import MoveStatistics, Result, Tree
from plyout.search import choose
from plyout.search.graph import EDGES, NODES, UNPROVEN, bytes_in_use
from plyout.search.iterate import DEEPEST_YET, DEPTHS, DREW, ITERATIONS, JUDGED, LOST, TABLE_HITS, WON
from plyout.engine.endgames import Endgames
from plyout.search.root import Root

_LONGEST_LINE = 64


class Summary:
    """Makes results of what stands below a root. `preset` is the system's name, `choice` its final choice; priors that
    are shares of one are never told as negative."""

    def __init__(
        self, root: Root, endgames: Endgames, preset: str, numbers: dict[str, float], choice: choose.Rule,
        priors_are_shares: bool,
    ) -> None:  # fmt: skip
        self._root, self._endgames = root, endgames
        self._preset, self._numbers, self._choice = preset, numbers, choice
        self._priors_are_shares = priors_are_shares

    def result(
        self, state: State, counters: list[Any], seconds: float, search: int, chess960: bool, shortest: bool,
        restricted: bool,
    ) -> Result:  # fmt: skip
        """The result of the engine's search number `search`, whose threads have counted `counters`."""
        graph, proof = self._root.graph, self._root.proof
        tree = Tree(graph, state, self._root.game, self._preset, self._numbers, chess960)
        counted = [int(n) for n in sum(counters)]
        moves = self._moves(tree, state, search)
        if not moves and proof == UNPROVEN:  # stopped before it began: any move, then
            names = [tree.move_numbered(n) for n in self._root.game.moves(state)]
            moves = [MoveStatistics(name, 0.0, 0.5, 0.0, UNPROVEN, [name]) for name in names]
        return Result(
            move=moves[0].move if moves else None,
            moves=moves,
            proof_number=proof,
            mate_is_shortest=shortest,
            drawn=counted[DREW] / max(1, counted[WON] + counted[DREW] + counted[LOST]),
            nodes=counted[ITERATIONS],
            playouts=counted[JUDGED],
            depth=counted[DEPTHS] / max(1, counted[ITERATIONS]),
            deepest=max(int(c[DEEPEST_YET]) for c in counters),
            seconds=seconds,
            graph={
                "nodes": int(graph.used[NODES]),
                "edges": int(graph.used[EDGES]),
                "bytes": bytes_in_use(graph),
            },
            tbhits=counted[TABLE_HITS] + int(self._endgames.directory[HITS]),
            restricted=restricted,
            preset=self._preset,
            seed=int(self._numbers["seed"]),
            tree=tree,
        )

    def _moves(self, tree: Tree, state: State, search: int) -> list[MoveStatistics]:
        """What is known of the root's moves, the one to play first."""
        graph, best = tree.graph, self._best(search)
        lines = {int(e): self._line(int(e)) for e in self._root.edges}
        rest = self._endgames.line_after(graph, state, lines[best]) if best is not None else []
        return [
            MoveStatistics(
                move=tree.move(e),
                visits=float(graph.visits[e]),
                value=choose.mean(graph, e),
                prior=max(0.0, float(graph.prior[e])) if self._priors_are_shares else float(graph.prior[e]),
                proof_number=choose.proof_of(graph, e),
                pv=[tree.move(edge) for edge in lines[e]] + [tree.move_numbered(n) for n in rest if e == best],
            )
            for e in sorted(lines, key=lambda e: (e != best, -choose.proof_of(graph, e), -graph.visits[e], e))
        ]

    def _best(self, search: int) -> int | None:
        """The edge to play: the final choice, or by chance where a temperature is set."""
        graph, root, temperature = self._root.graph, self._root.node, self._numbers["temperature"]
        best = choose.choose(graph, root, self._choice, self._numbers)
        if temperature > 0 and best is not None and choose.proof_of(graph, best) == UNPROVEN:
            rng = np.random.default_rng([int(self._numbers["seed"]) % 2**63, search])
            drawn = choose.sample(graph, root, temperature, rng)
            return best if drawn is None else drawn
        return best

    def _line(self, edge: int | None) -> list[int]:
        """The edges from `edge` on that the final choice would follow."""
        graph = self._root.graph
        line: list[int] = []
        while edge is not None and len(line) < _LONGEST_LINE:
            line.append(edge)
            node = int(graph.child[edge])
            edge = choose.choose(graph, node, self._choice, self._numbers) if node >= 0 else None
            if edge is not None and graph.visits[edge] == 0 and choose.proof_of(graph, edge) == UNPROVEN:
                break
        return line
