"""Books from games: which moves were played in a position, how often, and with what results.

An interrupted reading can be resumed: every half minute, and on Ctrl-C, what was counted so far is saved in a file
beside the book, and the same command goes on from there.
"""

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import chess
import chess.pgn
import chess.polyglot

from plyout.errors import InputError
from plyout.kernel import signed
from plyout.knowledge.books.book import Book, encoded, from_rows
from plyout.knowledge.books.writing import replaced
from plyout.progress import Progress, warn

_EVERY = 30.0  # seconds between saves
_FORMAT = 1
_WINNER = {"1-0": 0, "1/2-1/2": 1, "0-1": 2}


class _Lines:
    """A file for python-chess to read from, which counts its lines."""

    def __init__(self, file: IO[bytes], line: int) -> None:
        self._file, self.line = file, line

    def readline(self) -> str:
        raw = self._file.readline()
        self.line += bool(raw)
        return raw.decode("utf-8", "replace")


class _Opening(chess.pgn.BaseVisitor[None]):
    """Collects the first plies of a game's main line."""

    def __init__(self, plies: int, lines: _Lines) -> None:
        self._plies, self._lines = plies, lines
        self.steps: list[tuple[int, int, bool]] = []  # key, move, whether White moved
        self.errors: list[tuple[int, str]] = []
        self.headers = chess.pgn.Headers({})

    def begin_headers(self) -> chess.pgn.Headers:
        return self.headers

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        self.headers[tagname] = tagvalue

    def end_headers(self) -> Any:
        return chess.pgn.SKIP if self.headers.get("Variant", "standard").lower() not in _CHESS else None

    def begin_variation(self) -> Any:
        return chess.pgn.SKIP

    def begin_parse_san(self, board: chess.Board, san: str) -> Any:
        return chess.pgn.SKIP if len(self.steps) >= self._plies else None

    def visit_move(self, board: chess.Board, move: chess.Move) -> None:
        if move:
            self.steps.append((signed(chess.polyglot.zobrist_hash(board)), encoded(board, move), board.turn))

    def handle_error(self, error: Exception) -> None:
        self.errors.append((self._lines.line, str(error).split(" in ")[0]))

    def result(self) -> None:
        return None


_CHESS = ("standard", "chess", "from position", "chess960", "fischerandom", "fischerrandom", "chess 960")


@dataclass
class Counts:
    """What was counted: for a position and a move the games that its side won, drew, lost and did not finish."""

    plies: int
    games: int = 0
    found: dict[tuple[int, int], list[int]] = field(default_factory=dict)
    complaints: list[str] = field(default_factory=list)

    def add(self, opening: _Opening, file: str) -> None:
        self.complaints += [f"{file}:{line}: {text}" for line, text in opening.errors]
        if not opening.steps:
            return
        self.games += 1
        ended = _WINNER.get(opening.headers.get("Result", "*"), 3)
        for key, move, white in opening.steps:
            column = ended if white or ended == 3 else 2 - ended
            self.found.setdefault((key, move), [0, 0, 0, 0])[column] += 1

    def book(self, source: str, min_games: int) -> Book:
        """The moves played often enough; a win weighs two, a draw or an unfinished game one."""
        rows = (
            (key, move, float(2 * won + drawn + open_), won, drawn, lost, 0)
            for (key, move), (won, drawn, lost, open_) in self.found.items()
            if won + drawn + lost + open_ >= min_games
        )
        book = from_rows(source, rows)
        book.complaints = self.complaints
        return book


@dataclass
class Reading:
    """Files being read: `counts` so far, and where to resume."""

    files: list[Path]
    part: Path  # where to save
    counts: Counts
    number: int = 0  # of the file that is being read
    offset: int = 0  # bytes of it that are done
    line: int = 0

    def _job(self) -> dict[str, Any]:
        names = [[str(f.resolve()), f.stat().st_size] for f in self.files]
        return {"format": _FORMAT, "files": names, "plies": self.counts.plies}

    def save(self) -> None:
        content = self._job() | {
            "place": [self.number, self.offset, self.line],
            "games": self.counts.games,
            "complaints": self.counts.complaints,
            "found": [[*entry, *counted] for entry, counted in self.counts.found.items()],
        }
        with replaced(self.part) as file:
            file.write(json.dumps(content).encode())

    def resume(self) -> None:
        """Load what an interrupted reading of the same files saved."""
        if not self.part.exists():
            return
        try:
            content = json.loads(self.part.read_text(encoding="utf-8"))
            if {name: content[name] for name in self._job()} != self._job():
                raise InputError(f"{self.part} belongs to another build: finish that book, or remove the file")
            self.number, self.offset, self.line = map(int, content["place"])
            self.counts.games, self.counts.complaints = int(content["games"]), list(content["complaints"])
            self.counts.found = {(key, move): counted for key, move, *counted in content["found"]}
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise InputError(f"{self.part} cannot be read: remove it to begin anew ({error})") from None

    def read(self, quiet: bool) -> None:
        sizes = [file.stat().st_size for file in self.files]
        saved = time.monotonic()
        with Progress("kB of games", sum(sizes) // 1024, quiet) as progress:
            progress.step((sum(sizes[: self.number]) + self.offset) // 1024)
            while self.number < len(self.files):
                path = self.files[self.number]
                with path.open("rb") as file:
                    file.seek(self.offset)
                    lines = _Lines(file, self.line)
                    while True:
                        opening = _Opening(self.counts.plies, lines)
                        try:
                            chess.pgn.read_game(lines, Visitor=lambda opening=opening: opening)  # type: ignore[call-overload]
                        except KeyboardInterrupt:  # caught here, because no game is half counted
                            self.save()
                            kept = f"{self.counts.games:,} games are counted, and kept in {self.part}"
                            warn(f"{kept}: the same command goes on from there")
                            raise
                        at = file.tell()
                        if at == self.offset:
                            break
                        self.counts.add(opening, str(path))
                        progress.step(at // 1024 - self.offset // 1024)
                        self.offset, self.line = at, lines.line
                        if time.monotonic() - saved > _EVERY:
                            self.save()
                            saved = time.monotonic()
                self.number, self.offset, self.line = self.number + 1, 0, 0


def count_games(
    paths: Sequence[str | Path], part: Path, plies: int = 24, quiet: bool = True
) -> Counts:  # fmt: skip
    """Count the openings of PGN files; `part` is the file for what was counted if it is interrupted."""
    files = [Path(path) for path in paths]
    for file in files:
        if not file.is_file():
            raise InputError(f"there is no file {file}")
    reading = Reading(files, part, Counts(plies))
    reading.resume()
    reading.read(quiet)
    part.unlink(missing_ok=True)
    return reading.counts
