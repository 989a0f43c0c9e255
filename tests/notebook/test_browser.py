"""The live widget in a real browser: Debian's Chromium shows it, and a real search answers it.

In the place of a notebook there is a model that keeps what the page sends; the test carries messages to and fro.
"""

import shutil
import time
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("anywidget", reason="the widget is not installed: pip install 'plyout[notebook]'")

from plyout.notebook import widget
from plyout.notebook.bundle import code, style

playwright = pytest.importorskip("playwright.sync_api", reason="no Playwright: pip install playwright")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium: 'make test' installs it where it may (as root)")

LEGAL = "r2qkbnr/ppp2ppp/2np4/4N2b/2B1P3/2N4P/PPPP1PP1/R1BQK2R b KQkq - 0 1"
PATIENCE = 120
MODEL = """async ([code, fen]) => {
  const given = await import(URL.createObjectURL(new Blob([code], { type: "text/javascript" })));
  window.out = [];
  window.heard = [];
  window.model = {
    get: (name) => ({ fen, preset: "mcgs-solver" })[name],
    send: (message) => out.push(message),
    on: (event, listener) => heard.push(listener),
    off: (event, listener) => (heard = heard.filter((other) => other !== listener)),
  };
  window.show = () => {
    const el = document.body.appendChild(document.createElement("div"));
    return given.default.render({ model, el });
  };
  window.close = show();
}"""

ROOT_PIXEL = """() => {
  const { tree } = document.querySelector(".plyout-live").plyout, { x, y } = tree.nodes[0].now;
  const ratio = devicePixelRatio;
  return [...tree.context.getImageData(Math.round(x * ratio), Math.round(y * ratio), 1, 1).data];
}"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


class Cell:
    """A page with the widget, and the widget's other end."""

    def __init__(self, browser: Any, **options: Any) -> None:
        self.live = widget.Live(LEGAL, "mcgs-solver", hash_mb=16, **options)
        self.sent: list[dict[str, Any]] = []
        self.live.send = lambda message, buffers=None: self.sent.append(message)
        self.page = browser.new_page(viewport={"width": 1000, "height": 700})
        self.complaints: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", lambda m: self.complaints.append(m.text) if m.type in ("error", "warning") else None)
        self.page.on("pageerror", lambda e: self.complaints.append(str(e)))
        self.page.on("request", lambda r: self.asked.append(r.url))
        self.page.set_content(f"<!doctype html><meta charset=utf-8><style>{style()}</style><body>")
        self.page.evaluate(MODEL, [code(), LEGAL])

    def pump(self) -> None:
        """Carry what both sides have said."""
        for message in self.page.evaluate("out.splice(0)"):
            self.live._hear(self.live, message, [])
        told = self.sent[:]
        del self.sent[: len(told)]
        self.page.evaluate("(told) => told.forEach((m) => heard.forEach((listener) => listener(m, [])))", told)

    def until(self, expression: str) -> None:
        end = time.monotonic() + PATIENCE
        asked = f"(() => {{ const view = document.querySelector('.plyout-live').plyout; return {expression}; }})()"
        while not self.page.evaluate(asked):
            assert time.monotonic() < end, f"never true: {expression}"
            self.pump()
            self.page.wait_for_timeout(30)

    def find(self, selector: str) -> Any:
        return self.page.locator(f".plyout-live {selector}").first


@pytest.fixture
def cell(browser: Any) -> Iterator[Cell]:
    cell = Cell(browser, nodes=6000)
    yield cell
    cell.live.close()
    cell.page.close()
    assert cell.complaints == []
    assert [url for url in cell.asked if not url.startswith(("blob:", "data:", "about:"))] == []


def test_a_search_is_started_watched_and_looked_back_at(cell: Cell) -> None:
    assert cell.find(".go").text_content() == "Start"
    cell.find(".go").click()
    cell.until("view.running")
    assert cell.find(".go").text_content() == "Stop"
    cell.until("view.last && view.last.ended && !view.running")
    result = cell.live.result
    assert result is not None
    best = result.tree.board().san(result.move)  # type: ignore[union-attr]
    assert cell.find("tbody tr td").text_content() == best
    assert cell.find(".title").text_content() == f"mcgs-solver · {best}"
    assert cell.find("cg-container svg line").count() == 1, "an arrow"
    assert cell.page.evaluate("document.querySelector('.plyout-live').plyout.tree.nodes.length") > 100
    assert cell.find(".event").text_content() == "2048: Nxe5 leads, before it Bxd1"
    cell.page.wait_for_timeout(600)  # until the drawing has settled
    root = cell.page.evaluate(ROOT_PIXEL)
    assert root[3] == 255
    assert root[0] - root[2] > 8, f"the root has the colour of a position that is a little worse, not {root}"

    cell.page.evaluate("document.querySelector('.plyout-live').plyout.goTo(8)")
    cell.until("view.at === 8 && view.tree.nodes.length < 30")
    assert "as it was then" in (cell.find(".numbers").text_content() or "")
    cell.page.evaluate("document.querySelector('.plyout-live').plyout.goTo(9999)")
    cell.until("view.at === null && view.tree.nodes.length > 100")


def test_a_node_shows_its_position_and_what_is_below_it(cell: Cell) -> None:
    cell.live.start()
    cell.until("view.last && view.last.ended")
    cell.page.wait_for_timeout(600)  # until the drawing has settled
    at = cell.page.evaluate(
        """() => { const { tree } = document.querySelector(".plyout-live").plyout;
        const box = tree.canvas.getBoundingClientRect();
        const node = tree.nodes.find((n) => n.path === "h5d1"); return [box.left + node.to.x, box.top + node.to.y]; }"""
    )
    cell.page.mouse.move(*at)
    cell.until("!view.find('.hover').hidden")
    assert "Bxd1" in (cell.find(".hover").text_content() or "")
    assert cell.find(".hover piece.black.bishop").count() == 1
    cell.page.mouse.click(*at)
    cell.until("view.chosen && view.ground.state.pieces.get('d1').role === 'bishop'")
    cell.page.mouse.dblclick(*at)
    cell.until("view.tree.prefix.length === 1")
    assert (cell.find(".trail").text_content() or "").startswith("root")
    cell.find(".trail button").click()
    cell.until("view.tree.prefix.length === 0 && view.ground.state.pieces.get('d1').role === 'queen'")


def test_the_search_ends_with_the_last_view(browser: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(widget, "_PATIENCE", 3600.0)  # on a busy machine the page may be slow
    cell = Cell(browser, seconds=3600)
    try:
        cell.page.evaluate("void (window.closeOther = show())")
        cell.live.start()
        cell.until("view.last !== null")
        cell.page.evaluate("closeOther()")
        cell.pump()
        assert cell.live.running, "somebody still looks on"
        cell.page.evaluate("close()")
        cell.pump()
        assert cell.live.wait(PATIENCE) is not None
        assert not cell.live.running
        assert cell.page.locator(".plyout-live").count() == 0
        assert cell.complaints == []
    finally:
        cell.live.close()
        cell.page.close()


def test_what_goes_wrong_is_told_as_text(cell: Cell) -> None:
    cell.sent.append({"t": "error", "text": "<img src=x onerror=alert(1)>"})
    cell.until("view.find('.wrong').textContent.startsWith('<img')")
    assert cell.page.locator(".wrong img").count() == 0
