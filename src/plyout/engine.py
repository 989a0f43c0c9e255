"""The Python API: a preset, a position and limits give a result.

>>> import chess
>>> from plyout.engine import Engine
>>> engine = Engine("mcc-combined", hash_mb=16)
>>> board = chess.Board("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1")
>>> result = engine.search(board, nodes=2000)
>>> board.san(result.move), result.proof, result.mate
('Ra8#', 'win', 1)
"""

import time
from collections.abc import Callable, Sequence
from typing import Any

import chess
import numpy as np

from plyout.depth_first import DepthFirst
from plyout.errors import InputError
from plyout.evaluate.ratings import chess_rating, no_rating, promise_rating, random_rating
from plyout.evaluate.weighted import load_weights
from plyout.evaluate.weighted import vector as weight_vector
from plyout.games import CHESS, Game, State, state_of
from plyout.games import game as game_named
from plyout.games.chess.border import check_board, decode
from plyout.games.contract import KEY
from plyout.kernel.random import seeded
from plyout.parameters import BY_NAME, SOLVER, values, vector
from plyout.playout.evaluation import evaluation_judge, quiescence_judge
from plyout.playout.judges import judge_of
from plyout.presets import Preset, preset
from plyout.result import MoveStatistics, Result, Tree
from plyout.search import choose
from plyout.search.crew import Crew, Stop
from plyout.search.graph import (
    DRAWN, EDGES, NODES, PROVEN, ROOM, ROOT, SURE, UNPROVEN, Graph, bytes_in_use, capacity,
    add_edges, move_root, new_graph, reset_node,
)  # fmt: skip
from plyout.search.iterate import COUNTERS, DEEPEST_YET, DEPTHS, DREW, ITERATIONS, JUDGED, LOST, WON, iterate
from plyout.search.mate import Budget, shortest_mate
from plyout.search.limits import FOREVER, Limits
from plyout.search.proof import distance, shorten
from plyout.search.rules import compiled
from plyout.search.select import payoff_uct, uct

__all__ = ["Engine", "Stop"]

_LONGEST_LINE = 64
_POSITIONS_A_SECOND, _FEW_POSITIONS, _MANY_POSITIONS = 2_000_000, 20_000, 3_000_000  # to look for shorter mates in
_BUILT_IN: dict[str, dict[str, Any]] = {
    "select": {"uct": uct, "payoff-uct": payoff_uct},
    "judge": {"playout": judge_of, "evaluation": evaluation_judge, "quiescence": quiescence_judge},
    "rate": {
        "none": no_rating,
        "evaluation": chess_rating,
        "promise": promise_rating,
        "random": random_rating,
    },
}

Position = chess.Board | str | State


class Engine:
    """A searcher with a memory: consecutive positions of one game reuse its graph.

    `preset` names the system. Keywords change it: a parameter (``c=0.7``, ``threads=2``), a rule by name
    (``choose="max"``), a file of evaluation weights (``weights="mine.toml"``, which `plyout fit` makes), or a rule of
    one's own, a plain Python function that is compiled here:
    ``select(graph, node, parameters) -> edge``, ``judge(state, scratch, rng, parameters) -> score``,
    ``rate(state, moves, count, ratings, parameters)``.

    >>> Engine("mcc", c=0.7).parameters["c"]
    0.7
    >>> Engine("mcc", C=0.7)
    Traceback (most recent call last):
    plyout.errors.InputError: no parameter is called 'C': there are anti_decisive, bias, ...
    """

    def __init__(self, preset_name: str = "mcc-combined", game: Game | str = CHESS, **changes: Any) -> None:
        self.preset: Preset = preset(preset_name)
        self.game = game_named(game) if isinstance(game, str) else game
        rules: dict[str, Any] = dict(self.preset.rules)
        for name in list(rules):
            if name in changes:
                rules[name] = changes.pop(name)
        weights = changes.pop("weights", None)
        self.parameters = values(self.preset.parameters | changes)
        self._choice = choose.rule_named(rules["choose"])
        self._until_agreed = rules["choose"] == "max-robust"
        if rules["judge"] == "playout":
            self._must_know_chess()
        self._rules = {name: self._rule(name, rules[name]) for name in _BUILT_IN}
        self._vector = np.append(vector(self.parameters), weight_vector(load_weights(weights)))
        self._stop = Stop()
        self._prepared = False
        self._chess960 = False
        rave = self.parameters["rave"] > 0
        edges_a_node = 8.0 if self.parameters["open_at"] >= 2 else 32.0
        self._depth_first = None
        if self.preset.search == "alphabeta":
            self._depth_first = DepthFirst(self.preset.name, self.parameters, self.game, weights)
        megabytes = 1.0 if self._depth_first else self.parameters["hash_mb"]
        self._graph: Graph = new_graph(*capacity(megabytes, edges_a_node, rave), rave)
        self.new_game()

    def _must_know_chess(self) -> None:
        """Playouts with knowledge know chess only: elsewhere they would be plain ones under another name."""
        if self.game is CHESS:
            return
        for name in ("greedy", "decisive", "anti_decisive", "draw_repeats"):
            if self.parameters[name] != BY_NAME[name].default:
                raise InputError(f"{name} is for chess only: in {self.game.name} try the preset 'mcc' or 'mcc-solver'")

    def _rule(self, name: str, rule: Any) -> Any:
        if callable(rule):
            return compiled(name, rule)
        if rule not in _BUILT_IN[name]:
            raise InputError(f"no {name} rule is called {rule!r}: there are {', '.join(_BUILT_IN[name])}")
        if rule in ("evaluation", "quiescence", "promise") and self.game is not CHESS:
            raise InputError(f"the evaluation is for chess only: in {self.game.name} try the preset 'mcc'")
        return judge_of(self.game) if rule == "playout" else _BUILT_IN[name][rule]

    def new_game(self) -> None:
        """Forget everything: the next search is as the first."""
        self._root: State | None = None
        self._exact = True
        self._searches = 0
        if self._depth_first:
            self._depth_first.new_game()

    def prepare(self) -> None:
        """Compile, or load, everything that a search needs; `search` does it before its clock starts."""
        if self._depth_first and not self._prepared:
            self._depth_first.prepare()
            self._prepared = True
        if not self._prepared:
            counters, rng = np.zeros(COUNTERS, np.int64), np.zeros(1, np.int64)
            seeded(np.int64(1), np.int64(1))
            self._iterate(self.game.start(), 0, self._vector, rng, counters, np.zeros(1, np.int64))
            move_root(new_graph(1, 1), 0)
            if self.game is CHESS:
                shortest_mate(self.game.start(), 1, Budget(1))
            self._prepared = True

    def _iterate(self, state: State, count: int, parameters: Any, rng: Any, counters: Any, stamps: Any) -> int:
        return iterate(
            self._graph, state, count, self.game.room, *self.game.rules(), self._rules["select"], self._rules["rate"],
            self._rules["judge"], parameters, rng, self._stop.flag, counters, stamps,
        )  # fmt: skip

    def stop(self) -> None:
        """End the search that is going on, from any thread; it takes effect within milliseconds.

        One that has not begun is not ended: give it a `Stop` of your own if it might not have.
        """
        self._stop.set()

    def search(
        self,
        position: Position,
        *,
        nodes: int | None = None,
        playouts: int | None = None,
        movetime: float | None = None,
        clock: float | None = None,
        increment: float = 0.0,
        moves_to_go: int | None = None,
        mate: int | None = None,
        depth: int | None = None,
        infinite: bool = False,
        moves: Sequence[chess.Move | int] | None = None,
        on_progress: Callable[[Result], None] | None = None,
        every: float = 0.25,
        stop: Stop | None = None,
        play_on: bool = False,
    ) -> Result:
        """Search a position (a board, a FEN, or a state of the engine's game) until the first limit is reached.

        Times are milliseconds, as in UCI. `on_progress` gets the result so far, `every` so many seconds. Ctrl-C
        raises KeyboardInterrupt; `stop` ends it with a result. Only `moves` are looked at, where they are given.
        A position that is drawn by rule gets no move unless `play_on` is set: nobody may claim the draw.

        >>> Engine("mcc", hash_mb=4).search(chess.STARTING_FEN, nodes=100).nodes
        100
        """
        limits = Limits(nodes, playouts, movetime, clock, increment, moves_to_go, mate, depth, infinite)
        state = self.state_of(position)
        self._chess960 = isinstance(position, chess.Board) and position.chess960
        self.prepare()
        self._stop = stop if stop is not None else Stop()
        self._exact = True
        self._find_root(state)
        counters, began = [np.zeros(COUNTERS, np.int64)], time.perf_counter()
        ended = self.game.result(state)
        if ended == 0.5 and play_on and self.game.moves(state):
            self._new_root(state)
            ended = None
        if ended is None and self._depth_first:
            allowed = self.game.moves(state) if moves is None else self._allowed(state, moves)
            return self._depth_first.search(
                state, limits, self._stop, allowed, self._chess960, on_progress, every, moves is not None
            )
        if ended is None:
            if moves is not None:
                self._open_root(state, moves)
            counters = self._run(state, limits.for_iterations(), on_progress, every).counters
        else:
            self._graph.proof[self._graph.used[ROOT]] = DRAWN if ended == 0.5 else PROVEN if ended > 0.5 else -PROVEN
        result = self._result(state, counters, time.perf_counter() - began, restricted=moves is not None)
        if moves is not None:
            self._root = None  # the graph knows only some moves: it is of no use to the next search
        return result

    # -- positions ----------------------------------------------------------------------------------------------

    def state_of(self, position: Position) -> State:
        """The state that a board, a FEN or a state means in the engine's game; `InputError` if it means none."""
        if isinstance(position, chess.Board):
            if position.uci_variant != self.game.name:
                raise InputError(f"this engine plays {self.game.name}, and the board is one of {position.uci_variant}")
            check_board(position, position.fen())
            return state_of(position)
        if isinstance(position, str):
            return self.game.parse(position)
        if not isinstance(position, np.ndarray):
            raise InputError(f"a position is a chess.Board, a FEN or a state, not {type(position).__name__}")
        return position

    def _find_root(self, state: State) -> None:
        """Make `state` the root: the node it has in the present graph, if it was met within two plies, or a new one."""
        graph = self._graph
        if self._root is not None:
            node = self._node_of(state)
            if node is not None:
                if node != graph.used[ROOT]:
                    move_root(graph, node)
                self._root = state.copy()
                return
        self._new_root(state)

    def _new_root(self, state: State) -> None:
        self._graph.used[:] = 1, 0, 0, ROOM
        reset_node(self._graph, 0, int(state[KEY]))
        self._root = state.copy()

    def _open_root(self, state: State, allowed: Sequence[chess.Move | int]) -> None:
        """A new root that has only the allowed moves."""
        numbers = self._allowed(state, allowed)
        self._new_root(state)
        count = len(numbers)
        moves, ratings = np.array(numbers, np.int64), np.zeros(count)
        self._rules["rate"](state, moves, count, ratings, self._vector)
        if self.parameters["widen_to"] > 0:
            order = np.argsort(-ratings, kind="stable")
            moves, ratings = moves[order], ratings[order]
        add_edges(self._graph, 0, moves, ratings)

    def _allowed(self, state: State, allowed: Sequence[chess.Move | int]) -> list[int]:
        """The numbers of the allowed moves."""
        wanted = set(allowed)
        numbers = [n for n in self.game.moves(state) if n in wanted or decode(n, self._chess960) in wanted]
        if len(numbers) != len(wanted) or not wanted:
            raise InputError("the moves to be searched must be legal, and at least one")
        return numbers

    def _node_of(self, wanted: State) -> int | None:
        """The node of the position `wanted` in the present graph, at most two plies below the root."""
        graph, key = self._graph, wanted[KEY]
        paths: list[tuple[int, ...]] = [()]
        for path in paths:
            node = int(graph.child[path[-1]]) if path else int(graph.used[ROOT])
            if graph.key[node] == key:
                assert self._root is not None
                state = self._root
                for edge in path:
                    state = self.game.after(state, int(graph.move[edge]))
                if self.game.same(state, wanted):
                    return node
            if len(path) < 2:
                paths += [(*path, int(e)) for e in choose.edges_of(graph, node) if graph.child[e] >= 0]
        return None

    # -- running ------------------------------------------------------------------------------------------------

    def _run(
        self, state: State, limits: Limits, on_progress: Callable[[Result], None] | None, every: float
    ) -> Crew:  # fmt: skip
        """Let a crew search `state`, and tell how it goes."""
        numbers, parameters = self.parameters, self._vector.copy()
        if limits.mate is not None:
            parameters[SOLVER] = 1.0
        self._searches += 1

        def iterations(count: int, rng: Any, counters: Any, stamps: Any) -> int:
            return self._iterate(state, count, parameters, rng, counters, stamps)

        crew = Crew(
            self._graph, iterations, limits, limits.seconds(numbers["time_fraction"], numbers["overhead"]), self._stop,
            threads=int(numbers["threads"]), seed=int(numbers["seed"]), first_stream=1024 * self._searches,
            rave=numbers["rave"] > 0, until_agreed=self._until_agreed,
        )  # fmt: skip
        reported = crew.began

        def look(now: float) -> None:
            nonlocal reported
            if on_progress is not None and now - reported >= every:
                reported = now
                with crew.gate:
                    so_far = self._result(state, crew.counters, now - crew.began)
                on_progress(so_far)

        crew.work(look)
        if parameters[SOLVER]:
            self._settle(state, crew.deadline - time.perf_counter())
        if parameters[SOLVER] != self._vector[SOLVER]:
            self._root = None  # its proofs are not of this preset's making
        return crew

    def _settle(self, state: State, seconds: float) -> None:
        """Once the root is proven: make its mate distance exact, as far as half of the time that is left allows."""
        root = int(self._graph.used[ROOT])
        proof = int(self._graph.proof[root])
        if abs(proof) <= SURE:
            return
        if self.game is not CHESS:
            self._exact = distance(proof) <= 1
            return
        positions = min(max(seconds / 2 * _POSITIONS_A_SECOND, _FEW_POSITIONS), _MANY_POSITIONS)
        if self._stop and seconds == FOREVER:
            positions = _FEW_POSITIONS
        self._exact = shorten(self._graph, root, state, self.game, Budget(int(positions)))

    # -- results ------------------------------------------------------------------------------------------------

    def _line(self, edge: int | None) -> list[int]:
        """The edges from `edge` on that the final choice would follow."""
        graph = self._graph
        line: list[int] = []
        while edge is not None and len(line) < _LONGEST_LINE:
            line.append(edge)
            node = int(graph.child[edge])
            edge = choose.choose(graph, node, self._choice, self.parameters["secure"]) if node >= 0 else None
            if edge is not None and graph.visits[edge] == 0 and choose.proof_of(graph, edge) == UNPROVEN:
                break
        return line

    def _result(self, state: State, counters: list[Any], seconds: float, restricted: bool = False) -> Result:
        graph, root = self._graph, int(self._graph.used[ROOT])
        tree = Tree(graph, state, self.game, self.preset.name, self.parameters, self._chess960)
        counted = [int(n) for n in sum(counters)]
        best = choose.choose(graph, root, self._choice, self.parameters["secure"])
        edges = [int(e) for e in choose.edges_of(graph, root)]
        moves = [
            MoveStatistics(
                move=tree.move(e),
                visits=float(graph.visits[e]),
                value=choose.mean(graph, e),
                prior=float(graph.prior[e]),
                proof_number=choose.proof_of(graph, e),
                pv=[tree.move(edge) for edge in self._line(e)],
            )
            for e in sorted(edges, key=lambda e: (e != best, -choose.proof_of(graph, e), -graph.visits[e], e))
        ]
        if not moves and graph.proof[root] == UNPROVEN:  # stopped before it began: any move, then
            names = [tree.move_numbered(n) for n in self.game.moves(state)]
            moves = [MoveStatistics(name, 0.0, 0.5, 0.0, UNPROVEN, [name]) for name in names]
        drew = counted[DREW]
        judged = max(1, counted[WON] + drew + counted[LOST])
        return Result(
            move=moves[0].move if moves else None,
            moves=moves,
            proof_number=int(graph.proof[root]),
            mate_is_shortest=self._exact,
            drawn=drew / judged,
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
            restricted=restricted,
            preset=self.preset.name,
            seed=int(self.parameters["seed"]),
            tree=tree,
        )
