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
from dataclasses import replace
from typing import Any

import chess
import numpy as np

from plyout.depth_first import DepthFirst
from plyout.errors import InputError
from plyout.evaluate.ratings import evaluation_of, no_rating, policy_of, promise_of, random_rating
from plyout.evaluate.singh import singh_judge_of
from plyout.evaluate.weighted import load_weights
from plyout.evaluate.weighted import vector as weight_vector
from plyout.games import CHESS, Game, State, state_of
from plyout.games import game as game_named
from plyout.games.chess.border import check_board, decode, to_board
from plyout.games.contract import KEY, TURN
from plyout.kernel.random import seeded
from plyout.knowledge.tables.probe import FAR, HITS
from plyout.knowledge.use import Opening, opening_of
from plyout.parameters import BY_NAME, OPEN_AT, SHARE_JUDGEMENTS, SOLVER, TRAP_PLAYOUTS, TREE, texts, values, vector
from plyout.playout.evaluation import evaluation_judge_of, quiescence_judge_of
from plyout.playout.judges import judge_of
from plyout.playout.traps import with_list
from plyout.presets import Preset, preset
from plyout.result import MoveStatistics, Result, Tree
from plyout.search import choose
from plyout.search.avoid import Avoider
from plyout.search.batch import Batches
from plyout.search.checks import mate_of
from plyout.search.crew import Crew, Stop
from plyout.search.graph import (
    DRAWN, DRAWN_HERE, EDGES, NODES, OPEN, PROVEN, ROOT, SURE, UNPROVEN, Graph, bytes_in_use, capacity, clear,
    add_edges, move_root, new_graph, thin,
)  # fmt: skip
from plyout.search.iterate import (
    COUNTERS, DEEPEST_YET, DEPTHS, DREW, ITERATIONS, JUDGED, LOST, TABLE_HITS, WON, iterate,
)  # fmt: skip
from plyout.search.mate import Budget, shortest_mate
from plyout.search.known import Endgames
from plyout.search.limits import FOREVER, Limits
from plyout.search.proof import complete_line, distance, shorten
from plyout.search.rules import compiled
from plyout.search.iec import iec
from plyout.search.select import BY_POINTER, PUCT, UCT, payoff_uct, puct, uct

__all__ = ["Engine", "Stop"]

_LONGEST_LINE = 64
_MOST_MOVES = 1024
_POSITIONS_A_SECOND, _FEW_POSITIONS, _MANY_POSITIONS = 1_000_000, 5_000, 3_000_000  # to look for shorter mates in
_BUILT_IN: dict[str, dict[str, Callable[[Game], Any]]] = {  # what a rule's name means in a game
    "select": {
        "uct": lambda game: uct,
        "puct": lambda game: puct,
        "iec": lambda game: iec,
        "payoff-uct": lambda game: payoff_uct,
    },
    "judge": {
        "playout": judge_of,
        "evaluation": evaluation_judge_of,
        "quiescence": quiescence_judge_of,
        "singh": singh_judge_of,
    },
    "rate": {
        "none": lambda game: no_rating,
        "random": lambda game: random_rating,
        "evaluation": evaluation_of,
        "promise": promise_of,
        "policy": policy_of,
    },
}

Position = chess.Board | str | State


class Engine:
    """A searcher with a memory: consecutive positions of one game reuse its graph.

    `preset` names the system. Keywords change it: a parameter (``c=0.7``, ``threads=2``), a rule by name
    (``choose="max"``), a file of evaluation weights (``weights="mine.toml"``, which `plyout fit` makes), an
    `evaluator` of many leaves at once (see `plyout.search.batch`), or a rule of one's own, a plain Python function
    that is compiled here:
    ``select(graph, node, parameters) -> edge``, ``judge(state, scratch, rng, parameters) -> score``,
    ``rate(state, moves, count, ratings, parameters)``. `syzygy_path` and `gaviota_path` are folders with tables of
    your own, several of them with the separator of ``$PATH`` between.

    >>> Engine("mcc", c=0.7).parameters["c"]
    0.7
    >>> Engine("mcc", C=0.7)
    Traceback (most recent call last):
    plyout.errors.InputError: no parameter is called 'C': there are anti_decisive, batch, ...
    """

    def __init__(self, preset_name: str = "plyout", game: Game | str = CHESS, **changes: Any) -> None:
        self.preset: Preset = preset(preset_name)
        self.game = game_named(game) if isinstance(game, str) else game
        rules: dict[str, Any] = dict(self.preset.rules)
        for name in list(rules):
            if name in changes:
                rules[name] = changes.pop(name)
        evaluator, weights = changes.pop("evaluator", None), changes.pop("weights", None)
        self.parameters = values(self.preset.parameters | changes)
        if self.game is not CHESS and "tables" not in changes:
            self.parameters["tables"] = 0.0  # a preset's tables are for chess; in another game it goes without
        self.settings = texts(self.preset.parameters | changes)
        paths = self.settings["syzygy_path"], self.settings["gaviota_path"]
        self._choice = choose.rule_named(rules["choose"])
        self._until_agreed = rules["choose"] == "max-robust"
        if rules["judge"] == "playout":
            self._must_know_chess()
        self._endgames = Endgames(self.game, self.parameters["tables"], self.parameters["tables_from"], *paths)
        self._rules = {name: self._rule(name, rules[name]) for name in _BUILT_IN}
        traps = self.parameters["trap_level"] or self.parameters["soft_trap"]
        self._avoider = Avoider(self.parameters, rules) if traps else None
        self._vector = np.append(vector(self.parameters), weight_vector(load_weights(weights)))
        self._batches = self._batched_by(evaluator) if evaluator is not None else None
        self._stop = Stop()
        self._prepared = False
        self._chess960 = False
        self._select_number = {uct: UCT, puct: PUCT}.get(self._rules["select"], BY_POINTER)
        edges_a_node = 8.0 if self.parameters["open_at"] >= 2 else 32.0
        self._depth_first = None
        if self.preset.search == "alphabeta":
            self._depth_first = DepthFirst(self.preset.name, self.parameters, self.game, weights)
        megabytes = 1.0 if self._depth_first else self.parameters["hash_mb"]
        extras = {"rave": self.parameters["rave"] > 0, "shared": self.parameters["share"] != TREE}
        self._graph: Graph = new_graph(*capacity(megabytes, edges_a_node, **extras), **extras)
        self.opening: Opening | None = opening_of(self.game, self.settings["book"], self.parameters["book_use"])
        if self.opening:
            self._graph = self._graph._replace(**self.opening.arrays())
        self.new_game()

    def _batched_by(self, evaluator: Any) -> Batches:
        """Leaves go to `evaluator`, which opens them, too: no node opens by itself."""
        if not callable(evaluator):
            raise InputError("an evaluator is called with positions and returns values and priors: it must be callable")
        if self.parameters["threads"] > 1 or self.parameters["share"] == SHARE_JUDGEMENTS:
            raise InputError("with an evaluator of your own, threads is 1 and share 0, 2 or 3")
        if self.parameters["rave"] > 0:
            raise InputError("with an evaluator of your own there are no playouts, and so no rave")
        self._vector[OPEN_AT] = np.inf
        return Batches(self.game, evaluator, int(self.parameters["batch"]), min(self.game.room, _MOST_MOVES))

    def _must_know_chess(self) -> None:
        """Playouts with knowledge know chess only: elsewhere they would be plain ones under another name."""
        if self.game is CHESS:
            return
        for name in ("greedy", "decisive", "anti_decisive", "draw_repeats", "trap_level", "soft_trap", "bottom_bfs"):
            if self.parameters[name] != BY_NAME[name].default:
                raise InputError(f"{name} is for chess only: in {self.game.name} try the preset 'mcc' or 'mcc-solver'")

    def _rule(self, name: str, rule: Any) -> Any:
        if callable(rule):
            return compiled(name, rule)
        if rule not in _BUILT_IN[name]:
            raise InputError(f"no {name} rule is called {rule!r}: there are {', '.join(_BUILT_IN[name])}")
        return _BUILT_IN[name][rule](self.game)

    def new_game(self) -> None:
        """Forget everything: the next search is as the first."""
        self._root: State | None = None
        self._exact = True
        self._searches = 0
        self.counters: list[Any] = []
        if self._depth_first:
            self._depth_first.new_game()
        if self._avoider:
            self._avoider.forget()

    def prepare(self) -> None:
        """Compile, or load, everything that a search needs; `search` does it before its clock starts."""
        if self._depth_first and not self._prepared:
            self._depth_first.prepare()
            self._prepared = True
        if not self._prepared:
            self._endgames.prepare()
            counters, rng = np.zeros(COUNTERS, np.int64), np.zeros(1, np.int64)
            seeded(np.int64(1), np.int64(1))
            self._iterate(self.game.start(), 0, self._vector, rng, counters, np.zeros(1, np.int64))
            thin(new_graph(2, 2, shared=True))
            if self.game is CHESS:
                shortest_mate(self.game.start(), 1, Budget(1))
            if self._avoider:
                self._avoider.prepare()
            self._prepared = True

    def _iterate(self, state: State, count: int, parameters: Any, rng: Any, counters: Any, stamps: Any) -> int:
        rules = (*self.game.rules(), self.game.check, self._select_number, self._rules["select"], self._rules["rate"])
        tables = self._endgames.rule, self._endgames.directory, mate_of(self.game)
        if self._batches is not None:
            return self._batches.iterate(
                self._graph, state, count, (*rules, *tables), parameters, rng, self._stop.flag, counters
            )
        return iterate(
            self._graph, state, count, self.game.room, *rules, self._rules["judge"], *tables, parameters, rng,
            self._stop.flag, counters, stamps,
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
        self._endgames.begin(state)
        self._find_root(state)
        counters, began = [np.zeros(COUNTERS, np.int64)], time.perf_counter()
        ended = self.game.result(state)
        if self.opening and ended is None and moves is None:
            board = position if isinstance(position, chess.Board) else to_board(state)
            known = self.opening.move(board, limits, int(self.parameters["seed"]))
            if known is not None:
                return replace(self._result(state, counters, 0.0), move=known.move, moves=[known], book=True)
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
            if not self._settled_by_tables(state):
                limits = limits.for_iterations()
                counters = self._run(state, limits, on_progress, every).counters
                if self._avoider:
                    spent = np.sum(counters, axis=0)
                    left = limits.after(int(spent[ITERATIONS]), int(spent[JUDGED]), time.perf_counter() - began)
                    counters += self._look_again(self._avoider, state, left)
        else:
            self._graph.proof[self._graph.used[ROOT]] = DRAWN if ended == 0.5 else PROVEN if ended > 0.5 else -PROVEN
        self.counters = counters  # of the last search, a row a thread: see `plyout.search.iterate`
        result = self._result(state, counters, time.perf_counter() - began, restricted=self._lacks_moves(moves))
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
            if node is not None and graph.proof[node] != DRAWN_HERE:
                if node != graph.used[ROOT]:
                    move_root(graph, node)
                    self._nothing_pruned()
                self._root = state.copy()
                self._forget_draws_of_other_ways()
                return
        self._new_root(state)

    def _forget_draws_of_other_ways(self) -> None:
        """In a graph a draw by repetition may have been met on another way to this root than the game took."""
        edges = choose.edges_of(self._graph, int(self._graph.used[ROOT]))
        children = self._graph.child[edges]
        drawn = (children >= 0) & (self._graph.proof[children] == DRAWN_HERE)
        self._graph.child[edges[drawn]] = -1

    def _new_root(self, state: State) -> None:
        clear(self._graph, int(state[KEY]))
        self._nothing_pruned()
        self._root = state.copy()

    def _open_root(self, state: State, allowed: Sequence[chess.Move | int]) -> None:
        """A new root that has only the allowed moves."""
        numbers = self._allowed(state, allowed)
        self._new_root(state)
        self._give_root(state, numbers)

    def _give_root(self, state: State, numbers: list[int]) -> None:
        """Open the root with these moves."""
        moves = np.array(numbers, np.int64)
        ratings = self._rated(state, moves)
        if self.parameters["policy"] > 0:
            ratings = np.exp((ratings - ratings.max()) / (100 * self.parameters["policy"]))
            ratings /= ratings.sum()
        if self.parameters["policy"] > 0 or self.parameters["widen_to"] > 0:
            order = np.argsort(-ratings, kind="stable")
            moves, ratings = moves[order], ratings[order]
        add_edges(self._graph, int(self._graph.used[ROOT]), moves, ratings)

    def _rated(self, state: State, moves: Any) -> Any:
        ratings = np.zeros(len(moves))
        self._rules["rate"](state, moves, len(moves), ratings, self._vector)
        return ratings

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

    def _settled_by_tables(self, state: State) -> bool:
        """Whether tables tell all about the root: its moves are then proven, and nothing needs to be searched."""
        if not self._endgames.know(state):
            return False
        edges = choose.edges_of(self._graph, int(self._graph.used[ROOT]))
        moves = [int(move) for move in self._graph.move[edges]] or self.game.moves(state)
        self._new_root(state)
        proof = self._endgames.prove_moves(self._graph, state, moves)
        self._exact = abs(proof) <= SURE or distance(proof) < FAR
        return proof != UNPROVEN

    def _avoid_traps(self, avoider: Avoider, state: State, parameters: Any, seconds: float) -> Any:
        """Prune the traps among the root's moves; the parameters, with the list for the playouts if they use it."""
        graph, root = self._graph, int(self._graph.used[ROOT])
        traps = avoider.look(state, graph, root, seconds)
        if avoider.pruned and avoider.pruned != frozenset(traps.moves):
            self._new_root(state)
            root = 0
        if graph.state[root] != OPEN:
            self._give_root(state, self.game.moves(state))
        avoider.prune(graph, root, traps.moves)
        if avoider.exploit:
            moves = graph.move[choose.edges_of(graph, root)].astype(np.int64)
            avoider.favour(graph, root, state, self._rated(state, moves), seconds)
        if not parameters[TRAP_PLAYOUTS]:
            return parameters
        return with_list(parameters, int(state[TURN]), traps.similarity, traps.hard)

    def _look_again(self, avoider: Avoider, state: State, limits: Limits) -> list[Any]:
        """Where all that was searched is lost, search the pruned moves that are not proven traps: a kept list may be
        wrong, and a soft trap loses only material. The counters of that search."""
        graph, root = self._graph, int(self._graph.used[ROOT])
        avoider.note(graph, root, state)
        if graph.proof[root] >= -SURE or not avoider.pruned:
            return []
        self._exact = False  # a pruned move may hold out longer
        escapes = avoider.escapes(state)
        if not escapes:
            return []
        self._open_root(state, escapes)
        avoider.pruned = frozenset(self.game.moves(state)) - set(escapes)
        return self._run(state, limits, None, 1.0, avoid=False).counters

    def _nothing_pruned(self) -> None:
        if self._avoider:
            self._avoider.pruned = frozenset()

    def _lacks_moves(self, moves: Sequence[Any] | None) -> bool:
        return moves is not None or bool(self._avoider and self._avoider.pruned)

    # -- running ------------------------------------------------------------------------------------------------

    def _run(
        self, state: State, limits: Limits, on_progress: Callable[[Result], None] | None, every: float,
        avoid: bool = True,
    ) -> Crew:  # fmt: skip
        """Let a crew search `state`, and tell how it goes."""
        numbers, parameters = self.parameters, self._vector.copy()
        seconds = limits.seconds(numbers["time_fraction"], numbers["overhead"])
        if self._avoider and avoid:
            began = time.perf_counter()
            parameters = self._avoid_traps(self._avoider, state, parameters, seconds)
            seconds = max(seconds - (time.perf_counter() - began), 0.0)
        if limits.mate is not None:
            parameters[SOLVER] = 1.0
        self._searches += 1

        def iterations(count: int, rng: Any, counters: Any, stamps: Any) -> int:
            return self._iterate(state, count, parameters, rng, counters, stamps)

        crew = Crew(
            self._graph, iterations, limits, seconds, self._stop,
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

        try:
            crew.work(look)
        except BaseException:
            self._root = None  # some visits may never have got their results
            raise
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
        if self.parameters["checks"]:
            complete_line(self._graph, root, state, self.game)
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
            edge = choose.choose(graph, node, self._choice, self.parameters) if node >= 0 else None
            if edge is not None and graph.visits[edge] == 0 and choose.proof_of(graph, edge) == UNPROVEN:
                break
        return line

    def _result(self, state: State, counters: list[Any], seconds: float, restricted: bool = False) -> Result:
        graph, root = self._graph, int(self._graph.used[ROOT])
        tree = Tree(graph, state, self.game, self.preset.name, self.parameters, self._chess960)
        counted = [int(n) for n in sum(counters)]
        best = choose.choose(graph, root, self._choice, self.parameters)
        if self.parameters["temperature"] > 0 and best is not None and choose.proof_of(graph, best) == UNPROVEN:
            rng = np.random.default_rng([int(self.parameters["seed"]) % 2**63, self._searches])
            best = choose.sample(graph, root, self.parameters["temperature"], rng) or best
        lines = {int(e): self._line(int(e)) for e in choose.edges_of(graph, root)}
        rest = self._endgames.line_after(graph, state, lines[best]) if best is not None else []
        moves = [
            MoveStatistics(
                move=tree.move(e),
                visits=float(graph.visits[e]),
                value=choose.mean(graph, e),
                prior=max(0.0, float(graph.prior[e])) if self._select_number == PUCT else float(graph.prior[e]),
                proof_number=choose.proof_of(graph, e),
                pv=[tree.move(edge) for edge in lines[e]] + [tree.move_numbered(n) for n in rest if e == best],
            )
            for e in sorted(lines, key=lambda e: (e != best, -choose.proof_of(graph, e), -graph.visits[e], e))
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
            tbhits=counted[TABLE_HITS] + int(self._endgames.directory[HITS]),
            restricted=restricted,
            preset=self.preset.name,
            seed=int(self.parameters["seed"]),
            tree=tree,
        )
