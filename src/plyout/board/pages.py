"""Pages, each with a process of its own: it is started with the page, outlives a lost connection by a little, and ends
with it."""

import asyncio
import contextlib
import json
import secrets
import sys
import time
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from plyout.errors import InputError

MOST_PAGES = 8
GRACE = 20.0  # seconds that a process waits for its page to come back
_LONGEST_LINE = 16_000_000  # bytes of one message of a process
_MOST_WAITING = 2_000  # messages that a slow page has not taken yet
_RATE, _BURST = 40.0, 120.0  # messages a second that a page may send
_PATIENCE = 120.0  # seconds for a search to be written or read


class Page:
    """One page's process, and what it has to say to the page."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.name = secrets.token_urlsafe(12)
        self._process = process
        self._waiting: deque[tuple[bytes, bytes]] = deque()  # (what it may be replaced by, the message)
        self._news = asyncio.Event()
        self._answers: dict[int, asyncio.Future[Any]] = {}
        self._allowance, self._counted = _BURST, time.monotonic()
        self.connected = False
        self.left = time.monotonic()
        self.ended = False
        self._reader = asyncio.create_task(self._read())

    async def _read(self) -> None:
        """Take what the process says."""
        assert self._process.stdout is not None
        with contextlib.suppress(ValueError, ConnectionError):
            while line := await self._process.stdout.readline():
                if line.startswith(b'{"t":"_'):
                    answer = json.loads(line)
                    if (waiting := self._answers.pop(answer["id"], None)) and not waiting.done():
                        waiting.set_result(answer["error"])
                elif self.connected:
                    self._put(line)
        self.ended = True
        self._news.set()

    def _put(self, line: bytes) -> None:
        """Queue a message; a newer picture of a search replaces one that the page has not taken yet."""
        kind = line[:22] if line.startswith(b'{"t":"search"') else b""
        if kind:
            self._waiting = deque(item for item in self._waiting if item[0] != kind)
        self._waiting.append((kind, line))
        self._news.set()

    async def next_message(self) -> str | None:
        """What to send to the page; None when there is nothing more to come, or the page does not take it."""
        while not self._waiting:
            if self.ended:
                return None
            self._news.clear()
            await self._news.wait()
        if len(self._waiting) > _MOST_WAITING:
            return None
        return self._waiting.popleft()[1].decode().rstrip("\n")

    def connect(self) -> None:
        self.connected = True
        self._waiting.clear()
        self.tell("server", {"t": "hello"})

    def disconnect(self) -> None:
        self.connected, self.left = False, time.monotonic()
        self._waiting.clear()

    def tell(self, source: str, message: Any) -> None:
        """Hand a message to the process."""
        assert self._process.stdin is not None
        with contextlib.suppress(ConnectionError, RuntimeError):
            self._process.stdin.write(json.dumps({source: message}).encode() + b"\n")

    def allows(self) -> bool:
        """Whether the page may send another message now."""
        now = time.monotonic()
        self._allowance = min(self._allowance + _RATE * (now - self._counted), _BURST)
        self._counted = now
        self._allowance -= 1.0
        return self._allowance >= 0.0

    async def ask(self, kind: str, path: Path, side: int = 0) -> None:
        """Have a search written to, or read from, a file; an `InputError` if that is not possible."""
        number = secrets.randbits(40)
        answer = self._answers[number] = asyncio.get_running_loop().create_future()
        self.tell("server", {"t": kind, "path": str(path), "side": side, "id": number})
        try:
            error = await asyncio.wait_for(answer, _PATIENCE)
        except asyncio.TimeoutError:
            raise InputError("the search takes too long to answer") from None
        finally:
            self._answers.pop(number, None)
        if error is not None:
            raise InputError(str(error))

    async def end(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        with contextlib.suppress(ConnectionError, RuntimeError):
            self._process.stdin.close()
        try:
            await asyncio.wait_for(self._process.wait(), 2.0)
        except asyncio.TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()
        self._reader.cancel()
        self.ended = True
        self._news.set()


class Pages:
    """All pages of a server; `command` starts the process of one."""

    def __init__(self, command: Sequence[str] = (sys.executable, "-m", "plyout.board.worker")) -> None:
        self._command = command
        self._pages: dict[str, Page] = {}
        self._coming = 0

    async def come(self, name: str) -> Page | None:
        """The page called `name`, if it was here before and has lost its connection; else a new one. None if there
        are too many."""
        page = self._pages.get(name)
        if page is not None and not page.connected and not page.ended:
            return page
        await self._make_room()
        if len(self._pages) + self._coming >= MOST_PAGES:
            return None
        self._coming += 1
        try:
            pipe = asyncio.subprocess.PIPE
            process = await asyncio.create_subprocess_exec(*self._command, stdin=pipe, stdout=pipe, limit=_LONGEST_LINE)
        finally:
            self._coming -= 1
        page = Page(process)
        self._pages[page.name] = page
        return page

    def named(self, name: str) -> Page:
        page = self._pages.get(name)
        if page is None or page.ended:
            raise InputError("there is no such page: load it again")
        return page

    async def _make_room(self) -> None:
        """Where there are too many, end the one that was left longest ago."""
        gone = [p for p in self._pages.values() if p.ended]
        for page in gone:
            del self._pages[page.name]
        left = sorted((p for p in self._pages.values() if not p.connected), key=lambda p: p.left)
        if len(self._pages) + self._coming >= MOST_PAGES and left:
            del self._pages[left[0].name]
            await left[0].end()

    async def watch(self) -> None:
        """End the processes of pages that do not come back."""
        while True:
            await asyncio.sleep(1.0)
            now = time.monotonic()
            for page in list(self._pages.values()):
                if page.ended or (not page.connected and now - page.left > GRACE):
                    self._pages.pop(page.name, None)
                    await page.end()

    async def end(self) -> None:
        """End them all."""
        pages, self._pages = list(self._pages.values()), {}
        await asyncio.gather(*(page.end() for page in pages))
