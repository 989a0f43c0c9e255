"""The terminal, for tables and lines of results."""

from rich.console import Console


def terminal() -> Console:
    """Where tables are printed. Text is taken as it is: a name in brackets is no markup, and ``:x:`` no picture.

    Where nobody watches, lines may be long.
    """
    console = Console(highlight=False, markup=False, emoji=False)
    return console if console.is_terminal else Console(highlight=False, markup=False, emoji=False, width=160)
