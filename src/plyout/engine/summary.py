"""What a search has found so far, read from its graph."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from plyout.engine.endgames import Endgames
from plyout.engine.outcomes import model_of
from plyout.engine.result import MoveStatistics, Result
from plyout.engine.system import System
from plyout.engine.task import Task
from plyout.engine.tree import Tree
from plyout.knowledge.tables.probe import HITS
from plyout.parameters import Values
from plyout.search import choose
from plyout.search.graph import EDGES, NODES, UNPROVEN, bytes_in_use
from plyout.search.root import Root
from plyout.search.workspace import (
    DEEPEST_YET,
    DEPTHS,
    DREW,
    EVALUATED,
    ITERATIONS,
    LOST,
    SHARINGS,
    TABLE_HITS,
    WON,
    Workspace,
)

_LONGEST_LINE = 64


@dataclass(frozen=True)
class Progress:
    """How far a search is: the engine's search number `number`."""

    number: int
    workspaces: list[Workspace]
    seconds: float
    mate_is_shortest: bool = True
    restricted: bool = False


class Summary:
    """Makes results of what stands below a root. `choice` is the system's final choice, `numbers` its present ones."""

    def __init__(self, root: Root, endgames: Endgames, system: System, choice: choose.Rule, numbers: Values) -> None:
        self._root, self._endgames = root, endgames
        self._preset, self._choice, self._numbers = system.preset.name, choice, numbers
        self._model = model_of(system)

    def result(self, task: Task, progress: Progress) -> Result:
        """The result of a search that is as far as `progress` says."""
        graph, proof = self._root.graph, self._root.proof
        tree = Tree(graph, task.state, self._root.game, self._preset, self._numbers, task.chess960)
        counters: list[Any] = [work.counters for work in progress.workspaces]
        counted = [int(n) for n in sum(counters)]
        moves = self._moves(tree, task, progress.number)
        if not moves and proof == UNPROVEN:  # stopped before it began: any move, then
            names = [tree.move_numbered(n) for n in self._root.game.moves(task.state)]
            moves = [MoveStatistics(name, 0.0, 0.5, 0.0, UNPROVEN, [name]) for name in names]
        hits = sum(int(work.scratch.directory[HITS]) for work in progress.workspaces)
        return Result(
            move=moves[0].move if moves else None,
            moves=moves,
            proof_number=proof,
            mate_is_shortest=progress.mate_is_shortest,
            drawn=counted[DREW] / max(1, counted[WON] + counted[DREW] + counted[LOST]),
            nodes=counted[ITERATIONS],
            playouts=counted[EVALUATED],
            depth=counted[DEPTHS] / max(1, counted[ITERATIONS]),
            deepest=max(int(c[DEEPEST_YET]) for c in counters),
            seconds=progress.seconds,
            graph={
                "nodes": int(graph.used[NODES]),
                "edges": int(graph.used[EDGES]),
                "bytes": bytes_in_use(graph),
                "shared": counted[SHARINGS],
            },
            tbhits=counted[TABLE_HITS] + hits + int(self._endgames.directory[HITS]),
            restricted=progress.restricted,
            preset=self._preset,
            seed=int(self._numbers["seed"]),
            tree=tree,
            model=self._model,
        )

    def _moves(self, tree: Tree, task: Task, search: int) -> list[MoveStatistics]:
        """What is known of the root's moves, the one to play first."""
        graph, best = tree.graph, self._best(search)
        lines = {int(e): self._line(int(e)) for e in self._root.edges}
        rest = self._endgames.line_after(graph, task.state, lines[best]) if best is not None else []
        return [
            MoveStatistics(
                move=tree.move(e),
                visits=float(graph.edges["visits"][e]),
                value=choose.mean(graph, e),
                prior=float(graph.edges["prior"][e]),
                proof_number=choose.proof_of(graph, e),
                pv=[tree.move(edge) for edge in lines[e]] + [tree.move_numbered(n) for n in rest if e == best],
            )
            for e in sorted(lines, key=lambda e: (e != best, -choose.proof_of(graph, e), -graph.edges["visits"][e], e))
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
            node = int(graph.edges["child"][edge])
            edge = choose.choose(graph, node, self._choice, self._numbers) if node >= 0 else None
            if edge is not None and graph.edges["visits"][edge] == 0 and choose.proof_of(graph, edge) == UNPROVEN:
                break
        return line
