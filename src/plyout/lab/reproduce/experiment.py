"""What an experiment is: parts that are played or computed once and kept, and what they say beside the paper."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from plyout.errors import InputError
from plyout.knowledge.books.writing import replaced
from plyout.lab.match.conditions import Conditions
from plyout.lab.match.match import tournament
from plyout.lab.match.players import find_program
from plyout.lab.match.results import Results
from plyout.lab.match.store import FILE, Store, write_whole
from plyout.lab.match.tournament import pairings
from plyout.lab.report.page import Block
from plyout.lab.reproduce.verdict import Row
from plyout.networks.library import STOCKFISH, find, networks_folder
from plyout.networks.nnue.extract import extract, find_stockfish

SCALES = ("quick", "paper")
Options = Mapping[str, Any]

QUICK: Options = {"max_plies": 200, "resign": (3, 600), "margin": 1000.0}
"""Games that need not be long: one that both think decided is over, and a busy machine costs nobody a game.

Level games are not called drawn: Monte-Carlo players with random playouts think every game level."""

LEVEL: Options = {**QUICK, "max_plies": 160, "draw": (5, 10, 30)}
"""The same for players that evaluate positions, and so know when one is level."""


@dataclass(frozen=True)
class Bench:
    """Where an experiment is carried out, and how."""

    out: Path
    scale: str = "quick"
    seed: int = 1
    concurrency: int = 1
    quiet: bool = False

    def choice(self, quick: Options, paper: Options) -> dict[str, Any]:
        return dict(quick if self.scale == "quick" else paper)


@dataclass(frozen=True)
class Tournament:
    """Games, kept in a folder of their own: a run that was ended goes on there."""

    name: str
    engines: Sequence[str]
    quick: Options
    paper: Options
    common: Options = field(default_factory=dict)

    def carry_out(self, bench: Bench) -> None:
        """Play the games that are missing."""
        options = {"seed": bench.seed, **self.common, **bench.choice(self.quick, self.paper)}
        folder = bench.out / self.name
        tournament(self.engines, out=folder, concurrency=bench.concurrency, quiet=bench.quiet, **options)

    def is_done(self, bench: Bench) -> bool:
        """Whether all games of this scale are in the store; each pairing has as many."""
        found = self.found(bench)
        options = {**self.common, **bench.choice(self.quick, self.paper)}
        conditions = Conditions.of(options)
        wanted = conditions.games * len(pairings(self.engines, conditions.kind))
        return found is not None and len(found.games) >= wanted

    def found(self, bench: Bench) -> Results | None:
        """What has been played so far; None before the first game."""
        if not (bench.out / self.name / FILE).is_file():
            return None
        with Store.read(bench.out / self.name) as store:
            games, names = store.games(), store.settings()["names"]
        return Results(names, games) if games else None

    def settings(self, bench: Bench) -> dict[str, Any]:
        with Store.read(bench.out / self.name) as store:
            return store.settings() | {"games": len(store.games())}


@dataclass(frozen=True)
class Study:
    """Work other than games. Its answer is one JSON file, written whole: it is there, or it is all to be done."""

    name: str
    work: Callable[..., dict[str, Any]]  # (bench, **options) -> answer
    quick: Options
    paper: Options

    def carry_out(self, bench: Bench) -> None:
        options = bench.choice(self.quick, self.paper)
        settings = options | {"seed": bench.seed}
        if self.is_done(bench):
            if self.settings(bench) != settings:
                raise InputError(f"{self._file(bench)} was made with other settings: give another --out, or remove it")
            return
        answer = {"settings": settings, "answer": self.work(bench, **options)}
        write_whole(self._file(bench), json.dumps(answer, ensure_ascii=False, indent=1) + "\n")

    def is_done(self, bench: Bench) -> bool:
        return self._file(bench).is_file()

    def found(self, bench: Bench) -> dict[str, Any] | None:
        return self._read(bench)["answer"] if self.is_done(bench) else None

    def settings(self, bench: Bench) -> dict[str, Any]:
        found: dict[str, Any] = self._read(bench)["settings"]
        return found

    def _file(self, bench: Bench) -> Path:
        return bench.out / self.name / "answer.json"

    def _read(self, bench: Bench) -> dict[str, Any]:
        found = read_object(self._file(bench))
        if not all(isinstance(found.get(name), dict) for name in ("settings", "answer")):
            raise InputError(f"{self._file(bench)} is no answer of an experiment: remove it, and it is made again")
        return found


def read_object(path: Path) -> dict[str, Any]:
    """The JSON object in a file that a reproduction has written."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{path} cannot be read ({error}): remove it, or give another --out") from None
    if not isinstance(found, dict):
        raise InputError(f"{path} holds no JSON object: remove it, or give another --out")
    return found


Part = Tournament | Study


@dataclass(frozen=True)
class Findings:
    """What an experiment brought: numbers beside the paper's, its statements, and whatever else is to be shown."""

    rows: Sequence[Row] = ()
    claims: Sequence[Row] = ()
    blocks: Sequence[Block] = ()
    unit: str = "Elo"
    digits: int = 0
    drawn: bool = True  # whether the numbers share a scale on which they can be drawn


@dataclass(frozen=True)
class Experiment:
    """A table or figure of a paper, by the name that ``plyout reproduce`` knows."""

    name: str
    title: str
    parts: Sequence[Part]
    say: Callable[[dict[str, Any]], Findings]  # from what the parts found, by their names
    seconds: int  # at quick scale on two cores, about
    aliases: Sequence[str] = ()
    needs: Sequence[str] = ()  # keys of NEEDS
    why: Mapping[str, str] = field(default_factory=dict)  # a sentence by verdict, where something is known

    @property
    def paper(self) -> str:
        return self.name.partition("-")[0]

    def is_done(self, bench: Bench) -> bool:
        return all(part.is_done(bench) for part in self.parts)

    def findings(self, bench: Bench) -> Findings | None:
        """What can be said so far; None if a part has brought nothing yet."""
        found = {part.name: part.found(bench) for part in self.parts}
        if any(result is None for result in found.values()):
            return None
        try:
            return self.say(found)
        except InputError:  # too few games for a rating list
            return None


def _stockfish(bench: Bench) -> None:
    find_program("stockfish")


def _regression(bench: Bench) -> None:
    try:
        import sklearn  # noqa: F401
    except ImportError:
        raise InputError("the regression needs scikit-learn: pip install plyout[lab]") from None


def _tables(bench: Bench) -> None:
    from plyout.knowledge.tables.builder import build

    build(4, threads=bench.concurrency, quiet=bench.quiet)


def _network(bench: Bench) -> None:
    """Stockfish's, taken out of an installed program if it was not yet."""
    try:
        find(STOCKFISH)
    except InputError:
        _, content = extract(find_stockfish())
        networks_folder().mkdir(parents=True, exist_ok=True)
        with replaced(networks_folder() / f"{STOCKFISH}.nnue") as file:
            file.write(content)


NEEDS: dict[str, Callable[[Bench], None]] = {
    "stockfish": _stockfish, "scikit-learn": _regression, "tables": _tables, "stockfish's network": _network,
}  # fmt: skip
"""What must be there before an experiment begins: each is found or made, or says in an `InputError` what to do."""
