"""Pages and their processes, with a process that only repeats what it hears."""

import asyncio
import json
from typing import Any

import pytest

from plyout.board import pages as module
from plyout.board.pages import MOST_PAGES, Page, Pages

ECHO = ("cat",)


def run(test: Any) -> Any:
    async def whole() -> Any:
        pages = Pages(ECHO)
        try:
            return await asyncio.wait_for(test(pages), 30)
        finally:
            await pages.end()

    return asyncio.run(whole())


async def come(pages: Pages, name: str = "") -> Page:
    page = await pages.come(name)
    assert page is not None
    page.connect()
    return page


def test_too_many_pages_are_refused_until_one_goes() -> None:
    async def test(pages: Pages) -> None:
        there = [await come(pages) for _ in range(MOST_PAGES)]
        assert await pages.come("") is None
        there[3].disconnect()
        assert await pages.come("") is not None, "the one that was left makes room"
        assert there[3].ended
        assert not there[4].ended

    run(test)


def test_a_page_that_does_not_come_back_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "GRACE", 0.0)

    async def test(pages: Pages) -> None:
        stays, goes = await come(pages), await come(pages)
        goes.disconnect()
        watching = asyncio.create_task(pages.watch())
        while not goes.ended:
            await asyncio.sleep(0.05)
        watching.cancel()
        assert not stays.ended
        assert (await pages.come(goes.name)) is not goes

    run(test)


def test_a_slow_page_gets_only_the_newest_picture_and_every_snapshot() -> None:
    async def test(pages: Pages) -> list[str]:
        page = await come(pages)
        for n in range(50):
            for side in (0, 1):
                page._put(b'{"t":"search","side":%d,"n":%d}\n' % (side, n))
            page._put(b'{"t":"history","n":%d}\n' % n)
        got = []
        while len(got) < 52:
            text = await page.next_message()
            assert text is not None
            if "server" not in text:
                got.append(text)
        return got

    got = [json.loads(text) for text in run(test)]
    assert [m["n"] for m in got if m["t"] == "history"] == list(range(50))
    assert [(m["side"], m["n"]) for m in got if m["t"] == "search"] == [(0, 49), (1, 49)]


def test_a_page_may_send_only_so_many_messages() -> None:
    async def test(pages: Pages) -> int:
        page = await come(pages)
        return sum(page.allows() for _ in range(1000))

    assert 100 <= run(test) <= 200
