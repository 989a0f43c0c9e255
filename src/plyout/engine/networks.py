"""The networks of an engine: found by name or path, read and checked, and laid out for kernels."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from plyout.errors import InputError
from plyout.games import CHESS
from plyout.engine.system import System
from plyout.networks.library import STOCKFISH, find
from plyout.networks.nnue.evaluate import ROOM
from plyout.networks.nnue.file import read as read_nnue
from plyout.networks.small.file import read
from plyout.networks.small.image import image
from plyout.networks.small.value import ROOM as VALUE_ROOM
from plyout.parameters import Parameters


@dataclass(frozen=True)
class Networks:
    """The words of the networks, by what they are for; kernels have their addresses, so they are kept here."""

    images: dict[str, Any]

    def has(self, kind: str) -> bool:
        return kind in self.images

    @property
    def evaluate(self) -> bool:
        """Whether one evaluates leaves."""
        return self.has("value") or self.has(STOCKFISH)

    def address(self, kind: str) -> Any:
        return np.int64(self.images[kind].ctypes.data if kind in self.images else 0)

    def told_to(self, parameters: Parameters) -> Parameters:
        """The parameters with the addresses of the networks."""
        leaf = parameters.leaf._replace(value_net=self.address("value") or self.address(STOCKFISH))
        return parameters._replace(
            leaf=leaf, expansion=parameters.expansion._replace(policy_net=self.address("policy"))
        )

    @property
    def accumulators(self) -> int:
        """Words that a thread needs for what the evaluating network keeps from position to position."""
        if self.has(STOCKFISH):
            return ROOM
        return int(self.images["value"][VALUE_ROOM]) if self.has("value") else 0


def networks_of(system: System) -> Networks:
    """The networks that a system wants; `InputError` where one cannot be had."""
    images = {}
    for kind in ("value", "policy"):
        wanted = system.texts[f"{kind}_net"]
        if not wanted:
            continue
        if system.game is not CHESS:
            raise InputError(f"networks know chess only: in {system.game.name} leave {kind}_net empty")
        try:
            if kind == "value" and _is_singhs(system):
                images[STOCKFISH] = read_nnue(find(wanted)).block
            else:
                images[kind] = image(read(find(wanted)), kind)
        except InputError as error:
            raise InputError(f"{kind}_net {wanted!r}: {error}") from None
    return Networks(images)


def _is_singhs(system: System) -> bool:
    """Whether leaves are evaluated by the rule of Singh 2023, whose network is Stockfish's."""
    return bool(system.preset.search == "mcts" and system.rules["evaluate"] == "singh")
