"""The way into a cluster, and what may bar it: one line each."""

import logging
import os
import re
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from plyout.errors import InputError

AUTO = "auto"
_KNOCK = 5.0  # seconds until a machine that does not answer is taken to be none
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
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    with _signals_left_alone():
        try:
            ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR, include_dashboard=False)
        except Exception as error:
            raise InputError(_why(address, error)) from None
    try:
        yield ray
    finally:
        with _signals_left_alone():
            ray.shutdown()


def _load() -> Any:
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
        socket.create_connection((found[1].strip("[]"), int(found[2])), _KNOCK).close()
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"there is no cluster at {address} ({reason}): {_HOW}") from None


@contextmanager
def _signals_left_alone() -> Iterator[None]:
    """Ray has its own idea of what SIGTERM means; a command has another."""
    try:
        before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
        yield
        for number, handler in before.items():
            signal.signal(number, handler)
    except ValueError:  # not in the main thread, where Ray sets none either
        pass


def _why(address: str, error: Exception) -> str:
    text = " ".join(str(error).split())
    if "oken" in text and ("auth" in text.lower() or "nvalid" in text):
        return (
            f"the cluster at {address} wants another token: give the one of its head in RAY_AUTH_TOKEN_PATH or "
            "RAY_AUTH_TOKEN, with RAY_AUTH_MODE=token"
        )
    if text.startswith("Version mismatch"):
        return (
            f"the cluster at {address} has other versions of Ray or Python: {text.removeprefix('Version mismatch: ')}"
        )
    if address == AUTO and "Could not find any running Ray instance" in text:
        return f"this machine belongs to no cluster: {_HOW}"
    return f"the cluster at {address} cannot be joined (is 'ray start' running on this machine, too?): {text[:200]}"
