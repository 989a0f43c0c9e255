"""What came of a match or tournament: the players' scores, and who lost a game otherwise than on the board."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from plyout.in_notebooks import InNotebooks
from plyout.lab.record import FAULT_KEYS, FAULTS, Game
from plyout.lab.statistics.estimate import Estimate, estimate


@dataclass(frozen=True)
class Results(InNotebooks):
    """Games, and the players in the order they were named."""

    players: Sequence[str]
    games: Sequence[Game]

    def of(self, player: str) -> Estimate:
        """A player's score against all it met."""
        return estimate(self.games, player)

    def against(self, player: str, other: str) -> Estimate:
        """A player's score against one other."""
        return estimate([g for g in self.games if {g.white, g.black} == {player, other}], player)

    def faults(self, player: str | None = None) -> dict[str, int]:
        """How many games a player, or anybody, lost by each fault."""
        count = Counter(g.reason for g in self.games if player in (None, g.loser))
        return {key: count[reason] for reason, key in FAULT_KEYS.items()}

    def fault_words(self, player: str | None = None) -> str:
        """The same for people: ``2 time losses, 1 crashes``; nothing where nobody is at fault."""
        count = self.faults(player)
        return ", ".join(f"{count[FAULT_KEYS[r]]} {words}" for r, words in FAULTS.items() if count[FAULT_KEYS[r]])

    def endings(self) -> dict[str, int]:
        """How the games ended, the most frequent first."""
        return dict(Counter(g.reason for g in self.games).most_common())

    def as_dict(self) -> dict[str, Any]:
        """For programs: the first player's score, everybody's faults, and each player by itself."""
        first = self.of(self.players[0]).as_dict()
        each = [{"name": p, **self.of(p).as_dict(), **self.faults(p)} for p in self.players]
        return {"games": len(self.games), **first, **self.faults(), "endings": self.endings(), "players": each}

    def fault_lines(self) -> list[str]:
        """One line for each player that lost games by its own fault."""
        lines = []
        for player in self.players:
            if words := self.fault_words(player):
                lines.append(f"{player}: {words}")
        return lines

    def __str__(self) -> str:
        if len(self.players) == 2:
            first, second = self.players
            lines = [f"{first} v {second}: {self.of(first)}"]
        else:
            lines = [f"{p}: {self.of(p)}" for p in sorted(self.players, key=lambda p: -self.of(p).score)]
        return "\n".join(lines + self.fault_lines())
