"""Same seed, same nodes, one thread: the same tree, compiled or interpreted."""

import json
import os
import subprocess
import sys

import pytest

from plyout import Engine, Limits
from tests.conftest import ROOT
from tests.dump import all_presets, changes_by_chance, digest, searched
from tests.playable import playable
from tests.positions import KIWIPETE, START


@pytest.mark.parametrize("name", playable())
def test_same_seed_same_nodes_same_tree(name: str) -> None:
    """However the work was sliced; and after a new game as in a new engine."""
    engine = Engine(name, hash_mb=4, seed=7)
    once = digest(engine.search(KIWIPETE, Limits(nodes=700)).tree)
    engine.search(START, Limits(nodes=50))
    engine.new_game()
    assert digest(engine.search(KIWIPETE, Limits(nodes=700)).tree) == once
    other = Engine(name, hash_mb=4, seed=7).search(KIWIPETE, Limits(nodes=700), on_progress=lambda _: None, every=0.0)
    assert digest(other.tree) == once
    other_seed = digest(Engine(name, hash_mb=4, seed=8).search(KIWIPETE, Limits(nodes=700)).tree)
    assert (other_seed != once) == changes_by_chance(name)


@pytest.mark.slow
def test_compiled_and_interpreted_trees_are_equal_to_the_last_bit() -> None:
    environment = os.environ | {"PLYOUT_INTERPRET": "1"}
    run = subprocess.run(
        [sys.executable, "-m", "tests.dump"], env=environment, cwd=ROOT, capture_output=True, text=True, check=True
    )
    interpreted = json.loads(run.stdout)
    assert interpreted == all_presets()
    assert len(set(interpreted.values())) > 10, "the presets hardly differ"


def test_a_longer_search_begins_as_a_shorter_one() -> None:
    """Searching on from where a search ended adds to it."""
    engine = Engine("mcc", hash_mb=4)
    assert engine.search(START, Limits(nodes=300)).nodes == 300
    result = engine.search(START, Limits(nodes=200))
    assert result.nodes == 200
    assert result.tree.graph.nodes["visits"][result.tree.root] == 500


def test_other_seeds_give_other_trees() -> None:
    assert len({searched("mcc", START, 200, seed=seed) for seed in (-5, 0, 1, 2, 2**53)}) == 5
