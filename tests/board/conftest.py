"""A server as a user starts it, and pages of it in Debian's Chromium, driven by Playwright."""

import shutil
from collections.abc import Iterator
from typing import Any

import pytest

from tests.board.client import PATIENCE, Server
from tests.board.tab import Tab


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    for needed in ("starlette", "uvicorn", "websockets"):
        pytest.importorskip(needed, reason="the board is not installed: pip install 'plyout[board]'")
    server = Server()
    yield server
    assert server.close() == 0, "Ctrl-C ends it"
    assert not [line for line in server.errors if "Traceback" in line], server.errors


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="no Playwright: pip install playwright")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.skip("no Chromium: 'make test' installs it where it may (as root)")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(
            executable_path=chromium, args=["--no-sandbox"], timeout=1000 * PATIENCE
        )  # fmt: skip
        yield browser
        browser.close()


@pytest.fixture
def tab(server: Server, browser: Any) -> Iterator[Tab]:
    context = browser.new_context(viewport={"width": 1400, "height": 900}, accept_downloads=True)
    tab = Tab(context, server.address)
    yield tab
    complaints = tab.complaints
    context.close()
    assert complaints == [], "the console is silent"
