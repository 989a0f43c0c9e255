"""Games kept as PGN: a game that somebody leaves must not be lost."""

import tempfile
import time
from contextlib import suppress
from pathlib import Path

from plyout.errors import InputError
from plyout.knowledge.books.writing import replaced


class Keeper:
    """Adds games to a file of PGN; one that was kept before is replaced by what has become of it."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._kept: dict[Path, bytes] = {}  # the present game, as it was written

    def next_game(self) -> None:
        """What is kept from now on is another game."""
        self._kept = {}

    def keep(self, game: str, path: Path | None = None) -> Path:
        """Write a game to `path`, or where the games of this session go; an `InputError` says why it cannot be done."""
        path = (path or self._path or _new_file(Path.cwd())).expanduser().absolute()
        text = game.rstrip().encode() + b"\n\n"
        try:
            if path.is_dir():
                raise InputError(f"{path} is a folder, and a file is wanted")
            there = path.read_bytes() if path.exists() else b""
            last = self._kept.get(path, b"")
            if last and there.endswith(last):
                there = there[: -len(last)]
            elif there and not there.endswith(b"\n\n"):
                there += b"\n" if there.endswith(b"\n") else b"\n\n"
            with replaced(path) as file:
                file.write(there + text)
        except (OSError, ValueError) as error:  # a zero byte in the name
            raise InputError(f"{path} cannot be written: {getattr(error, 'strerror', None) or error}") from None
        self._kept[path] = text
        self._path = self._path or path
        return path

    def keep_somewhere(self, game: str) -> Path | None:
        """The same, wherever it can be done: also at home, or among the temporary files; None: nowhere."""
        for folder in (None, Path.home, lambda: Path(tempfile.gettempdir())):
            with suppress(InputError, OSError, RuntimeError):  # there may be no home
                return self.keep(game, folder and _new_file(folder()))
        return None


def _new_file(folder: Path) -> Path:
    """A name that no file has yet."""
    name = time.strftime("plyout-%Y-%m-%d-%H%M%S")
    numbered = (folder / f"{name}{f'-{n}' if n else ''}.pgn" for n in range(10**6))
    return next(path for path in numbered if not path.exists())
