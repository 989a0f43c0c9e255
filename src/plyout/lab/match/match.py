"""Matches and tournaments from Python.

>>> from plyout.lab.match.match import match
>>> results = match("mcc-decisive?hash_mb=16", "mcc?hash_mb=16", games=2, nodes=50, max_plies=20)
>>> len(results.games), results.of("mcc?hash_mb=16").games
(2, 2)
"""

import json
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from plyout.errors import InputError
from plyout.lab.match.conditions import Conditions
from plyout.lab.match.results import Results
from plyout.lab.match.store import FILE, Store, write_whole
from plyout.lab.match.tournament import Plan, Run
from plyout.lab.run.cluster import LOCAL, Cluster, runner_of
from plyout.lab.statistics.sprt import Sprt
from plyout.lab.statistics.sprt import sprt as test
from plyout.progress import Progress, beside


def match(first: Any, second: Any, **options: Any) -> Results:
    """Two players meet; each is a text as on the command line, or an `Engine`. The options are `tournament`'s."""
    return tournament([first, second], **options)


def tournament(
    engines: Sequence[Any],
    *,
    concurrency: int = 1,
    sprt: tuple[float, float] | None = None,
    out: str | Path | None = None,
    quiet: bool = False,
    cluster: Cluster = LOCAL,
    **conditions: Any,
) -> Results:
    """Every pairing plays so many `games`, each opening with both colours, and the results come back.

    `conditions` are those of `Conditions`: `games`, `kind`, `tc`, `movetime`, `nodes`, `evaluations`, `book`,
    `variant`, `seed`, `resign`, `draw`, `tables`, `max_plies`, `margin`, `patience`. `sprt` ends a match of two as soon
    as the sequential test has decided. `out` is a folder that keeps everything: called again with the same arguments,
    it goes on where it was. `cluster` lets other machines play: see docs/cluster.md. See docs/matches.md.
    """
    plan = Plan.of(engines, Conditions.of(conditions, "concurrency", "sprt", "out", "quiet", "cluster"))
    if sprt is not None:
        if len(plan.players) != 2:
            raise InputError("the sequential test is for a match of two")
        test((0, 0, 0, 0, 0), *sprt)  # or an InputError now, and not after the first game
    folder = None if out is None else Path(out)
    with (
        Store(None if folder is None else folder / FILE, plan.settings()) as store,
        Log(folder) as log,
        runner_of(cluster, concurrency) as runner,
    ):
        run = Run(plan, store, runner, enough=lambda results: decided(results, sprt), log=log.write)
        log.write(f"{run.resumed} of {plan.total} games are there")
        with Progress("games", plan.total, quiet, done=run.resumed, keep=lambda: run.results) as progress:
            run.on_game = lambda game, results: progress.step(
                note=beside(standing(results, sprt), runner.words()) if progress.shown else ""
            )
            try:
                return run.run()
            finally:
                log.write(f"{len(run.results.games)} of {plan.total} games are there")
                if folder is not None:
                    keep(folder, store, run.results, sprt)


def sequential(results: Results, bounds: tuple[float, float] | None) -> Sprt | None:
    """Where the sequential test of the first player stands, if there is one."""
    return None if bounds is None else test(results.of(results.players[0]).pentanomial, *bounds)


def decided(results: Results, bounds: tuple[float, float] | None) -> bool:
    found = sequential(results, bounds)
    return found is not None and found.decision is not None


def standing(results: Results, bounds: tuple[float, float] | None = None) -> str:
    """The state of a match in one short line, for the progress bar; of a tournament, who leads."""
    first = results.players[0]
    if len(results.players) > 2:
        first = max((p for p in results.players), key=lambda p: results.of(p).score)
    e = results.of(first)
    line = f"{first} +{e.wins} ={e.draws} -{e.losses}, Elo {e.elo:+.0f} ({e.low:+.0f} to {e.high:+.0f})"
    if (found := sequential(results, bounds)) is not None:
        line += f", LLR {found.llr:+.2f} ({found.lower:.2f} to {found.upper:.2f})"
    return ", ".join(filter(None, [line, results.fault_words()]))


def summary(results: Results, bounds: tuple[float, float] | None = None) -> dict[str, Any]:
    """What ``--json`` answers."""
    found = sequential(results, bounds)
    return results.as_dict() | ({"sprt": asdict(found)} if found is not None else {})


def keep(folder: Path, store: Store, results: Results, bounds: tuple[float, float] | None) -> None:
    """Write the games as PGN and the results as JSON beside the store, each whole or not at all."""
    answer = {"settings": store.settings(), **summary(results, bounds)}
    write_whole(folder / "games.pgn", "\n\n".join(game.pgn for game in store.games()) + "\n")
    write_whole(folder / "results.json", json.dumps(answer, ensure_ascii=False, indent=2) + "\n")


class Log:
    """Lines with the time, in a file called ``log``; nowhere if there is no folder."""

    def __init__(self, folder: Path | None) -> None:
        self._file = None if folder is None else open(folder / "log", "a", encoding="utf-8")  # noqa: SIM115

    def write(self, line: str) -> None:
        if self._file:
            print(time.strftime("%Y-%m-%d %H:%M:%S"), line, file=self._file, flush=True)

    def __enter__(self) -> "Log":
        return self

    def __exit__(self, *error: object) -> None:
        if self._file:
            self._file.close()
