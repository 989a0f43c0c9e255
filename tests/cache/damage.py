"""Damaged copies of a file of the cache, each read: ``python -m tests.cache.damage`` counts what becomes of them."""

import argparse
import random
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from plyout.cache import store

CONTENTS = random.Random(7).randbytes(20_000)
"""As many bytes as a small kernel has; what they mean is not asked before they are verified."""


def damaged(data: bytes, count: int, seed: int = 1) -> Iterator[tuple[str, bytes]]:
    """(what was done, the bytes then): each byte of the header changed, then cuts, changes and additions anywhere."""
    chance = random.Random(seed)
    for place in range(store.HEADER):
        yield "a byte of the header", _changed(data, place, chance)
    yield "empty", b""
    yield "the header alone", data[: store.HEADER]
    yield "another checksum", data[: len(store.MAGIC)] + bytes(32) + data[store.HEADER :]
    for _ in range(count - store.HEADER - 3):
        kind = chance.choice(["a bit", "a byte", "cut", "zeros", "longer", "garbage", "a part moved"])
        yield kind, _damaged(kind, data, chance)


def _changed(data: bytes, place: int, chance: random.Random) -> bytes:
    return data[:place] + bytes([data[place] ^ chance.randrange(1, 256)]) + data[place + 1 :]


def _damaged(kind: str, data: bytes, chance: random.Random) -> bytes:
    place = chance.randrange(store.HEADER, len(data) - 1)
    if kind == "a bit":
        return data[:place] + bytes([data[place] ^ 1 << chance.randrange(8)]) + data[place + 1 :]
    if kind == "a byte":
        return _changed(data, place, chance)
    if kind == "cut":
        return data[: chance.randrange(len(data))]
    if kind == "zeros":  # a disk that lost power
        return data[:place] + bytes(len(data) - place - 1) + b"\1"
    if kind == "longer":
        return data + chance.randbytes(chance.randrange(1, 100))
    if kind == "garbage":
        return chance.randbytes(chance.randrange(1, len(data)))
    return data[:place] + data[place + 1 :] + data[place : place + 1] + b"\0"


def outcomes(folder: Path, count: int, seed: int = 1) -> Counter[tuple[str, str]]:
    """How often each kind of damage was refused; or was read, which must not happen."""
    path = folder / f"code{store.ENDING}"
    store.write(path, CONTENTS)
    assert store.read(path) == CONTENTS
    found: Counter[tuple[str, str]] = Counter()
    for kind, data in damaged(path.read_bytes(), count, seed):
        path.unlink()  # a file cut to nothing and written again would wait for the disk
        path.write_bytes(data)
        path.chmod(0o600)
        try:
            store.read(path)
            found[kind, "read"] += 1
        except store.Unusable:
            found[kind, "refused"] += 1
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        counts = outcomes(Path(folder), options.count, options.seed)
    for (kind, outcome), times in sorted(counts.items()):
        print(f"{kind:24} {outcome:8} {times:6}")
    refused = sum(times for (_, outcome), times in counts.items() if outcome == "refused")
    print(f"{counts.total()} damaged files of the cache: {refused} refused, {counts.total() - refused} read")
    raise SystemExit(refused != counts.total())
