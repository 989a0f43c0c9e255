"""What an experiment is: parts that are played or computed once and kept, and what they say beside the paper."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from plyout.errors import InputError
from plyout.lab.match.conditions import Conditions
from plyout.lab.match.match import tournament
from plyout.lab.match.results import Results
from plyout.lab.match.store import FILE, Store, write_whole
from plyout.lab.match.tournament import pairings
from plyout.lab.record import FAULTS, Game
from plyout.lab.report.page import Block
from plyout.lab.report.report import setting_words
from plyout.lab.reproduce.cast import CAST, cast_of
from plyout.lab.reproduce.verdict import Row
from plyout.lab.run.cluster import LOCAL, Cluster

QUICK, EVENING, PAPER = "quick", "evening", "paper"
SCALES: Final = (QUICK, EVENING, PAPER)
"""From minutes to days. What was done at a later one counts before what was done at an earlier."""

Options = Mapping[str, Any]
Scales = tuple[Options, Options, Options]
"""Options at each of the scales."""

DECIDED: Options = {"resign": (3, 600), "margin": 1000.0}
"""A game that both think decided is over, and a busy machine costs nobody a game.

Level games are not called drawn: Monte-Carlo players with random playouts think every game level."""

SHORT: Options = {**DECIDED, "max_plies": 200}
"""The same where games must not be long."""

LEVEL: Options = {**DECIDED, "draw": (5, 10, 30)}
"""For players that evaluate positions, and so know when one is level;"""

SHORT_LEVEL: Options = {**LEVEL, "max_plies": 160}
"""and where games must not be long."""

BOOK = "{book}"
"""In an engine's text: the opening book that the user gave, or ours."""


@dataclass(frozen=True)
class Bench:
    """Where an experiment is carried out, and how."""

    out: Path
    scale: str = QUICK
    seed: int = 1
    concurrency: int = 1
    quiet: bool = False
    puzzles: str | None = None  # a file of mates in two; ours if none is given
    book: str | None = None  # an opening book, likewise
    cluster: Cluster = LOCAL  # where games are played

    def choice(self, scales: Scales) -> dict[str, Any]:
        return dict(scales[SCALES.index(self.scale)])


@dataclass(frozen=True)
class Tournament:
    """Games, kept in a folder of their own: a run that was ended goes on there."""

    name: str
    engines: Sequence[str]
    scales: Scales
    common: Options = field(default_factory=dict)

    def carry_out(self, bench: Bench) -> None:
        """Play the games that are missing."""
        folder, engines = bench.out / self.name, self.engines_of(bench)
        self._keep_cast(folder, engines)
        options = {"seed": bench.seed, **self.common, **bench.choice(self.scales)}
        options |= {"concurrency": bench.concurrency, "cluster": bench.cluster}
        tournament(engines, out=folder, quiet=bench.quiet, **options)

    def engines_of(self, bench: Bench) -> list[str]:
        return [text.replace(BOOK, quote(bench.book or "own", safe="")) for text in self.engines]

    def _keep_cast(self, folder: Path, engines: Sequence[str]) -> None:
        """Note who plays: a preset of the same name may be another one day, and no results are mixed."""
        now, path = cast_of(engines), folder / CAST
        if not path.exists():
            if not (folder / FILE).exists():  # of games that are there nobody knows it any more
                write_whole(path, json.dumps(now, ensure_ascii=False, indent=1) + "\n")
            return
        before = read_object(path)
        for name in now:
            if before.get(name) != now[name]:
                was, is_ = setting_words(before.get(name)), setting_words(now[name])
                raise InputError(f"in {folder} {name} was another player ({was}; now {is_}): give another --out")

    def is_done(self, benches: Sequence[Bench]) -> bool:
        """Whether as many games as this scale wants are there; each pairing has as many."""
        found = self.found(benches)
        if found is None:
            return False
        conditions = Conditions.of({**self.common, **benches[0].choice(self.scales)})
        return len(found.games) >= conditions.games * len(pairings(self.engines, conditions.kind))

    def found(self, benches: Sequence[Bench]) -> Results | None:
        """What has been played so far, in all these folders of one scale; None before the first game."""
        stores = self._stores(benches)
        by_seed: dict[Any, dict[int, Game]] = {}
        for settings, games in stores:
            by_seed.setdefault(settings["seed"], {}).update(games)
        together: list[Game] = []
        for games in by_seed.values():
            first = 1 + max((game.pair for game in together), default=-1)  # pairs of another seed are other pairs
            together += [replace(game, pair=first + game.pair) for _, game in sorted(games.items())]
        return Results(stores[0][0]["names"], together) if together else None

    def settings(self, benches: Sequence[Bench]) -> dict[str, Any]:
        stores = self._stores(benches)
        seeds = dict.fromkeys(str(settings["seed"]) for settings, _ in stores)
        found = self.found(benches)
        cast = next((b.out / self.name / CAST for b in benches if (b.out / self.name / CAST).is_file()), None)
        played = {} if cast is None else {f"{k} is": setting_words(v) for k, v in read_object(cast).items()}
        return {**stores[0][0], **played, "seed": ", ".join(seeds), "games": len(found.games) if found else 0}

    def _stores(self, benches: Sequence[Bench]) -> list[tuple[dict[str, Any], dict[int, Game]]]:
        """(settings, games by number) of every folder that has any; they must be the same but for the seed."""
        found: list[tuple[dict[str, Any], dict[int, Game]]] = []
        first = Path()
        for folder in (bench.out / self.name for bench in benches):
            if not (folder / FILE).is_file():
                continue
            with Store.read(folder) as store:
                games = dict(zip(sorted(store.numbers()), store.games(), strict=True))
                settings = store.settings()
            if games and found and (other := _other_than_seed(found[0][0], settings)):
                raise InputError(f"{first} and {folder} have games of other settings ({other}): report on one of them")
            if games:
                first = folder if not found else first
                found.append((settings, games))
        return found


def _other_than_seed(one: dict[str, Any], two: dict[str, Any]) -> str:
    """The settings, but for the seed and the order of openings that comes with it, in which two runs differ."""

    def bare(settings: dict[str, Any], name: str) -> Any:
        value = settings.get(name)
        return value.rpartition(", ")[0] if name == "openings" and isinstance(value, str) else value

    names = sorted((one.keys() | two.keys()) - {"seed"})
    return ", ".join(name for name in names if bare(one, name) != bare(two, name))


@dataclass(frozen=True)
class Study:
    """Work other than games. Its answer is one JSON file, written whole: it is there, or it is all to be done."""

    name: str
    work: Callable[..., dict[str, Any]]  # (bench, **options) -> answer
    scales: Scales
    given: Callable[[Bench], Options] = lambda bench: {}  # what the user gave, in words, among the settings

    def carry_out(self, bench: Bench) -> None:
        options = bench.choice(self.scales)
        settings = options | {"seed": bench.seed} | dict(self.given(bench))
        if self.is_done([bench]):
            if self.settings([bench]) != settings:
                raise InputError(f"{self._file(bench)} was made with other settings: give another --out, or remove it")
            return
        answer = {"settings": settings, "answer": self.work(bench, **options)}
        write_whole(self._file(bench), json.dumps(answer, ensure_ascii=False, indent=1) + "\n")

    def is_done(self, benches: Sequence[Bench]) -> bool:
        return self._first(benches) is not None

    def found(self, benches: Sequence[Bench]) -> dict[str, Any] | None:
        first = self._first(benches)
        return None if first is None else self._read(first)["answer"]

    def settings(self, benches: Sequence[Bench]) -> dict[str, Any]:
        first = self._first(benches)
        found: dict[str, Any] = {} if first is None else self._read(first)["settings"]
        return found

    def _first(self, benches: Sequence[Bench]) -> Bench | None:
        return next((bench for bench in benches if self._file(bench).is_file()), None)

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


def _on_the_board(results: Results) -> Results:
    """Without the games that somebody lost by a fault, as on time: they tell of the machine, and not of the players."""
    return replace(results, games=[game for game in results.games if game.reason not in FAULTS])


@dataclass(frozen=True)
class Findings:
    """What an experiment brought: numbers beside the paper's, its statements, and whatever else is to be shown."""

    rows: Sequence[Row] = ()
    claims: Sequence[Row] = ()
    blocks: Sequence[Block] = ()
    unit: str = "Elo"
    digits: int = 0
    drawn: bool = True  # whether the numbers share a scale on which they can be drawn
    counted: str = "games"  # what more of would decide
    else_decides: str = ""  # where more of them would not
    reason: str = ""  # of a difference, where one was tested


@dataclass(frozen=True)
class Experiment:
    """A table or figure of a paper, by the name that ``plyout reproduce`` knows."""

    name: str
    title: str
    where: str  # the page of the paper, or the section where its text has no pages
    parts: Sequence[Part]
    say: Callable[[dict[str, Any]], Findings]  # from what the parts found, by their names
    seconds: tuple[int, int]  # at quick and at evening scale on two cores, about
    aliases: Sequence[str] = ()
    needs: Sequence[str] = ()  # keys of NEEDS

    @property
    def paper(self) -> str:
        return self.name.partition("-")[0]

    def is_done(self, benches: Sequence[Bench]) -> bool:
        return all(part.is_done(benches) for part in self.parts)

    def is_begun(self, benches: Sequence[Bench]) -> bool:
        """Whether there is anything of it; parts of other experiments that it needs, too, are not."""
        own = (part for part in self.parts if part.name.startswith(self.name))
        return any(part.found(benches) is not None for part in own) or self.is_done(benches)

    def findings(self, benches: Sequence[Bench]) -> Findings | None:
        """What can be said so far; None if a part has brought nothing yet."""
        found = {part.name: part.found(benches) for part in self.parts}
        if any(result is None for result in found.values()):
            return None
        found = {name: _on_the_board(one) if isinstance(one, Results) else one for name, one in found.items()}
        try:
            return self.say(found)
        except InputError:  # too few games for a rating list
            return None
