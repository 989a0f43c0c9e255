"""The one error that is the user's to mend."""

from collections.abc import Iterable
from difflib import get_close_matches


class InputError(ValueError):
    """What was given makes no sense; the message says in one line what is wrong and what would be right."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A question for who has misspelt a name; empty if nothing that is known is like it.

    >>> did_you_mean("serach", ["search", "solve"])
    "did you mean 'search'?"
    """
    near = get_close_matches(name, list(known), 3)
    return f"did you mean {' or '.join(map(repr, near))}?" if near else ""
