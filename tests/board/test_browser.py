"""The board in a real browser: Debian's Chromium, driven by Playwright."""

import re
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.board.client import PATIENCE, Server

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
playwright = pytest.importorskip("playwright.sync_api", reason="no Playwright: pip install playwright")
pytest.importorskip("starlette", reason="the board is not installed: pip install 'plyout[board]'")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium: 'make test' installs it where it may (as root)")

LEGAL = "r2qkbnr/ppp2ppp/2np4/4N2b/2B1P3/2N4P/PPPP1PP1/R1BQK2R b KQkq - 0 1"


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    server = Server()
    yield server
    assert server.close() == 0
    assert not [line for line in server.errors if "Traceback" in line], server.errors


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


class Tab:
    """A page with the board, and a hand that moves the mouse."""

    def __init__(self, context: Any, address: str) -> None:
        self.page = context.new_page()
        self.page.set_default_timeout(1000 * PATIENCE)
        self.complaints: list[str] = []
        self.page.on("console", lambda m: self.complaints.append(m.text) if m.type in ("error", "warning") else None)
        self.page.on("pageerror", lambda e: self.complaints.append(str(e)))
        self.page.goto(address)
        self.ready()

    def ready(self) -> None:
        self.until("Boolean(window.plyout && plyout.state && plyout.state.opening !== undefined)")

    def ask(self, expression: str) -> Any:
        return self.page.evaluate(expression)

    def until(self, expression: str) -> None:
        """Wait until the page thinks so. (Playwright's own way to wait is forbidden by the page's strictness.)"""
        end = time.monotonic() + PATIENCE
        while not self.ask(expression):
            assert time.monotonic() < end, f"never true: {expression}"
            self.page.wait_for_timeout(50)

    def at(self, square: str) -> tuple[float, float]:
        box = self.page.locator("cg-board").bounding_box()
        assert box
        x, y = "abcdefgh".index(square[0]), 8 - int(square[1])
        if self.ask("plyout.board.orientation") == "black":
            x, y = 7 - x, 7 - y
        return box["x"] + (x + 0.5) * box["width"] / 8, box["y"] + (y + 0.5) * box["height"] / 8

    def drag(self, move: str) -> None:
        self.page.mouse.move(*self.at(move[:2]))
        self.page.mouse.down()
        self.page.mouse.move(*self.at(move[2:4]), steps=4)
        self.page.mouse.up()

    def click(self, move: str) -> None:
        for square in (move[:2], move[2:4]):
            self.page.mouse.click(*self.at(square))

    def ply(self, ply: int) -> None:
        self.until(f"plyout.state.ply === {ply}")

    def fen(self, fen: str) -> None:
        self.page.keyboard.press("p")
        self.until("document.getElementById('fen').value !== ''")
        self.page.fill("#fen", fen)
        self.page.click("#fen-set")

    def position(self, fen: str) -> None:
        self.fen(fen)
        self.until(f"plyout.state.fen === '{fen}'")
        self.close_dialog()

    def close_dialog(self) -> None:
        self.page.keyboard.press("Escape")
        self.until("!document.querySelector('dialog[open]')")

    def set(self, **values: Any) -> None:
        """Choose in the dialog of settings."""
        self.page.click("#settings")
        for name, value in values.items():
            field = self.page.locator(f"#{name}")
            if field.evaluate("e => e.tagName") == "SELECT":
                field.select_option(str(value))
            else:
                field.fill(str(value))
        self.page.click("#settings-dialog .primary")
        for name, value in values.items():
            self.until(f"String(plyout.state.settings.{name}) === '{value}'")

    def search(self, least: int = 400, panel: int = 0) -> None:
        self.page.click("#analyse")
        self.until(f"plyout.panels[{panel}].last !== null && plyout.panels[{panel}].last.nodes >= {least}")

    def stop(self) -> None:
        self.page.click("#analyse")
        self.until("!plyout.state.analysing && plyout.state.searching.every((running) => !running)")


@pytest.fixture
def tab(server: Server, browser: Any) -> Iterator[Tab]:
    context = browser.new_context(viewport={"width": 1400, "height": 900}, accept_downloads=True)
    tab = Tab(context, server.address)
    yield tab
    complaints = tab.complaints
    context.close()
    assert complaints == [], "the console is silent"


def test_a_game_is_played_to_mate_with_the_mouse(tab: Tab) -> None:
    tab.drag("f2f3")
    tab.ply(1)
    tab.click("e7e5")
    tab.ply(2)
    tab.page.keyboard.press("m")
    tab.page.keyboard.type("g4\n")
    tab.ply(3)
    tab.drag("d8h4")
    tab.ply(4)
    tab.until("document.getElementById('outcome').textContent === 'Black wins: checkmate'")
    assert tab.page.locator("#moves button").all_text_contents() == ["f3", "e5", "g4", "Qh4#"]
    tab.page.locator("h1").click()  # away from the field
    tab.page.keyboard.press("ArrowLeft")
    tab.ply(3)
    tab.drag("e8e7")
    tab.ply(4)
    assert tab.page.locator("#moves .side button").all_text_contents() == ["Ke7"]


def test_one_beats_the_engine(tab: Tab) -> None:
    tab.set(preset="plyout", level=500, memory=16)
    tab.page.click("[data-mode=play]")
    tab.until("plyout.state.settings.mode === 'play'")
    tab.position("6k1/8/1R6/R7/8/8/8/K7 w - - 0 1")
    first = tab.ask("plyout.state.ply")
    tab.drag("a5a7")
    tab.ply(first + 2)
    tab.drag("b6b8")
    tab.until("document.getElementById('outcome').textContent === 'White wins: checkmate'")
    assert "level 500" in (tab.page.locator("#player-top .who").text_content() or "")
    tab.page.keyboard.press("Home")
    tab.ply(first)
    assert tab.ask("plyout.state.over") == ["1-0", "checkmate"], "one may look through the game"


def test_nobody_moves_for_the_engine(tab: Tab) -> None:
    """Neither in its place nor in advance, nor from its pocket when the board is turned."""
    tab.set(preset="mcc", colour="black", memory=16)
    tab.page.click("[data-mode=play]")
    tab.until("plyout.state.settings.mode === 'play' && plyout.board.orientation === 'black'")
    assert tab.ask("plyout.board.ground.state.premovable.enabled") is False
    assert tab.ask("plyout.board.ground.state.movable.color || null") is None
    tab.drag("e7e5")
    tab.ply(1)
    assert tab.page.locator("#moves button").count() == 1
    tab.drag("g8f6")
    tab.ply(2)


def test_one_resigns_only_when_sure(tab: Tab) -> None:
    tab.set(preset="plyout", level=500, memory=16)
    tab.page.click("[data-mode=play]")
    tab.until("plyout.state.settings.mode === 'play'")
    tab.position("8/P6k/8/8/8/8/8/K7 w - - 0 1")
    tab.drag("a7a8")
    tab.until("plyout.board.promoting !== null")
    tab.page.keyboard.press("r")
    tab.until("plyout.state.fen.startsWith('R7/') || plyout.state.ply > 1")
    assert tab.ask("plyout.state.over") is None, "it was the rook that was meant"
    tab.page.locator("h1").click()
    tab.page.keyboard.press("r")
    assert tab.page.locator("#resign").text_content() == "Resign?"
    tab.page.keyboard.press("r")
    tab.until("plyout.state.over && plyout.state.over[1] === 'resignation'")


def test_castling_is_shown_by_the_king_or_by_the_rook(tab: Tab) -> None:
    tab.position("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    tab.drag("e1h1")
    tab.until("plyout.state.fen.startsWith('4k3/8/8/8/8/8/8/R4RK1')")
    tab.position("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    tab.drag("e1c1")
    tab.until("plyout.state.fen.startsWith('4k3/8/8/8/8/8/8/2KR3R')")
    tab.fen("4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1")
    tab.until("plyout.state.variant === 'chess960'")
    tab.drag("f1h1")
    tab.until("plyout.state.fen.startsWith('4k3/8/8/8/8/8/8/1R3RK1')")
    assert tab.page.locator("#moves button").last.text_content() == "O-O"


def test_enter_does_what_a_dialog_is_for(tab: Tab) -> None:
    tab.page.keyboard.press("p")
    tab.until("document.getElementById('fen').value !== ''")
    tab.page.fill("#fen", LEGAL)
    tab.page.locator("#fen").press("Enter")
    tab.until(f"plyout.state.fen === '{LEGAL}' && !document.querySelector('dialog[open]')")
    tab.page.keyboard.press(",")
    tab.page.fill("#memory", "32")
    tab.page.locator("#memory").press("Enter")
    tab.until("plyout.state.settings.memory === 32")
    tab.page.keyboard.press(",")
    tab.page.fill("#memory", "64")
    tab.page.click("#settings-dialog [data-close]")
    tab.page.keyboard.press(",")
    assert tab.page.input_value("#memory") == "32"


def test_a_pawn_becomes_what_one_chooses(tab: Tab) -> None:
    tab.position("8/P6k/8/8/8/8/8/K7 w - - 0 1")
    tab.drag("a7a8")
    tab.page.get_by_role("button", name="knight").click()
    tab.until("plyout.state.fen.startsWith('N7/')")


def test_crazyhouse_drops_from_the_pocket(tab: Tab) -> None:
    tab.page.keyboard.press("n")
    tab.page.click("#new-dialog [value=crazyhouse]")
    tab.until("plyout.state.variant === 'crazyhouse'")
    for ply, move in enumerate(["e2e4", "d7d5", "e4d5", "d8d5"], 1):
        tab.drag(move)
        tab.ply(ply)
    tab.page.get_by_role("button", name="1 pawn of white").click()
    tab.page.mouse.click(*tab.at("e5"))
    tab.ply(5)
    assert tab.page.locator("#moves button").last.text_content() == "@e5"
    tab.position(LEGAL)
    assert tab.ask("plyout.state.variant") == "chess", "without a pocket it is chess"


def test_the_tree_grows_and_can_be_looked_into(tab: Tab) -> None:
    tab.position(LEGAL)
    tab.set(preset="mcgs-solver", memory=16)
    tab.search(3000)
    assert tab.ask("plyout.panels[0].tree.nodes.length") > 200
    assert tab.page.locator(".roots tbody tr").count() > 5
    tab.stop()
    x, y = node_at(tab, 1)
    tab.page.mouse.move(x, y)
    assert "visits" in (tab.page.locator("#hover").text_content() or "")
    assert tab.page.locator("#hover piece").count() > 20
    tab.page.mouse.click(x, y)
    tab.page.get_by_role("button", name="Look deeper").click()
    tab.until("plyout.panels[0].focus.length === 1")
    tab.page.get_by_role("button", name="root", exact=True).click()
    tab.until("plyout.panels[0].focus.length === 0")
    first = tab.ask("plyout.panels[0].tree.nodes[1].line[0]")
    tab.page.mouse.click(*node_at(tab, 1))
    tab.page.get_by_role("button", name="Search from here").click()
    tab.until("plyout.state.ply > 1 && plyout.state.analysing")
    assert tab.ask("plyout.moves.moves.get(plyout.state.here).uci") == first
    tab.until("plyout.panels[0].last !== null")
    tab.stop()


def test_everything_goes_by_keys(tab: Tab) -> None:
    tab.set(preset="mcc", memory=16)
    tab.page.locator("h1").click()
    tab.page.keyboard.press("Space")
    tab.until("plyout.panels[0].last !== null && plyout.panels[0].last.nodes >= 300")
    tab.page.keyboard.press("Space")
    tab.until("plyout.state.searching.every((running) => !running)")
    tab.page.locator("canvas.tree").first.focus()
    tab.page.keyboard.press("ArrowRight")
    tab.page.keyboard.press("ArrowDown")
    line = tab.ask("plyout.panels[0].choice.line")
    assert len(line) == 1
    assert "visits" in (tab.page.locator("#live").text_content() or "")
    tab.page.keyboard.press("l")
    tab.until("plyout.panels[0].focus.length === 1")
    tab.page.keyboard.press("Backspace")
    tab.until("plyout.panels[0].focus.length === 0")
    tab.page.keyboard.press("ArrowRight")
    tab.page.keyboard.press("Enter")
    tab.until("plyout.state.ply >= 1 && plyout.state.analysing")
    tab.until("plyout.panels[0].root.fen === plyout.state.fen && plyout.panels[0].tree.nodes.length > 1")
    tab.page.locator("canvas.tree").first.focus()
    tab.page.keyboard.press("ArrowRight")
    tab.until("plyout.panels[0].choice !== null")
    tab.page.locator("h1").click()
    tab.page.keyboard.press("Escape")
    tab.until("plyout.panels[0].choice === null")
    for key in ("Space", "f", "Home", "?"):
        tab.page.keyboard.press(key)
    tab.until("plyout.state.ply === 0 && plyout.board.orientation === 'black'")
    tab.until("document.getElementById('help-dialog').open")


def node_at(tab: Tab, number: int) -> tuple[float, float]:
    """Where a node is, once the drawing has come to rest."""
    tab.page.wait_for_timeout(700)
    box = tab.page.locator("canvas.tree").first.bounding_box()
    place = tab.ask(f"plyout.panels[0].tree.nodes[{number}].now")
    assert box
    return box["x"] + place["x"], box["y"] + place["y"]


def test_the_slider_goes_back_in_time(tab: Tab) -> None:
    tab.position(LEGAL)
    tab.set(preset="mcgs-solver", memory=16)
    tab.search(3000)
    tab.stop()
    rows = tab.ask("plyout.panels[0].rows.map((row) => row.n)")
    assert rows[:8] == [1, 2, 3, 4, 5, 6, 7, 8]
    k = rows.index(64)
    tab.page.locator(".slider").first.fill(str(k))
    tab.until("plyout.panels[0].tree.nodes[0].visits === 64")
    assert "64" in (tab.page.locator(".when").first.text_content() or "")
    visits = tab.ask(f"plyout.panels[0].rows[{k}].visits")
    shown = tab.page.locator(".roots .bar span").first.text_content() or ""
    assert int(shown.split(" ")[0]) == max(visits)
    event = tab.page.locator(".events button", has_text="Bxd1 is proven lost").first
    event.click()
    tab.until("plyout.panels[0].at !== null")
    tab.page.locator("h1").click()
    for _ in range(len(rows)):
        tab.page.keyboard.press("]")
    tab.until("plyout.panels[0].at === null")


def test_two_presets_stand_side_by_side(tab: Tab) -> None:
    tab.set(preset="mcc", other="mcgs", memory=16)
    tab.page.click("[data-mode=compare]")
    tab.until("document.querySelectorAll('.panel').length === 2")
    tab.search(200)
    tab.until("plyout.panels[1].last !== null && plyout.panels[1].last.nodes >= 200")
    tab.stop()
    titles = [text.split()[0] for text in tab.page.locator(".panel h2").all_text_contents()]
    assert titles == ["mcc", "mcgs"]
    assert min(tab.ask("plyout.panels.map((panel) => panel.tree.nodes.length)")) > 50


def test_a_search_is_saved_and_loaded_and_drawn_as_svg(tab: Tab, tmp_path: Path) -> None:
    tab.set(preset="mcgs", memory=16)
    tab.search(500)
    tab.stop()
    before = tab.ask("plyout.panels[0].last.moves")
    with tab.page.expect_download() as saved:
        tab.page.click(".keep")
    saved.value.save_as(tmp_path / "search.plyout")
    with tab.page.expect_download() as picture:
        tab.page.click(".picture")
    picture.value.save_as(tmp_path / "tree.svg")
    drawn = (tmp_path / "tree.svg").read_text()
    assert drawn.startswith("<svg") and drawn.count("<circle") > 100
    tab.page.keyboard.press("n")
    tab.page.click("#new-dialog [value=chess]")
    tab.page.reload()
    tab.ready()
    tab.page.set_input_files("#file", tmp_path / "search.plyout")
    tab.until("plyout.panels[0].last !== null && plyout.panels[0].preset === 'mcgs'")
    tab.until(f"plyout.panels[0].last.moves.length === {len(before)}")
    assert tab.ask("plyout.panels[0].last.moves") == before
    (tmp_path / "search.plyout").write_bytes(b"nonsense")
    tab.page.set_input_files("#file", tmp_path / "search.plyout")
    tab.until("document.getElementById('toast').textContent.includes('not a saved search')")
    tab.complaints[:] = [text for text in tab.complaints if "400" not in text]  # the browser tells of the refusal, too


def test_a_reload_in_mid_search_changes_nothing(tab: Tab) -> None:
    tab.set(preset="mcc", memory=16)
    tab.drag("e2e4")
    tab.ply(1)
    tab.search(200)
    number = tab.ask("plyout.panels[0].number")
    tab.page.reload()
    tab.ready()
    tab.until("plyout.panels[0].last !== null")
    assert tab.ask("[plyout.panels[0].number, plyout.state.ply, plyout.state.analysing]") == [number, 1, True]
    assert tab.ask("plyout.panels[0].rows[0].n") == 1, "the history is there from the beginning"
    tab.stop()


def test_a_lost_connection_comes_back(tab: Tab) -> None:
    tab.drag("d2d4")
    tab.ply(1)
    tab.ask("plyout.link.socket.close()")
    tab.until("document.getElementById('status').textContent.includes('lost')")
    tab.until("plyout.link.socket.readyState === WebSocket.OPEN && plyout.state.ply === 1")
    tab.drag("d7d5")
    tab.ply(2)


def test_a_game_outlives_its_process(tab: Tab) -> None:
    tab.drag("d2d4")
    tab.ply(1)
    tab.ask("sessionStorage.setItem('plyout-page', 'gone')")
    tab.ask("plyout.link.socket.close()")
    tab.until("plyout.link.page !== 'gone' && plyout.state.ply === 1")
    tab.drag("g8f6")
    tab.ply(2)
    assert tab.page.locator("#moves button").all_text_contents() == ["d4", "Nf6"]


def test_two_tabs_are_two_games(tab: Tab, server: Server) -> None:
    other = Tab(tab.page.context, server.address)
    tab.drag("e2e4")
    tab.ply(1)
    other.drag("d2d4")
    other.ply(1)
    assert tab.ask("plyout.state.fen") != other.ask("plyout.state.fen")
    other.page.close()


def test_a_bad_fen_or_pgn_is_told_and_changes_nothing(tab: Tab) -> None:
    before = tab.ask("plyout.state.fen")
    tab.fen("8/8/8/8 w - - 0 1")
    tab.until("document.querySelector('#position-dialog .wrong').textContent.startsWith('not a FEN')")
    tab.page.fill("#pgn", "1. e4 e5 2. Ke3")
    tab.page.click("#pgn-set")
    tab.until("document.querySelector('#position-dialog .wrong').textContent.startsWith('not a PGN')")
    assert tab.ask("plyout.state.fen") == before
    tab.page.fill("#pgn", "1. e4 e5 2. Nf3 (2. f4) 2... Nc6 *")
    tab.page.click("#pgn-set")
    tab.ply(4)
    tab.close_dialog()
    assert tab.page.locator("#moves button").all_text_contents() == ["e4", "e5", "Nf3", "f4", "Nc6"]


def test_everything_fits_on_a_phone(server: Server, browser: Any) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    tab = Tab(context, server.address)
    tab.set(preset="mcc", memory=16)
    tab.page.touchscreen.tap(*tab.at("e2"))
    tab.page.touchscreen.tap(*tab.at("e4"))
    tab.ply(1)
    tab.search(100)
    tab.stop()
    assert tab.ask("document.documentElement.scrollWidth") <= 390, "nothing sticks out"
    board = tab.page.locator("cg-board").bounding_box()
    assert board and board["width"] > 340
    assert tab.complaints == []
    context.close()


def test_dark_and_light_and_names_for_screen_readers(tab: Tab) -> None:
    light = tab.ask("getComputedStyle(document.body).backgroundColor")
    tab.page.click("#theme")
    assert tab.ask("getComputedStyle(document.body).backgroundColor") != light
    nameless = tab.ask(
        "[...document.querySelectorAll('button, input, select, textarea, canvas')]"
        ".filter((e) => !(e.textContent.trim() || e.getAttribute('aria-label') || e.title || e.labels?.length))"
        ".filter((e) => !e.hidden)"
        ".map((e) => e.outerHTML)"
    )
    assert nameless == []
    assert re.match("White: ", tab.page.locator("#pieces").text_content() or "")
