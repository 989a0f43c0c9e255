"""What the package says of itself: one version, extras that are there, metadata that can be read."""

import re
import sys

from plyout import __version__
from tests.conftest import ROOT

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "src").rglob("*.py"))]


def test_the_version_is_the_same_everywhere() -> None:
    assert PROJECT["dynamic"] == ["version"], "src/plyout/__init__.py has it"
    assert f"\nversion: {__version__}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    newest = re.search(r"^## (\S+?)[, ]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert newest and newest[1] == __version__


def test_extras_that_are_named_are_there() -> None:
    for path in PAGES:
        for names in re.findall(r"plyout\[([\w,]+)\]", path.read_text(encoding="utf-8")):
            assert set(names.split(",")) <= set(PROJECT["optional-dependencies"]), f"{path}: {names}"


def test_all_brings_what_every_command_needs() -> None:
    named = set(re.findall(r"\w+", PROJECT["optional-dependencies"]["all"][0])) - {"plyout"}
    for_developers = {"all", "bench", "dev", "docs", "package"}
    assert named == set(PROJECT["optional-dependencies"]) - for_developers
