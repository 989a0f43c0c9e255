"""The server under attack: other origins, other names, no token, huge and malformed messages, many connections."""

import asyncio
import json
import socket
import urllib.error
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from tests.board.client import PATIENCE, Server

websockets = pytest.importorskip("websockets", reason="the board is not installed: pip install 'plyout[board]'")
pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from websockets.asyncio.client import connect  # noqa: E402
from websockets.exceptions import ConnectionClosed, InvalidHandshake  # noqa: E402


def address(server: Server, page: str = "") -> str:
    return f"ws://127.0.0.1:{server.port}/{server.token}/socket?page={page}"


def origin(server: Server) -> Any:
    return f"http://127.0.0.1:{server.port}"


@asynccontextmanager
async def opened(server: Server, page: str = "") -> AsyncIterator[Any]:
    """A page's socket, after the server's greeting."""
    async with connect(address(server, page), origin=origin(server), max_size=None, proxy=None) as page_socket:
        greeting = json.loads(await asyncio.wait_for(page_socket.recv(), PATIENCE))
        assert greeting["t"] == "hello"
        page_socket.name = greeting["page"]
        yield page_socket


async def until(page: Any, kind: str) -> dict[str, Any]:
    while True:
        message: dict[str, Any] = json.loads(await asyncio.wait_for(page.recv(), PATIENCE))
        if message["t"] == kind:
            return message


def status(server: Server, path: str, **headers: str) -> tuple[int, dict[str, str]]:
    request = urllib.request.Request(f"http://127.0.0.1:{server.port}{path}", headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, dict(answer.headers)
    except urllib.error.HTTPError as error:
        return error.code, dict(error.headers)


def test_the_page_and_its_parts_are_there(server: Server) -> None:
    code, headers = status(server, f"/{server.token}/")
    assert code == 200
    assert "script-src 'self'" in headers["content-security-policy"]
    for part in ("app.js", "style.css", "vendor/chessground/chessground.min.js"):
        assert status(server, f"/{server.token}/static/{part}")[0] == 200


@pytest.mark.parametrize("path", ["/", "/socket", "/static/app.js", "/wrong/", "/wrong/static/app.js"])
def test_nothing_is_told_without_the_token(server: Server, path: str) -> None:
    assert status(server, path)[0] == 403


@pytest.mark.parametrize("path", ["../server.py", "%2e%2e/server.py", "..%2fserver.py", "/etc/passwd"])
def test_no_other_file_can_be_read(server: Server, path: str) -> None:
    assert status(server, f"/{server.token}/static/{path}")[0] in (403, 404)


def test_another_name_for_this_machine_is_refused(server: Server) -> None:
    assert status(server, f"/{server.token}/", Host=f"rebinding.example:{server.port}")[0] == 403


def test_another_origin_gets_no_socket(server: Server) -> None:
    async def attack() -> None:
        for wrong in ("http://evil.example", f"http://127.0.0.1:{server.port + 1}", "null", None):
            with pytest.raises(InvalidHandshake):
                async with connect(address(server), origin=wrong, proxy=None):  # type: ignore[arg-type]
                    pass

    asyncio.run(attack())


def test_a_huge_message_ends_the_connection_and_nothing_else(server: Server) -> None:
    async def attack() -> None:
        async with opened(server) as page:
            with pytest.raises(ConnectionClosed):
                await page.send("x" * 2_000_000)
                while True:
                    await page.recv()
        assert page.close_code in (1009, 1006, 1008)
        async with opened(server, page.name) as again:
            await again.send(json.dumps({"t": "export"}))
            assert (await until(again, "pgn"))["text"]

    asyncio.run(attack())


@pytest.mark.parametrize("message", ["", "{", "[1]", "[" * 100_000, b"\x00\xff"])
def test_what_is_no_message_ends_the_connection(server: Server, message: str | bytes) -> None:
    async def attack() -> None:
        async with opened(server) as page:
            await page.send(message)
            with pytest.raises(ConnectionClosed):
                while True:
                    await page.recv()

    asyncio.run(attack())


def test_a_search_that_breaks_off_in_the_middle_disturbs_nobody(server: Server) -> None:
    """As when a page is closed while it sends one, or the file changes."""
    head = (
        f"POST /{server.token}/load/x HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nOrigin: {origin(server)}\r\n"
        "Content-Length: 1000\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as page:
        page.sendall(head.encode() + b"PK")
        page.settimeout(1.0)
        with pytest.raises(TimeoutError):  # it waits for the rest
            page.recv(1)
    assert status(server, f"/{server.token}/")[0] == 200
    assert server.errors == []


def test_a_flood_of_messages_ends_the_connection(server: Server) -> None:
    async def attack() -> None:
        async with opened(server) as page:
            with pytest.raises(ConnectionClosed):
                for _ in range(5000):
                    await page.send('{"t":"export"}')
                while True:
                    await page.recv()
        assert page.close_code in (1008, 1006)  # 1006 where it was still sending when the server closed

    asyncio.run(attack())


def test_a_page_cannot_send_what_only_the_server_may(server: Server) -> None:
    async def attack() -> None:
        async with opened(server) as page:
            for kind in ("save", "load", "hello"):
                await page.send(json.dumps({"t": kind, "path": "/tmp/x", "id": 1}))
                assert "no message is called" in (await until(page, "error"))["text"]

    asyncio.run(attack())


def test_a_page_that_comes_back_finds_its_game(server: Server) -> None:
    async def lose_it() -> None:
        async with opened(server) as page:
            await page.send(json.dumps({"t": "move", "uci": "e2e4"}))
            while (await until(page, "state"))["ply"] != 1:
                pass
        async with opened(server, page.name) as again:
            assert again.name == page.name
            assert (await until(again, "state"))["ply"] == 1
            async with opened(server, page.name) as twin:
                assert twin.name != page.name, "two tabs are two pages"
                assert (await until(twin, "state"))["ply"] == 0

    asyncio.run(lose_it())


def test_a_connection_that_breaks_is_no_fault_of_the_server(server: Server) -> None:
    """Whatever it was about to say; its log is looked at when all is over."""

    async def break_it(messages: list[str]) -> None:
        async with opened(server) as page:
            for message in messages:
                await page.send(message)
            page.transport.abort()

    for messages in ([], ['{"t":"export"}'] * 50, ["nonsense"], ['{"t":"export"}'] * 200):
        asyncio.run(break_it(messages))
    assert status(server, f"/{server.token}/")[0] == 200


def test_a_thousand_connections_do_not_stop_it(server: Server) -> None:
    """Sockets that say nothing: while they are open there may be no room, and then there is again."""
    silent = []
    try:
        for _ in range(1000):
            silent.append(socket.create_connection(("127.0.0.1", server.port), timeout=30))
        assert status(server, f"/{server.token}/")[0] in (200, 503)
    finally:
        for each in silent:
            each.close()
    assert status(server, f"/{server.token}/")[0] == 200
