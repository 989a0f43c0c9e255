"""The Python in README and docs runs: what is no doctest is executed here, or at least compiled and its names found."""

import ast
import importlib
import re
from pathlib import Path
from typing import Any

import chess
import pytest

from plyout import Limits
from tests.conftest import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCKS = [
    pytest.param(path, block, id=f"{path.name} {number}")
    for path in PAGES
    for number, block in enumerate(re.findall(r"```python\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL))
    if not block.startswith(">>>")
]
LINKED = re.compile(r"\]\((?!http|#)([^)#]+)[^)]*\)")


@pytest.mark.parametrize("path, block", BLOCKS)
def test_what_a_block_imports_is_there(path: Path, block: str) -> None:
    for node in ast.walk(ast.parse(block)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("plyout"):
            module = importlib.import_module(node.module or "")
            for alias in node.names:
                assert hasattr(module, alias.name), f"{node.module} has no {alias.name}"


def test_the_readmes_rule_of_ones_own_searches() -> None:
    (block,) = (p.values[1] for p in BLOCKS if "def select(" in str(p.values[1]))
    names: dict[str, Any] = {}
    exec(str(block), names)
    result = names["engine"].search(chess.STARTING_FEN, Limits(nodes=200))
    assert result.nodes == 200
    assert min(m.visits for m in result.moves) >= 5, "every move is tried"


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_links_and_sources_lead_somewhere(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for target in LINKED.findall(text):
        assert (path.parent / target).exists(), target
    for source in re.findall(r"`((?:src|tests|tools|examples|docs)/[\w/.-]+)`", text):
        assert (ROOT / source).exists(), source
    for module in re.findall(r"`((?:kernel|games|evaluate|networks|playout|search|engine|lab|uci)/[\w/]+\.py)`", text):
        assert (ROOT / "src/plyout" / module).exists(), module
