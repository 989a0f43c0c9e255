"""The board in a real browser: games, positions, connections."""

import re
from typing import Any

from tests.board.client import Server
from tests.board.tab import LEGAL, Tab


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
    tab.position("4k3/8/8/8/8/8/8/1R1K4 w Q - 0 1")
    assert tab.ask("plyout.board.ground.state.movable.dests.get('d1').includes('b1')")
    assert not tab.ask("plyout.board.ground.state.movable.dests.get('d1').includes('a1')"), "no rook is there"


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
    tab.until("plyout.board.promoting !== null")
    sizes = tab.ask("[...document.querySelectorAll('#promotion piece')].map((p) => p.getBoundingClientRect().height)")
    assert len(sizes) == 4 and min(sizes) > 40, "one sees the pieces"
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
    for button in ("new", "position", "settings", "help"):
        tab.page.click(f"#{button}")
        hidden = tab.ask(
            "((dialog) => dialog.scrollWidth - dialog.clientWidth)(document.querySelector('dialog[open]'))"
        )
        assert hidden == 0, f"the dialog '{button}' is wider than the phone"
        tab.close_dialog()
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
