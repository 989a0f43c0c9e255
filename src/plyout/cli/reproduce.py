"""``plyout reproduce``: the tables and figures of the papers, again."""

import os
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from plyout.cli.cluster import Cluster, ScaleTime, cluster_of
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
        str,
        typer.Option(
            help="quick (minutes), evening (ten hours for all), or paper: the papers' games and clock (days)."
        ),
    ] = "quick",
    out: Annotated[
        Path, typer.Option(help="The folder for games and report; the same command continues an interrupted run.")
    ] = Path("reproduction"),
    seed: Annotated[int, typer.Option(min=0, help="Decides openings and chance.")] = 1,
    concurrency: Annotated[
        int, typer.Option("--concurrency", "-j", min=0, help="Games at the same time; 0: one a core.")
    ] = 0,
    report_only: Annotated[bool, typer.Option("--report-only", help="Play nothing; report what is there.")] = False,
    sources: Annotated[
        list[Path] | None,
        typer.Option("--from", help="Another such folder, whose results go into the report, too; may be repeated."),
    ] = None,
    puzzles: Annotated[
        Path | None,
        typer.Option(help="Mates in two for xu-4: EPD, or lines of title, FEN and solution.  [default: ours]"),
    ] = None,
    book: Annotated[
        Path | None,
        typer.Option(help="An opening book for singh-4.2 and singh-4.3, as in --set book=….  [default: ours]"),
    ] = None,
    cluster: Cluster = "local",
    scale_time: ScaleTime = False,
    as_json: Json = False,
) -> None:
    """Repeat experiments of the papers and report the results beside the papers' numbers; without a name, list them.

    Takes a few minutes an experiment on two cores, 45 for all; --scale evening an hour, or ten.
    """
    from plyout.knowledge.books.book import open_book
    from plyout.lab.puzzles.read import read_puzzles
    from plyout.lab.reproduce.catalogue import EXPERIMENTS, choose
    from plyout.lab.reproduce.experiment import SCALES, Bench
    from plyout.lab.reproduce.report import write_report
    from plyout.lab.reproduce.run import about, bench_of, carry_out

    if scale not in SCALES:
        raise InputError(f"--scale is {' or '.join(SCALES)}, not {scale!r}")
    report_only = report_only or (bool(sources) and not names and not everything)
    if not names and not everything and not report_only:
        _list(as_json)
        return
    chosen = list(EXPERIMENTS.values()) if everything else choose(names or [])
    if puzzles is not None:
        read_puzzles(str(puzzles))  # or an InputError now, and not after hours of games
    if book is not None:
        open_book(book)
    bench = Bench(out, scale, seed, concurrency or os.cpu_count() or 1, as_json, _text(puzzles), _text(book))
    others = [bench_of(folder, as_json) for folder in sources or []]
    if report_only:
        benches = others if others and not about(out) else [bench_of(out, as_json), *others]
    else:
        benches = [bench, *others]
    output_folder(out)
    with cluster_of("local" if report_only else cluster, scale_time) as where, Ending(goes_on(out)) as ending:
        bench = replace(bench, cluster=where)
        if not report_only:
            ending.of(carry_out, chosen, bench, (lambda line: None) if as_json else partial(typer.echo, err=True))
        answer = write_report(EXPERIMENTS.values(), out, benches)
        wanted = {e.name for e in chosen}
        if as_json:
            files = {"markdown": str(out / "report.md"), "html": str(out / "report.html")}
            print_json(ending.marked(answer | files))
            return
        for row in answer["experiments"]:
            if not wanted or row["name"] in wanted:
                print(f"{row['name']:18} {row['state']:22} {row['why']}".rstrip())
        print(f"{out / 'report.md'}, {out / 'report.html'}")


def _text(path: Path | None) -> str | None:
    return None if path is None else str(path)


def _list(as_json: bool) -> None:
    from plyout.lab.reproduce.catalogue import EXPERIMENTS
    from plyout.lab.reproduce.run import duration

    if as_json:
        rows: list[dict[str, Any]] = [
            {
                "name": e.name,
                "title": e.title,
                "paper": e.paper,
                "aliases": list(e.aliases),
                "needs": list(e.needs),
                **dict(zip(("quick_seconds", "evening_seconds"), e.seconds, strict=True)),
            }
            for e in EXPERIMENTS.values()
        ]
        print_json({"experiments": rows})
        return
    for e in EXPERIMENTS.values():
        also = f" (also {', '.join(e.aliases)})" if e.aliases else ""
        times = " ".join(f"{duration(seconds):>7}" for seconds in e.seconds)
        print(f"{e.name:18} {times}  {e.title}{also}")
    quick, evening = (duration(sum(e.seconds[i] for e in EXPERIMENTS.values())) for i in (0, 1))
    print(
        "\nplyout reproduce NAME…, a paper's name, or --all. The times are of --scale quick and --scale evening, on two"
    )
    print(f"cores, about: {quick} and {evening} in all")
