"""A share of ``python -m tests.damage.run``: no damaged file crashes, hangs, or is taken for something else."""

from pathlib import Path

import numpy as np
import pytest

from plyout.engine.tree import Tree
from plyout.errors import InputError
from plyout.search.graph import PROVEN
from tests.damage.damage import damaged
from tests.damage.kinds import KINDS
from tests.damage.run import tried, tried_all_apart

COPIES = 72


def test_damaged_files_are_refused_in_one_line_or_read_as_something_of_use() -> None:
    kinds = [kind for kind in KINDS.values() if kind.there()]
    outcomes = tried_all_apart(kinds, COPIES)
    assert {name: outcome.failures for name, outcome in outcomes.items() if outcome.failures} == {}
    tried_in_all = {name: outcome.refused + outcome.read for name, outcome in outcomes.items()}
    assert tried_in_all == {kind.name: COPIES * kind.times for kind in kinds}
    assert outcomes["store of games"].read and outcomes["store of version 1"].read, "not all damage matters to SQLite"


def test_copies_differ_from_the_original_and_from_run_to_run_they_are_the_same() -> None:
    content = bytes(range(256)) * 8
    copies = list(damaged(content, 600, seed=1))
    assert copies == list(damaged(content, 600, seed=1))
    assert all(copy != content for _, copy in copies)
    changed = {next(i for i, (a, b) in enumerate(zip(copy, content, strict=False)) if a != b) for what, copy in copies
               if what.startswith("byte") and copy[:1900] != content[:1900]}  # fmt: skip
    assert len(changed) > 30, "byte after byte of the header"


FORGED = {
    "root": lambda nodes, edges: nodes.__setitem__(slice(None), nodes[::-1].copy()),
    "child": lambda nodes, edges: edges["child"].__setitem__(0, len(nodes)),
    "first": lambda nodes, edges: nodes["first"].__setitem__(0, len(edges)),
    "count": lambda nodes, edges: nodes["children"].__setitem__(0, 30_000),
    "shared edges": lambda nodes, edges: nodes["first"].__setitem__(1, int(nodes["first"][0])),
    "cycle": lambda nodes, edges: edges["child"].__setitem__(0, 0),
    "proof": lambda nodes, edges: nodes["proof"].__setitem__(0, PROVEN + 1),
    "visits": lambda nodes, edges: nodes["visits"].__setitem__(0, np.nan),
    "value": lambda nodes, edges: edges["value"].__setitem__(0, np.inf),
    "prior": lambda nodes, edges: edges["prior"].__setitem__(0, np.nan),
    "move": lambda nodes, edges: edges["move"].__setitem__(0, 4095),
    "advised": lambda nodes, edges: nodes["advised"].__setitem__(0, 1000),
    "key": lambda nodes, edges: nodes["key"].__setitem__(1, 5),
}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return KINDS["tree"].make(tmp_path_factory.mktemp("tree"))


@pytest.mark.parametrize("what", FORGED)
def test_a_tree_with_a_right_checksum_and_wrong_numbers_is_refused(what: str, tree: Path, tmp_path: Path) -> None:
    forged = Tree.load(tree)
    FORGED[what](forged.graph.nodes, forged.graph.edges)
    forged.save(tmp_path / "forged.npz")
    with pytest.raises(InputError, match=r"^\S*forged.npz is not a saved tree: "):
        Tree.load(tmp_path / "forged.npz")


def test_a_tree_of_another_position_is_refused(tree: Path, tmp_path: Path) -> None:
    forged = Tree.load(tree)
    forged.state = forged.game.start()
    forged.save(tmp_path / "forged.npz")
    with pytest.raises(InputError, match="node 0 has another position or other moves"):
        Tree.load(tmp_path / "forged.npz")


@pytest.mark.parametrize("line, text", [
    ("tapered = nan", "tapered is 'nan', and a weight is a number"),
    ("tapered = 1e308", r"tapered is '1e\+308'"),
    ("tapered = 'much'", "tapered is 'much'"),
    ("tapered = true", "tapered is 'True'"),
    ("", "writes it: no 'tapered'"),
    ("tapered = [", "is not a file of weights"),
])  # fmt: skip
def test_weights_that_are_no_numbers_are_refused(line: str, text: str, tmp_path: Path) -> None:
    weights = KINDS["weights"]
    path = weights.make(tmp_path)
    path.write_text("\n".join(line if row.startswith("tapered") else row for row in path.read_text().splitlines()))
    with pytest.raises(InputError, match=text) as caught:
        weights.read(path)
    assert "\n" not in str(caught.value)


def test_the_harness_notices_what_it_is_for() -> None:
    """A reader without any checks fails it."""
    from dataclasses import replace

    careless = replace(KINDS["table"], read=lambda path: path.read_bytes()[64:])
    outcome = tried(careless, 40)
    assert outcome.failures and "in spite of the checksum" in outcome.failures[0]
    hasty = replace(KINDS["weights"], read=lambda path: path.read_bytes().decode("ascii"))
    assert any("UnicodeDecodeError" in text for text in tried(hasty, 100).failures)
