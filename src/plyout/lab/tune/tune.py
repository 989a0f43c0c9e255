"""Tuning from Python.

>>> import tempfile
>>> from pathlib import Path
>>> from plyout.lab.match.conditions import Conditions
>>> from plyout.lab.tune.tune import Goal, tune
>>> goal = Goal("mcc-decisive", ("c=1:0.1:5",), pairs=1, changes={"hash_mb": "16"})
>>> tuned = tune(goal, Conditions(nodes=20, max_plies=10), Path(tempfile.mkdtemp()))
>>> tuned.plan.spsa.done, tuned.rows[0].axis.name
(1, 'c')
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from plyout.lab.match.conditions import Conditions
from plyout.lab.match.match import Log, keep
from plyout.lab.match.results import Results
from plyout.lab.match.store import FILE, Store, write_whole
from plyout.lab.match.tournament import Run
from plyout.lab.record import Game
from plyout.lab.run.cluster import LOCAL, Cluster, runner_of
from plyout.lab.tune.axis import axes_of
from plyout.lab.tune.plan import Tally, TuningPlan
from plyout.lab.tune.result import Tuned
from plyout.lab.tune.spsa import Gains, Spsa
from plyout.presets import preset
from plyout.progress import Progress, beside

PRESET = "tuned.toml"
LAG = 4


@dataclass(frozen=True)
class Goal:
    """What is tuned, from where, and for how long."""

    preset: str
    parameters: tuple[str, ...]
    """texts as on the command line: see `axis.FORM`"""
    pairs: int = 500
    rate: float = 0.0
    """how fast: see `Gains`"""
    lag: int = LAG
    """how many pairs can go on at the same time: see `Spsa`"""
    changes: Mapping[str, str] = field(default_factory=dict)
    """what else both sides change in the preset"""

    def plan(self, conditions: Conditions) -> TuningPlan:
        """The games of it; an `InputError` says what is wrong."""
        base = preset(self.preset)
        changed = {name: value for name, value in self.changes.items() if name not in base.rules}
        axes = axes_of(self.parameters, base.parameters | changed)
        spsa = Spsa(axes, Gains(self.pairs, self.rate), conditions.seed, self.lag)
        return TuningPlan.made(self.preset, self.changes, spsa, conditions)


def tune(
    goal: Goal,
    conditions: Conditions,
    out: Path,
    concurrency: int = 1,
    quiet: bool = False,
    watch: Callable[[Tuned], None] = lambda tuned: None,
    cluster: Cluster = LOCAL,
) -> Tuned:
    """Carry a run out, or go on with it, in the folder `out`; `watch` gets the state after every game.

    The seed of `conditions` decides the order of the openings and the perturbations; its number of games is not used.
    """
    plan = goal.plan(conditions)
    with (
        Store(out / FILE, plan.settings()) as store,
        Log(out) as log,
        runner_of(cluster, concurrency) as runner,
    ):
        tally = Tally(plan.spsa, store.games())
        run = Run(plan, store, runner, log=log.write)
        log.write(f"{run.resumed} of {plan.total} games are there")

        def ended(game: Game, results: Results) -> None:
            before = plan.spsa.done
            tally.add(game)
            now = Tuned(plan, results)
            if plan.spsa.done > before:
                log.write(f"after {plan.spsa.done} pairs: {standing(now)}")
            progress.step(note=beside(standing(now), runner.words()))
            watch(now)

        run.on_game = ended
        with Progress("games", plan.total, quiet, run.resumed, keep=lambda: Tuned(plan, run.results)) as progress:
            try:
                return Tuned(plan, run.run())
            finally:
                tuned = Tuned(plan, run.results)
                keep(out, store, tuned.results, None)
                tuned.write(out / PRESET)
                write_whole(out / "tune.json", json.dumps(tuned.as_dict(), indent=1) + "\n")


def standing(tuned: Tuned) -> str:
    """Where the parameters are, in one short line."""
    return ", ".join(f"{axis.name} {axis.text(value)}" for axis, value, _ in tuned.rows)
