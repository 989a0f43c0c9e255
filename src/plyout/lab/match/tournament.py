"""Many games: who meets whom, where each game begins, and which are still to be played.

Games are numbered once and for all by the plan: pair p is games 2p and 2p + 1, the same opening with colours swapped,
so a run that was ended knows what is missing, and a longer one goes on from a shorter.
"""

import hashlib
import itertools
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

from plyout.errors import InputError
from plyout.lab.match.conditions import Conditions
from plyout.lab.match.openings import Opening, openings
from plyout.lab.match.players import Spec, counts_evaluations, specs_of
from plyout.lab.match.results import Results
from plyout.lab.match.store import Store
from plyout.lab.match.work import GameWork, Played, Task
from plyout.lab.record import Game
from plyout.lab.run.drive import Runner, drive
from plyout.lab.run.local import LocalRunner
from plyout.lab.run.work import Done

P = TypeVar("P")


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
        runner: Runner | None = None,
        enough: Callable[[Results], bool] = lambda results: False,
        log: Callable[[str], None] = lambda line: None,
        batches: Iterable[Iterable[int]] | None = None,
    ) -> None:
        """`batches` are the numbers of the games that are played, and their order; all of the plan's if not given.
        The next is asked for when all games of those before are in the store."""
        self._runner = runner or LocalRunner()
        if self._runner.concurrency != 1 and any(spec.engine is not None for spec in plan.players):
            raise InputError("an Engine object plays one game at a time, in this process: name presets for more")
        self.plan, self._store = plan, store
        self._enough, self._log = enough, log
        self.on_game: Callable[[Game, Results], None] = lambda game, results: None
        self._games = store.games()
        there = store.numbers()
        if there and max(there) >= plan.total:
            raise InputError(f"{store.path} has {max(there) + 1} games: --games must be at least as many")
        self.resumed = len(there)
        self._batches = iter([range(plan.total)] if batches is None else batches)
        self._missing: deque[int] = deque()
        self._under_way: set[int] = set()
        self._finishing = bool(self._games) and enough(self.results)  # only the pairs under way are still played

    @property
    def results(self) -> Results:
        return Results([spec.name for spec in self.plan.players], self._games)

    def run(self) -> Results:
        """Play what is missing. Ctrl-C ends it with what is in the store."""
        conditions = self.plan.conditions
        drive(GameWork(self.plan.players, conditions.control, conditions.rules), self, self._runner, self._log)
        return self.results

    def take(self) -> list[Task]:
        """The next pair, or the game of it that is missing."""
        if self._finishing:
            return []
        while not self._missing:
            batch = None if self._under_way else next(self._batches, None)
            if batch is None:
                return []
            there = self._store.numbers()
            self._missing.extend(number for number in batch if number not in there)
        pair = self._missing[0] // 2
        if not self.plan.ready(self._missing[0]):
            return []
        numbers = []
        while self._missing and self._missing[0] // 2 == pair:
            numbers.append(self._missing.popleft())
        self._under_way.update(numbers)
        return [self.plan.task(number) for number in numbers]

    def keep(self, done: Sequence[Done[Task, Played]]) -> None:
        new = [one for one in done if one.task.number in self._under_way]  # it counts once, whoever else has played it
        if not new:
            return
        games = {one.task.number: one.result[0] for one in new}
        self._store.add(games)
        self._under_way -= games.keys()
        self._games.extend(games.values())
        for one in new:
            game, detail = one.result
            on = f" on {one.where}" if one.where else ""
            words = f"{game.white} v {game.black} {game.result} {detail} ({game.plies} plies){on}"
            self._log(f"game {one.task.number + 1}: {words}")
            self.on_game(game, self.results)
        self._finishing = self._finishing or self._enough(self.results)
