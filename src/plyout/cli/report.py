"""``plyout report``, ``plyout ratings`` and ``plyout elo``: what games say."""

from pathlib import Path
from typing import Annotated, Any

import typer

from plyout.cli.common import Json, parse_numbers, print_json
from plyout.cli.output import output_folder
from plyout.errors import InputError

_MOST_GAMES = 10**12  # more, and a sum of them is not exact any more
Games = Annotated[
    str,
    typer.Argument(help="A PGN file, a games.sqlite, or the folder that --out of a match made.", show_default=False),
]


def report(
    games: Games,
    out: Annotated[Path, typer.Option(help="The folder for report.md and report.html.")],
    title: Annotated[str, typer.Option(help="The report's title.  [default: the name of the file or folder]")] = "",
    as_json: Json = False,
) -> None:
    """Write a report about games: rating list, cross table, likelihoods of superiority, plots, endings."""
    from plyout.lab.match.read import read_games
    from plyout.lab.match.store import write_whole
    from plyout.lab.report.report import report as write

    found, settings = read_games(games)
    output_folder(out)
    markdown, html = write(found, title or Path(games).resolve().stem, settings)
    files = {"markdown": out / "report.md", "html": out / "report.html"}
    write_whole(files["markdown"], markdown)
    write_whole(files["html"], html)
    if as_json:
        print_json({"games": len(found)} | {name: str(path) for name, path in files.items()})
    else:
        print(f"{len(found):,} games: {files['markdown']}, {files['html']}")


def ratings(
    games: Games,
    prior: Annotated[float, typer.Option(min=0.0, help="Virtual draws of each player; 0: the games alone.")] = 2.0,
    as_json: Json = False,
) -> None:
    """Put all players on one Elo scale, by maximum likelihood (BayesElo's model), with 95% intervals."""
    from plyout.lab.statistics.ratings import ratings as rate
    from plyout.lab.match.read import read_games

    found = rate(read_games(games)[0], prior)
    if as_json:
        print_json(found.as_dict())
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    superior = found.los()
    table = Table("", "player", "Elo", "95%", "games", "score", "LOS")
    table.columns[1].overflow = "fold"
    for column in table.columns[2:]:
        column.justify = "right"
    for i, row in enumerate(found.as_dict()["players"]):
        over = f"{superior[i, i + 1]:.1f} %" if i + 1 < len(found.players) else ""
        table.add_row(
            f"{i + 1}", Text(row["name"]), f"{row['elo']:+.0f}", f"{row['low']:+.0f} to {row['high']:+.0f}",
            f"{row['games']:,}", f"{100 * row['score']:.1f} %", over,
        )  # fmt: skip
    console = Console()
    console.print(table)
    worth = f"the first move is worth {found.advantage:.0f}, a draw {found.draw_elo:.0f}"
    console.print(f"Elo about the mean; {worth}; LOS: how likely stronger than the next", highlight=False)


def elo(
    counts: Annotated[list[int] | None, typer.Argument(metavar="WINS DRAWS LOSSES", min=0)] = None,
    penta: Annotated[
        str | None, typer.Option(metavar="A,B,C,D,E", help="Instead: pairs with 0, ½, 1, 1½ and 2 points.")
    ] = None,
    test: Annotated[
        str | None, typer.Option("--sprt", metavar="ELO0,ELO1", help="Test these two hypotheses; needs --penta.")
    ] = None,
    model: Annotated[str, typer.Option(help="The Elo of --sprt: logistic, or normalized as in fishtest.")] = "logistic",
    alpha: Annotated[float, typer.Option(help="The chance of accepting elo1 wrongly.")] = 0.05,
    beta: Annotated[float, typer.Option(help="The chance of accepting elo0 wrongly.")] = 0.05,
    as_json: Json = False,
) -> None:
    """Elo difference with its 95% interval and likelihood of superiority, from a result; nothing is played."""
    from dataclasses import asdict

    from plyout.lab.statistics.sprt import sprt
    from plyout.lab.statistics.estimate import estimate_of_counts, estimate_of_pentanomial

    if (penta is None) == (not counts):
        raise InputError("give WINS DRAWS LOSSES or --penta A,B,C,D,E, as in 'plyout elo 30 45 25'")
    if counts and len(counts) != 3:
        raise InputError(f"a result is three numbers, WINS DRAWS LOSSES, not {len(counts)}")
    if test and penta is None:
        raise InputError("--sprt tests pairs of games: give --penta A,B,C,D,E")
    five = parse_numbers(penta, "--penta", "five counts of pairs, as in 2,9,20,11,3", int, 5) if penta else ()
    if any(n > _MOST_GAMES for n in (*five, *(counts or ()))):
        raise InputError(f"a result of more than {_MOST_GAMES:.0e} games is a slip")
    if any(n < 0 for n in five):
        raise InputError(f"--penta counts pairs: no number may be below 0, as in {penta!r}")
    found = estimate_of_pentanomial(five) if penta else estimate_of_counts(*(counts or ()))
    answer: dict[str, Any] = found.as_dict()
    lines = [str(found)]
    if penta:  # a pair of one point may be two draws: these three are not known
        for unknown in ("wins", "draws", "losses"):
            del answer[unknown]
        lines = [str(found).partition(": ")[2]]
    if test:
        elo0, elo1 = parse_numbers(test, "--sprt", "two Elo differences, as in 0,10", float, 2)
        state = sprt(five, elo0, elo1, alpha, beta, model)
        answer["sprt"] = asdict(state) | {"elo0": elo0, "elo1": elo1, "model": model}
        verdict = {"H0": f"Elo {elo0:g} is accepted", "H1": f"Elo {elo1:g} is accepted", None: "undecided, play on"}
        lines.append(
            f"SPRT of Elo {elo0:g} and {elo1:g} ({model}): LLR {state.llr:.2f} "
            f"({state.lower:.2f} to {state.upper:.2f}), {verdict[state.decision]}"
        )
    if as_json:
        print_json(answer)
    else:
        print("\n".join(lines))
