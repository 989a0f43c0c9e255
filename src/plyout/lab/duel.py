"""Two engines play each other in this process: the quick answer to "is it better?"."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from math import log10, sqrt

import chess

from plyout.engine import Engine
from plyout.evaluate.glance import centipawns_of
from plyout.progress import Progress

LONGEST_GAME = 400  # plies; then it is drawn


@dataclass(frozen=True)
class Score:
    """The first engine's results; the interval covers 95% and treats games as independent."""

    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """The share of the points."""
        return (self.wins + self.draws / 2) / self.games

    def _elo(self, points: float) -> float:
        points = min(max(points, 0.5 / self.games), 1 - 0.5 / self.games)
        return 400 * log10(points / (1 - points))

    def interval(self) -> tuple[float, float, float]:
        """(Elo difference, its lower and its upper bound)."""
        p = self.points
        variance = (self.wins * (1 - p) ** 2 + self.draws * (0.5 - p) ** 2 + self.losses * p**2) / self.games
        margin = 1.96 * sqrt(max(variance, 0.25 / self.games) / self.games)
        return self._elo(p), self._elo(p - margin), self._elo(p + margin)

    def __str__(self) -> str:
        elo, low, high = self.interval()
        return (
            f"+{self.wins} ={self.draws} -{self.losses}: {100 * self.points:.1f} % of {self.games} games, "
            f"Elo {elo:+.0f} (95%: {low:+.0f} to {high:+.0f})"
        )


def openings(seed: int, plies: int = 6, most: int = 80) -> Iterator[chess.Board]:
    """Balanced positions after a few random moves, without end; none leads by more than `most` centipawns."""
    generator = random.Random(seed)
    while True:
        board = chess.Board()
        for _ in range(plies):
            board.push(generator.choice(list(board.legal_moves)))
        if not board.is_game_over() and abs(centipawns_of(board)) <= most:
            yield board


def play(white: Engine, black: Engine, start: chess.Board, **limits: float) -> float:
    """One game; White's score."""
    board = start.copy()
    white.new_game()
    black.new_game()
    while len(board.move_stack) < LONGEST_GAME:
        result = (white if board.turn else black).search(board, **limits)  # type: ignore[arg-type]
        if result.move is None:
            return result.value if board.turn else 1 - result.value
        board.push(result.move)
    return 0.5


def duel(first: Engine, second: Engine, games: int = 40, seed: int = 1, **limits: float) -> Score:
    """Play an even number of `games`, each opening with both colours; `limits` are those of `Engine.search`."""
    starts = openings(seed)
    results: list[float] = []
    with Progress("games", games) as progress:
        while len(results) < games:
            start = next(starts)
            for mine_is_white in (True, False):
                white, black = (first, second) if mine_is_white else (second, first)
                score = play(white, black, start, **limits)
                results.append(score if mine_is_white else 1 - score)
                progress.step()
    return Score(results.count(1.0), results.count(0.5), results.count(0.0))
