"""Digests of search trees, for comparing runs: ``python -m tests.dump`` prints those of all presets as JSON."""

import hashlib
import json
from typing import Any

from plyout import Engine, Limits
from plyout.engine.tree import Tree
from plyout.games import Game
from plyout.presets import presets
from tests.playable import playable

# Few pieces and a clock that runs out: playouts are short, and still meet checks, captures and promotions.
SHORT = "8/3k1P2/3p4/3Pr3/1p6/1P1Q2K1/6n1/8 w - - 80 70"
SEEDS = {1: 60, 2: 25}  # and how many iterations with each
SLOW = {"nnue-mcts"}


def digest(tree: Tree) -> str:
    """A digest of every number of a tree."""
    total = hashlib.sha256()
    for arrays in (tree.nodes, tree.edges):
        for name, array in arrays.items():
            total.update(name.encode() + array.tobytes())
    return total.hexdigest()[:16]


def searched(preset: str, position: Any, nodes: int, game: Game | str = "chess", **changes: Any) -> str:
    return digest(Engine(preset, game, hash_mb=1, **changes).search(position, Limits(nodes=nodes)).tree)


def changes_by_chance(name: str) -> bool:
    """Whether a preset's searches, even short ones, are others with another seed."""
    found = presets()[name]
    chances = (
        found.rules["evaluate"] == "playout",
        found.rules["prior"] == "random",
        found.parameters.get("explore", 0) + found.parameters.get("explore_checks", 0) > 0,
    )
    return found.search == "mcts" and any(chances)


def all_presets() -> dict[str, str]:
    """Of all that differ here: presets with books do not. Stockfish's network takes long in plain Python."""
    trees = {
        f"{name}, seed {seed}": searched(name, SHORT, 3 if name in SLOW else nodes, seed=seed)
        for name in playable()
        if "book" not in presets()[name].parameters
        for seed, nodes in SEEDS.items()
    }
    trees["tictactoe"] = searched("mcc-solver", "xo./.x./...", 200, "tictactoe")
    trees["crazyhouse"] = searched("mcc-solver", "4k3/8/8/8/8/8/4r3/4K3[QRb] w - - 0 1", 1, "crazyhouse")
    return trees


if __name__ == "__main__":
    print(json.dumps(all_presets()))
