"""Small networks on disk: ``.plynet`` files.

    magic 8 · version 4 · size of the header 4 · SHA-256 of what follows 32
    header (JSON) · the arrays, one behind the other, compressed (xz)

The header tells the kind (value or policy), the features, the scale of the integers, the arrays (name, type, shape),
and how the network was trained. A file that does not fit is refused with one line.
"""

import hashlib
import json
import lzma
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from plyout.errors import InputError

SUFFIX = ".plynet"
_MAGIC, _VERSION = b"PLYNET\r\n", 1
_HEAD = struct.Struct("<8sII32s")
_TYPES = ("int8", "int16", "int32")
_LARGEST = 1 << 27  # bytes of arrays: what nobody needs is not unpacked


@dataclass(frozen=True)
class Network:
    header: dict[str, Any]
    """``kind``, ``features``, ``width``, ``scale`` and ``trained``"""
    arrays: dict[str, Any]

    @property
    def kind(self) -> str:
        return str(self.header["kind"])


def write(path: str | Path, network: Network) -> None:
    """Write a network; the header gets what describes the arrays."""
    raw = b"".join(np.ascontiguousarray(a).tobytes() for a in network.arrays.values())
    listed = [[name, str(a.dtype), list(a.shape)] for name, a in network.arrays.items()]
    text = json.dumps(network.header | {"arrays": listed}, indent=1, ensure_ascii=False).encode()
    body = text + lzma.compress(raw)
    Path(path).write_bytes(_HEAD.pack(_MAGIC, _VERSION, len(text), hashlib.sha256(body).digest()) + body)


def read(path: str | Path) -> Network:
    """Read a network; `InputError` says what is wrong with the file."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"the network {path} cannot be read: {error.strerror}") from None
    try:
        return _parsed(data)
    except _Unfit as reason:
        raise InputError(f"{path} is no network of ours: {reason}") from None


class _Unfit(Exception):
    """Why a file does not fit."""


def _parsed(data: bytes) -> Network:
    if len(data) < _HEAD.size or not data.startswith(_MAGIC):
        raise _Unfit("it does not begin as one")
    _, version, size, checksum = _HEAD.unpack_from(data)
    if version != _VERSION:
        raise _Unfit(f"its version is {version}, and {_VERSION} is what can be read")
    body = data[_HEAD.size :]
    if hashlib.sha256(body).digest() != checksum:
        raise _Unfit("its checksum is wrong")
    try:
        header = json.loads(body[:size].decode())
        listed = [(str(name), str(kind), tuple(map(int, shape))) for name, kind, shape in header["arrays"]]
        _ = header["kind"], header["features"], header["width"], header["scale"]
    except (KeyError, TypeError, ValueError):
        raise _Unfit("its header tells too little") from None
    return Network(header, _arrays(_unpacked(body[size:]), listed))


def _unpacked(data: bytes) -> bytes:
    unpacker = lzma.LZMADecompressor()
    try:
        raw = unpacker.decompress(data, _LARGEST)
    except lzma.LZMAError:
        raise _Unfit("its weights are damaged") from None
    if not unpacker.eof or unpacker.unused_data:
        raise _Unfit("its weights are cut off, or something stands behind them")
    return raw


def _arrays(raw: bytes, listed: list[tuple[str, str, tuple[int, ...]]]) -> dict[str, Any]:
    found, at = {}, 0
    for name, kind, shape in listed:
        if kind not in _TYPES or any(side < 0 for side in shape):
            raise _Unfit(f"its array {name!r} is {kind} {shape}")
        count = int(np.prod(shape, dtype=object))
        if len(raw) - at < count * np.dtype(kind).itemsize:
            raise _Unfit(f"its array {name!r} is cut off")
        found[name] = np.frombuffer(raw, np.dtype(kind).newbyteorder("<"), count, at).reshape(shape).astype(kind)
        at += count * np.dtype(kind).itemsize
    if at != len(raw):
        raise _Unfit("it has more weights than its header tells")
    return found
