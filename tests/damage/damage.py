"""Damaged copies of a file: cut short, with bytes of its header changed one by one, with bits of its body flipped."""

import random
from collections.abc import Iterator

HEADER = 128  # bytes, where a format's magic, sizes and first lines stand


def damaged(content: bytes, copies: int, seed: int) -> Iterator[tuple[str, bytes]]:
    """(what was done, the copy), so many; the same seed does the same."""
    chance = random.Random(seed)
    ways = (_header, _cut, _flipped, _flipped, _header, _overwritten, _cut, _flipped, _moved, _ending)
    for number in range(copies):
        what, copy = ways[number % len(ways)](content, number // len(ways), chance)
        if copy == content:
            what, copy = _flipped(content, number, chance)
        yield what, copy


def _header(content: bytes, turn: int, chance: random.Random) -> tuple[str, bytes]:
    """Byte after byte of the header, each in a different way every time it comes up."""
    place = turn % min(HEADER, len(content))
    value = chance.choice((0, 0xFF, content[place] ^ 1 << chance.randrange(8), chance.randrange(256)))
    return f"byte {place} is {value}", content[:place] + bytes([value]) + content[place + 1 :]


def _cut(content: bytes, turn: int, chance: random.Random) -> tuple[str, bytes]:
    length = turn if turn < 40 else chance.randrange(len(content))
    return f"cut after {length}", content[:length]


def _flipped(content: bytes, turn: int, chance: random.Random) -> tuple[str, bytes]:
    copy, places = bytearray(content), []
    for _ in range(chance.choice((1, 1, 1, 2, 8))):
        places.append(chance.randrange(8 * len(content)))
        copy[places[-1] // 8] ^= 1 << places[-1] % 8
    return f"bits {places} flipped", bytes(copy)


def _ending(content: bytes, turn: int, chance: random.Random) -> tuple[str, bytes]:
    """One of the last bytes, where archives have their directory."""
    place = len(content) - 1 - turn % min(HEADER, len(content))
    value = chance.randrange(256)
    return f"byte {place} is {value}", content[:place] + bytes([value]) + content[place + 1 :]


def _overwritten(content: bytes, turn: int, chance: random.Random) -> tuple[str, bytes]:
    place, length = chance.randrange(len(content)), chance.choice((4, 8, 64, 4096))
    filler = chance.choice((bytes(length), b"\xff" * length, chance.randbytes(length)))
    copy = content[:place] + filler + content[place + length :]
    return f"{length} bytes from {place} on overwritten", copy[: len(content)]


def _moved(content: bytes, turn: int, chance: random.Random) -> tuple[str, bytes]:
    place, length = chance.randrange(len(content)), chance.choice((1, 2, 16, 100))
    if chance.random() < 0.5:
        return f"{length} bytes from {place} on left out", content[:place] + content[place + length :]
    return f"{length} bytes put in at {place}", content[:place] + chance.randbytes(length) + content[place:]
