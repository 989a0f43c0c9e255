"""A machine of the cluster as the driver sees it."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from plyout.lab.run.drive import Hand

DEATHS = 5  # workers that may be lost in a row before a machine is not trusted with another


class RemoteHand(Hand):
    """A worker process on some machine."""

    def __init__(self, node: "Node", actor: Any) -> None:
        self.node, self.actor, self.name = node, actor, node.name
        self.tasks: Sequence[Any] = ()
        self.began = 0.0
        self.asked: float | None = None
        """since when it owes the answer to whether it is alive"""
        self.answered = time.monotonic()
        self.slow = False
        """was told of already"""


@dataclass(eq=False)
class Node:
    """One machine, or one of several nodes on it."""

    id: str
    name: str
    slots: int
    """workers that there is room for"""
    refused: str = ""
    """why it is not used"""
    engaging: bool = False
    """workers are being started there"""
    known: bool = False
    """its versions and things have been compared, in this run"""
    speed: float = 0.0
    """positions a second, once it was measured"""
    pace: float = 1.0
    sent: Sequence[Any] = ()
    """what it lacks, on the way to it"""
    hands: set[RemoteHand] = field(default_factory=set)
    spare: list[Any] = field(default_factory=list)
    """actors of the last run"""
    deaths: int = 0
    """in a row"""
    done: int = 0

    @property
    def busy(self) -> int:
        return sum(bool(hand.tasks) for hand in tuple(self.hands))

    def lose(self, hand: RemoteHand, why: str) -> None:
        self.hands.discard(hand)
        self.deaths += 1
        if self.deaths >= DEATHS:
            self.refused = f"its workers die: {why}"

    def words(self) -> str:
        return f"{self.name} {self.busy}/{self.slots}"


def named(record: dict[str, Any]) -> str:
    """The name that ``ray start --node-name`` gave, or the host's with enough of the number to tell nodes apart."""
    name, host = str(record.get("NodeName") or ""), str(record.get("NodeManagerHostname") or "")
    address = str(record.get("NodeManagerAddress") or "")
    return name if name and name != address else f"{host or address}-{record['NodeID'][:4]}"
