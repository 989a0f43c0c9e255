"""The endings of three and four pieces, kings and pawns counted: names, order, sizes.

White is always the side with the stronger piece, by queen, rook, bishop, knight, pawn: `KBNK` and `KRKP` are endings,
`KPKR` is `KRKP` with the colours changed. Each has a *slot*, its number in the directory of tables that kernels get.
"""

from dataclasses import dataclass

from plyout.errors import InputError
from plyout.games.chess.board import K, P

LETTERS = "PNBRQ"
PAIRS, DUELS, SINGLES, SLOTS = 0, 15, 30, 35  # the first slot of two pieces v none, one v one, one v none

KINGS, KINGS_WITH_PAWNS = 462, 1806
"""Placements of two kings, up to the symmetries of the board: eight of them without pawns, two with."""


@dataclass(frozen=True)
class Ending:
    """Which pieces White and Black have beside their kings; `second` is -1 where there is only one."""

    first: int
    second: int
    second_is_black: bool

    @property
    def name(self) -> str:
        second = LETTERS[self.second] if self.second >= 0 else ""
        return f"K{LETTERS[self.first]}" + (f"K{second}" if self.second_is_black else f"{second}K")

    @property
    def pieces(self) -> int:
        """How many pieces there are, kings and pawns counted."""
        return 3 if self.second < 0 else 4

    @property
    def slot(self) -> int:
        if self.second < 0:
            return SINGLES + self.first
        return (DUELS if self.second_is_black else PAIRS) + self.first * (self.first + 1) // 2 + self.second

    @property
    def pawns(self) -> int:
        return (self.first == P) + (self.second == P)

    @property
    def even(self) -> bool:
        """Both sides have the same pieces: the table has White to move only, and Black to move is its mirror image."""
        return self.second_is_black and self.first == self.second

    @property
    def placements(self) -> int:
        """The number of placements of the pieces, up to symmetry; some of them are illegal."""
        kings = KINGS_WITH_PAWNS if self.pawns else KINGS
        first, second = (48 if piece == P else 64 for piece in (self.first, self.second))
        if self.second < 0:
            return kings * first
        if self.first == self.second and not self.second_is_black:
            return kings * (first * (first - 1) // 2)
        return kings * first * second

    @property
    def entries(self) -> int:
        """Bytes of the table: one for each placement and side to move."""
        return self.placements if self.even else 2 * self.placements

    def leads_to(self) -> set["Ending"]:
        """The endings, of three pieces or more, that one capture or promotion can make of it."""
        white, black = [LETTERS[self.first]], list[str]()
        if self.second >= 0:
            (black if self.second_is_black else white).append(LETTERS[self.second])
        after = []
        for side, other in ((white, black), (black, white)):
            for piece in side:
                rest = [p for p in side if p != piece] + [piece] * (side.count(piece) - 1)
                after.append((rest, other))
                if piece == "P":
                    after += [
                        ([*rest, promoted], taken)
                        for promoted in "NBRQ"
                        for taken in ([other, []] if other else [other])
                    ]
        return {ending("K" + "".join(a) + "K" + "".join(b)) for a, b in after if a or b}

    @property
    def shape(self) -> tuple[int, int, int]:
        """The same three facts as numbers, for kernels."""
        return self.first, self.second, int(self.second_is_black)


def _all() -> list[Ending]:
    singles = [Ending(first, -1, False) for first in range(P, K)]
    two = [Ending(a, b, black) for black in (False, True) for a in range(P, K) for b in range(P, a + 1)]
    # A capture leads to fewer pieces, a promotion to fewer pawns: what an ending leads to comes before it.
    return sorted(singles + two, key=lambda e: (e.pieces, e.pawns))


ENDINGS = {ending.name: ending for ending in _all()}
"""All endings, each after those that it can lead to."""


def ending(name: str) -> Ending:
    """The ending with that name, whichever side is named first.

    >>> ending("kpkr").name
    'KRKP'
    """
    if name.upper().count("K") == 2 and name.upper().startswith("K"):
        sides = [sorted(side, key=LETTERS.find, reverse=True) for side in name.upper()[1:].split("K")]
        sides.sort(key=lambda side: (len(side), [LETTERS.find(piece) for piece in side]), reverse=True)
        found = ENDINGS.get("K" + "K".join("".join(side) for side in sides))
        if found:
            return found
    raise InputError(f"no ending of three or four pieces is called {name!r}: there are {', '.join(ENDINGS)}")


def endings(pieces: int) -> list[Ending]:
    """All endings of up to `pieces` pieces, in the order in which they are generated."""
    return [e for e in ENDINGS.values() if e.pieces <= pieces]


def needed(wanted: list[Ending]) -> list[Ending]:
    """These endings and all that they can lead to, in the order in which they are generated."""
    found = set(wanted)
    while more := {after for e in found for after in e.leads_to()} - found:
        found |= more
    return [e for e in ENDINGS.values() if e in found]
