"""The list of experiments, and which of them a name selects.

A name is that of an experiment (``arenz-7``), of a paper, which selects all its experiments (``arenz``), or an alias: a
table that is measured together with another one (``arenz-9``, whose numbers come from the games of ``arenz-7``).
"""

from collections.abc import Sequence
from difflib import get_close_matches

from plyout.errors import InputError
from plyout.lab.reproduce import arenz, czech, ladder, singh, topolewski, xu
from plyout.lab.reproduce.experiment import Experiment

EXPERIMENTS: dict[str, Experiment] = {
    e.name: e for module in (arenz, xu, czech, topolewski, singh, ladder) for e in module.EXPERIMENTS
}
PAPERS = tuple(dict.fromkeys(e.paper for e in EXPERIMENTS.values() if e.paper != "ladder"))
_ALIASES = {alias: e.name for e in EXPERIMENTS.values() for alias in e.aliases}


def choose(names: Sequence[str]) -> list[Experiment]:
    """The experiments that names mean, each once and in the order of the catalogue."""
    wanted: set[str] = set()
    for given in names:
        name = given.lower()
        found = {name} if name in EXPERIMENTS else {e.name for e in EXPERIMENTS.values() if e.paper == name}
        found = found or {_ALIASES.get(name, "")}
        if found == {""}:
            raise InputError(_no_such(given))
        wanted |= found
    return [e for e in EXPERIMENTS.values() if e.name in wanted]


def _no_such(name: str) -> str:
    known = [*EXPERIMENTS, *_ALIASES, *PAPERS]
    near = get_close_matches(name.lower(), known, 3)
    hint = (
        f": did you mean {' or '.join(near)}?" if near else f": papers are {', '.join(PAPERS)}, and there is 'ladder'"
    )
    return f"no experiment is called {name!r}{hint} ('plyout reproduce' lists all)"
