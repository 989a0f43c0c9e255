"""The ladder of a gauntlet: engines whose rating is known, and others that are rated along with the player.

The known ones are Stockfish's levels. A player who meets only engines of unknown rating has none either, and who meets
both carries the scale from the ones to the others.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from plyout.errors import InputError
from plyout.lab.match.players import find_program, named, parse_spec, specs_of

PROGRAM = "stockfish"
LEVELS = tuple(range(1350, 2851, 150))  # all that Stockfish 15.1 has
ENGINES = {  # by program, which is the name of its Debian package, too: one thread each, and no opening book
    "toga2": "uci:toga2?OwnBook=false",
    "glaurung": "uci:glaurung?OwnBook=false&Threads=1",
    "gnuchess": "uci:gnuchess --uci?OwnBook=false",
    "ethereal-chess": "uci:ethereal-chess",
}


@dataclass(frozen=True)
class Rung:
    """One engine of the ladder; without `elo` it is to be rated."""

    text: str  # as a match has it
    name: str
    elo: float | None = None


@dataclass(frozen=True)
class Ladder:
    """Who is rated, and against whom."""

    player: str
    name: str  # the player's in the results
    rungs: Sequence[Rung]
    left_out: Sequence[str] = field(default=())  # a line for each engine that is not installed

    @property
    def anchors(self) -> dict[str, float]:
        """The known ratings by name."""
        return {rung.name: rung.elo for rung in self.rungs if rung.elo is not None}


def ladder(
    player: str, rungs: Sequence[str] = (), program: str = PROGRAM, anchors: Mapping[str, float] | None = None
) -> Ladder:
    """The ladder of `rungs`, each one a level (``1950``), several (``1350,1650``) or an engine as in a match.

    Without `rungs` it is the usual one, as far as it is installed; `anchors` are ratings by name that you know.
    """
    levels: dict[str, int] = {}
    texts: list[str] = []
    left_out: list[str] = []
    for rung in rungs or _usual(program, left_out):
        if re.fullmatch(r"\d+(,\d+)*", rung):
            for level in map(int, rung.split(",")):
                texts.append(named(f"uci:{program}?UCI_Elo={level}", f"{_plain(program)}-{level}"))
                levels[texts[-1]] = level
        else:
            texts.append(rung)
    me, *others = specs_of([player, *texts])
    known = dict(anchors or {})
    found = [
        Rung(text, spec.name, known.pop(spec.name, levels.get(text)))
        for text, spec in zip(texts, others, strict=True)
    ]  # fmt: skip
    if known:
        there = ", ".join(rung.name for rung in found)
        raise InputError(f"--anchor: no rung is called {next(iter(known))!r}: there are {there or 'none'}")
    if all(rung.elo is None for rung in found):
        lack = "".join(f"{line}; " for line in left_out[:1])
        raise InputError(f"no rung has a known rating: {lack}or give --rung 1950, or --anchor NAME=ELO")
    return Ladder(player, me.name, found, left_out)


def _usual(program: str, left_out: list[str]) -> list[str]:
    """What is installed of the usual ladder; for each engine that is not, a line on how to get it."""
    found: list[str] = []
    usual = {program: [str(level) for level in LEVELS], **{name: [named(ENGINES[name], name)] for name in ENGINES}}
    for name, texts in usual.items():
        try:
            find_program(name)
            found += texts
        except InputError as error:
            left_out.append(str(error))
    return found


def _plain(program: str) -> str:
    """A program's name without the folder."""
    return parse_spec(f"uci:{program}").name
