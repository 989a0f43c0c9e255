"""What the laboratory keeps of a game: the one form in which runner, store, statistics and reports speak of it."""

from dataclasses import dataclass

POINTS = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}

FAULTS = {"time": "time losses", "crash": "crashes", "stall": "stalls", "illegal": "illegal moves"}
"""Reasons that cost a player the game otherwise than on the board, and how such games are counted for people;"""
FAULT_KEYS = {"time": "time_losses", "crash": "crashes", "stall": "stalls", "illegal": "illegal"}
"""and for programs."""

ABANDONED = "abandoned"
TERMINATIONS = {"time": "time forfeit", "crash": ABANDONED, "stall": ABANDONED, "illegal": "rules infraction",
    "adjudication": "adjudication"}  # fmt: skip
"""The PGN tag Termination by reason; where a game ended on the board it is 'normal'."""


@dataclass(frozen=True)
class Game:
    """One finished game."""

    pair: int  # the two games of one opening with colours swapped share this number
    white: str
    black: str
    result: str  # a key of POINTS
    reason: str  # checkmate, stalemate, repetition, fifty moves, material, a key of FAULTS, adjudication …
    opening: str = ""  # its name, where known
    plies: int = 0
    seconds: float = 0.0  # how long the game took
    ended: float = 0.0  # seconds since 1970
    pgn: str = ""

    @property
    def points(self) -> float:
        """White's points."""
        return POINTS[self.result]

    @property
    def loser(self) -> str | None:
        """Who lost; nobody in a draw."""
        return {"1-0": self.black, "0-1": self.white}.get(self.result)
