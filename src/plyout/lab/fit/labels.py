"""Positions labelled by a UCI engine, on all cores; what is labelled stays so, whatever happens then.

A folder holds ``about.json`` (what was asked for), ``positions.txt`` (a FEN a line) and ``labels.tsv``, to which every
score is appended as it comes: number of the position, and centipawns for White.
"""

import json
import queue
import re
import threading
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path

from plyout.errors import InputError
from plyout.lab.match.players import Fault, find_program
from plyout.lab.match.store import write_whole
from plyout.lab.match.timecontrol import MOST_SECONDS
from plyout.lab.match.uci_program import STARTING, UciProgram
from plyout.progress import Progress

MATE_SCORE = 10_000  # centipawns that stand for a mate, whatever its length
LIMITS = ("nodes", "depth", "movetime")
_FEN = re.compile(r"[1-8pnbrqkPNBRQK/]{15,71} [wb] (-|[KQkq]{1,4}) (-|[a-h][36]) \d{1,4} \d{1,4}")
_LABEL = re.compile(r"(\d{1,9})\t(-?\d{1,9})")
_PATIENCE = 60.0  # seconds for one position, and a millisecond more for each of the limit's nodes


@dataclass(frozen=True)
class Labelling:
    """Which positions are made, and how an engine labels them: what a folder of labels is bound to."""

    count: int
    seed: int = 1
    engine: str = "stockfish"
    limit: str = "nodes 1000"
    """what follows UCI's ``go``"""
    quiet: bool = False
    """only positions without check, and without a capture that changes the evaluation"""


def check_limit(limit: str) -> None:
    """An engine that does not understand its limit searches without end: `InputError` unless it is one that ends."""
    words = limit.split()
    names, values = words[::2], words[1::2]
    known = bool(words) and len(words) % 2 == 0 and all(name in LIMITS for name in names)
    if not known or not all(re.fullmatch(r"[1-9][0-9]{0,14}", value) for value in values):
        raise InputError(f"--limit is 'nodes 1000', 'depth 8' or 'movetime 50', or several of these, not {limit!r}")


class UciScorer:
    """A UCI engine that is asked for scores only."""

    def __init__(self, path: str) -> None:
        self._program = UciProgram((path,))
        try:
            self._program.greet()
            for name, value in (("Threads", 1), ("Hash", 16)):
                if name.lower() in self._program.options:
                    self._program.send(f"setoption name {name} value {value}")
            self._program.send("isready")
            self._program.wait("readyok", STARTING)
        except BaseException as error:
            self.close()
            if isinstance(error, Fault):
                raise InputError(f"{path} does not start as a UCI engine: {error}") from None
            raise

    def score(self, fen: str, limit: str) -> int:
        """Centipawns for White; `limit` is what follows ``go``."""
        program = self._program
        program.info = ""
        try:
            program.send(f"position fen {fen}", f"go {limit}")
            longer = sum(int(word) / 1000 for word in limit.split() if word.isdecimal())
            program.wait("bestmove", min(_PATIENCE + longer, MOST_SECONDS))
        except Fault as fault:
            raise InputError(f"{program.command[0]} did not score {fen}: it {fault}") from None
        except TimeoutError:
            raise InputError(f"{program.command[0]} is silent about {fen}: it was told 'go {limit}'") from None
        found = re.search(r" score (cp|mate) (-?\d{1,9})\b", program.info)
        number = int(found[2]) if found else 0
        if found and found[1] == "mate":
            number = MATE_SCORE if number > 0 else -MATE_SCORE
        return number if fen.split()[1] == "w" else -number

    def close(self) -> None:
        self._program.end()


class Labels:
    """The folder of a labelling, begun or taken up again."""

    def __init__(self, folder: Path, labelling: Labelling) -> None:
        self.folder, self.labelling = folder, labelling
        about = asdict(labelling)
        folder.mkdir(parents=True, exist_ok=True)
        asked = folder / "about.json"
        if asked.exists():
            before = self._read(asked)
            try:
                made = json.loads(before)
            except ValueError:
                made = None
            if not isinstance(made, dict):
                raise InputError(f"{asked} is damaged: remove {folder}, or name another folder")
            if made != about:
                changed = ", ".join(k for k in about if made.get(k) != about[k]) or "something"
                raise InputError(f"{folder} holds labels that were made otherwise ({changed}): name another folder")
        else:
            write_whole(asked, json.dumps(about, indent=1))

    def _read(self, path: Path) -> str:
        try:
            return path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"{path} cannot be read: {error}") from None

    def positions(self, make: Iterator[str]) -> list[str]:
        """The positions of this folder: read, or made once and for all."""
        path = self.folder / "positions.txt"
        count = self.labelling.count
        if not path.exists():
            fens = []
            with Progress("positions", count, keep=dict) as progress:
                for fen in islice(make, count):
                    fens.append(fen)
                    progress.step()
            write_whole(path, "\n".join(fens) + "\n")
        fens = self._read(path).split("\n")[:-1]
        if len(fens) != count or not all(map(_FEN.fullmatch, fens)):
            raise InputError(f"{path} is damaged: remove {self.folder}, or name another folder")
        return fens

    def read(self) -> dict[int, int]:
        """The scores so far; a line that a kill cut short is forgotten."""
        path = self.folder / "labels.tsv"
        if not path.exists():
            return {}
        text = self._read(path)
        whole = text[: text.rfind("\n") + 1]
        found = {}
        for number, line in enumerate(whole.splitlines(), 1):
            if not (label := _LABEL.fullmatch(line)) or int(label[1]) >= self.labelling.count:
                raise InputError(f"{path}, line {number}: {line[:40]!r} is no label: remove the line")
            found[int(label[1])] = int(label[2])
        if whole != text:
            write_whole(path, whole)
        return found

    def label(self, fens: list[str], jobs: int, silent: bool) -> dict[int, int]:
        """Score every position that has no label yet; all scores."""
        done = self.read()
        unlabelled: queue.SimpleQueue[int] = queue.SimpleQueue()
        for number in range(len(fens)):
            if number not in done:
                unlabelled.put(number)
        if unlabelled.empty():
            return done
        answers: queue.SimpleQueue[tuple[int, int] | BaseException] = queue.SimpleQueue()
        path, limit = find_program(self.labelling.engine), self.labelling.limit
        scorers: list[UciScorer] = []

        def work(scorer: UciScorer) -> None:
            try:
                while True:
                    number = unlabelled.get_nowait()
                    answers.put((number, scorer.score(fens[number], limit)))
            except queue.Empty:
                pass
            except BaseException as error:
                answers.put(error)

        try:
            with (
                Progress("labels", len(fens), silent, done=len(done), keep=dict) as progress,
                open(self.folder / "labels.tsv", "a", encoding="utf-8", buffering=1) as file,
            ):
                for _ in range(jobs):
                    scorers.append(UciScorer(path))
                    threading.Thread(target=work, args=(scorers[-1],), daemon=True).start()
                for _ in range(len(fens) - len(done)):
                    answer = answers.get()
                    if isinstance(answer, BaseException):
                        raise answer
                    done[answer[0]] = answer[1]
                    file.write(f"{answer[0]}\t{answer[1]}\n")
                    progress.step()
        finally:
            for scorer in scorers:
                scorer.close()
        return done
