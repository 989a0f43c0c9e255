"""A page with the board in a real browser, and a hand that moves the mouse."""

import time
from typing import Any

from tests.board.client import PATIENCE

LEGAL = "r2qkbnr/ppp2ppp/2np4/4N2b/2B1P3/2N4P/PPPP1PP1/R1BQK2R b KQkq - 0 1"


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
        box = self.page.locator("#board cg-board").bounding_box()
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
