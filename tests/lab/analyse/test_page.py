"""The page: it needs nothing else, runs nothing that a file of games has brought, and can be stepped through."""

import json
import re
import shutil
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from plyout.lab.analyse.analyse import PAGE, Report
from tests.lab.analyse.made import BLUNDER, LEGAL, analysed, collection, crazyhouse_game

HOSTILE = (
    "</script><script>document.title = 'taken'</script><img src=x onerror=\"document.title = 'taken'\">&amp;@DATA@"
)
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("page")


@pytest.fixture(scope="module")
def found(folder: Path) -> Report:
    quoted = HOSTILE.replace('"', "'")
    games = (LEGAL, BLUNDER.replace("who takes it", quoted), crazyhouse_game())
    return analysed(collection(folder, *games), folder, nodes=200)


class Links(HTMLParser):
    """What a page would load, and the scripts that it has."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [str(value) for name, value in attrs if name in ("src", "href", "srcset", "data", "action")]


def test_the_page_loads_nothing(found: Report, folder: Path) -> None:
    text = (folder / PAGE).read_text(encoding="utf-8")
    page = Links()
    page.feed(text)
    assert page.links == ["data:,"]
    assert page.tags.count("script") == 2, "the data and our own"
    assert "img" not in page.tags
    assert not re.findall(r"url\((?!'?data:)", text) and "@import" not in text
    assert "import " not in re.sub(r"//.*", "", text.split('<script type="module">')[1])


def test_the_data_is_what_was_found(found: Report, folder: Path) -> None:
    text = (folder / PAGE).read_text(encoding="utf-8")
    data = json.loads(text.split('id="data">')[1].split("</script>")[0])
    assert len(data) == 3
    for shown, (_, told) in zip(data, found.games, strict=True):
        assert [move["san"] for move in shown["moves"]] == [move["san"] for move in told["moves"]]
        assert shown["white"] == told["white"]
    assert data[1]["headers"]["Black"] == HOSTILE.replace('"', "'")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="no Playwright: pip install playwright")
    if CHROMIUM is None:
        pytest.skip("no Chromium: 'make test' installs it where it may (as root)")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Any, found: Report, folder: Path) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": 1300, "height": 850})
    page = context.new_page()
    complaints: list[str] = []
    asked: list[str] = []
    page.set_default_timeout(120_000)
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto((folder / PAGE).as_uri())
    yield page
    title = page.title()
    context.close()
    assert complaints == [], "the console is silent"
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
    assert title == "games.pgn", "what a file has brought is not run"


def pieces(page: Any) -> dict[str, int]:
    """What stands on the board, counted."""
    classes = page.eval_on_selector_all("#board piece", "all => all.map((piece) => piece.className)")
    return {name: classes.count(name) for name in classes}


def test_one_steps_through_a_game(page: Any) -> None:
    assert sum(pieces(page).values()) == 32
    page.keyboard.press("End")
    assert page.locator("#moves .here").text_content() == "Nd5#mate"
    assert pieces(page).get("white queen") is None and pieces(page)["black queen"] == 1
    assert page.locator("#board square.check").count() == 1
    page.click("#previous")
    assert page.locator("#note h2").text_content().startswith("6…Ke7")
    page.click("#before")
    assert page.locator("#note h2").text_content().startswith("5…Bxd1??")
    assert page.locator("#next").is_enabled()
    page.keyboard.press("Home")
    assert page.locator("#previous").is_disabled()
    assert page.evaluate("location.hash") == "#1.0"


def test_a_mistake_has_its_words_and_lines_that_can_be_followed(page: Any) -> None:
    page.click("#moves button:has-text('Bxd1')")
    note = page.locator("#note")
    assert "Falls into a trap: Bxd1 is mated in 2." in note.text_content()
    assert "After Bxd1 Black is mated in 2: 5...Bxd1 6.Bxf7+ Ke7 7.Nd5#" in note.text_content()
    assert note.locator(".kind.certain").count() >= 1
    page.locator("#note .line", has_text="The answer").locator("button").last.click()
    assert page.locator("#board square.check").count() == 1, "the king is mated at the end of the line"
    assert "5…Bxd1??" in note.locator("h2").text_content(), "what is said stays"
    page.keyboard.press("ArrowLeft")
    assert page.locator("#note .line button.here").text_content() == "Ke7"
    for _ in range(2):
        page.keyboard.press("ArrowLeft")
    assert page.locator("#moves .here").text_content().startswith("Bxd1")


def test_another_game_is_chosen_and_names_are_text(page: Any) -> None:
    page.click("#games tbody tr:nth-child(2)")
    assert page.locator("#top b").text_content() == HOSTILE.replace('"', "'")
    page.keyboard.press("n")
    assert page.locator("#note h2").text_content().startswith("6.Qe3??")
    page.keyboard.press("f")
    assert page.locator("#bottom b").text_content() == HOSTILE.replace('"', "'")
    box = page.locator("#graph svg").bounding_box()
    page.mouse.click(box["x"] + box["width"] - 7, box["y"] + 20)
    assert page.evaluate("location.hash") == "#2.14"
    page.click("#games tbody tr:nth-child(3)")
    page.keyboard.press("End")
    held = page.evaluate(
        "/\\[(.*)\\]/.exec(JSON.parse(document.getElementById('data').textContent)[2].moves.at(-1).fen)[1]"
    )
    assert page.locator(".pocket piece").count() == len(held)
