"""How positions are searched: what a folder of analyses is bound to."""

from dataclasses import dataclass, field
from typing import Any

from plyout import __version__
from plyout.engine import Engine
from plyout.search.limits import Limits

NODES = 20_000
"""Iterations a position, unless nodes or a time are given."""


@dataclass(frozen=True)
class Settings:
    preset: str = "plyout"
    nodes: int | None = NODES
    movetime: float | None = None
    """milliseconds a position"""
    why: int = 6
    """so many mistakes of a game are explained, the gravest"""
    changes: dict[str, Any] = field(default_factory=dict)
    """of the preset: parameters and rules"""

    @property
    def limits(self) -> Limits:
        return Limits(nodes=self.nodes, movetime=self.movetime)

    def engine(self, variant: str) -> Engine:
        return Engine(self.preset, variant, **self.changes)

    def bound(self) -> dict[str, Any]:
        """What must be the same for analyses to stand beside each other."""
        return {
            "plyout": __version__, "preset": self.preset, "nodes": self.nodes, "movetime": self.movetime,
            "changes": {name: str(value) for name, value in sorted(self.changes.items())},
        }  # fmt: skip

    def __str__(self) -> str:
        limits = [f"{self.nodes:,} nodes"] if self.nodes else []
        limits += [f"{self.movetime:g} ms"] if self.movetime else []
        changes = [f"{name}={value}" for name, value in sorted(self.changes.items())]
        return ", ".join([self.preset, " or ".join(limits) + " a position", *changes])
