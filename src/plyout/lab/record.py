"""What the laboratory keeps of a game: the one form in which runner, store, statistics and reports speak of it."""

from dataclasses import dataclass

POINTS = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}


@dataclass(frozen=True)
class Game:
    """One finished game."""

    pair: int  # the two games of one opening with colours swapped share this number
    white: str
    black: str
    result: str  # a key of POINTS
    reason: str  # checkmate, stalemate, repetition, fifty moves, material, time, crash, stall, illegal, adjudication …
    opening: str = ""  # its name, where known
    plies: int = 0
    seconds: float = 0.0  # how long the game took
    ended: float = 0.0  # seconds since 1970
    pgn: str = ""

    @property
    def points(self) -> float:
        """White's points."""
        return POINTS[self.result]
