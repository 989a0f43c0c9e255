"""Games that are ended before the board ends them, if the user wants so: resigned, drawn, decided by tables."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import chess

from plyout.errors import InputError

WON = 30_000  # centipawns that a mate counts as


@dataclass(frozen=True)
class Adjudication:
    """When to end a game early; by default never."""

    resign: tuple[int, int] | None = None
    """(moves, centipawns): both players agree for so many moves each that one of them leads by so much"""
    draw: tuple[int, int, int] | None = None
    """(moves, centipawns, from move): both agree for so many moves each that nobody leads by more"""
    tables: str | None = None
    """folder of Syzygy tables: what they know is the result"""
    max_plies: int | None = None
    """a game of so many plies is drawn"""

    def __post_init__(self) -> None:
        for name, value in (("resign", self.resign), ("draw", self.draw)):
            if value is not None and (min(value) < 0 or value[0] < 1):
                raise InputError(f"{name}: moves must be at least 1, and centipawns not negative, not {value}")
        if self.tables is not None and not list(Path(self.tables).glob("*.rtbw")):
            raise InputError(f"{self.tables} has no Syzygy tables (files that end in .rtbw)")


class Adjudicator:
    """Watches one game: `score` notes what a mover's engine says, `verdict` whether that ends the game, and how."""

    def __init__(self, rules: Adjudication, tables: Any) -> None:
        self._rules, self._tables = rules, tables
        self._scores: list[int | None] = []  # White's centipawns, one a ply

    def score(self, mover: chess.Color, cp: int | None, mate: int | None) -> None:
        if mate is not None:
            cp = WON if mate > 0 else -WON
        self._scores.append(None if cp is None else cp if mover else -cp)

    def verdict(self, board: chess.Board) -> tuple[str, str] | None:
        """(result, why), or None: the game goes on."""
        rules = self._rules
        if rules.resign and (last := self._last(rules.resign[0])):
            if min(last) >= rules.resign[1]:
                return "1-0", "adjudication: resigned"
            if max(last) <= -rules.resign[1]:
                return "0-1", "adjudication: resigned"
        if rules.draw and board.fullmove_number >= rules.draw[2]:
            last = self._last(rules.draw[0])
            if last and max(map(abs, last)) <= rules.draw[1]:
                return "1/2-1/2", "adjudication: level"
        if self._tables is not None and (known := self._probe(board)):
            return known, "adjudication: tables"
        if rules.max_plies is not None and len(board.move_stack) >= rules.max_plies:
            return "1/2-1/2", "adjudication: length"
        return None

    def _last(self, moves: int) -> list[int] | None:
        """The scores of the last `moves` moves of both players, if all are known."""
        last = [score for score in self._scores[-2 * moves :] if score is not None]
        return last if len(last) == 2 * moves else None

    def _probe(self, board: chess.Board) -> str | None:
        """What the tables say right after a capture or pawn move, when the fifty-move rule cannot change it."""
        if board.halfmove_clock or board.castling_rights or chess.popcount(board.occupied) > 7:
            return None
        known = self._tables.get_wdl(board)
        if known is None:
            return None
        if abs(known) < 2:  # draws, and wins that the fifty-move rule spoils
            return "1/2-1/2"
        return "1-0" if (known > 0) == board.turn else "0-1"
