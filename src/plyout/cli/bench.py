"""``plyout bench``."""

from typing import Annotated

import typer

from plyout.cli.common import Json


def bench(
    rounds: Annotated[int, typer.Option(min=1, max=100, help="Measure each this often and keep the median.")] = 3,
    as_json: Json = False,
) -> None:
    """Measure our speed beside others' in one run: python-chess, and Stockfish and OpenSpiel where installed."""
    from plyout.lab.bench import run

    run(rounds, as_json)
