"""Alpha-beta behind the engine's door: iterative deepening, limits, and the result in the form that all searches have.

The kernels search one root move at a time, in a thread of their own, so that the caller can watch the clock.
"""

import threading
import time
from dataclasses import dataclass, replace
from math import log

import numpy as np

from plyout.engine.history import History, Snapshot
from plyout.engine.networks import networks_of
from plyout.engine.outcomes import model_of
from plyout.engine.result import MoveStatistics, Result
from plyout.engine.system import System
from plyout.engine.task import Task
from plyout.engine.tree import Tree
from plyout.errors import InputError
from plyout.evaluate.quiescence import INFINITE, MATE_SCORE
from plyout.evaluate.scale import score
from plyout.evaluate.weighted import load_weights, vector
from plyout.games import CHESS, State
from plyout.games.contract import KEY
from plyout.parameters import Values
from plyout.search.alphabeta.search import search_move
from plyout.search.alphabeta.stack import (
    ABORTED, HISTORIES, HISTORY, KILLER, KILLERS, MAX_NODES, MAX_PLY, NODES, NULL_MOVE, PATH, PRUNE, REDUCE,
    SELECTIVE_DEPTH, SWITCHES, TABLE, new_stack, principal_variation,
)  # fmt: skip
from plyout.search.alphabeta.table import MATE_LIKE
from plyout.search.graph import NODES as GRAPH_NODES, PROVEN, UNPROVEN, add_edges, new_graph
from plyout.search.limits import Limits
from plyout.search.proof.checking import mate_of
from plyout.search.proof.hunt import Hunt, prepare_hunt
from plyout.search.proof.lines import ProofLines, Proven, until_the_end, without_distance
from plyout.search.proof.mate import Budget
from plyout.search.threads import Stop

_NO_LIMIT = 1 << 62
_ENOUGH = 0.6  # of the time: another iteration would hardly end in the rest
_SWITCHES = {
    "transpositions": TABLE, "killers": KILLER, "history": HISTORY, "null_move": NULL_MOVE, "reduce": REDUCE,
    "prune": PRUNE,
}  # fmt: skip
_POSITIONS = 2_000  # to find the ends of proven lines in: some ten milliseconds
_AT_LEAST = 0.04  # seconds that the first iteration may take, whoever wants to stop
_NEAR, _FAR = 20, 2000  # centipawns from one iteration to the next, as expected; beyond that nothing is
_POLL = 0.005  # seconds between two readings of the clock


@dataclass
class _Line:
    """A root move: what it is worth, or at most, and the line that shows it."""

    move: int
    found: tuple[int, list[int]]  # the value and the line: one, since the next is written while this one is read
    nodes: int = 0

    @property
    def value(self) -> int:
        return self.found[0]


def _proof(value: int) -> int:
    """A value as a proof: mates are proven, everything else is an opinion."""
    if value >= MATE_LIKE:
        return PROVEN - (MATE_SCORE - value)
    return -(PROVEN - (MATE_SCORE + value)) if value <= -MATE_LIKE else UNPROVEN


class AlphaBeta:
    """An alpha-beta searcher with a transposition table that it keeps from move to move."""

    def __init__(self, system: System) -> None:
        if system.game is not CHESS:
            raise InputError(f"alpha-beta plays chess only: in {system.game.name} try the preset 'mcc'")
        parameters = system.numbers
        self._preset, self._parameters = system.preset.name, parameters
        self._model = model_of(system)
        self.max_depth = parameters["depth"]
        self._time_fraction, self._overhead = parameters["time_fraction"], parameters["overhead"]
        entries = int(parameters["hash_mb"] * 1e6 / 16) if parameters["transpositions"] else 1
        self._table = np.zeros(2 * entries, np.int64)
        switches = sum(bit for name, bit in _SWITCHES.items() if parameters[name])
        self._networks = networks_of(system)
        weights, network = vector(load_weights(system.weights)), self._networks.address("value")
        self.stack = new_stack(parameters, switches, weights, network, self._networks.accumulators)
        self._prepared = False

    def new_game(self, numbers: Values) -> None:
        """Forget everything: the next search is as the first."""
        self._parameters = numbers
        self._table[:] = 0
        self.stack[KILLERS:PATH] = 0

    def prepare(self) -> None:
        """Compile, or load, what a search needs."""
        if self._prepared:
            return
        task = Task(CHESS.start(), Limits(depth=1), Stop())
        self.stack[MAX_NODES] = _NO_LIMIT
        first = _Deepening(self, task, 0.0, 0.0)
        self.search_move(task.state, first.lines[0].move, -INFINITE, INFINITE, 1, task.stop)
        self._result(task, first, 0.0)
        self._proof_lines().of_position(task.state, True, 1, Budget(1))
        self._prepared = True

    def search_move(self, state: State, move: int, alpha: int, beta: int, depth: int, stop: Stop) -> int:
        """See `plyout.search.alphabeta.search.search_move`."""
        word = np.int64
        value = search_move(
            state, word(move), word(alpha), word(beta), word(depth), self.stack, self._table, stop.flag
        )  # fmt: skip
        return int(value)

    def search(self, task: Task) -> Result:
        limits, stop, on_progress = task.limits, task.stop, task.on_progress
        if limits.playouts is not None:
            raise InputError("alpha-beta makes no playouts: limit it by nodes, depth or time")
        if limits.mate is not None:
            prepare_hunt()
        began = time.perf_counter()
        seconds = limits.seconds(self._time_fraction, self._overhead)
        stack = self.stack
        stack[[NODES, SELECTIVE_DEPTH, ABORTED]] = 0
        stack[HISTORIES:PATH] //= 2  # older experience counts less
        stack[KILLERS:HISTORIES] = 0
        stack[MAX_NODES] = _NO_LIMIT if limits.nodes is None else max(limits.nodes, 1)
        found = _Deepening(self, task, began, seconds)
        thread = threading.Thread(target=found.run, daemon=True)
        reported = began
        hunt = Hunt(CHESS, task.state, [x.move for x in found.lines], limits.mate or 0)

        def result() -> Result:
            so_far = self._result(task, found, time.perf_counter() - began)
            return replace(so_far, no_mate_in=limits.mate if hunt.refuted else None)

        with hunt:
            thread.start()
            try:
                while thread.is_alive():
                    thread.join(_POLL)
                    now = time.perf_counter()
                    if hunt.refuted or now >= min(began + seconds, stop.deadline):
                        stop.set()
                    if on_progress is not None and now - reported >= task.every and found.depth:
                        reported = now
                        on_progress(result())
            finally:
                stop.set()
                thread.join()
        if found.failure is not None:
            raise found.failure
        return result()

    def _result(self, task: Task, found: "_Deepening", seconds: float) -> Result:
        lines = found.lines
        graph = new_graph(1 + len(lines), len(lines))
        add_edges(graph, 0, [x.move for x in lines], 0.0)
        graph.nodes["key"][0] = task.state[KEY]
        graph.used[GRAPH_NODES] = 1 + len(lines)
        graph.nodes["visits"][0] = sum(x.nodes for x in lines)
        for edge, x in zip(graph.edges, lines, strict=True):
            edge.visits, edge.value = x.nodes, x.nodes * score(x.value)
        graph.edges["child"] = np.arange(1, 1 + len(lines))
        tree = Tree(graph, task.state, CHESS, self._preset, self._parameters, task.chess960)
        tree.history = History((tuple(found.snapshots), ()), tree.move_numbered)
        budget = Budget(_POSITIONS)
        wanted = len(lines) if task.lines is None else max(task.lines, 1)
        known = [self._known(x, task.state, found.backed, budget, i < wanted) for i, x in enumerate(lines)]
        moves = [
            MoveStatistics(
                move=tree.move_numbered(x.move),
                visits=float(x.nodes),
                value=score(x.value) if x.value > -INFINITE else 0.5,
                prior=0.0,
                proof_number=proven.proof,
                pv=[tree.move_numbered(m) for m in proven.line],
            )
            for x, proven in zip(lines, known, strict=True)
        ]
        best = lines[0].value if lines[0].value > -INFINITE else 0
        searched_all = not self.stack[SWITCHES] & (NULL_MOVE | REDUCE | PRUNE)
        return Result(
            move=moves[0].move,
            moves=moves,
            proof_number=moves[0].proof_number,
            mate_is_shortest=MATE_SCORE - abs(best) <= found.depth and searched_all,
            drawn=0.0,
            nodes=int(self.stack[NODES]),
            playouts=0,
            depth=float(found.depth),
            deepest=max(int(self.stack[SELECTIVE_DEPTH]), found.depth),
            seconds=seconds,
            graph={
                "nodes": len(graph.nodes),
                "edges": len(lines),
                "bytes": self._table.nbytes,
                "permille_full": int(np.count_nonzero(self._table[:2000:2])),
            },
            tbhits=0,
            restricted=task.moves is not None,
            preset=self._preset,
            seed=int(self._parameters["seed"]),
            tree=tree,
            plies=found.depth,
            centipawns=best,
            model=self._model,
        )

    def _known(
        self, x: _Line, state: State, backed: dict[tuple[int, int], Proven], budget: Budget, wanted: bool
    ) -> Proven:
        """What is proven of a root move, and its line; quiescence sees mates, but keeps no line to them."""
        value, line = x.found
        proof = _proof(value) if value > -INFINITE else UNPROVEN
        if proof == UNPROVEN:
            return Proven(proof, until_the_end(CHESS, state, line), False)
        if not wanted:
            return Proven(without_distance(proof), line[:1], False)
        if (x.move, value) not in backed:
            known = self._proof_lines().of_line(state, line, proof, budget)
            if not known.whole:
                return known
            backed[x.move, value] = known
        return backed[x.move, value]

    def _proof_lines(self) -> ProofLines:
        return ProofLines(None, CHESS, mate_of(CHESS), lambda state: [], positions=_POSITIONS)


class _Deepening:
    """One search: each iteration a ply deeper than the last, the best move of the last one first."""

    def __init__(self, searcher: AlphaBeta, task: Task, began: float, seconds: float) -> None:
        limits, moves = task.limits, CHESS.moves(task.state) if task.moves is None else task.moves
        self._searcher, self._state, self._stop = searcher, task.state, task.stop
        self._enough, self._insists_until = began + _ENOUGH * seconds, began + min(_AT_LEAST, seconds)
        self._one_is_enough = limits.clock is not None and len(moves) == 1
        depth = min(searcher.max_depth, MAX_PLY - 1, limits.depth or MAX_PLY)
        self._max_depth = int(depth if limits.mate is None else min(depth, 2 * limits.mate - 1))
        self.lines, self.depth = [_Line(move, (-INFINITE, [move])) for move in moves], 0
        self.backed: dict[tuple[int, int], Proven] = {}  # by move and value: proven moves whose lines are whole
        self.failure: BaseException | None = None
        self._began = began
        self.snapshots: list[Snapshot] = []  # one when an iteration has ended

    def run(self) -> None:
        try:
            with np.errstate(all="ignore"):  # interpreted kernels wrap around silently, in this thread too
                self._deepen()
        except BaseException as failure:
            self.failure = failure

    def _deepen(self) -> None:
        for depth in range(1, self._max_depth + 1):
            if not self._iterate(depth):
                return
            self.depth = depth
            now, mate = time.perf_counter(), MATE_SCORE - abs(self.lines[0].value)
            self.snapshots.append(self._snapshot(now - self._began))
            if mate <= depth or self._one_is_enough or now > self._enough:
                return

    def _snapshot(self, seconds: float) -> Snapshot:
        """What is known when an iteration has ended."""
        lines, nodes = self.lines, int(self._searcher.stack[NODES])
        values = np.array([score(x.value) if x.value > -INFINITE else 0.5 for x in lines])
        proofs = np.array([_proof(x.value) if x.value > -INFINITE else UNPROVEN for x in lines], np.int32)
        moves, visits = np.array([x.move for x in lines], np.int32), np.array([float(x.nodes) for x in lines])
        line = tuple(lines[0].found[1])
        return Snapshot(nodes, seconds, int(proofs[0]), moves, visits, values * visits, 0.0, proofs, {}, line)

    def _iterate(self, depth: int) -> bool:
        """Search all root moves to `depth`; False if it was aborted. The best move comes first, the rest stay.

        A stop that comes at once does not cut the first iteration, unless that takes long.
        """
        stack = self._searcher.stack
        alpha = -INFINITE
        for place, x in enumerate(list(self.lines)):
            insists = depth == 1 and (alpha == -INFINITE or time.perf_counter() < self._insists_until)
            stop = Stop() if insists else self._stop
            if stop:
                return False
            before = int(stack[NODES])
            value = self._value(x, place, alpha, depth, stop)
            x.nodes += int(stack[NODES]) - before
            if stack[ABORTED] or stop:
                return False
            if value > alpha:
                alpha = value
                x.found = value, [x.move, *principal_variation(stack, 1)]
                self.lines = [x, *(y for y in self.lines if y is not x)]
            elif value <= -MATE_LIKE:
                if value < x.value and not self._find_line(x, value, depth, stop):
                    return False
            elif value < MATE_LIKE:  # no better than a mate: that would say nothing
                x.found = value, x.found[1]
        return True

    def _find_line(self, x: _Line, bound: int, depth: int, stop: Stop) -> bool:
        """How soon a move is mated that is proven lost, and by which line; False if the search was aborted."""
        stack = self._searcher.stack
        x.found, before = (bound, [x.move]), int(stack[NODES])
        value = self._searcher.search_move(self._state, x.move, -INFINITE, INFINITE, depth, stop)
        x.nodes += int(stack[NODES]) - before
        if stack[ABORTED] or stop:
            return False
        x.found = value, [x.move, *principal_variation(stack, 1)]
        return True

    def _value(self, x: _Line, place: int, alpha: int, depth: int, stop: Stop) -> int:
        """What a move is worth; where it is not better than `alpha`, an upper bound."""
        search, state, stack = self._searcher.search_move, self._state, self._searcher.stack
        if not stack[SWITCHES] & REDUCE:
            return search(state, x.move, alpha, INFINITE, depth, stop)
        if alpha == -INFINITE:
            return self._near(x, depth, stop)
        late = place > 2 and depth > 3 and abs(alpha) < MATE_LIKE  # as in `_reduction`
        shallow = depth - (int(log(depth) * log(place) / 2.2) if late else 0)
        value = search(state, x.move, alpha, alpha + 1, shallow, stop)
        if value > alpha and shallow < depth and not stack[ABORTED]:
            value = search(state, x.move, alpha, alpha + 1, depth, stop)
        if value <= alpha or stack[ABORTED]:
            return value
        return search(state, x.move, alpha, INFINITE, depth, stop)

    def _near(self, x: _Line, depth: int, stop: Stop) -> int:
        """What a move is worth, which is expected near to what it was worth a ply less deep."""
        search, state, stack = self._searcher.search_move, self._state, self._searcher.stack
        below, above = (-INFINITE, INFINITE) if depth < 5 else (x.value - _NEAR, x.value + _NEAR)
        step = _NEAR
        while True:
            value = search(state, x.move, below, above, depth, stop)
            step *= 4
            if stack[ABORTED] or below < value < above:
                return value
            if value <= below:
                below = max(below - step, -INFINITE) if step < _FAR else -INFINITE
            else:
                above = min(above + step, INFINITE) if step < _FAR else INFINITE
