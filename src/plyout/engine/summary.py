"""What a search has found so far, read from its graph."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from plyout.engine.drawing import drawn
from plyout.engine.endgames import Endgames
from plyout.engine.history import Recorder
from plyout.engine.outcomes import model_of
from plyout.engine.result import MoveStatistics, Result
from plyout.engine.system import System
from plyout.engine.task import Task
from plyout.engine.tree import Tree
from plyout.games import State
from plyout.knowledge.tables.probe import FAR, HITS
from plyout.parameters import Values
from plyout.search import choose
from plyout.search.graph import EDGES, NODES, SURE, UNPROVEN, bytes_in_use
from plyout.search.proof.checking import mate_of
from plyout.search.proof.graft import distance
from plyout.search.proof.lines import Proven, ProofLines, ended, without_distance
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

_LONGEST_LINE = 64  # plies; one to a proven mate is as long as it is
_NODES_COUNTED = 1000  # of proofs whose distance is in doubt, in one result: some ten milliseconds


@dataclass(frozen=True)
class Progress:
    """How far a search is: the engine's search number `number`."""

    number: int
    workspaces: list[Workspace]
    seconds: float
    recorder: Recorder
    mate_is_shortest: bool = True
    restricted: bool = False


class Summary:
    """Makes results of what stands below a root. `choice` is the system's final choice, `numbers` its present ones."""

    def __init__(self, root: Root, endgames: Endgames, system: System, choice: choose.Rule, numbers: Values) -> None:
        self._root, self._endgames = root, endgames
        self._preset, self._choice, self._numbers = system.preset.name, choice, numbers
        self._model, self._level = model_of(system), system.level
        self._task: Task | None = None
        self._backed: dict[tuple[int, int], Proven] = {}  # of that task: proven moves whose lines are whole

    def result(self, task: Task, progress: Progress) -> Result:
        """The result of a search that is as far as `progress` says."""
        graph, proof = self._root.graph, self._root.proof
        tree = Tree(graph, task.state, self._root.game, self._preset, self._numbers, task.chess960)
        tree.history = progress.recorder.history(tree.move_numbered)
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
            proof_number=moves[0].proof_number if abs(proof) > SURE and moves else proof,
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
        if task is not self._task:
            self._task, self._backed = task, {}
        proofs = dict(zip(map(int, self._root.edges), map(int, choose.proofs_of(graph, self._root.edges)), strict=True))

        def order(e: int) -> tuple[bool, int, float, int]:
            known = proofs[e] if abs(proofs[e]) > SURE else min(proofs[e], 1)  # a draw is one however far it is
            return e != best, -known, -float(graph.edges["visits"][e]), e

        lines, known = self._proof_lines(theirs=task.limits.clock is None), {}
        for rank, e in enumerate(sorted(proofs, key=order)):
            if task.lines is not None and rank >= max(task.lines, 1):
                known[e] = self._without_line(e, proofs[e])
            else:
                known[e] = self._known(e, proofs[e], task.state, lines if rank else self._proof_lines(theirs=True))
                if known[e].whole:
                    proofs[e] = known[e].proof  # the line may have shown a shorter distance
        if best is not None and abs(proofs[best]) > SURE:
            best = min(proofs, key=lambda e: (-proofs[e], e != best, e))
        return [
            MoveStatistics(
                move=tree.move(e),
                visits=float(graph.edges["visits"][e]),
                value=choose.mean(graph, e),
                prior=float(graph.edges["prior"][e]),
                proof_number=known[e].proof,
                pv=[tree.move_numbered(move) for move in known[e].line],
            )
            for e in sorted(known, key=order)
        ]

    def _best(self, search: int) -> int | None:
        """The edge to play: the final choice, or by chance where a temperature is set."""
        graph, root, temperature = self._root.graph, self._root.node, self._numbers["temperature"]
        best = choose.choose(graph, root, self._choice, self._numbers)
        if temperature > 0 and best is not None and choose.proof_of(graph, best) == UNPROVEN:
            rng = np.random.default_rng([int(self._numbers["seed"]) % 2**63, search])
            if self._level is not None:
                return drawn(graph, best, root, temperature, self._level.slack, rng)
            sampled = choose.sample(graph, root, self._choice, self._numbers, rng)
            return best if sampled is None else sampled
        return best

    def _proof_lines(self, theirs: bool) -> ProofLines:
        """What reads the lines of proofs; of the user's own tables, too, which may take longer than a clock allows."""
        game, mate = self._root.game, mate_of(self._root.game) if self._numbers["checks"] else None
        return ProofLines(
            self._root.graph, game, mate, lambda state: self._endgames.mating_line(state, theirs), _NODES_COUNTED
        )

    def _without_line(self, edge: int, proof: int) -> Proven:
        """What is proven of a root move that nobody wants a line of."""
        shown = without_distance(proof) if abs(proof) > SURE else proof
        return Proven(shown, [int(self._root.graph.edges["move"][edge])], False)

    def _known(self, edge: int, proof: int, state: State, lines: ProofLines) -> Proven:
        """What is proven of a root move of the position `state`, and its line."""
        graph = self._root.graph
        move = int(graph.edges["move"][edge])
        if (move, proof) in self._backed:  # in an earlier report of this search
            return self._backed[move, proof]
        if abs(proof) > SURE and distance(proof) < FAR:
            child = int(graph.edges["child"][edge])
            found = lines.of_node(child, self._root.game.after(state, move))
            turned = -found.proof + (1 if found.proof > 0 else -1)
            known = Proven(turned, [move, *found.line], found.whole)
            if found.whole:
                self._backed[move, proof] = known
            return known
        return Proven(proof, self._line(edge, state, lines), False)

    def _line(self, edge: int | None, state: State, lines: ProofLines) -> list[int]:
        """The moves from `edge` on that the final choice would follow, up to the end of the game."""
        graph, game = self._root.graph, self._root.game
        line: list[int] = []
        while edge is not None and len(line) < _LONGEST_LINE:
            move, node = int(graph.edges["move"][edge]), int(graph.edges["child"][edge])
            score, legal = ended(game, state)
            if line and (score is not None or move not in legal):
                break
            line.append(move)
            if node < 0:
                break
            state = game.after(state, move)
            proof = int(graph.nodes["proof"][node])
            if abs(proof) > SURE and distance(proof) < FAR:
                return line + lines.of_node(node, state).line
            edge = choose.choose(graph, node, self._choice, self._numbers)
            if edge is not None and graph.edges["visits"][edge] == 0 and choose.proof_of(graph, edge) == UNPROVEN:
                break
        return line
