"""The way into a cluster, and what may bar it: one line each."""

import logging
import os
import re
import signal
import socket
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

from plyout.errors import InputError

AUTO = "auto"
_KNOCK = 5.0  # seconds until a machine that does not answer is taken to be none
_FRAME = 9  # bytes of the head of a frame of HTTP/2, which gRPC and so Ray speaks: length, type, flags, stream
_SETTINGS_FRAME = b"\x04"
_HELLO = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0" + _SETTINGS_FRAME + bytes(5)
_SETTINGS = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ENABLE_AUTO_CONNECT": "0",  # nobody begins a cluster by asking for one that is gone
    "RAY_NUM_REDIS_GET_RETRIES": "4",  # a second each
}
_HOW = "'ray start --head --port=6399' begins one, see docs/cluster.md"


@contextmanager
def connected(address: str) -> Iterator[Any]:
    """Ray, connected to the cluster at an address for the length of a block, unless it is already."""
    ray = _load()
    if ray.is_initialized():
        yield ray
        return
    if address != AUTO:
        _knock(address)
    with _signals_left_alone(), _hushed() as said:
        try:
            ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
        except Exception as error:
            said.flush()
            said.seek(0)
            raise InputError(_why(address, f"{error} {said.read()}")) from None
    try:
        yield ray
    finally:
        with _signals_left_alone():
            ray.shutdown()


def _load() -> Any:
    for name, value in _SETTINGS.items():  # read when Ray is imported
        os.environ.setdefault(name, value)
    try:
        import ray
    except ImportError:
        raise InputError("--cluster needs Ray: pip install 'plyout[ray]', or give --cluster local") from None
    return ray


def _knock(address: str) -> None:
    """Ray itself would wait for minutes where nobody answers."""
    found = re.fullmatch(r"(\[[0-9A-Fa-f:]+\]|[^:\s/]+):(\d{1,5})", address)
    if not found or int(found[2]) > 65535:
        raise InputError(f"--cluster is auto, local or HOST:PORT, as in 10.0.0.1:6399, not {address!r}")
    try:
        with socket.create_connection((found[1].strip("[]"), int(found[2])), _KNOCK) as door:
            door.sendall(_HELLO)
            answer = door.recv(_FRAME)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"there is no cluster at {address} ({reason}): {_HOW}") from None
    if answer[3:4] != _SETTINGS_FRAME:
        raise InputError(f"what answers at {address} is no Ray cluster: {_HOW}")


@contextmanager
def _signals_left_alone() -> Iterator[None]:
    """Ray has its own idea of what SIGTERM means; a command has another."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        if threading.current_thread() is threading.main_thread():  # Ray sets none in others
            for number, handler in before.items():
                signal.signal(number, handler)


@contextmanager
def _hushed() -> Iterator[IO[str]]:
    """What the libraries under Ray write to standard error, past Python, goes into a file."""
    sys.stderr.flush()
    kept = os.dup(2)
    try:
        with tempfile.TemporaryFile("w+", errors="replace") as file:
            os.dup2(file.fileno(), 2)
            yield file
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def _why(address: str, said: str) -> str:
    text = " ".join(said.split())
    cluster = "this machine's cluster" if address == AUTO else f"the cluster at {address}"
    if "InvalidAuthToken" in text or "Unauthenticated" in text or "authentication token" in text:
        return (
            f"{cluster} wants another token: give the one of its head in RAY_AUTH_TOKEN_PATH or "
            "RAY_AUTH_TOKEN, with RAY_AUTH_MODE=token"
        )
    if text.startswith("Version mismatch"):
        return f"{cluster} has other versions of Ray or Python: {text.removeprefix('Version mismatch: ')}"
    if address == AUTO and "Could not find any running Ray instance" in text:
        return f"this machine belongs to no cluster: {_HOW}"
    return f"{cluster} cannot be joined (is 'ray start' running on this machine, too?): {text[:200]}"
