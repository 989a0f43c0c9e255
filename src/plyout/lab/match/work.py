"""Games as tasks: who sits down at a board, on whatever machine, and gets up again."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from threading import Event
from typing import NamedTuple

import chess.syzygy

from plyout.lab.match.belongings import cores_of, moved, things_of
from plyout.lab.match.game import Rules, Seat, play
from plyout.lab.match.openings import Opening
from plyout.lab.match.players import Player, Spec, open_player
from plyout.lab.match.timecontrol import TimeControl
from plyout.lab.record import Game
from plyout.lab.run.work import Here, Thing


class Task(NamedTuple):
    """One game of a plan."""

    number: int
    pair: int
    white: Spec
    black: Spec
    opening: Opening


Played = tuple[Game, str]
"""A game, and how it ended in a few words."""


@dataclass(frozen=True)
class GameWork:
    """Games of `players`, who have `control` unless they have their own."""

    players: Sequence[Spec]
    control: TimeControl
    rules: Rules

    @property
    def cores(self) -> int:
        return max(map(cores_of, self.players))  # one of the two thinks

    def things(self) -> list[Thing]:
        found = [thing for spec in self.players for thing in things_of(spec)]
        if self.rules.adjudication.tables is not None:
            found.append(Thing("folder", self.rules.adjudication.tables))
        return list(dict.fromkeys(found))

    def prepare(self, here: Here) -> None:
        """Seat every player once, so that a wrong option or a missing program is told before the first game."""
        for spec in self.players:
            player = open_player(moved(spec, here.places), self.rules.variant)
            try:
                player.prepare()
            finally:
                player.close()

    def worker(self, here: Here) -> "GameWorker":
        return GameWorker(self, here)


class GameWorker:
    """A board with two chairs."""

    def __init__(self, work: GameWork, here: Here) -> None:
        self._work, self._here = work, here
        self._rules: Rules | None = None
        self._players: dict[tuple[str, str], Player] = {}
        self._halted = Event()
        self._open = ExitStack()

    def do(self, task: Task) -> Played:
        if self._rules is None:
            self._rules = self._with_tables(self._work.rules)
        return play(*self._seats(task), task.opening, self._rules, task.pair, self._halted.is_set)

    def _with_tables(self, rules: Rules) -> Rules:
        """The rules with the adjudication's tables open, if there are any."""
        if rules.adjudication.tables is None:
            return rules
        tables = self._open.enter_context(chess.syzygy.open_tablebase(rules.adjudication.tables))
        return replace(rules, tables=tables)

    def _seats(self, task: Task) -> tuple[Seat, Seat]:
        """The two players of a game; those who do not play it leave, that no more memory is held than is used."""
        both = {(spec.name, spec.text): spec for spec in (task.white, task.black)}
        for one in self._players.keys() - both:
            self._players.pop(one).close()
        for one, spec in both.items():
            if one not in self._players:
                self._players[one] = open_player(moved(spec, self._here.places), self._work.rules.variant)
        white, black = (
            Seat(spec.name, self._players[one], (spec.control or self._work.control).scaled(self._here.pace))
            for one, spec in both.items()
        )
        return white, black

    def stop(self) -> None:
        self._halted.set()
        for player in tuple(self._players.values()):
            player.stop()

    def close(self) -> None:
        for player in self._players.values():
            player.close()
        self._open.close()
