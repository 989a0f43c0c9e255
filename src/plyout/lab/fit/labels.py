"""Positions labelled by a UCI engine, on all cores; what is labelled stays so, whatever happens then.

A folder holds ``about.json`` (what was asked for), ``positions.txt`` (a FEN a line) and ``labels.tsv``, to which every
score is appended as it comes: number of the position, and centipawns for White.
"""

import json
import queue
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path

from plyout.errors import InputError
from plyout.lab.match.players import find_program
from plyout.lab.match.store import write_whole
from plyout.progress import Progress

MATE_SCORE = 10_000  # centipawns that stand for a mate, whatever its length
_PATIENCE = 30.0  # seconds for an engine to start


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


class UciScorer:
    """A UCI engine that is asked for scores only."""

    def __init__(self, path: str) -> None:
        self._process = subprocess.Popen(
            [path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, bufsize=1
        )
        timer = threading.Timer(_PATIENCE, self._process.kill)  # a program that is no engine says nothing
        timer.start()
        try:
            self._say("uci")
            self._hear("uciok")
            self._say("setoption name Threads value 1", "setoption name Hash value 16", "isready")
            self._hear("readyok")
        except InputError:
            raise InputError(f"{path} does not answer as a UCI engine does") from None
        finally:
            timer.cancel()

    def _say(self, *lines: str) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write("\n".join(lines) + "\n")
            self._process.stdin.flush()
        except OSError:
            raise InputError("the engine has ended before its work was done") from None

    def _hear(self, last: str) -> list[str]:
        assert self._process.stdout is not None
        heard = []
        for line in self._process.stdout:
            heard.append(line)
            if line.startswith(last):
                return heard
        raise InputError("the engine has ended before its work was done")

    def score(self, fen: str, limit: str) -> int:
        """Centipawns for White; `limit` is what follows ``go``."""
        self._say(f"position fen {fen}", f"go {limit}")
        kind, number = "cp", 0
        for line in self._hear("bestmove"):
            words = line.split()
            if "score" in words:
                at = words.index("score")
                kind, number = words[at + 1], int(words[at + 2])
        if kind == "mate":
            number = MATE_SCORE if number > 0 else -MATE_SCORE
        return number if fen.split()[1] == "w" else -number

    def close(self) -> None:
        self._process.kill()
        self._process.wait()


class Labels:
    """The folder of a labelling, begun or taken up again."""

    def __init__(self, folder: Path, labelling: Labelling) -> None:
        self.folder, self.labelling = folder, labelling
        about = asdict(labelling)
        folder.mkdir(parents=True, exist_ok=True)
        asked = folder / "about.json"
        if asked.exists():
            before = json.loads(asked.read_text(encoding="utf-8"))
            if before != about:
                changed = ", ".join(k for k in about if before.get(k) != about[k]) or "something"
                raise InputError(f"{folder} holds labels that were made otherwise ({changed}): name another folder")
        else:
            asked.write_text(json.dumps(about, indent=1), encoding="utf-8")

    def positions(self, make: Iterator[str]) -> list[str]:
        """The positions of this folder: read, or made once and for all."""
        path = self.folder / "positions.txt"
        if not path.exists():
            fens = []
            count = self.labelling.count
            with Progress("positions", count) as progress:
                for fen in islice(make, count):
                    fens.append(fen)
                    progress.step()
            write_whole(path, "\n".join(fens) + "\n")
        return path.read_text(encoding="utf-8").split("\n")[:-1]

    def read(self) -> dict[int, int]:
        """The scores so far; a line that a kill cut short is forgotten."""
        path = self.folder / "labels.tsv"
        if not path.exists():
            return {}
        text = path.read_text(encoding="utf-8")
        whole = text[: text.rfind("\n") + 1]
        if whole != text:
            path.write_text(whole, encoding="utf-8")
        return {int(number): int(score) for number, score in (line.split("\t") for line in whole.splitlines())}

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
        scorers = [UciScorer(path) for _ in range(jobs)]

        def work(scorer: UciScorer) -> None:
            try:
                while True:
                    number = unlabelled.get_nowait()
                    answers.put((number, scorer.score(fens[number], limit)))
            except queue.Empty:
                pass
            except BaseException as error:
                answers.put(error)

        threads = [threading.Thread(target=work, args=(s,), daemon=True) for s in scorers]
        try:
            for thread in threads:
                thread.start()
            missing = len(fens) - len(done)
            with (
                open(self.folder / "labels.tsv", "a", encoding="utf-8", buffering=1) as file,
                Progress("labels", missing, silent) as progress,
            ):
                for _ in range(missing):
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
