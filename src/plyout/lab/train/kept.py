"""A folder of labelled games that is being filled: no game that was played is lost, whatever ends the run.

``about.json`` says how the games are made. A game that ends goes to ``unfinished.bin`` with its number; when a block of
a thousand is whole, it becomes a file of `plyout.lab.train.games`. What is left at the end of a run becomes such a
file, too, which the next run replaces: the files depend on the games and not on the order in which they came.
"""

import json
import lzma
import struct
from dataclasses import asdict
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple

from plyout.errors import InputError
from plyout.lab.match.store import only_one, write_whole
from plyout.lab.train.games import UNLABELLED, LabelledGame, game_at, game_bytes, read_games
from plyout.lab.train.whole import save_whole

if TYPE_CHECKING:
    from plyout.lab.train.label import Labelling

BLOCK = 1000
"""games a file"""
_NUMBER = struct.Struct("<I")


class Tally(NamedTuple):
    """What a folder holds."""

    games: int
    positions: int
    """that are labelled"""


class Kept:
    """The folder, opened for more games: ``with Kept(folder, labelling) as kept: kept.add(number, game)``."""

    def __init__(self, folder: Path, labelling: "Labelling") -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._lock = only_one(folder / "games")
        self._journal: IO[bytes] | None = None
        try:
            self._check(labelling)
            self._whole: dict[int, int] = {}  # positions of the blocks that are whole
            self._games: dict[int, LabelledGame] = {}  # of the others, by number
            self._read()
        except BaseException:
            self._lock.close()
            raise

    def _check(self, labelling: "Labelling") -> None:
        """See that the folder is one of these games, or becomes it."""
        about, path = asdict(labelling), self._folder / "about.json"
        if not path.exists():
            if any(self._folder.glob("games-*.bin.xz")):
                raise InputError(f"{self._folder} holds labelled games that were not made here: name another folder")
            write_whole(path, json.dumps(about, indent=1))
            return
        try:
            made = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise InputError(f"{path} cannot be read ({error}): name another folder") from None
        if made != about:
            made = made if isinstance(made, dict) else {}
            changed = ", ".join(name for name in about if made.get(name) != about[name]) or "something"
            raise InputError(f"{self._folder} holds games that were made with another {changed}: name another folder")

    def _block(self, number: int) -> Path:
        return self._folder / f"games-{number:05}.bin.xz"

    @property
    def _unfinished(self) -> Path:
        return self._folder / "unfinished.bin"

    def _read(self) -> None:
        for path in sorted(self._folder.glob("games-[0-9][0-9][0-9][0-9][0-9].bin.xz")):
            games = list(read_games([path]))
            if len(games) == BLOCK:
                self._whole[int(path.name[6:11])] = sum(map(_labelled, games))
        data = self._unfinished.read_bytes() if self._unfinished.exists() else b""
        at = 0
        while len(data) - at >= _NUMBER.size:
            (number,) = _NUMBER.unpack_from(data, at)
            found = game_at(data, at + _NUMBER.size)
            if found is None:  # a kill has cut it off
                break
            self._games[number], at = found
        self._games = {number: game for number, game in self._games.items() if number // BLOCK not in self._whole}
        self._write_journal()

    def _write_journal(self) -> None:
        if self._journal is not None:
            self._journal.close()
        lines = [_NUMBER.pack(number) + game_bytes(game) for number, game in self._games.items()]
        save_whole(self._unfinished, lambda file: file.write(b"".join(lines)))
        self._journal = open(self._unfinished, "ab", buffering=0)  # noqa: SIM115

    def missing(self, games: int) -> list[int]:
        """The numbers below `games` of those that are not there."""
        return [n for n in range(games) if n not in self._games and n // BLOCK not in self._whole]

    def add(self, number: int, game: LabelledGame) -> None:
        assert self._journal is not None
        self._journal.write(_NUMBER.pack(number) + game_bytes(game))
        self._games[number] = game
        block = number // BLOCK
        if all(n in self._games for n in range(block * BLOCK, (block + 1) * BLOCK)):
            self._write_block(block)
            games = [self._games.pop(n) for n in range(block * BLOCK, (block + 1) * BLOCK)]
            self._whole[block] = sum(map(_labelled, games))
            self._write_journal()

    def _write_block(self, block: int) -> None:
        numbers = sorted(n for n in self._games if n // BLOCK == block)
        data = lzma.compress(b"".join(game_bytes(self._games[n]) for n in numbers))
        save_whole(self._block(block), lambda file: file.write(data))

    def tally(self) -> Tally:
        positions = sum(self._whole.values()) + sum(map(_labelled, self._games.values()))
        return Tally(BLOCK * len(self._whole) + len(self._games), positions)

    def __enter__(self) -> "Kept":
        return self

    def __exit__(self, *error: object) -> None:
        try:
            for block in {number // BLOCK for number in self._games}:
                self._write_block(block)
        finally:
            if self._journal is not None:
                self._journal.close()
            self._lock.close()


def _labelled(game: LabelledGame) -> int:
    return int((game.plies[:, 2] != UNLABELLED).sum())
