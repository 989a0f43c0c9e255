"""Many games: who meets whom, where each game begins, and the threads that play them.

Games are numbered once and for all by the plan: pair p is games 2p and 2p + 1, the same opening with colours swapped,
so a run that was ended knows what is missing, and a longer one goes on from a shorter.
"""

import contextlib
import hashlib
import itertools
import queue
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple, TypeVar

import chess.syzygy

from plyout.errors import InputError
from plyout.lab.match.conditions import Conditions
from plyout.lab.match.game import Halted, Rules, Seat, play
from plyout.lab.match.openings import Opening, openings
from plyout.lab.match.players import Player, Spec, counts_evaluations, open_player, specs_of
from plyout.lab.match.results import Results
from plyout.lab.match.store import Store
from plyout.lab.record import Game

P = TypeVar("P")
_WAIT = 0.01  # seconds until somebody looks again whether a game can begin
_SWITCH = 0.0005  # seconds after which a Python thread gives way: a move that has come should not wait to be seen


class Task(NamedTuple):
    """One game of a plan."""

    number: int
    pair: int
    white: Spec
    black: Spec
    opening: Opening


def pairings(players: Sequence[P], kind: str) -> list[tuple[P, P]]:
    """Who meets whom: everybody each other player, or in a gauntlet the first each of the others."""
    if kind == "gauntlet":
        return [(players[0], other) for other in players[1:]]
    return list(itertools.combinations(players, 2))


@dataclass(frozen=True)
class Plan:
    """Which games are played, and how."""

    players: Sequence[Spec]
    conditions: Conditions
    openings: Sequence[Opening]

    def __post_init__(self) -> None:
        if len(self.players) < 2:
            raise InputError("it takes two engines at least: --engine A --engine B")
        for spec in self.players:
            control = spec.control or self.conditions.control
            if control.evaluations is not None and not counts_evaluations(spec):
                raise InputError(
                    f"{spec.name} cannot be limited by evaluations: give it a limit of its own, as in "
                    f"{spec.text}{'&' if '?' in spec.text else '?'}nodes=10000"
                )

    @classmethod
    def of(cls, engines: Iterable[Any], conditions: Conditions) -> "Plan":
        """The plan of `engines`, texts or `Engine` objects, with their openings in the order of the seed."""
        return cls(specs_of(engines), conditions, openings(conditions.book, conditions.variant, conditions.seed))

    @property
    def pairings(self) -> list[tuple[Spec, Spec]]:
        return pairings(self.players, self.conditions.kind)

    @property
    def total(self) -> int:
        return self.conditions.games * len(self.pairings)

    def task(self, number: int) -> Task:
        """The game of a number; all pairings play the same openings, one after the other."""
        pair = number // 2
        round_, pairing = divmod(pair, len(self.pairings))
        first, second = self.pairings[pairing]
        white, black = (second, first) if number % 2 else (first, second)
        return Task(number, pair, white, black, self.openings[round_ % len(self.openings)])

    def ready(self, number: int) -> bool:
        """Whether a game can begin: not before the results are there that decide who plays it, if any do."""
        return True

    def settings(self) -> dict[str, Any]:
        """What must be the same for a run to go on; only the number of games may grow."""
        lines = "\n".join(f"{o.fen} {' '.join(m.uci() for m in o.moves)}" for o in self.openings)
        digest = hashlib.sha256(lines.encode()).hexdigest()[:12]
        conditions = self.conditions
        rules = conditions.rules
        return {
            "engines": [spec.text for spec in self.players],
            "names": [spec.name for spec in self.players],
            "kind": conditions.kind,
            "time control": str(conditions.control),
            "openings": f"{conditions.book} ({len(self.openings)}, {digest})",
            "seed": conditions.seed,
            "variant": rules.variant,
            "adjudication": {k: v for k, v in asdict(rules.adjudication).items() if v is not None},
            "margin": rules.margin,
            "patience": rules.patience,
        }


class Run:
    """A plan being carried out. `run` plays until all games are in the store, `enough` says so, or it is ended."""

    def __init__(
        self,
        plan: Plan,
        store: Store,
        concurrency: int = 1,
        enough: Callable[[Results], bool] = lambda results: False,
        log: Callable[[str], None] = lambda line: None,
        numbers: Iterable[int] | None = None,
    ) -> None:
        """`numbers` are the games of the plan that are played, and their order; all of them if it is not given."""
        if concurrency > 1 and any(spec.engine is not None for spec in plan.players):
            raise InputError("an Engine object plays one game at a time: concurrency must be 1, or name presets")
        self.plan, self._store, self._concurrency = plan, store, concurrency
        self._enough, self._log = enough, log
        self.on_game: Callable[[Game, Results], None] = lambda game, results: None
        self._games = store.games()
        there = store.numbers()
        if there and max(there) >= plan.total:
            raise InputError(f"{store.path} has {max(there) + 1} games: --games must be at least as many")
        self._missing = deque(n for n in (range(plan.total) if numbers is None else numbers) if n not in there)
        self.resumed = len(there)
        self._next = threading.Lock()
        self._halted = threading.Event()  # now
        self._finishing = threading.Event()  # when the pairs under way have ended
        self._ended: queue.Queue[tuple[Task, Game, str] | BaseException | None] = queue.Queue()
        self._seated: set[Player] = set()

    @property
    def results(self) -> Results:
        return Results([spec.name for spec in self.plan.players], self._games)

    def run(self) -> Results:
        """Play what is missing. Ctrl-C ends it with what is in the store."""
        if not self._missing or (self._games and self._enough(self.results)):
            return self.results
        self._try_out()
        threads = [threading.Thread(target=self._work, daemon=True) for _ in range(self._concurrency)]
        interval = sys.getswitchinterval()
        sys.setswitchinterval(_SWITCH)
        try:
            with self._tables() as rules:
                self._rules = rules
                for thread in threads:
                    thread.start()
                self._collect(len(threads))
        finally:
            self._halt(threads)
            sys.setswitchinterval(interval)
        return self.results

    def _try_out(self) -> None:
        """Seat every player once, so that a wrong option or a missing program is told before the first game."""
        for spec in self.plan.players:
            player = open_player(spec, self.plan.conditions.rules.variant)
            try:
                player.prepare()
            finally:
                player.close()

    @contextlib.contextmanager
    def _tables(self) -> Iterator[Rules]:
        """The rules with the adjudication's tables open, if there are any."""
        rules = self.plan.conditions.rules
        if rules.adjudication.tables is None:
            yield rules
        else:
            with chess.syzygy.open_tablebase(rules.adjudication.tables) as tables:
                yield replace(rules, tables=tables)

    def _collect(self, working: int) -> None:
        """Store the games as they end, until no thread works any more."""
        while working:
            try:
                ended = self._ended.get(timeout=0.5)  # Ctrl-C is heard in between, on every system
            except queue.Empty:
                continue
            if ended is None:
                working -= 1
            elif isinstance(ended, BaseException):
                raise ended
            else:
                self._keep(*ended)

    def _keep(self, task: Task, game: Game, detail: str) -> None:
        self._store.add(task.number, game)
        self._games.append(game)
        self._log(f"game {task.number + 1}: {game.white} v {game.black} {game.result} {detail} ({game.plies} plies)")
        self.on_game(game, self.results)
        if self._enough(self.results):
            self._finishing.set()

    def _halt(self, threads: list[threading.Thread]) -> None:
        """End what is going on. Players are told again and again: one may just have been about to begin."""
        self._halted.set()
        while any(thread.is_alive() for thread in threads):
            for player in tuple(self._seated):
                player.stop()
            time.sleep(0.02)

    # -- the work of a thread -----------------------------------------------------------------------------------

    def _work(self) -> None:
        players: dict[tuple[str, str], Player] = {}
        try:
            while (task := self._task()) is not None:
                seats = self._seats(task, players)
                played = play(*seats, task.opening, self._rules, task.pair, self._halted.is_set)
                self._ended.put((task, *played))
        except Halted:
            pass
        except BaseException as error:
            self._ended.put(error)
        finally:
            for player in players.values():
                self._dismiss(player)
            self._ended.put(None)

    def _task(self) -> Task | None:
        with self._next:
            if self._halted.is_set() or not self._missing:
                return None
            if self._finishing.is_set() and self._missing[0] % 2 == 0:  # the second game of a pair is still played
                return None
            while not self.plan.ready(self._missing[0]):
                if self._halted.wait(_WAIT):
                    return None
            return self.plan.task(self._missing.popleft())

    def _seats(self, task: Task, players: dict[tuple[str, str], Player]) -> tuple[Seat, Seat]:
        """The two players of a game; those who do not play it leave, that no more memory is held than is used."""
        both = {(spec.name, spec.text): spec for spec in (task.white, task.black)}
        for one in players.keys() - both:
            self._dismiss(players.pop(one))
        for one, spec in both.items():
            if one not in players:
                players[one] = open_player(spec, self.plan.conditions.rules.variant)
                self._seated.add(players[one])
        white, black = (
            Seat(spec.name, players[one], spec.control or self.plan.conditions.control) for one, spec in both.items()
        )
        return white, black

    def _dismiss(self, player: Player) -> None:
        self._seated.discard(player)
        player.close()
