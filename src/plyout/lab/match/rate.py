"""``plyout rate``: how strong, on the scale of an engine whose strength can be limited.

Two ways: the binary search of Xu's AlphaOne (5.3), and a maximum-likelihood estimate from games against several levels.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from importlib import resources
from math import log
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from plyout.errors import InputError
from plyout.lab.match.match import match
from plyout.lab.match.openings import BUILT_IN
from plyout.lab.match.players import find_program
from plyout.lab.match.results import Results
from plyout.lab.match.uci_player import UciPlayer
from plyout.lab.statistics.estimate import Z, score_of
from plyout.progress import Progress, so_far

OPENINGS = "xu.epd"
ROUNDS, LOWEST, HIGHEST = 5, 0, 3200
_ENOUGH = Z * Z / 2  # half of chi-squared's 95% point: how far the log likelihood may fall within the interval

# Xu 2024, Table 3: the last interval of the binary search, by version and depth.
PAPER = {
    "alphabeta-v1": {1: (0, 100), 2: (300, 400), 3: (1500, 1600), 4: (2000, 2100)},
    "alphabeta-v2": {1: (0, 100), 2: (300, 400), 3: (1400, 1500), 4: (1800, 1900)},
}


@dataclass(frozen=True)
class Score:
    """What was scored against one level."""

    level: int
    points: float
    games: int
    faults: int = 0  # games that somebody lost by the clock, a crash or an illegal move


Told = Callable[[dict[str, Any]], None]
"""Hears what is known after each match."""


@dataclass(frozen=True)
class Rating:
    """The most likely rating and its 95% interval; None is without bound."""

    elo: float | None
    low: float | None
    high: float | None


def levels_of(program: str) -> tuple[int, int]:
    """The weakest and the strongest level that a UCI engine offers."""
    player = UciPlayer((find_program(program),), {})
    try:
        player.prepare()
        levels = player.range_of("UCI_Elo")
    finally:
        player.close()
    if levels is None:
        raise InputError(f"{program} cannot be limited in strength: it has no option UCI_Elo")
    return levels


def check_levels(program: str, levels: Sequence[int]) -> None:
    """`InputError` if one of the levels is none that a UCI engine offers."""
    weakest, strongest = levels_of(program)
    for level in levels:
        if not weakest <= level <= strongest:
            raise InputError(f"{program} plays at {weakest} to {strongest} Elo, and {level} is not among them")


def likelihood(rating: float, scores: Sequence[Score]) -> float:
    """The logarithm of how likely the scores are; a draw is half a win and half a loss."""
    total = 0.0
    for s in scores:
        expected = min(max(score_of(rating - s.level), 1e-12), 1 - 1e-12)
        total += s.points * log(expected) + (s.games - s.points) * log(1 - expected)
    return total


def most_likely(scores: Sequence[Score]) -> Rating:
    """The rating that makes the scores most likely, with every rating that is not much less so.

    >>> r = most_likely([Score(1500, 5, 10)])
    >>> round(r.elo), round(r.low), round(r.high)
    (1500, 1278, 1722)
    """
    points, games = sum(s.points for s in scores), sum(s.games for s in scores)
    lowest, highest = -2000.0, 6000.0

    def slope(rating: float) -> float:
        return points - sum(s.games * score_of(rating - s.level) for s in scores)

    best = _root(slope, lowest, highest)
    top = likelihood(best, scores)

    def fallen(rating: float) -> float:
        return top - likelihood(rating, scores) - _ENOUGH

    low = _root(lambda r: fallen(r), lowest, best) if points > 0 else None
    high = _root(lambda r: -fallen(r), best, highest) if points < games else None
    return Rating(best if 0 < points < games else None, low, high)


def _root(f: Any, low: float, high: float) -> float:
    """Where `f`, positive at first, becomes negative."""
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) > 0 else (low, middle)
    return (low + high) / 2


def _play(player: str, program: str, level: int, games: int, book: str, options: dict[str, Any], name: str) -> Score:
    """A match against one level, which thinks so many `nodes` if the options say so; kept in the folder `name`."""
    if options["out"] is not None:
        options = options | {"out": Path(options["out"]) / name}
    nodes = options["nodes"]
    rival = f"uci:{program}?UCI_Elo={level}" + (f"&nodes={nodes}" if nodes else "")
    return _score(level, match(player, rival, games=games, book=book, **options | {"nodes": None}))


def _score(level: int, results: Results) -> Score:
    estimate = results.of(results.players[0])
    return Score(level, estimate.wins + estimate.draws / 2, len(results.games), sum(results.faults().values()))


def binary_search(
    player: str, program: str, options: dict[str, Any], told: Told = lambda found: None, *, deaf: bool = False
) -> dict[str, Any]:
    """Five rounds of six games: who does not lose a round goes on against the middle of the upper half.

    Where that is no level of the program, it plays its nearest; or, if it is `deaf`, the one that it was set to before,
    as Stockfish does if nobody looks: an option that is out of range changes nothing.
    """
    weakest, strongest = levels_of(program)
    low, high, level = LOWEST, HIGHEST, weakest
    rounds: list[dict[str, Any]] = []
    for _ in range(ROUNDS):
        middle = (low + high) // 2
        if not deaf or weakest <= middle <= strongest:
            level = min(max(middle, weakest), strongest)
        score = round_of(player, program, level, options, f"search-{middle}")
        rounds.append({"middle": middle, **asdict(score)})
        low, high = (middle, high) if score.points >= score.games / 2 else (low, middle)
        told({"low": low, "high": high, "rounds": list(rounds)})
    return {"low": low, "high": high, "rounds": rounds}


def round_of(player: str, program: str, level: int, options: dict[str, Any], name: str = "round") -> Score:
    """Six games against one level: Xu's three openings, with both colours."""
    with resources.as_file(resources.files(__package__).joinpath(OPENINGS)) as book:
        return _play(player, program, level, 6, str(book), options | {"seed": 0}, name)


def estimate_rating(
    player: str, program: str, levels: Sequence[int], games: int, options: dict[str, Any],
    told: Told = lambda found: None,
) -> dict[str, Any]:  # fmt: skip
    """Games against each level from the built-in openings, and the most likely rating."""
    check_levels(program, levels)
    scores: list[Score] = []

    def found() -> dict[str, Any]:
        return {"scores": [asdict(s) for s in scores], **asdict(most_likely(scores))}

    for level in levels:
        try:
            scores.append(_play(player, program, level, games, BUILT_IN, options, f"level-{level}"))
        except BaseException as error:  # the games that a match has played before it is cut short count, too
            played = so_far(error)
            if played is not None and played.done:
                scores.append(_score(level, played.results))
                told(found())
            raise
        told(found())
    return found()


def rate(players: Sequence[str], program: str, method: str, levels: Sequence[int], games: int,
         options: dict[str, Any]) -> list[dict[str, Any]]:  # fmt: skip
    """A row for each player, by the binary search, the estimate, or both; its games are kept in a folder of its own."""
    if method != "search":
        check_levels(program, levels)
    rows: list[dict[str, Any]] = []
    matches = len(players) * ((method != "estimate") * ROUNDS + (method != "search") * len(levels))
    with Progress("matches", matches, quiet=True, keep=lambda: rows) as progress:

        def searched(found: dict[str, Any]) -> None:
            rows[-1]["binary_search"] = found
            progress.step()

        def estimated(found: dict[str, Any]) -> None:
            rows[-1]["estimate"] = found
            progress.step(found["scores"][-1]["games"] == games)

        for player in players:
            kept = None if options["out"] is None else Path(options["out"]) / re.sub(r"[^\w.-]+", "-", player)
            own = options | {"out": kept}
            rows.append({"player": player})
            if method != "estimate":
                binary_search(player, program, own, searched)
            if method != "search":
                estimate_rating(player, program, levels, games, own, estimated)
    return rows


def paper_interval(player: str) -> str:
    """What the paper's Table 3 says of a player like ``alphabeta-v1?depth=3``."""
    preset, _, settings = player.partition("?")
    depth = next((s.partition("=")[2] for s in settings.split("&") if s.startswith("depth=")), "4")
    found = PAPER.get(preset, {}).get(int(depth)) if depth.isdigit() else None
    return "" if found is None else f"{found[0]} to {found[1]}"


def show(answer: dict[str, Any]) -> None:
    """A row for each player: the search's interval, the paper's, and the most likely rating."""
    faults = 0
    grid = Table("player", "binary search", "Xu 2024", "most likely", "95%", "games")
    for row in answer["players"]:
        searched = row.get("binary_search")
        estimate = row.get("estimate")
        faults += sum(s["faults"] for s in (searched or {}).get("rounds", []) + (estimate or {}).get("scores", []))
        cells = [f"{searched['low']} to {searched['high']}" if searched else "", paper_interval(row["player"])]
        if estimate:
            ends = ["-∞" if estimate["low"] is None else f"{estimate['low']:.0f}"]
            ends.append("∞" if estimate["high"] is None else f"{estimate['high']:.0f}")
            cells += ["" if estimate["elo"] is None else f"{estimate['elo']:.0f}", " to ".join(ends)]
            cells.append(str(sum(s["games"] for s in estimate["scores"])))
        grid.add_row(row["player"], *cells)
    console = Console()
    console.print(grid)
    console.print(
        f"on the scale of {answer['program']}'s UCI_Elo, {answer['control']}; {answer['note']}", highlight=False
    )
    if faults:
        console.print(f"{faults} games were lost by the clock or another fault: give more time, or nodes", style="bold")
