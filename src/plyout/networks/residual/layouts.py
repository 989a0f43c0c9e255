"""What networks take and give: a layout says how positions become planes, and where in a policy a move is.

A model names its layout in its metadata; one that does not is known by the shapes of its input and outputs.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from plyout.errors import InputError
from plyout.games import CHESS, Game
from plyout.games.contract import TURN
from plyout.networks.residual import mirrored, planes
from plyout.networks.small.pairs import PAIRS


@dataclass(frozen=True)
class Layout:
    name: str
    inputs: Mapping[str, int]
    """how many planes it has, by the name of the game"""
    policy: int
    """the length of a policy"""
    planes: Callable[[Any, Game], Any]
    """states (n, words) and their game -> (n, planes, 8, 8)"""
    likings: Callable[[Any, Any, Any], Any]
    """policies (n, policy), moves (n, most) and states -> (n, most): the logit of each move, anything for no move"""


def _by_place(policy: Any, moves: Any, states: Any) -> Any:
    return np.take_along_axis(policy, planes.move_places(moves, states[:, TURN]), axis=1)


PLAIN = Layout("plain", planes.PLANES, planes.POLICY, planes.planes, _by_place)
MIRRORED = Layout("mirrored", {CHESS.name: mirrored.PLANES}, PAIRS, mirrored.planes, mirrored.likings)
LAYOUTS = {layout.name: layout for layout in (PLAIN, MIRRORED)}


def layout_of(said: str | None, inputs: Any, outputs: list[Any]) -> Layout:
    """The layout of a model, by the name that it `said` or by the shapes of its input and outputs."""
    if said is not None:
        if said not in LAYOUTS:
            raise InputError(f"its layout is {said[:40]!r}, and not one of {', '.join(LAYOUTS)}")
        found = [LAYOUTS[said]]
    else:
        found = list(LAYOUTS.values())
    if len(inputs) != 4:
        raise InputError(f"its input must be planes, (n, planes, 8, 8), and not {inputs}")
    for layout in found:
        fits = [shape for shape in outputs if shape and shape[-1] == layout.policy]
        if len(fits) == 1 and inputs[1] in layout.inputs.values():
            return layout
    wanted = " or ".join(
        f"{'/'.join(map(str, layout.inputs.values()))} planes and a policy of {layout.policy} numbers"
        for layout in found
    )
    raise InputError(f"it must have {wanted}, and has {inputs[1]} planes and outputs {outputs}")
