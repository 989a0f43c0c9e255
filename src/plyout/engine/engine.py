"""The Python API: a preset, a position and limits give a result.

>>> import chess
>>> from plyout import Engine, Limits
>>> engine = Engine("mcc-combined", hash_mb=16)
>>> board = chess.Board("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1")
>>> result = engine.search(board, Limits(nodes=2000))
>>> board.san(result.move), result.proof, result.mate
('Ra8#', 'win', 1)
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import chess
import numpy as np

from plyout.engine.alphabeta import AlphaBeta, Task
from plyout.errors import InputError
from plyout.evaluate.weighted import load_weights
from plyout.evaluate.weighted import vector as weight_vector
from plyout.games import CHESS, Game, State, state_of
from plyout.games import game as game_named
from plyout.games.chess.border import check_board, to_board
from plyout.kernel.random import seeded
from plyout.knowledge.tables.probe import FAR
from plyout.engine.opening import Opening, opening_of
from plyout.parameters import BY_NAME, OPEN_AT, SHARE_JUDGEMENTS, SOLVER, TREE, WEIGHTS_AT, texts, values, vector
from plyout.presets import Preset, preset
from plyout.engine.result import Result
from plyout.search import choose
from plyout.search.aids.advice import Advisor
from plyout.search.traps.avoid import Avoider
from plyout.search.batch import Batches
from plyout.search.built_in import BUILT_IN, rule_of
from plyout.search.aids.checks import mate_of
from plyout.search.threads import Crew, Stop
from plyout.search.graph import DRAWN, PROVEN, SURE, UNPROVEN, Graph, capacity, new_graph, thin
from plyout.search.iterate import COUNTERS, ITERATIONS, JUDGED, iterate
from plyout.engine.endgames import Endgames
from plyout.search.limits import Limits
from plyout.search.proof.mate import Budget, shortest_mate
from plyout.search.proof.graft import distance
from plyout.search.root import Root, numbers_of
from plyout.search.select import BY_POINTER, PUCT, UCT, puct, uct
from plyout.search.proof.shorter import settle
from plyout.engine.summary import Summary

__all__ = ["Engine", "Stop"]

_MOST_MOVES = 1024

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
    plyout.errors.InputError: no parameter is called 'C': there are advice, ahead, ...
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
        for name in ("tables", "ahead"):  # a preset's are for chess and its evaluation: elsewhere it goes without
            other = self.game is not CHESS or (name == "ahead" and evaluator is not None)
            if other and name not in changes:
                self.parameters[name] = 0.0
        self.settings = texts(self.preset.parameters | changes)
        paths = self.settings["syzygy_path"], self.settings["gaviota_path"]
        choice = choose.rule_named(rules["choose"])
        self._until_agreed = rules["choose"] == "max-robust"
        if rules["judge"] == "playout":
            self._must_know_chess()
        self._endgames = Endgames(self.game, self.parameters["tables"], self.parameters["tables_from"], *paths)
        self._rules = {name: rule_of(self.game, name, rules[name]) for name in BUILT_IN}
        traps = self.parameters["trap_level"] or self.parameters["soft_trap"]
        self._avoider = Avoider(self.parameters, rules) if traps else None
        self._vector = np.append(vector(self.parameters), weight_vector(load_weights(weights)))
        self._batches = self._batched_by(evaluator) if evaluator is not None else None
        self._advisor = Advisor(self.game, self.parameters, self._vector[WEIGHTS_AT:])
        self._stop = Stop()
        self._prepared = False
        self._chess960 = False
        self._select_number = {uct: UCT, puct: PUCT}.get(self._rules["select"], BY_POINTER)
        self._depth_first = None
        if self.preset.search == "alphabeta":
            self._depth_first = AlphaBeta(self.preset.name, self.parameters, self.game, weights)
        self.opening: Opening | None = opening_of(self.game, self.settings["book"], self.parameters["book_use"])
        self._root = Root(self._empty_graph(), self.game, self._rules["rate"], self._vector, self.parameters)
        self._summary = Summary(
            self._root, self._endgames, self.preset.name, self.parameters, choice,
            priors_are_shares=self._select_number == PUCT,
        )  # fmt: skip
        self.new_game()

    def _empty_graph(self) -> Graph:
        """A graph of the size that was asked for, with the arrays that the system needs."""
        megabytes = 1.0 if self._depth_first else self.parameters["hash_mb"] - self._advisor.megabytes
        edges_a_node = 8.0 if self.parameters["open_at"] >= 2 else 32.0
        extras = {"rave": self.parameters["rave"] > 0, "shared": self.parameters["share"] != TREE}
        graph = new_graph(*capacity(megabytes, edges_a_node, **extras), **extras)
        return graph._replace(**self.opening.arrays()) if self.opening else graph

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

    def new_game(self, seed: int | None = None) -> None:
        """Forget everything: the next search is as the first, or as the first with another seed."""
        if seed is not None:
            self.parameters["seed"] = float(seed)
        self._root.forget()
        self._mate_is_shortest = True
        self._searches = 0
        self._advisor.forget()
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
            self._iterate(0, self.game.start(), 0, self._vector, rng, counters, np.zeros(1, np.int64))
            thin(new_graph(2, 2, shared=True))
            if self.game is CHESS:
                shortest_mate(self.game.start(), 1, Budget(1))
            if self._avoider:
                self._avoider.prepare()
            self._prepared = True

    def _iterate(
        self, thread: int, state: State, count: int, parameters: Any, rng: Any, counters: Any, stamps: Any
    ) -> int:
        """Run the kernel in a thread; to do none compiles it."""
        rules = (*self.game.rules(), self.game.check, self._select_number, self._rules["select"], self._rules["rate"])
        tables = self._endgames.rule, self._endgames.directory
        aids = *tables, mate_of(self.game), *self._advisor.arguments(thread)
        if self._batches is not None:
            return self._batches.iterate(
                self._root.graph, state, count, (*rules, *aids), parameters, rng, self._stop.flag, counters
            )
        return iterate(  # type: ignore[call-arg]
            self._root.graph, state, count, self.game.room, *rules, self._rules["judge"], *aids, parameters, rng,
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
        limits: Limits,
        *,
        moves: Sequence[chess.Move | int] | None = None,
        on_progress: Callable[[Result], None] | None = None,
        every: float = 0.25,
        stop: Stop | None = None,
        play_on: bool = False,
    ) -> Result:
        """Search a position (a board, a FEN, or a state of the engine's game) until the first limit is reached.

        `on_progress` gets the result so far, `every` so many seconds. Ctrl-C
        raises KeyboardInterrupt; `stop` ends it with a result. Only `moves` are looked at, where they are given.
        A position that is drawn by rule gets no move unless `play_on` is set: nobody may claim the draw.

        >>> Engine("mcc", hash_mb=4).search(chess.STARTING_FEN, Limits(nodes=100)).nodes
        100
        """
        state = self.state_of(position)
        self._chess960 = isinstance(position, chess.Board) and position.chess960
        self.prepare()
        self._stop = stop if stop is not None else Stop()
        self._mate_is_shortest = True
        self._endgames.begin(state)
        self._root.find(state)
        counters, began = [np.zeros(COUNTERS, np.int64)], time.perf_counter()
        ended = self.game.result(state)
        if self.opening and ended is None and moves is None:
            board = position if isinstance(position, chess.Board) else to_board(state)
            known = self.opening.move(board, limits, int(self.parameters["seed"]))
            if known is not None:
                return replace(self._result(state, counters, 0.0), move=known.move, moves=[known], book=True)
        if ended == 0.5 and play_on and self.game.moves(state):
            self._root.renew(state)
            ended = None
        if ended is None and self._depth_first:
            allowed = self.game.moves(state) if moves is None else numbers_of(self.game, state, moves, self._chess960)
            task = Task(state, allowed, moves is not None, self._chess960)
            return self._depth_first.search(task, limits, self._stop, on_progress, every)
        if ended is None:
            if moves is not None:
                numbers = numbers_of(self.game, state, moves, self._chess960)
                self._root.renew(state)
                self._root.open(state, numbers)
            if not self._settled_by_tables(state):
                limits = limits.for_iterations()
                counters = self._run(state, limits, on_progress, every).counters
                if self._avoider:
                    spent = np.sum(counters, axis=0)
                    left = limits.after(int(spent[ITERATIONS]), int(spent[JUDGED]), time.perf_counter() - began)
                    counters += self._look_again(self._avoider, state, left)
        else:
            self._root.graph.proof[self._root.node] = DRAWN if ended == 0.5 else PROVEN if ended > 0.5 else -PROVEN
        self.counters = counters  # of the last search, a row a thread: see `plyout.search.iterate`
        restricted = moves is not None or bool(self._root.pruned)
        result = self._result(state, counters, time.perf_counter() - began, restricted)
        if moves is not None:
            self._root.forget()  # the graph knows only some moves: it is of no use to the next search
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

    def _settled_by_tables(self, state: State) -> bool:
        """Whether tables tell all about the root: its moves are then proven, and nothing needs to be searched."""
        if not self._endgames.know(state):
            return False
        moves = [int(move) for move in self._root.graph.move[self._root.edges]] or self.game.moves(state)
        self._root.renew(state)
        proof = self._endgames.prove_moves(self._root.graph, state, moves)
        self._mate_is_shortest = abs(proof) <= SURE or distance(proof) < FAR
        return proof != UNPROVEN

    def _look_again(self, avoider: Avoider, state: State, limits: Limits) -> list[Any]:
        """Where all that was searched is lost, search the moves that were pruned and may not be; the counters of that
        search."""
        avoider.note(self._root, state)
        if not avoider.in_doubt(self._root):
            return []
        self._mate_is_shortest = False  # a pruned move may hold out longer
        return self._run(state, limits, None, 1.0, avoid=False).counters if avoider.escape(self._root, state) else []

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
            parameters = self._avoider.begin(self._root, state, parameters, seconds)
            seconds = max(seconds - (time.perf_counter() - began), 0.0)
        if limits.mate is not None:
            parameters[SOLVER] = 1.0
        self._searches += 1

        def iterations(thread: int, count: int, rng: Any, counters: Any, stamps: Any) -> int:
            return self._iterate(thread, state, count, parameters, rng, counters, stamps)

        crew = Crew(
            self._root.graph, iterations, limits, seconds, self._stop,
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
            self._root.forget()  # some visits may never have got their results
            raise
        if parameters[SOLVER] and abs(self._root.proof) > SURE:
            left, by_checks = crew.deadline - time.perf_counter(), bool(numbers["checks"])
            self._mate_is_shortest = settle(self._root, state, left, hurry=bool(self._stop), by_checks=by_checks)
        if parameters[SOLVER] != self._vector[SOLVER]:
            self._root.forget()  # its proofs are not of this preset's making
        return crew

    def _result(self, state: State, counters: list[Any], seconds: float, restricted: bool = False) -> Result:
        return self._summary.result(
            state, counters, seconds, self._searches, self._chess960, self._mate_is_shortest, restricted
        )
