"""Damage copies of a store of games: each is refused with one line, or read as it was; never anything else.

usage: python -m tests.lab.match.damage [--variants 2000] [--seed 1]
"""

import argparse
import random
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import astuple
from pathlib import Path

from plyout.errors import InputError
from plyout.lab.match.sound import COLUMNS
from plyout.lab.match.store import FILE, Store
from plyout.lab.record import Game

HEADER = 100  # bytes of SQLite's file header
SETTINGS = {"engines": ["a", "b"], "names": ["a", "b"], "seed": 1, "time control": "10+0.1"}


def sample(folder: Path, games: int = 12) -> Path:
    """A store with games that fill several pages."""
    chance = random.Random(1)
    with Store(folder / FILE, SETTINGS) as store:
        for number in range(games):
            white, black = "ab" if number % 2 == 0 else "ba"
            moves = " ".join(f"{i}. Nf3 Nf6 {{ {chance.random():.6f} }}" for i in range(1, 60))
            pgn = f'[White "{white}"]\n[Black "{black}"]\n[Result "1-0"]\n\n{moves} 1-0'
            store.add(number, Game(number // 2, white, black, "1-0", "checkmate", "Réti", 118, 1.5, 1e9 + number, pgn))
    return folder / FILE


def as_version_1(path: Path) -> None:
    """Write the store as the first version did, without checksums."""
    with Store.read(path) as store:
        games = store.games()
    base = sqlite3.connect(path, isolation_level=None)
    began, settings = base.execute("SELECT began, settings FROM experiment").fetchone()
    for name in ("experiment", "games"):
        (statement,) = base.execute("SELECT sql FROM sqlite_master WHERE name = ?", (name,)).fetchone()
        base.execute(f"DROP TABLE {name}")
        base.execute(statement.replace(", checksum TEXT NOT NULL", ""))
    base.execute("INSERT INTO experiment VALUES (?, ?)", (settings, began))
    marks = ", ".join("?" * (1 + len(COLUMNS)))
    for number, game in enumerate(games):
        base.execute(f"INSERT INTO games VALUES ({marks})", (number, *astuple(game)))
    base.execute("PRAGMA user_version = 1")
    base.close()


def variants(whole: bytes, count: int, seed: int) -> Iterator[tuple[str, bytes]]:
    """(what was done, the damaged file): every byte of the header, cuts, and flips anywhere, `count` in all."""
    chance = random.Random(seed)
    done = 0
    for at in range(HEADER):
        for value in {0, 255, whole[at] ^ 1, whole[at] ^ 128, chance.randrange(256)} - {whole[at]}:
            if done < count // 4:
                yield f"byte {at} of the header is {value}", whole[:at] + bytes([value]) + whole[at + 1 :]
                done += 1
    for length in (0, 1, 16, 99, 100, 101, 512, 4095, 4096, 4097, len(whole) // 2, len(whole) - 4096, len(whole) - 1):
        yield f"cut to {length}", whole[:length]
        done += 1
    while done < count:
        damaged = bytearray(whole)
        kind = chance.randrange(4)
        at = chance.randrange(len(whole))
        if kind < 2:
            damaged[at] ^= 1 << chance.randrange(8)
        elif kind == 2:
            for place in range(at, min(len(whole), at + chance.choice((4, 64, 4096)))):
                damaged[place] = chance.randrange(256)
        else:
            damaged = damaged[:at] + bytes(len(whole) - at)
        yield f"kind {kind} at {at}", bytes(damaged)
        done += 1


def outcome(path: Path, settings: dict[str, object], games: list[Game], checked: bool) -> str:
    """`refused` or `read`; AssertionError where what was read is not what was written."""
    try:
        with Store.read(path) as store:
            if checked:
                assert store.settings() == settings, "the settings are others"
                assert store.games() == games, "the games are others"
            return "read"
    except InputError as error:
        assert "\n" not in str(error)
        assert str(path) in str(error)
        return "refused"


def damage(folder: Path, count: int, seed: int, version: int = 2) -> Counter[str]:
    """What became of so many damaged copies. Text of version 1 has no checksum: there only the reading is tried."""
    whole = sample(folder)
    if version == 1:
        as_version_1(whole)
    with Store.read(whole) as store:
        settings, games = store.settings(), store.games()
    found: Counter[str] = Counter()
    for number, (what, damaged) in enumerate(variants(whole.read_bytes(), count, seed)):
        path = folder / f"{number}.sqlite"
        path.write_bytes(damaged)
        try:
            found[outcome(path, settings, games, checked=version > 1)] += 1
        except BaseException as error:
            raise AssertionError(f"{what} (variant {number} of seed {seed}): {error!r}") from error
        for left in folder.glob(f"{number}.sqlite*"):
            left.unlink()
    return found


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--variants", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    for version in (1, 2):
        with tempfile.TemporaryDirectory() as folder:
            found = damage(Path(folder), arguments.variants, arguments.seed, version)
        print(f"games.sqlite, version {version}: {found['refused']:,} refused, {found['read']:,} read")


if __name__ == "__main__":
    main()
