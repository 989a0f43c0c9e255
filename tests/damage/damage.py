"""Damaged copies of a file: with bytes changed, cut off, moved or put in; or quite another file in its place."""

import random
from collections.abc import Iterator

HEADER = 128  # bytes, where a format's magic, sizes and first lines stand
ENDS = (0, 1, 16, 48, 99, 100, 101, 512, 4095, 4096, 4097)  # where headers and pages end
WORDS = (b"nan", b"-1", b"1e999", b"9" * 5000, b"\xff\xfe", "²".encode(), b",", b'"', b"[", b"{" * 2000)
OTHERS = (
    b"", b"\n", bytes(64), bytes(range(256)), random.Random(1).randbytes(4096), b"null", b"[]", b"{}",
    b"No such page\n", b"PK\5\6" + bytes(18), b"\x1f\x8b\x08" + bytes(20), b"SQLite format 3\0" + bytes(84),
)  # fmt: skip


def damaged(content: bytes, copies: int, seed: int) -> Iterator[tuple[str, bytes]]:
    """(what was done, the copy), so many, the other files first; the same seed does the same."""
    chance = random.Random(seed)
    ways = (_header, _cut, _flipped, _word, _header, _filled, _flipped, _moved, _cut, _flipped, _word, _ending)
    for number, other in enumerate(OTHERS[:copies]):
        yield f"other file {number}", other
    for number in range(copies - len(OTHERS)):
        what, copy = ways[number % len(ways)](content, number // len(ways), chance)
        if copy == content:
            what, copy = _flipped(content, number, chance)
        yield what, copy


def _header(content: bytes, turn: int, chance: random.Random) -> tuple[str, bytes]:
    """Byte after byte of the header, each in a different way every time it comes up."""
    return _byte(content, turn % min(HEADER, len(content)), chance)


def _ending(content: bytes, turn: int, chance: random.Random) -> tuple[str, bytes]:
    """One of the last bytes, where archives have their directory."""
    return _byte(content, len(content) - 1 - turn % min(HEADER, len(content)), chance)


def _byte(content: bytes, place: int, chance: random.Random) -> tuple[str, bytes]:
    value = chance.choice((0, 0xFF, content[place] ^ 1 << chance.randrange(8), chance.randrange(256)))
    return f"byte {place} is {value}", content[:place] + bytes([value]) + content[place + 1 :]


def _cut(content: bytes, turn: int, chance: random.Random) -> tuple[str, bytes]:
    """At the ends of parts, from the end, near the beginning, then anywhere."""
    size = len(content)
    ends = (size // 2, size - 1, max(0, size - 4096), *ENDS, *range(40))
    length = ends[turn] if turn < len(ends) else chance.randrange(size)
    return f"cut after {length}", content[:length]


def _flipped(content: bytes, turn: int, chance: random.Random) -> tuple[str, bytes]:
    copy, places = bytearray(content), []
    for _ in range(chance.choice((1, 1, 1, 2, 8))):
        places.append(chance.randrange(8 * len(content)))
        copy[places[-1] // 8] ^= 1 << places[-1] % 8
    return f"bits {places} flipped", bytes(copy)


def _filled(content: bytes, turn: int, chance: random.Random) -> tuple[str, bytes]:
    """A stretch of zeros, ones or anything; zeros to the end are what a disk that lost power leaves."""
    place, length = chance.randrange(len(content)), chance.choice((4, 8, 32, 64, 4096, len(content)))
    length = min(length, len(content) - place)
    filler = chance.choice((bytes(length), b"\xff" * length, chance.randbytes(length)))
    return f"{length} bytes from {place} on filled", content[:place] + filler + content[place + length :]


def _moved(content: bytes, turn: int, chance: random.Random) -> tuple[str, bytes]:
    """A stretch left out, put in, written over another, or taken to the end."""
    place, other, length = (
        chance.randrange(len(content)),
        chance.randrange(len(content)),
        chance.choice((1, 6, 20, 100)),
    )
    before, part, after = content[:place], content[place : place + length], content[place + length :]
    what, copy = (
        ("left out", before + after),
        ("put in", before + chance.randbytes(length) + part + after),
        (f"written over from {other}", before + content[other : other + len(part)] + after),
        ("taken to the end", before + after + part),
    )[turn % 4]
    return f"{length} bytes at {place} {what}", copy


def _word(content: bytes, turn: int, chance: random.Random) -> tuple[str, bytes]:
    """What is no number in the place of a digit, or anywhere; at the end it makes the file longer."""
    word = chance.choice(WORDS)
    digits = [place for place, byte in enumerate(content[:4096]) if 48 <= byte < 58]
    if turn % 2 and digits:
        place = chance.choice(digits)
        return f"{word[:9]!r} in the place of digit {place}", content[:place] + word + content[place + 1 :]
    place = len(content) if turn % 4 == 2 else chance.randrange(len(content))
    return f"{word[:9]!r} put in at {place}", content[:place] + word + content[place:]
