"""``plyout gauntlet``: one player against a ladder of engines, on the runner of matches."""

import json
from pathlib import Path
from typing import Any

from plyout.errors import InputError
from plyout.lab.gauntlet.rungs import Ladder
from plyout.lab.gauntlet.schedule import batches
from plyout.lab.gauntlet.standing import Standing, in_short, standing
from plyout.lab.match.conditions import Conditions
from plyout.lab.match.match import Log
from plyout.lab.match.store import FILE, Store, write_whole
from plyout.lab.match.tournament import Plan, Run
from plyout.lab.record import Game
from plyout.lab.run.cluster import LOCAL, Cluster, runner_of
from plyout.progress import Progress, beside


def gauntlet(
    ladder: Ladder,
    games: int,
    *,
    concurrency: int = 1,
    out: str | Path | None = None,
    quiet: bool = False,
    cluster: Cluster = LOCAL,
    **conditions: Any,
) -> Standing:
    """The player of `ladder` plays so many `games` in all; the conditions are those of a match.

    `out` is a folder that keeps everything: called again with the same arguments, or with more games, it goes on.
    """
    if games % 2 or games < 2 * len(ladder.rungs):
        raise InputError(
            f"--games must be even, and two for each of the {len(ladder.rungs)} rungs at least, not {games}: "
            "play more, or name the rungs (--rung 1350,1950)"
        )
    given = Conditions.of({**conditions, "games": games, "kind": "gauntlet"}, "concurrency", "out", "quiet", "cluster")
    plan = Plan.of([ladder.player, *(rung.text for rung in ladder.rungs)], given)
    folder = None if out is None else Path(out)
    settings = plan.settings() | {"anchors": ladder.anchors}  # others would make another plan
    with (
        Store(None if folder is None else folder / FILE, settings) as store,
        Log(folder) as log,
        runner_of(cluster, concurrency) as runner,
    ):
        there = len(store.numbers())
        if there > games:
            raise InputError(f"{store.path} has {there} games: --games must be at least as many")
        log.write(f"{there} of {games} games are there")

        def found() -> Standing:
            return standing(ladder, str(given.control), store.games())

        with Progress("games", games, quiet, done=there, keep=found) as progress:
            next_games = batches(ladder, games, lambda: _by_number(store))
            run = Run(plan, store, runner, log=log.write, batches=next_games)
            run.on_game = lambda game, results: progress.step(
                note=beside(in_short(ladder, results.games), runner.words()) if progress.shown else ""
            )
            try:
                run.run()
            finally:
                log.write(f"{len(store.numbers())} of {games} games are there")
                if folder is not None:
                    _keep(folder, store, found())
        return found()


def _by_number(store: Store) -> dict[int, Game]:
    return dict(zip(sorted(store.numbers()), store.games(), strict=True))


def _keep(folder: Path, store: Store, found: Standing) -> None:
    """Write the games as PGN and the rating as JSON beside the store, each whole or not at all."""
    answer = {"settings": store.settings(), **found.as_dict()}
    write_whole(folder / "games.pgn", "\n\n".join(game.pgn for game in store.games()) + "\n")
    write_whole(folder / "results.json", json.dumps(answer, ensure_ascii=False, indent=2) + "\n")
