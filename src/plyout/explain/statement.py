"""What an explanation is made of: statements, each of a type and of one of three kinds.

- *certain*: follows from the rules of the game, an endgame table, or a proof that was checked line by line.
- *method*: true of a method that is named, such as counting what exchanges on one square win.
- *search*: what this search saw; another might see something else.

A statement holds facts, as plain data, and `plyout.explain.words` says them.
"""

from dataclasses import dataclass, field
from typing import Any

import chess

from plyout.explain.words import LEGEND, said
from plyout.in_notebooks import InNotebooks

CERTAIN, METHOD, SEARCH = "certain", "method", "search"
KINDS = (CERTAIN, METHOD, SEARCH)


@dataclass(frozen=True)
class Statement:
    """One statement about a move of the position that was searched."""

    type: str
    kind: str
    san: str
    """the move that it is about"""
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        return said(self.type, self.san, self.facts)

    def as_dict(self) -> dict[str, Any]:
        return {"type": self.type, "kind": self.kind, "text": self.text, "facts": self.facts}


@dataclass(frozen=True)
class Explained:
    """What is stated of one move: the one to play, or one that is tempting, with what makes it so."""

    move: chess.Move
    san: str
    tempting: tuple[str, ...]
    statements: tuple[Statement, ...]

    def as_dict(self) -> dict[str, Any]:
        return {
            "move": self.move.uci(), "san": self.san, "tempting": list(self.tempting),
            "statements": [s.as_dict() for s in self.statements],
        }  # fmt: skip

    def lines(self, heading: str) -> list[str]:
        told = [f"{heading} {self.san}" + (f" ({', '.join(self.tempting)})" if self.tempting else "")]
        for kind in KINDS:
            told += [f"  {kind:<8} {s.text}" for s in self.statements if s.kind == kind]
        return told


@dataclass(frozen=True)
class Explanation(InNotebooks):
    """Why a move, and why not others; `print` shows it."""

    why: Explained | None
    """None where there is no move: the game is over"""
    why_not: tuple[Explained, ...]

    @property
    def statements(self) -> list[Statement]:
        """All of them."""
        moves = (self.why, *self.why_not) if self.why else self.why_not
        return [s for m in moves for s in m.statements]

    def as_dict(self) -> dict[str, Any]:
        """The facts as plain data, for JSON."""
        return {
            "why": self.why.as_dict() if self.why else None,
            "why_not": [m.as_dict() for m in self.why_not],
        }

    def __str__(self) -> str:
        if self.why is None:
            return "the game is over: there is no move to explain"
        told = self.why.lines("why")
        for other in self.why_not:
            told += other.lines("why not")
        return "\n".join(told)

    @property
    def legend(self) -> str:
        """What the kinds mean that occur."""
        kinds = {s.kind for s in self.statements}
        return "\n".join(f"{kind}: {LEGEND[kind]}" for kind in KINDS if kind in kinds)
