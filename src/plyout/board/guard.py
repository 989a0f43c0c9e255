"""Who may ask: a page that has the token, under a name of ours, from our own origin."""

import ipaddress
import secrets
import socket
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass, field
from typing import Any

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

_HEADERS = [
    # Attributes with styles are chessground's.
    (b"content-security-policy", b"default-src 'none'; script-src 'self'; style-src 'self'; "
     b"style-src-attr 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; "
     b"form-action 'none'; frame-ancestors 'none'"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),  # the address has the token in it
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-cache"),
]  # fmt: skip


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server there."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@dataclass(frozen=True)
class Door:
    """Where the server is, and what opens it."""

    host: str
    port: int
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))

    @property
    def address(self) -> str:
        name = "127.0.0.1" if self.host in ("0.0.0.0", "::") else self.host
        return f"http://{f'[{name}]' if ':' in name else name}:{self.port}/{self.token}/"

    def knows_host(self, host: str) -> bool:
        """Whether a Host is ours. Another name for this machine's address would be somebody's trick: that of DNS
        rebinding. One that listens to the network may be called by any number, since a trick needs a name."""
        name, _, port = host.rpartition(":")
        if not name:
            name, port = host, "80"
        name = name.strip("[]").lower()
        if port != str(self.port):
            return False
        if name in ("localhost", "127.0.0.1", "::1", self.host.lower()):
            return True
        if is_loopback(self.host):
            return False
        try:
            return bool(ipaddress.ip_address(name))
        except ValueError:
            return name in (socket.gethostname().lower(), socket.getfqdn().lower())

    def knows_origin(self, origin: str) -> bool:
        scheme, _, host = origin.partition("://")
        return scheme == "http" and self.knows_host(host)

    def opens(self, path: str) -> str | None:
        """What follows the token in a path; None if it has not the right one."""
        token, slash, rest = path.removeprefix("/").partition("/")
        right = secrets.compare_digest(token.encode(), self.token.encode())
        return f"/{rest}" if right and slash else None


class Guard:
    """Lets only those in who may come, and tells browsers to be strict."""

    def __init__(self, app: App, door: Door) -> None:
        self._app, self._door = app, door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            return await self._app(scope, receive, send)
        refusal, rest = self._refusal(scope)
        if refusal is not None:
            return await _refuse(scope, send, refusal)

        async def strict(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *_HEADERS]
            await send(message)

        return await self._app({**scope, "path": rest, "raw_path": rest.encode()}, receive, strict)

    def _refusal(self, scope: Scope) -> tuple[str | None, str]:
        """(why somebody is refused, or None; what they ask for)"""
        headers: dict[bytes, list[bytes]] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name.lower(), []).append(value)
        hosts, origins = headers.get(b"host", []), headers.get(b"origin", [])
        if len(hosts) != 1 or not self._door.knows_host(hosts[0].decode("latin-1")):
            return "this server is not called so", ""
        changes = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        if len(origins) > 1 or (origins and not self._door.knows_origin(origins[0].decode("latin-1"))):
            return "pages from elsewhere may not ask here", ""
        if changes and not origins:
            return "only a page may ask this, and a page says where it is from", ""
        rest = self._door.opens(scope["path"])
        if rest is None:
            return "the address needs the token that 'plyout board' has printed", ""
        return None, rest


async def _refuse(scope: Scope, send: Send, why: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": why})
        return
    headers = [(b"content-type", b"text/plain; charset=utf-8"), *_HEADERS]
    await send({"type": "http.response.start", "status": 403, "headers": headers})
    await send({"type": "http.response.body", "body": f"{why}\n".encode()})
