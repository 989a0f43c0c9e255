"""``plyout bench``."""

from typing import Annotated

import typer

from plyout.cli.common import Json, print_json
from plyout.cli.ending import ANEW, Ending


def bench(
    rounds: Annotated[int, typer.Option(min=1, max=100, help="Measure each this often and keep the median.")] = 1,
    as_json: Json = False,
) -> None:
    """Measure our speed beside others' in one run: python-chess, and Stockfish and OpenSpiel where installed.

    Takes a minute or two a round.
    """
    from plyout.lab.bench import measure

    with Ending(ANEW) as ending:
        report = ending.of(measure, rounds, quiet=as_json)
        if as_json:
            print_json(ending.marked(report.as_dict()))
        else:
            report.show()
