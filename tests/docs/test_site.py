"""The documentation's site: every page has its place, the reference has everything, and dead links are found."""

import importlib
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from plyout.parameters import SETTINGS, TABLE
from tests.conftest import ROOT

PAGES = {path.name for path in (ROOT / "docs").glob("*.md")} - {"README.md"}


@pytest.fixture(scope="module", params=["build_site"])
def site(request: pytest.FixtureRequest) -> Any:
    sys.path.insert(0, str(ROOT / "tools"))
    try:
        return importlib.import_module(request.param)
    finally:
        sys.path.pop(0)


def test_every_page_is_in_one_section(site: Any) -> None:
    listed = [page for found in site.NAV.values() for page in found]
    assert len(listed) == len(set(listed))
    assert set(listed) >= PAGES, "give it a section in tools/site_nav.py"


def test_every_page_is_in_the_list_of_pages() -> None:
    text = (ROOT / "docs/README.md").read_text(encoding="utf-8")
    assert {name for name in PAGES if f"]({name})" not in text} == set()


def test_the_reference_has_every_command_option_and_parameter(site: Any) -> None:
    from plyout.cli.help import walk
    from plyout.cli.main import command_line

    pages = site.pages()
    for words, command in walk(command_line()):
        if words:
            assert f"\n### {' '.join(words)}\n" in pages["command-line.md"]
        for option in command.params:
            if words and option.param_type_name == "option" and option.opts[-1] != "--help":
                assert f"`{option.opts[-1]}" in pages["command-line.md"], option.opts
    for parameter in (*TABLE, *SETTINGS):
        assert f"| `{parameter.name}` |" in pages["parameters.md"]
    assert "| `UCI_LimitStrength` | check |" in pages["uci-options.md"]
    assert "search(self, position" in pages["python.md"]
    for text in pages.values():
        assert not re.search(r"0x[0-9a-f]{6,}|<function", text), "nothing that differs from one run to the next"


def test_no_line_ends_in_the_middle_of_an_option(site: Any) -> None:
    page = "<p>one-two</p><code>plyout match -e a-b --games 20</code>"
    marked = site.whole_options(page)
    assert re.findall(r'<span class="option">(.*?)</span>', marked) == ["-e", "--games"]
    assert re.sub(r"</?span[^>]*>", "", marked) == page


def test_links_are_those_of_the_site(site: Any) -> None:
    assert site.of_the_root("[a](docs/mcc.md#x) [b](docs/README.md) [c](CHANGELOG.md)") == (
        "[a](mcc.md#x) [b](index.md) [c](CHANGELOG.md)"
    )
    assert site.of_docs("[a](../README.md#how-strong) [b](../examples/x.py) [c](mcc.md)") == (
        "[a](index.md#how-strong) [b](examples/x.py) [c](mcc.md)"
    )


@pytest.mark.parametrize(
    ("html", "fault"),
    [
        ('<a href="b/">b</a>', None),
        ('<a href="c.html">c</a>', "links to c.html, which is not there"),
        ('<a href="b/#lost">b</a>', "there is no such place"),
        ('<a href="b/#here">b</a>', None),
        ('<a href="https://example.org/">elsewhere</a>', None),
        ('<script src="https://example.org/x.js"></script>', "loads https://example.org/x.js"),
        ('<link rel="stylesheet" href="//example.org/x.css">', "loads //example.org/x.css"),
        ('<img src="lost.png">', "wants lost.png"),
    ],
)
def test_dead_links_and_what_comes_from_elsewhere_are_found(
    html: str, fault: str | None, site: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b/index.html").write_text('<h1 id="here">b</h1>')
    (tmp_path / "index.html").write_text(html)
    monkeypatch.setattr(site, "SITE", tmp_path)
    faults = list(site._faults())
    assert [bool(fault and fault in text) for text in faults] == ([True] if fault else []), faults


def test_fonts_from_elsewhere_are_found(site: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x.css").write_text("@font-face { src: url(https://fonts.example/x.woff2) }")
    monkeypatch.setattr(site, "SITE", tmp_path)
    assert len(list(site._faults())) == 1
