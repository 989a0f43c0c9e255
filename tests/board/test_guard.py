"""Who may ask the server."""

import asyncio
from typing import Any

import pytest

from plyout.board.guard import Door, Guard

DOOR = Door("127.0.0.1", 8000, "secret")
OURS = {"host": "127.0.0.1:8000", "origin": "http://127.0.0.1:8000"}


def asked(door: Door, path: str, headers: dict[str, str], kind: str = "websocket", method: str = "GET") -> list[Any]:
    """What the server answers: its messages, or the path that the application behind the guard is asked for."""
    answers: list[Any] = []

    async def behind(scope: Any, receive: Any, send: Any) -> None:
        answers.append(scope["path"])

    async def send(message: Any) -> None:
        answers.append(message)

    async def receive() -> Any:
        raise AssertionError("nobody waits for anything")

    scope = {
        "type": kind, "path": path, "method": method,
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }  # fmt: skip
    asyncio.run(Guard(behind, door)(scope, receive, send))
    return answers


def test_our_own_page_comes_in() -> None:
    assert asked(DOOR, "/secret/socket", OURS) == ["/socket"]
    assert asked(DOOR, "/secret/", {"host": "localhost:8000"}, "http") == ["/"]
    assert asked(DOOR, "/secret/socket", {"host": "[::1]:8000", "origin": "http://[::1]:8000"}) == ["/socket"]


@pytest.mark.parametrize(
    "path, headers",
    [
        ("/secret/socket", {"host": "127.0.0.1:8000"}),
        ("/secret/socket", OURS | {"origin": "http://evil.example"}),
        ("/secret/socket", OURS | {"origin": "null"}),
        ("/secret/socket", OURS | {"origin": "https://127.0.0.1:8000"}),
        ("/secret/socket", OURS | {"origin": "http://127.0.0.1:8001"}),
        ("/secret/socket", OURS | {"origin": "http://127.0.0.1:8000.evil.example"}),
        ("/secret/socket", {"host": "evil.example:8000", "origin": "http://evil.example:8000"}),
        ("/secret/socket", {"host": "127.0.0.1:8001", "origin": "http://127.0.0.1:8001"}),
        ("/secret/socket", {"host": "192.168.1.5:8000", "origin": "http://192.168.1.5:8000"}),
        ("/secret/socket", {"origin": "http://127.0.0.1:8000"}),
        ("/Secret/socket", OURS), ("/socket", OURS), ("/secre/socket", OURS), ("/secretx/socket", OURS),
        ("//socket", OURS), ("/secret", OURS), ("/sécret/socket", OURS),
    ],
)  # fmt: skip
def test_everybody_else_is_refused(path: str, headers: dict[str, str]) -> None:
    (closed,) = asked(DOOR, path, headers)
    assert (closed["type"], closed["code"]) == ("websocket.close", 1008)
    if "origin" in headers:
        started, _ = asked(DOOR, path, headers, "http", "POST")
        assert started["status"] == 403


def test_a_form_elsewhere_cannot_post_and_a_link_elsewhere_needs_the_token() -> None:
    started, _ = asked(DOOR, "/secret/load/x", {"host": "127.0.0.1:8000"}, "http", "POST")
    assert started["status"] == 403
    started, body = asked(DOOR, "/", {"host": "127.0.0.1:8000"}, "http")
    assert started["status"] == 403
    assert b"secret" not in body["body"]


def test_a_server_for_the_network_is_called_by_number_or_by_its_name() -> None:
    door = Door("0.0.0.0", 8000, "secret")
    assert door.knows_host("192.168.1.5:8000")
    assert door.knows_host("[fe80::1]:8000")
    assert not door.knows_host("rebinding.example:8000")
    assert door.address == "http://127.0.0.1:8000/secret/"


def test_tokens_differ_and_are_long() -> None:
    tokens = {Door("127.0.0.1", 1).token for _ in range(50)}
    assert len(tokens) == 50
    assert all(len(token) >= 32 for token in tokens)
