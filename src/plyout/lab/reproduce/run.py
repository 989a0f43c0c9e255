"""Carry experiments out one after the other; whatever is there already is left as it is."""

import json
import os
import platform
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from plyout import __version__
from plyout.errors import InputError
from plyout.lab.match.store import write_whole
from plyout.lab.reproduce.experiment import EVENING, PAPER, SCALES, Bench, Experiment, read_object
from plyout.lab.reproduce.needs import NEEDS
from plyout.lab.run.cluster import LOCAL
from plyout.progress import Progress

ABOUT, SKIPPED = "about.json", "skipped.json"


def machine(concurrency: int) -> str:
    """The machine in words: no names of hosts or folders."""
    cores = os.cpu_count() or 1
    return (
        f"{_processor()}, {cores} cores, {concurrency} games at once, Python {platform.python_version()}, "
        f"Plyout {__version__}"
    )


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return " ".join(line.partition(":")[2].split())
    except OSError:
        pass
    return platform.processor() or platform.machine()


def about(out: Path) -> dict[str, Any]:
    """Scale, seed and machines of a reproduction that was begun; empty where there is none."""
    found = read_object(out / ABOUT) if (out / ABOUT).exists() else {}
    if found and not (
        found.get("scale") in SCALES
        and type(found.get("seed")) is int
        and isinstance(found.get("machines"), list)
        and all(isinstance(name, str) for name in found["machines"])
    ):
        raise InputError(f"{out / ABOUT} does not say how the reproduction was begun: give another --out")
    return found


def bench_of(out: Path, quiet: bool) -> Bench:
    """The bench on which a reproduction was begun."""
    known = about(out)
    if not known:
        raise InputError(f"{out} holds no reproduction yet: 'plyout reproduce NAME --out {out}' begins one")
    return Bench(out, known["scale"], known["seed"], quiet=quiet)


def notes(out: Path) -> dict[str, str]:
    """Why experiments were skipped, by their names."""
    found = read_object(out / SKIPPED) if (out / SKIPPED).exists() else {}
    if not all(isinstance(reason, str) for reason in found.values()):
        raise InputError(f"{out / SKIPPED} does not say what was skipped: remove it")
    return found


def begin(bench: Bench) -> None:
    """Note what a reproduction is made with, or see that it is the same as before."""
    before = about(bench.out)
    asked = {"scale": bench.scale, "seed": bench.seed}
    for name, value in asked.items():
        if before and before.get(name) != value:
            raise InputError(
                f"{bench.out} was begun with --{name} {before.get(name)}, not {value}: give the same, or another --out"
            )
    here = machine(bench.concurrency) + ("" if bench.cluster == LOCAL else ", with the machines of a cluster")
    machines = before.get("machines", [])
    if here not in machines:
        write_whole(bench.out / ABOUT, json.dumps(asked | {"machines": [*machines, here]}, indent=1) + "\n")


def skipped(bench: Bench, experiment: Experiment) -> str:
    """Why an experiment was skipped; empty if it was not."""
    return notes(bench.out).get(experiment.name, "")


def _skip(bench: Bench, experiment: Experiment, reason: str) -> None:
    path = bench.out / SKIPPED
    found = notes(bench.out)
    found.pop(experiment.name, None)
    if reason:
        found[experiment.name] = reason
    if found or path.is_file():
        write_whole(path, json.dumps(found, ensure_ascii=False, indent=1) + "\n")


def carry_out(experiments: Sequence[Experiment], bench: Bench, tell: Callable[[str], None]) -> None:
    """Do what is missing of each; `tell` hears one line before and one after."""
    begin(bench)
    todo = [e for e in experiments if not e.is_done([bench])]
    left, spent, expected = float(sum(seconds(e, bench.scale) for e in todo)), 0.0, 0.0
    # What was done is in the folder: an interrupted run has no other results, and counts experiments, not games.
    with Progress("experiments", len(todo), quiet=True, keep=lambda: todo) as progress:
        for i, experiment in enumerate(todo, 1):
            pace = spent / expected if expected else 1.0  # against the estimates, which are of another machine
            time_left = f", about {duration(pace * left)} left" if bench.scale != PAPER else ""
            tell(f"[{i}/{len(todo)}{time_left}] {experiment.name}: {experiment.title}")
            began = time.monotonic()
            try:
                for need in experiment.needs:
                    NEEDS[need](bench)
            except InputError as error:
                _skip(bench, experiment, str(error))
                tell(f"    skipped: {error}")
            else:
                _skip(bench, experiment, "")
                for part in experiment.parts:
                    part.carry_out(bench)
                spent, expected = spent + time.monotonic() - began, expected + seconds(experiment, bench.scale)
                tell(f"    done in {duration(time.monotonic() - began)}")
            left -= seconds(experiment, bench.scale)
            progress.step()


def seconds(experiment: Experiment, scale: str) -> int:
    """How long an experiment takes on two cores, about; of the papers' scale nobody knows."""
    quick, evening = experiment.seconds
    return evening if scale == EVENING else quick


def duration(seconds: float) -> str:
    """
    >>> duration(8), duration(90), duration(7300)
    ('8 s', '2 min', '2.0 h')
    """
    if seconds < 60:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"
