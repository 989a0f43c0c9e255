"""``plyout reproduce``: the tables and figures of the papers, again."""

import os
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from plyout.cli.common import Json, print_json
from plyout.cli.ending import Ending, goes_on
from plyout.cli.output import output_folder
from plyout.errors import InputError


def reproduce(
    names: Annotated[
        list[str] | None, typer.Argument(help="Experiments (arenz-7) or papers (arenz); none: list them.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="All of them.")] = False,
    scale: Annotated[
        str, typer.Option(help="quick (minutes), or paper: the paper's games and clock (days).")
    ] = "quick",
    out: Annotated[
        Path, typer.Option(help="The folder for games and report; the same command continues an interrupted run.")
    ] = Path("reproduction"),
    seed: Annotated[int, typer.Option(min=0, help="Decides openings and chance.")] = 1,
    concurrency: Annotated[
        int, typer.Option("--concurrency", "-j", min=0, help="Games at the same time; 0: one a core.")
    ] = 0,
    report_only: Annotated[bool, typer.Option("--report-only", help="Play nothing; report what is there.")] = False,
    as_json: Json = False,
) -> None:
    """Repeat experiments of the papers and report the results beside the papers' numbers; without a name, list them."""
    from plyout.lab.reproduce.catalogue import EXPERIMENTS, choose
    from plyout.lab.reproduce.experiment import SCALES, Bench
    from plyout.lab.reproduce.report import write_report
    from plyout.lab.reproduce.run import about, carry_out

    if scale not in SCALES:
        raise InputError(f"--scale is {' or '.join(SCALES)}, not {scale!r}")
    if not names and not everything and not report_only:
        _list(as_json)
        return
    chosen = list(EXPERIMENTS.values()) if everything else choose(names or [])
    bench = Bench(out, scale, seed, concurrency or os.cpu_count() or 1, quiet=as_json)
    if report_only:
        known = about(out)
        if not known:
            raise InputError(f"{out} holds no reproduction yet: leave out --report-only to begin one")
        bench = Bench(out, known["scale"], known["seed"], quiet=as_json)
    output_folder(out)
    with Ending(goes_on(out)) as ending:
        if not report_only:
            ending.of(carry_out, chosen, bench, (lambda line: None) if as_json else partial(typer.echo, err=True))
        answer = write_report(EXPERIMENTS.values(), bench)
        wanted = {e.name for e in chosen}
        if as_json:
            files = {"markdown": str(out / "report.md"), "html": str(out / "report.html")}
            print_json(ending.marked(answer | files))
            return
        for row in answer["experiments"]:
            if not wanted or row["name"] in wanted:
                print(f"{row['name']:18} {row['state']:22} {row['why']}".rstrip())
        print(f"{out / 'report.md'}, {out / 'report.html'}")


def _list(as_json: bool) -> None:
    from plyout.lab.reproduce.catalogue import EXPERIMENTS
    from plyout.lab.reproduce.run import duration

    if as_json:
        rows: list[dict[str, Any]] = [
            {"name": e.name, "title": e.title, "paper": e.paper, "aliases": list(e.aliases), "quick_seconds": e.seconds}
            for e in EXPERIMENTS.values()
        ]
        print_json({"experiments": rows})
        return
    for e in EXPERIMENTS.values():
        also = f" (also {', '.join(e.aliases)})" if e.aliases else ""
        print(f"{e.name:18} {duration(e.seconds):>7}  {e.title}{also}")
    total = duration(sum(e.seconds for e in EXPERIMENTS.values()))
    print(f"\nplyout reproduce NAME…, a paper's name, or --all: {total} in all at quick scale on two cores, about")
