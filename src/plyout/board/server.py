"""The server: files, a socket for each page, searches saved and loaded."""

import asyncio
import contextlib
import json
import os
import socket
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket, WebSocketDisconnect

from plyout import __version__
from plyout.board.guard import Door, Guard
from plyout.board.pages import Page, Pages
from plyout.errors import InputError
from plyout.presets import presets
from plyout.presets.levels import HIGHEST, LOWEST, PRESET

LONGEST_MESSAGE = 256_000  # bytes, of a page's
LARGEST_FILE = 512_000_000  # bytes of a search that is loaded
MOST_CONNECTIONS = 64
_SILENCE = 60.0  # seconds after which a page that answers nothing is gone: its machine may be busy
_STATIC = Path(__file__).parent / "static"
_TOO_MANY, _TOO_FAST, _NOT_UNDERSTOOD = 1013, 1008, 1003  # codes with which a socket is closed


def application(door: Door) -> Guard:
    """The whole server, as ASGI wants it."""
    pages = Pages()

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        watching = asyncio.create_task(pages.watch())
        try:
            yield
        finally:
            watching.cancel()
            await pages.end()

    async def talk(websocket: WebSocket) -> None:
        await websocket.accept()
        name = websocket.query_params.get("page", "")
        page = await pages.come(name)
        if page is None:
            return await _close(websocket, _TOO_MANY, "too many pages are open: close one")
        return await _talk(websocket, page, resumed=page.name == name)

    async def save(request: Request) -> Response:
        handle, name = tempfile.mkstemp(suffix=".plyout")
        os.close(handle)
        path = Path(name)
        try:
            side = 1 if request.query_params.get("side") == "1" else 0
            await pages.named(request.path_params["page"]).ask("save", path, side)
        except InputError as error:
            path.unlink()
            return PlainTextResponse(str(error), 409)
        return FileResponse(
            path, filename="search.plyout", media_type="application/octet-stream",
            background=BackgroundTask(path.unlink, missing_ok=True),
        )  # fmt: skip

    async def load(request: Request) -> Response:
        handle, name = tempfile.mkstemp(suffix=".plyout")
        path, size = Path(name), 0
        try:
            with os.fdopen(handle, "wb") as file:
                async for chunk in request.stream():
                    size += len(chunk)
                    if size > LARGEST_FILE:
                        return PlainTextResponse(f"a search has at most {LARGEST_FILE:,} bytes here", 413)
                    file.write(chunk)
            await pages.named(request.path_params["page"]).ask("load", path)
            return Response(status_code=204)
        except InputError as error:
            return PlainTextResponse(str(error), 400)
        except ClientDisconnect:  # the page was closed, or its file changed, in the middle: nobody reads an answer
            return Response(status_code=400)
        finally:
            path.unlink(missing_ok=True)

    async def index(request: Request) -> Response:
        return FileResponse(_STATIC / "index.html")

    app = Starlette(
        routes=[
            Route("/", index),
            WebSocketRoute("/socket", talk),
            Route("/save/{page}", save),
            Route("/load/{page}", load, methods=["POST"]),
            Mount("/static", StaticFiles(directory=_STATIC)),
        ],
        lifespan=lifespan,
    )
    return Guard(app, door)


async def _talk(websocket: WebSocket, page: Page, resumed: bool) -> None:
    """Carry messages between a page and its process until one of them goes."""
    hello = {
        "t": "hello", "page": page.name, "resumed": resumed, "version": __version__, "threads": os.cpu_count() or 1,
        "levels": {"lowest": LOWEST, "highest": HIGHEST, "preset": PRESET},
        "presets": [[p.name, p.description, p.paper] for p in presets().values()],
    }  # fmt: skip
    page.connect()
    sending: asyncio.Task[None] | None = None
    try:
        await websocket.send_text(json.dumps(hello))
        sending = asyncio.create_task(_send_all(websocket, page))
        while True:
            text = await websocket.receive_text()
            if len(text) > LONGEST_MESSAGE or not page.allows():
                return await _close(websocket, _TOO_FAST, "too many messages, or too long ones")
            message = _parsed(text)
            if message is None:
                return await _close(websocket, _NOT_UNDERSTOOD, "a message is one JSON object")
            page.tell("page", message)
    except (WebSocketDisconnect, RuntimeError, KeyError):  # gone; or it has sent bytes
        await _close(websocket, _NOT_UNDERSTOOD, "a message is text")
    finally:
        page.disconnect()
        if sending is not None:
            sending.cancel()


def _parsed(text: str) -> dict[str, Any] | None:
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return message if isinstance(message, dict) else None


async def _send_all(websocket: WebSocket, page: Page) -> None:
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        while (text := await page.next_message()) is not None:
            await websocket.send_text(text)
        await _close(websocket, _TOO_MANY, "the page's process has ended, or the page is too slow")


async def _close(websocket: WebSocket, code: int, why: str) -> None:
    """Close a socket that may be gone already."""
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        await websocket.close(code, why)


def listen(host: str, port: int) -> socket.socket:
    """A socket to listen at; an `InputError` says why there is none."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(128)  # whoever comes before the server is ready waits
    except OSError as error:
        listening.close()
        raise InputError(f"cannot listen at {host}:{port}: {error.strerror or error}") from None
    return listening


def serve(listening: socket.socket, door: Door) -> None:
    """Serve until Ctrl-C."""
    config = uvicorn.Config(
        application(door), log_level="warning", ws_max_size=LONGEST_MESSAGE, ws_per_message_deflate=False,
        ws_ping_timeout=_SILENCE, limit_concurrency=MOST_CONNECTIONS, timeout_graceful_shutdown=3, server_header=False,
        lifespan="on",
    )  # fmt: skip
    with contextlib.suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listening])
