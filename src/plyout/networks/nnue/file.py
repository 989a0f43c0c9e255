"""The file of a network of Stockfish 15.1 (HalfKAv2_hm), read and validated whole.

All numbers are little-endian, none is compressed:

    version, hash of the architecture, length of the description       3 × uint32
    description                                                        text
    hash of the sums                                                   uint32
    biases, weights, weights of the material                           int16, int16, int32
    eight times: hash of a stack; biases and weights of its 3 layers   uint32; int32, int8
"""

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from plyout.errors import InputError
from plyout.networks.nnue.shape import (
    BIASES, BLOCK, BUCKETS, FEATURES, FIRST, FIRST_BIASES, FIRST_WEIGHTS, LAST_BIAS, LAST_WEIGHTS, MATERIAL, SECOND,
    SECOND_BIASES, SECOND_INPUTS, SECOND_WEIGHTS, STACK, STACKS, SUMS, WEIGHTS,
)  # fmt: skip

VERSION = 0x7AF32F20
RELEASED = {"ad9b42354671": "15.1"}
"""Networks that came with a Stockfish, by the twelve digits of their SHA-256 in their names: nn-ad9b42354671."""

_FEATURES_HASH = 0x7F234CB8  # what Stockfish calls HalfKAv2_hm
_LONGEST_DESCRIPTION = 10_000
_WORD = 4
_SUMS_SIZE = 2 * SUMS * (1 + FEATURES) + 4 * BUCKETS * FEATURES
_STACK_SIZE = 4 * (FIRST + SECOND + 1) + FIRST * SUMS + SECOND * SECOND_INPUTS + SECOND
SIZE_WITHOUT_DESCRIPTION = 3 * _WORD + _WORD + _SUMS_SIZE + BUCKETS * (_WORD + _STACK_SIZE)


def _hash_of_stack() -> int:
    """Stockfish's hash of three layers with activations between them: each layer mixes its size into those before."""
    layer, activation, mask = 0xCC03DAE4, 0x538D24C7, 0xFFFFFFFF
    found = 0xEC42E90D ^ 2 * SUMS
    for outputs in (FIRST, SECOND, 1):
        before = found if outputs == FIRST else found + activation & mask
        found = layer + outputs & mask ^ before >> 1 ^ before << 31 & mask
    return found


SUMS_HASH = _FEATURES_HASH ^ 2 * SUMS
STACK_HASH = _hash_of_stack()
HASH = SUMS_HASH ^ STACK_HASH


@dataclass(frozen=True)
class Header:
    description: str
    size: int
    digest: str
    """the first twelve digits of the SHA-256, of which Stockfish makes the network's name"""

    @property
    def name(self) -> str:
        return f"nn-{self.digest}"

    @property
    def release(self) -> str | None:
        """The version of Stockfish that it came with, where we know."""
        return RELEASED.get(self.digest)


class Network:
    """A network in memory; kernels get its `address`, and whoever passes it keeps the network."""

    def __init__(self, header: Header, block: Any) -> None:
        self.header = header
        self.block = block

    @property
    def address(self) -> int:
        return int(self.block.ctypes.data)


def extent(data: Any, start: int = 0) -> int:
    """How many bytes the network that begins at `start` has, by its own words; `ValueError` says why none does."""
    if len(data) - start < 3 * _WORD:
        raise ValueError(f"it has {len(data) - start} bytes, which are not even a header")
    version, architecture, length = _words(data, start, 3)
    if version != VERSION:
        raise ValueError(f"its version is {version:#010x}, and that of Stockfish 15.1's networks {VERSION:#010x}")
    if architecture != HASH:
        raise ValueError(f"its architecture {architecture:#010x} is not that of Stockfish 15.1, {HASH:#010x}")
    if length > _LONGEST_DESCRIPTION:
        raise ValueError(f"its description has {length} bytes")
    return SIZE_WITHOUT_DESCRIPTION + length


def validated(data: Any) -> Header:
    """The header of a whole network; `ValueError` says what does not fit."""
    size = extent(data)
    if len(data) != size:
        raise ValueError(f"it has {len(data)} bytes, and not {size}")
    length = _words(data, 8, 1)[0]
    place = 3 * _WORD + length
    hashes = [place] + [place + _WORD + _SUMS_SIZE + i * (_WORD + _STACK_SIZE) for i in range(BUCKETS)]
    for i, where in enumerate(hashes):
        found, right = _words(data, where, 1)[0], STACK_HASH if i else SUMS_HASH
        if found != right:
            raise ValueError(f"the hash of its part {i} of {BUCKETS} is {found:#010x}, and not {right:#010x}")
    description = bytes(data[3 * _WORD : place]).decode("utf-8", "replace")
    return Header(" ".join(description.split()), size, hashlib.sha256(data).hexdigest()[:12])


def read_bytes(path: str | Path) -> bytes:
    """The bytes of a file; one that is far too large is not read."""
    try:
        size = Path(path).stat().st_size
        if size > SIZE_WITHOUT_DESCRIPTION + _LONGEST_DESCRIPTION:
            raise InputError(f"{path} is no network of Stockfish 15.1: it has {size} bytes")
        return Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"cannot read the network {path}: {error.strerror or error}") from None


def read_header(path: str | Path) -> Header:
    """What a network is; `InputError` says in one line what does not fit."""
    try:
        return validated(read_bytes(path))
    except ValueError as error:
        raise InputError(f"{path} is no network of Stockfish 15.1: {error}") from None


def read(path: str | Path) -> Network:
    """The network of a file, read once for all who ask while the file stays as it is."""
    try:
        changed = Path(path).stat().st_mtime_ns
    except OSError as error:
        raise InputError(f"cannot read the network {path}: {error.strerror or error}") from None
    return _read(str(path), changed)


@lru_cache(maxsize=2)
def _read(path: str, changed: int) -> Network:
    data = read_bytes(path)
    try:
        header = validated(data)
    except ValueError as error:
        raise InputError(f"{path} is no network of Stockfish 15.1: {error}") from None
    return Network(header, _block_of(data, _words(data, 8, 1)[0]))


def _block_of(data: bytes, description: int) -> Any:
    """The numbers of a whole network as `plyout.networks.nnue.shape` orders them."""
    room = np.zeros(BLOCK + 64, np.uint8)
    block = room[-room.ctypes.data % 64 :][:BLOCK]
    place = 3 * _WORD + description

    def take(kind: str, count: int, offset: int, as_kind: str | None = None) -> None:
        nonlocal place
        numbers = np.frombuffer(data, kind, count, place)
        place += numbers.nbytes
        octets = numbers.astype(as_kind or kind[1:]).view(np.uint8)
        block[offset : offset + octets.size] = octets

    place += _WORD
    take("<i2", SUMS, BIASES)
    take("<i2", SUMS * FEATURES, WEIGHTS)
    take("<i4", BUCKETS * FEATURES, MATERIAL)
    for i in range(BUCKETS):
        stack = STACKS + i * STACK
        place += _WORD
        take("<i4", FIRST, stack + FIRST_BIASES)
        take("i1", FIRST * SUMS, stack + FIRST_WEIGHTS, "i2")
        take("<i4", SECOND, stack + SECOND_BIASES)
        take("i1", SECOND * SECOND_INPUTS, stack + SECOND_WEIGHTS, "i2")
        take("<i4", 1, stack + LAST_BIAS)
        take("i1", SECOND, stack + LAST_WEIGHTS, "i2")
    return block


def _words(data: Any, place: int, count: int) -> list[int]:
    return [int(word) for word in np.frombuffer(data, "<u4", count, place)]
