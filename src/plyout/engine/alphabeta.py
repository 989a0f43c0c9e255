"""Alpha-beta behind the engine's door: iterative deepening, limits, and the result in the form that all searches have.

The kernels search one root move at a time, in a thread of their own, so that the caller can watch the clock.
"""

import threading
import time
from dataclasses import dataclass, field

import numpy as np

from plyout.errors import InputError
from plyout.evaluate.quiescence import INFINITE, MATE
from plyout.evaluate.weighted import load_weights, vector
from plyout.games import CHESS, State
from plyout.games.contract import KEY
from plyout.engine.result import MoveStatistics, Result
from plyout.engine.system import System
from plyout.engine.task import Task
from plyout.engine.tree import Tree
from plyout.parameters import Values
from plyout.search.alphabeta.search import (
    CUT_SHORT, DEEPEST, HISTORIES, HISTORY, KILLER, KILLERS, LINES, MOST_NODES, NODES, NULL_MOVE, PATH, REDUCE,
    SELECTIVE, SWITCHES, TABLE, new_desk, search_move,
)  # fmt: skip
from plyout.search.threads import Stop
from plyout.search.graph import NODES as GRAPH_NODES, PROVEN, UNPROVEN, add_edges, new_graph
from plyout.search.limits import Limits

_NO_LIMIT = 1 << 62
_ENOUGH = 0.6  # of the time: another iteration would hardly end in the rest
_MATE_LIKE = MATE - 1000
_SWITCHES = {"transpositions": TABLE, "killers": KILLER, "history": HISTORY, "null_move": NULL_MOVE, "reduce": REDUCE}
_GRACE = 0.005  # seconds between two looks at the clock


@dataclass
class _Line:
    """A root move: what it is worth, or at most, and the line that shows it."""

    move: int
    value: int = -INFINITE
    line: list[int] = field(default_factory=list)
    nodes: int = 0


def _proof(value: int) -> int:
    """A value as a proof: mates are proven, everything else is an opinion."""
    if value >= _MATE_LIKE:
        return PROVEN - (MATE - value)
    return -(PROVEN - (MATE + value)) if value <= -_MATE_LIKE else UNPROVEN


def _score(value: int) -> float:
    """Centipawns as a score between 0 and 1, the inverse of `plyout.engine.result.centipawns`."""
    return float(1 / (1 + 10 ** (-max(min(value, 4000), -4000) / 400)))


class AlphaBeta:
    """An alpha-beta searcher with a transposition table that it keeps from move to move."""

    def __init__(self, system: System) -> None:
        if system.game is not CHESS:
            raise InputError(f"alpha-beta plays chess only: in {system.game.name} try the preset 'mcc'")
        parameters = system.numbers
        self._preset, self._parameters = system.preset.name, parameters
        entries = int(parameters["hash_mb"] * 1e6 / 16) if parameters["transpositions"] else 1
        self._table = np.zeros(2 * entries, np.int64)
        switches = sum(bit for name, bit in _SWITCHES.items() if parameters[name])
        self._desk = new_desk(parameters, switches, vector(load_weights(system.weights)))

    def new_game(self, numbers: Values) -> None:
        """Forget everything: the next search is as the first."""
        self._parameters = numbers
        self._table[:] = 0
        self._desk[KILLERS:PATH] = 0

    def prepare(self) -> None:
        """Compile, or load, what a search needs."""
        stop, start = Stop(), CHESS.start()
        self._desk[MOST_NODES] = _NO_LIMIT
        self._search_move(start, CHESS.moves(start)[0], -INFINITE, INFINITE, 1, stop)

    def _search_move(self, state: State, move: int, alpha: int, beta: int, depth: int, stop: Stop) -> int:
        word = np.int64
        value = search_move(
            state, word(move), word(alpha), word(beta), word(depth), self._desk, self._table, stop.flag
        )  # fmt: skip
        return int(value)

    def search(self, task: Task) -> Result:
        """Search a position until a limit is reached."""
        state, limits, stop, on_progress, every = task.state, task.limits, task.stop, task.on_progress, task.every
        allowed = CHESS.moves(state) if task.moves is None else task.moves
        if limits.playouts is not None:
            raise InputError("alpha-beta makes no playouts: limit it by nodes, depth or time")
        began = time.perf_counter()
        seconds = limits.seconds(self._parameters["time_fraction"], self._parameters["overhead"])
        desk = self._desk
        desk[[NODES, SELECTIVE, CUT_SHORT]] = 0
        desk[HISTORIES:PATH] //= 2  # older experience counts less
        desk[KILLERS:HISTORIES] = 0
        desk[MOST_NODES] = _NO_LIMIT if limits.nodes is None else max(limits.nodes, 1)
        found = _Deepening(self, state, limits, stop, [_Line(m) for m in allowed], began + _ENOUGH * seconds)
        thread = threading.Thread(target=found.run, daemon=True)
        reported = began

        def result() -> Result:
            spent = time.perf_counter() - began
            return self._result(state, found, spent, task.chess960, task.moves is not None)

        thread.start()
        try:
            while thread.is_alive():
                thread.join(_GRACE)
                now = time.perf_counter()
                if now >= min(began + seconds, stop.deadline):
                    stop.set()
                if on_progress is not None and now - reported >= every and found.depth:
                    reported = now
                    on_progress(result())
        finally:
            stop.set()
            thread.join()
        if found.failure is not None:
            raise found.failure
        return result()

    def _result(self, state: State, found: "_Deepening", seconds: float, chess960: bool, restricted: bool) -> Result:
        lines = found.lines
        graph = new_graph(1 + len(lines), len(lines))
        add_edges(graph, 0, [x.move for x in lines], 0.0)
        graph.nodes["key"][0] = state[KEY]
        graph.used[GRAPH_NODES] = 1 + len(lines)
        graph.nodes["visits"][0] = sum(x.nodes for x in lines)
        for i, x in enumerate(lines):
            graph.edges[i].visits, graph.edges[i].value, graph.edges[i].child = (
                x.nodes,
                x.nodes * _score(x.value),
                1 + i,
            )
        tree = Tree(graph, state, CHESS, self._preset, self._parameters, chess960)
        moves = [
            MoveStatistics(
                move=tree.move_numbered(x.move),
                visits=float(x.nodes),
                value=_score(x.value) if x.value > -INFINITE else 0.5,
                prior=0.0,
                proof_number=_proof(x.value) if x.value > -INFINITE else UNPROVEN,
                pv=[tree.move_numbered(m) for m in x.line or [x.move]],
            )
            for x in lines
        ]
        best = lines[0].value if lines[0].value > -INFINITE else 0
        return Result(
            move=moves[0].move,
            moves=moves,
            proof_number=_proof(best),
            mate_is_shortest=MATE - abs(best) <= found.depth and not self._desk[SWITCHES] & (NULL_MOVE | REDUCE),
            drawn=0.0,
            nodes=int(self._desk[NODES]),
            playouts=0,
            depth=float(found.depth),
            deepest=max(int(self._desk[SELECTIVE]), found.depth),
            seconds=seconds,
            graph={
                "nodes": len(graph.nodes),
                "edges": len(lines),
                "bytes": self._table.nbytes,
                "permille_full": int(np.count_nonzero(self._table[:2000:2])),
            },
            tbhits=0,
            restricted=restricted,
            preset=self._preset,
            seed=int(self._parameters["seed"]),
            tree=tree,
            plies=found.depth,
            centipawns=best,
        )


class _Deepening:
    """One search: each iteration a ply deeper than the last, the best move of the last one first."""

    def __init__(
        self, owner: AlphaBeta, state: State, limits: Limits, stop: Stop, lines: list[_Line], enough: float
    ) -> None:  # fmt: skip
        self._owner, self._state, self._stop, self._enough = owner, state, stop, enough
        self._one_is_enough = limits.clock is not None and len(lines) == 1
        deepest = min(owner._parameters["depth"], DEEPEST - 1, limits.depth or DEEPEST)
        self._deepest = int(deepest if limits.mate is None else min(deepest, 2 * limits.mate - 1))
        self.lines, self.depth = lines, 0
        self.failure: BaseException | None = None

    def run(self) -> None:
        try:
            with np.errstate(all="ignore"):  # interpreted kernels wrap around silently, in this thread too
                self._deepen()
        except BaseException as failure:
            self.failure = failure

    def _deepen(self) -> None:
        for depth in range(1, self._deepest + 1):
            if not self._iterate(depth):
                return
            self.depth = depth
            mate = MATE - abs(self.lines[0].value)
            if mate <= depth or self._one_is_enough or time.perf_counter() > self._enough:
                return

    def _iterate(self, depth: int) -> bool:
        """Search all root moves to `depth`; False if it was cut short. The best move comes first, the rest stay."""
        desk = self._owner._desk
        alpha = -INFINITE
        for x in list(self.lines):
            before = int(desk[NODES])
            value = self._value(x.move, alpha, depth)
            x.nodes += int(desk[NODES]) - before
            if desk[CUT_SHORT] or self._stop:
                return False
            x.value = value
            if value > alpha:
                alpha = value
                x.line = [x.move, *_line_at(desk, 1)]
                self.lines = [x, *(y for y in self.lines if y is not x)]
        return True

    def _value(self, move: int, alpha: int, depth: int) -> int:
        """What a move is worth; where it is not better than `alpha`, a bound."""
        search, state, stop = self._owner._search_move, self._state, self._stop
        if self._owner._desk[SWITCHES] & REDUCE and alpha > -INFINITE:
            value = search(state, move, alpha, alpha + 1, depth, stop)
            if value <= alpha:
                return value
        return search(state, move, alpha, INFINITE, depth, stop)


def _line_at(desk: State, ply: int) -> list[int]:
    """The best line that was found below `ply`."""
    row: list[int] = desk[LINES + ply * DEEPEST : LINES + (ply + 1) * DEEPEST].tolist()
    return row[: row.index(-1)] if -1 in row else row
