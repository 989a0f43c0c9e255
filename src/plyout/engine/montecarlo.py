"""The Monte-Carlo searcher: a graph that grows from search to search, and what the preset adds to it."""

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from plyout.engine.compiling import Parts, compile_parts
from plyout.engine.endgames import Endgames
from plyout.engine.history import Recorder
from plyout.engine.networks import networks_of
from plyout.engine.opening import Opening
from plyout.engine.result import Result
from plyout.engine.summary import Progress, Summary
from plyout.engine.system import System
from plyout.engine.task import Task
from plyout.errors import InputError
from plyout.evaluate.weighted import load_weights, vector
from plyout.games import CHESS, Game, State
from plyout.games.contract import CHECK, LEGAL, OUTCOME, PLAY, REPEATS
from plyout.kernel.pointers import address
from plyout.kernel.random import seeded
from plyout.knowledge.tables.probe import FAR, HITS
from plyout.parameters import BY_NAME, TREE, Parameters, Values, for_kernels
from plyout.playout.scratch import new_scratch
from plyout.search import choose
from plyout.search.aids.advice import Advisor
from plyout.search.aids.breadth import search_in_breadth, worst_reply
from plyout.search.batch import Batches
from plyout.search.built_in import BUILT_IN, rule_of
from plyout.search.compact import prune
from plyout.search.graph import PROVEN, SURE, UNPROVEN, Graph, capacity, new_graph
from plyout.search.iterate import iterate
from plyout.search.limits import Limits
from plyout.search.own import complaint
from plyout.search.pace import pace_of
from plyout.search.proof.checking import mate_of, no_mate
from plyout.search.proof.graft import distance
from plyout.search.proof.hunt import Hunt, attend, prepare_hunt
from plyout.search.proof.mate import ENDLESS, Budget
from plyout.search.proof.shorter import shorten_mate
from plyout.search.root import Root
from plyout.search.rules import (
    BY_ADDRESS, EVALUATE, LOOK_AHEAD, MATE, PRIOR, PROBE, PUCT, SELECT, UCT, Rules,
)  # fmt: skip
from plyout.search.select import puct, uct
from plyout.search.threads import SearchThreads
from plyout.search.traps.avoid import Avoider
from plyout.search.workspace import COUNTERS, EVALUATED, ITERATIONS, TABLE_HITS, Workspace, new_workspace

_AT_LEAST = 64  # iterations, and two for each move, before a stop takes effect
_STREAMS = 1024  # of random numbers for each search, one a thread


class MonteCarlo:
    """A searcher with a memory: consecutive positions of one game reuse its graph."""

    def __init__(self, system: System, opening: Opening | None) -> None:
        game, rules, numbers, texts = system.game, system.rules, system.numbers, system.texts
        self._system, self._game = system, game
        self._choice = choose.rule_named(rules["choose"])
        self._until_agreed = rules["choose"] == "max-robust"
        if rules["evaluate"] == "playout":
            _must_know_chess(game, numbers)
        self._endgames = Endgames(
            game, numbers["tables"], numbers["tables_from"], texts["syzygy_path"], texts["gaviota_path"]
        )
        self._networks = networks_of(system)
        networked = {"evaluate": self._networks.evaluate, "prior": self._networks.has("policy")}
        self._kernels = {
            name: rule_of(game, name, rules[name], system.checked, networked.get(name, False)) for name in BUILT_IN
        }
        self._avoider = Avoider(numbers, rules) if numbers["trap_level"] or numbers["soft_trap"] else None
        self._batches = _batches(game, system.evaluator, numbers) if system.evaluator is not None else None
        fitted = vector(load_weights(system.weights))
        networks = self._networks
        self._advisor = Advisor(game, numbers, fitted, networks.address("value"), networks.accumulators)
        self._mate = mate_of(game) if numbers["checks"] else no_mate
        self.root = Root(_empty_graph(numbers, self._advisor.megabytes, opening), game, numbers)
        self._workspaces = [
            new_workspace(
                game,
                new_scratch(
                    self._endgames.directory,
                    numbers["rave"] > 0,
                    fitted if numbers["weighted"] else (),
                    accumulators=self._networks.accumulators,
                ),
                stack,
                self._advisor.table,
            )
            for stack in self._advisor.stacks
        ]
        self._rules: Rules | None = None
        self._begin_game(numbers)

    def new_game(self, numbers: Values) -> None:
        """Forget everything; the seed among the parameters may be another."""
        self._begin_game(numbers)
        self._advisor.forget()
        if self._avoider:
            self._avoider.forget(int(numbers["seed"]))

    def _begin_game(self, numbers: Values) -> None:
        self._numbers = numbers
        self._parameters = self._for_kernels(numbers)
        self._summary = Summary(self.root, self._endgames, self._system, self._choice, numbers)
        self._searches = 0
        self._mate_is_shortest = True
        self._no_mate_in: int | None = None
        if self._batches is not None:
            self.root.prior = partial(_prior_by, self._batches, numbers["policy"])
        else:
            self.root.prior = _prior_of(self._kernels["prior"], self._parameters, self._system)
        self.root.forget()

    def _for_kernels(self, numbers: Values) -> Parameters:
        made = self._networks.told_to(for_kernels(numbers))
        if self._batches is None:
            return made
        alone = made.loop._replace(open_at=np.inf, expansions=np.int64(1))  # the evaluator opens nodes, none by itself
        return made._replace(loop=alone)

    def prepare(self) -> None:
        """Compile, or load, everything that a search needs."""
        if self._rules is None:
            compile_parts(self.parts(), self._system)
            self.root.graph.table[:] = 0  # the first touch of so much memory takes time: not that of the first move
            self._rules = self._addresses()

    def parts(self) -> Parts:
        """What a search needs, kernel by kernel."""
        game, kernels, numbers = self._game, self._kernels, self._numbers
        nowhere = Rules(*(np.int64(0),) * len(Rules._fields))
        parts: dict[str, Callable[[], object]] = {
            "iterate": lambda: self._iterate(nowhere, game.start(), 0, self._workspaces[0], self._parameters),
            "look_ahead": lambda: address(self._advisor.rule, LOOK_AHEAD),
            "evaluate": lambda: address(kernels["evaluate"], EVALUATE),
            "prior": lambda: address(kernels["prior"], PRIOR),
            "mate": lambda: address(self._mate, MATE),
            "endgames": self._endgames.prepare,
        }
        if numbers["solver"]:
            parts["shorter_mates"] = self._prepare_mates
        if self._avoider:
            parts["traps"] = self._avoider.prepare
        if numbers["top_bfs"]:
            none, p = np.empty(0, np.int64), self._parameters.leaf
            parts["breadth"] = lambda: worst_reply(game.start(), none, 0.0, 0, none, nowhere, self._workspaces[0], p)
        return parts | {
            "select": lambda: address(kernels["select"], SELECT),
            "prune": lambda: prune(new_graph(2, 2, shared=True)),
            "game": lambda: (game.result(game.start()), game.after(game.start(), game.moves(game.start())[0])),
            "random": lambda: seeded(np.int64(1), np.int64(1)),
        }

    def _addresses(self) -> Rules:
        game, kernels = self._game, self._kernels
        return Rules(
            legal=address(game.legal, LEGAL),
            play=address(game.play, PLAY),
            outcome=address(game.outcome, OUTCOME),
            check=address(game.check, CHECK),
            repeats=address(game.repeats, REPEATS),
            selection={uct: UCT, puct: PUCT}.get(kernels["select"], BY_ADDRESS),
            select=address(kernels["select"], SELECT),
            prior=address(kernels["prior"], PRIOR),
            evaluate=address(kernels["evaluate"], EVALUATE),
            probe=address(self._endgames.rule, PROBE),
            mate=address(self._mate, MATE),
            look_ahead=address(self._advisor.rule, LOOK_AHEAD),
        )

    def _prepare_mates(self) -> None:
        """Compile, or load, the search for shorter mates."""
        if self._game is CHESS:
            prepare_hunt()

    def _iterate(self, rules: Rules, state: State, iterations: int, work: Workspace, parameters: Parameters) -> int:
        """Run the kernel; to do no iterations compiles it."""
        run = iterate if self._batches is None else self._batches.iterate
        try:
            return run(self.root.graph, state, np.int64(iterations), rules, work, parameters)
        except Exception as error:
            raise complaint(error, self._system.own) from error

    def search(self, task: Task) -> Result:
        if task.limits.mate is not None:
            self._prepare_mates()
        began = time.perf_counter()
        state = task.state
        self._mate_is_shortest, self._no_mate_in = True, None
        timed = task.limits.clock is not None or task.limits.movetime is not None
        self._recorder = Recorder(self.root, began, task.watch, timed)
        self._endgames.begin(state)
        self.root.find(state)
        if task.drawn_by_rule or task.moves is not None:
            self.root.renew(state)
        if task.moves is not None:
            self.root.open(state, task.moves)
        workspaces = self._begun(task)
        if not self._settled_by_tables(state):
            limits = task.limits.for_iterations()
            self._run(task, limits, workspaces)
            if self._avoider:
                workspaces += self._search_again(self._avoider, task, limits, workspaces, began)
        restricted = task.moves is not None or bool(self.root.pruned)
        seconds = time.perf_counter() - began
        self._recorder.finish(sum(int(work.counters[ITERATIONS]) for work in workspaces), seconds)
        found = Progress(self._searches, workspaces, seconds, self._recorder, self._mate_is_shortest, restricted)
        result = replace(self._summary.result(task, found), no_mate_in=self._no_mate_in)
        if task.moves is not None:
            self.root.forget()  # the graph knows only some moves: it is of no use to the next search
        return result

    def _begun(self, task: Task) -> list[Workspace]:
        """The workspaces as a search begins with them: nothing counted yet, and its own switch to stop it."""
        begun = []
        for work in self._workspaces:
            work.scratch.directory[:] = self._endgames.directory
            work.scratch.directory[HITS] = 0
            work.stamps[:] = 0
            begun.append(work._replace(counters=np.zeros(COUNTERS, np.int64), stop=task.stop.flag))
        return begun

    def _settled_by_tables(self, state: State) -> bool:
        """Whether tables tell all about the root: its moves are then proven, and nothing needs to be searched."""
        if not self._endgames.know(state):
            return False
        moves = [int(move) for move in self.root.graph.edges["move"][self.root.edges]] or self._game.moves(state)
        self.root.renew(state)
        proof = self._endgames.prove_moves(self.root.graph, state, moves)
        self._mate_is_shortest = abs(proof) <= SURE or distance(proof) < FAR
        return proof != UNPROVEN

    def _search_again(
        self, avoider: Avoider, task: Task, limits: Limits, before: list[Workspace], began: float
    ) -> list[Workspace]:
        """Where all that was searched is lost, search the moves that were pruned and may not be; the workspaces of that
        search."""
        avoider.note(self.root, task.state)
        if not avoider.in_doubt(self.root):
            return []
        self._mate_is_shortest = False  # a pruned move may hold out longer
        if not avoider.escape(self.root, task.state, task.stop):
            return []
        spent = np.sum([work.counters for work in before], axis=0)
        left = limits.after(int(spent[ITERATIONS]), int(spent[EVALUATED]), time.perf_counter() - began)
        again = self._begun(task)
        self._recorder.go_on(int(spent[ITERATIONS]))
        self._run(task, left, again, avoid=False)
        return again

    def _begin_in_breadth(self, task: Task, limits: Limits, seconds: float, work: Workspace) -> tuple[Limits, float]:
        """Search two plies in breadth, with half of what the search has at most; what is left of it."""
        assert self._rules is not None
        began, rules, playouts = time.perf_counter(), self._rules, int(self._numbers["top_bfs"])
        budget = Budget(min(limits.nodes or ENDLESS, limits.playouts or ENDLESS) // 2)

        def worst(state: State, replies: Any, alpha: float) -> float:
            try:
                return worst_reply(state, replies, alpha, playouts, budget.left, rules, work, self._parameters.leaf)
            except Exception as error:
                raise complaint(error, self._system.own) from error

        enough = budget.left[0] >= playouts * len(self._game.moves(task.state))
        if enough and not task.stop:
            in_breadth = partial(search_in_breadth, self.root, task.state, playouts, worst)
            attend(in_breadth, budget, task.stop, began + seconds / 2)
        done = int(work.counters[EVALUATED])
        return (limits.after(done, done, 0.0) if done else limits), max(seconds - (time.perf_counter() - began), 0.0)

    def _run(self, task: Task, limits: Limits, workspaces: list[Workspace], avoid: bool = True) -> None:
        """Let threads search the root until a limit is reached, and tell how it goes."""
        assert self._rules is not None, "prepare() comes before a search"
        numbers, parameters, rules = self._numbers, self._parameters, self._rules
        seconds = limits.seconds(numbers["time_fraction"], numbers["overhead"])
        if self._avoider and avoid:
            began = time.perf_counter()
            traps = self._avoider.begin(self.root, task.state, seconds, task.stop)
            workspaces[:] = [w._replace(scratch=w.scratch._replace(traps=traps)) for w in workspaces]
            seconds = max(seconds - (time.perf_counter() - began), 0.0)
        self._searches += 1
        for thread, work in enumerate(workspaces):
            stream = np.int64(_STREAMS * self._searches + thread)
            work.scratch.rng[0] = seeded(np.int64(numbers["seed"]), stream)
        if numbers["top_bfs"] and self.root.proof == UNPROVEN:
            limits, seconds = self._begin_in_breadth(task, limits, seconds, workspaces[0])
        pace = pace_of(limits, seconds, numbers["pace"], numbers["overhead"])
        if limits.mate is not None:
            parameters = self._for_kernels({**numbers, "solver": 1.0})
        moves = task.moves or self._game.moves(task.state)
        at_least = max(_AT_LEAST, 2 * len(moves))
        threads = SearchThreads(
            self.root.graph, workspaces, limits, pace, task.stop, self._until_agreed, at_least=at_least,
            batch=1 if self._batches is None else int(numbers["batch"]),
        )  # fmt: skip
        hunt = Hunt(self._game, task.state, moves, limits.mate or 0)
        reported = threads.began

        def report(now: float) -> None:
            nonlocal reported
            if task.on_progress is not None and now - reported >= task.every:
                reported = now
                with threads.gate:
                    progress = Progress(self._searches, workspaces, now - threads.began, self._recorder)
                    so_far = self._summary.result(task, progress)
                    if task.watch is not None:
                        task.watch(so_far.nodes, self.root.graph, self.root.node)
                task.on_progress(so_far)

        def work_on(count: int, work: Workspace) -> int:
            return self._iterate(rules, task.state, count, work, parameters)

        try:
            with hunt:
                threads.run(work_on, report, lambda: hunt.decided, self._recorder)
            if hunt.plies and not hunt.prove(self.root.graph, self.root.node, task.stop, threads.deadline):
                threads.run(work_on, report, marks=self._recorder)  # it was none by the rules
        except BaseException:
            self.root.forget()  # some visits may never have got their results
            raise
        for work in workspaces:
            work.counters[TABLE_HITS] += work.scratch.directory[HITS]
            work.scratch.directory[HITS] = 0
        if parameters.loop.solver and abs(self.root.proof) > SURE:
            left, by_checks = threads.deadline - time.perf_counter(), bool(numbers["checks"])
            exact = hunt.plies > 0 and self.root.proof == PROVEN - hunt.plies
            self._mate_is_shortest = exact or shorten_mate(self.root, task.state, left, task.stop, by_checks)
        self._no_mate_in = limits.mate if hunt.refuted else None
        if parameters.loop.solver != self._parameters.loop.solver:
            self.root.forget()  # its proofs are not of this preset's making


def _empty_graph(numbers: Values, megabytes_aside: float, opening: Opening | None) -> Graph:
    """A graph of the size that was asked for, with the arrays that the system needs."""
    edges_a_node = 8.0 if numbers["open_at"] >= 2 and numbers["expansions"] == 1 else 32.0
    extras = {"rave": numbers["rave"] > 0, "shared": numbers["share"] != TREE}
    graph = new_graph(*capacity(numbers["hash_mb"] - megabytes_aside, edges_a_node, **extras), **extras)
    return graph._replace(book=opening.records()) if opening else graph


def _prior_of(rule: Any, parameters: Parameters, system: System) -> Callable[[State, Any], Any]:
    """The prior rule as the root asks it. It does not know the searcher: that would keep a graph nobody uses alive."""

    def prior(state: State, moves: Any) -> Any:
        scores = np.zeros(len(moves))
        try:
            rule(state, moves, len(moves), scores, parameters.expansion)
        except Exception as error:
            raise complaint(error, system.own) from error
        return scores

    return prior


def _prior_by(batches: Batches, policy: float, state: State, moves: Any) -> Any:
    """The same by an evaluator: scores of which the softmax, where the root makes one, is what it said."""
    priors = batches.priors(state, moves)
    return 100 * policy * np.log(np.maximum(priors, 1e-30)) if policy > 0 else priors


def _batches(game: Game, evaluator: Any, numbers: Values) -> Batches:
    """Leaves go to `evaluator`, which opens them, too."""
    if not callable(evaluator):
        raise InputError("an evaluator is called with positions and returns values and priors: it must be callable")
    if numbers["threads"] > 1:
        raise InputError("with an evaluator of your own, threads is 1")
    if numbers["rave"] > 0:
        raise InputError("with an evaluator of your own there are no playouts, and so no rave")
    if numbers["top_bfs"]:
        raise InputError("with an evaluator of your own there are no playouts, and so no top_bfs")
    if numbers["blind"]:
        raise InputError("an evaluator of your own gets no finished games: leave blind at 0")
    return Batches(game, evaluator, int(numbers["batch"]))


def _must_know_chess(game: Game, numbers: Values) -> None:
    """Playouts with knowledge know chess only: elsewhere they would be plain ones under another name."""
    if game is CHESS:
        return
    for name in ("greedy", "decisive", "anti_decisive", "draw_repeats", "trap_level", "soft_trap", "play_on"):
        if numbers[name] != BY_NAME[name].default:
            raise InputError(f"{name} is for chess only: in {game.name} try the preset 'mcc' or 'mcc-solver'")
