"""A rating list of many players by maximum likelihood, in BayesElo's model (Coulom).

With f(x) = 1 / (1 + 10^(-x/400)), White, who is D better, wins with probability f(D + advantage - draw_elo) and loses
with f(-D - advantage - draw_elo); the rest is drawn. Ratings, advantage and draw_elo are found together, where the
games are likeliest; the curvature there gives their covariance. A prior keeps clean scores finite: a few virtual draws,
and a weak pull of advantage and draw_elo towards what is usual.

Players whose ratings are known are anchors: they keep these, and all others are rated on their scale.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log, sqrt
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from plyout.errors import InputError
from plyout.lab.record import Game
from plyout.lab.statistics.estimate import Floats, Z, normal

_MOST_PRIOR = 1e9  # virtual draws: inf is no number of them
UNIT = 400 / log(10)  # Elo in one natural unit of the logistic curve
DRAW_ELO = 97.3  # usual between chess programs, as BayesElo has it
SPREAD = 150.0  # how far, in Elo, advantage and draw_elo may well lie from 0 and DRAW_ELO before any game is seen
_UNBOUNDED = "these games set no bound to some rating: rate them with a prior above 0"
_FARTHEST = 40.0  # natural units, 7000 Elo: a rating beyond it has run away
_FIRST_STEP, _WIDEST = 50.0, 1200.0  # Elo from the likeliest: where the end of an interval is sought


class Interval(NamedTuple):
    """A rating, and the two ends of its 95% interval."""

    elo: float
    low: float
    high: float


@dataclass(frozen=True)
class Ratings:
    """Players from the strongest down; Elo is about the mean of all, or on the scale of the anchors."""

    players: tuple[str, ...]
    elo: Floats
    covariance: Floats  # of `elo`
    games: npt.NDArray[np.int64]
    score: Floats  # the share of the points
    advantage: float  # Elo that the first move is worth
    draw_elo: float

    @property
    def error(self) -> Floats:
        """Half the widths of the 95% intervals."""
        return np.asarray(Z * np.sqrt(self.covariance.diagonal()))

    def difference(self, first: str, second: str) -> tuple[float, float]:
        """How much stronger `first` is, with the 95% error, which is not that of either alone."""
        i, j = self.players.index(first), self.players.index(second)
        return float(self.elo[i] - self.elo[j]), Z * sqrt(max(self._variance(i, j), 0.0))

    def as_dict(self) -> dict[str, Any]:
        """For programs: one entry a player, and what all share."""
        players = [
            {"name": name, "elo": elo, "elo_error": error, "low": elo - error, "high": elo + error}
            | {"games": games, "score": score}
            for name, elo, error, games, score in zip(
                self.players,
                self.elo.tolist(),
                self.error.tolist(),
                self.games.tolist(),
                self.score.tolist(),
                strict=True,
            )
        ]
        shared = {"advantage": self.advantage, "draw_elo": self.draw_elo}
        return {"players": players, **shared, "los": self.los().tolist(), "covariance": self.covariance.tolist()}

    def los(self) -> Floats:
        """Likelihoods of superiority in percent: of the row's player over the column's; the diagonal is 50."""
        count = len(self.players)
        matrix = np.full((count, count), 50.0)
        for i in range(count):
            for j in range(count):
                if i != j:
                    deviation = sqrt(max(self._variance(i, j), 1e-12))
                    matrix[i, j] = 100 * normal(float(self.elo[i] - self.elo[j]) / deviation)
        return matrix

    def _variance(self, i: int, j: int) -> float:
        covariance = self.covariance
        return float(covariance[i, i] + covariance[j, j] - 2 * covariance[i, j])


def ratings(
    games: Iterable[Game],
    prior: float = 2.0,
    advantage: float | None = None,
    draw_elo: float | None = None,
    anchors: Mapping[str, float] | None = None,
) -> Ratings:
    """Rate all players of `games`; `advantage` and `draw_elo` are found, too, unless given.

    `prior` is the number of virtual draws that each player is given against his opponents; 0 leaves the games alone.
    `anchors` are players whose Elo is known: they keep it, and are given no virtual draws.
    """
    return rate(*counted(games), prior, advantage, draw_elo, anchors)


def counted(games: Iterable[Game]) -> tuple[list[str], Floats]:
    """The players by name, and White's losses, draws and wins, each by [White, Black]."""
    games = list(games)
    players = sorted({name for game in games for name in (game.white, game.black)})
    if len(players) < 2:
        raise InputError(f"a rating list needs games between two players, not {len(players)}")
    number = {name: i for i, name in enumerate(players)}
    results = np.zeros((3, len(players), len(players)))
    for game in games:
        if game.white == game.black:
            raise InputError(f"{game.white!r} plays against itself: give the two players different names")
        results[round(2 * game.points), number[game.white], number[game.black]] += 1
    return players, results


def rate(
    players: Sequence[str],
    results: Floats,
    prior: float = 2.0,
    advantage: float | None = None,
    draw_elo: float | None = None,
    anchors: Mapping[str, float] | None = None,
) -> Ratings:
    """The same from counts: `results` holds White's losses, draws and wins, each by [White, Black]."""
    if not 0 <= prior <= _MOST_PRIOR:
        raise InputError(f"the prior is a number of virtual draws, not {prior:g}")
    known = _known(players, anchors)
    total = results.sum(0)
    played = total + total.T
    _check_connected(players, played > 0)
    losses, draws, wins = results
    points = (wins + draws / 2).sum(1) + (losses + draws / 2).sum(0)
    count = played.sum(1)
    if not prior:
        _check_mixed(players, points / count)
    middle = 0.0 if np.isnan(known).all() else float(np.nanmean(known))  # the model likes small numbers
    given = _virtual(played, np.isnan(known), prior)
    model = _Model(np.stack((losses, draws + given, wins)), prior, advantage, draw_elo, known - middle)
    theta, inverse = model.solve()
    elo, covariance = _scaled(theta, inverse, model.anchored)
    elo += middle
    order = np.argsort(-elo, kind="stable")
    return Ratings(
        players=tuple(players[i] for i in order),
        elo=elo[order],
        covariance=covariance[np.ix_(order, order)],
        games=count[order].astype(np.int64),
        score=(points / count)[order],
        advantage=float(theta[-2]) * UNIT,
        draw_elo=float(theta[-1]) * UNIT,
    )


def interval(games: Iterable[Game], player: str, anchors: Mapping[str, float], prior: float = 2.0) -> Interval:
    """The Elo of `player` on the scale of `anchors`, with all that is not much less likely (95%).

    At each Elo that is tried the other players who are no anchors are rated anew; the interval need not be symmetric:
    it is longer on the side on which the player has won, or lost, all his games. Advantage and draw_elo stay what they
    are at the likeliest: for one player there is too little to learn from moving them, and far from it too much room.
    """
    players, results = counted(games)
    known = _known(players, anchors)
    if np.isnan(known).all():
        raise InputError("no game is against a player of known rating: give an anchor that has played")
    me, middle = players.index(player), float(np.nanmean(known))
    total = results.sum(0)
    played = total + total.T
    _check_connected(players, played > 0)
    losses, draws, wins = results
    filled = np.stack((losses, draws + _virtual(played, np.isnan(known), prior), wins))
    theta, _ = _Model(filled, prior, None, None, known - middle).solve()
    advantage, draw_elo = UNIT * float(theta[-2]), UNIT * float(theta[-1])
    best = UNIT * _scale(theta[-1])[0] * float(theta[me])

    def likelihood(elo: float) -> float:
        fixed = known - middle
        fixed[me] = elo
        model = _Model(filled, prior, advantage, draw_elo, fixed)
        return model.value(model.solve()[0])

    least = likelihood(best) - Z * Z / 2  # half of chi-squared's 95% point

    def end(side: int) -> float:
        inside, outside = best, best + side * _FIRST_STEP
        while likelihood(outside) > least and abs(outside - best) < _WIDEST:
            inside, outside = outside, best + 2 * (outside - best)
        for _ in range(14):
            tried = (inside + outside) / 2
            inside, outside = (tried, outside) if likelihood(tried) > least else (inside, tried)
        return middle + inside

    return Interval(middle + best, end(-1), end(1))


def _known(players: Sequence[str], anchors: Mapping[str, float] | None) -> Floats:
    """The Elo of those players that are anchors, nan of the others."""
    return np.array([(anchors or {}).get(name, np.nan) for name in players])


def _virtual(played: Floats, rated: npt.NDArray[np.bool_], prior: float) -> Floats:
    """The virtual draws of each player that is to be rated, where his games are; with anchors only, if he met some.

    Draws with others who are rated by the same games would bound nobody.
    """
    met = np.where(rated, 0.0, played)
    where = np.where(met.sum(1)[:, None] > 0, met, played)
    share = np.where(rated, prior / 4, 0.0)[:, None] * where / where.sum(1)[:, None]
    return np.asarray(share + share.T)


class _Model:
    """The log-likelihood of all results; its parameters are the ratings, the advantage and draw_elo in natural units.

    With u and v the arguments of f for a win and a loss, a draw has probability f(-u) f(-v) (1 - exp(-2 draw_elo)): all
    logarithms are concave, and Newton's method finds the one maximum.

    An anchor keeps its Elo, which is its parameter times a scale that depends on draw_elo (`_scaled`): where draw_elo
    moves, so does the parameter.
    """

    def __init__(
        self, results: Floats, prior: float, advantage: float | None, draw_elo: float | None, known: Floats
    ) -> None:
        self.losses, self.draws, self.wins = results
        self.count = len(self.wins)
        self.pull = prior / 2 * (UNIT / SPREAD) ** 2
        no_draws = draw_elo is None and not self.draws.any()  # then draw_elo is 0
        self.start = np.zeros(self.count + 2)
        self.start[-2] = (advantage or 0.0) / UNIT
        self.start[-1] = 0.0 if no_draws else (DRAW_ELO if draw_elo is None else draw_elo) / UNIT
        self.anchored = ~np.isnan(known)
        self.anchors = known[self.anchored] / UNIT
        self.free = np.append(~self.anchored, [advantage is None, draw_elo is None and not no_draws])
        self.centred = 0.0 if self.anchored.any() else 1.0

    def _placed(self, theta: Floats) -> Floats:
        """The parameters with the anchors where draw_elo puts them."""
        placed: Floats = theta.copy()
        placed[:-2][self.anchored] = self.anchors / _scale(theta[-1])[0]
        return placed

    def _moves(self, theta: Floats) -> Floats:
        """How all parameters move with each that is free."""
        moves = np.eye(self.count + 2)
        scale, slope = _scale(theta[-1])
        moves[:-2, -1][self.anchored] = -self.anchors * slope / scale**2
        return np.asarray(moves[:, self.free])

    def solve(self) -> tuple[Floats, Floats]:
        """(the likeliest parameters, their covariance)."""
        theta = self._placed(self.start)
        value = self.value(theta)
        for _ in range(100):
            gradient, curvature = self.derivatives(theta)
            moves, step = self._moves(theta), np.zeros_like(theta)
            try:
                step[self.free] = np.linalg.solve(moves.T @ curvature @ moves, moves.T @ gradient)
            except np.linalg.LinAlgError:
                raise InputError(_UNBOUNDED) from None
            while (new := self.value(self._placed(theta + step))) < value - 1e-9 * abs(value):
                step /= 2
            theta, value = self._placed(theta + step), new
            if _scale(theta[-1])[0] * np.abs(theta).max() > _FARTHEST:
                raise InputError(_UNBOUNDED)
            if np.abs(step).max() < 1e-9:
                break
        curvature, moves = self.derivatives(theta)[1], self._moves(theta)
        return theta, moves @ np.linalg.inv(moves.T @ curvature @ moves) @ moves.T

    def _arguments(self, theta: Floats) -> tuple[Floats, Floats]:
        lead = theta[:-2, None] - theta[:-2] + theta[-2]
        return lead - theta[-1], -lead - theta[-1]

    def value(self, theta: Floats) -> float:
        """The log-likelihood."""
        draw = theta[-1]
        if draw < 0 or (draw == 0 and self.draws.any()):
            return -np.inf
        u, v = self._arguments(theta)
        found = -(self.wins * np.logaddexp(0, -u) + self.losses * np.logaddexp(0, -v)).sum()
        if self.draws.any():
            found -= (self.draws * (np.logaddexp(0, u) + np.logaddexp(0, v) - np.log(-np.expm1(-2 * draw)))).sum()
        found -= self.pull / 2 * (theta[-2] ** 2 + (draw - DRAW_ELO / UNIT) ** 2)
        # Of all lists that differ by a constant, the one about 0, unless anchors say which.
        return float(found - self.centred * theta[:-2].sum() ** 2 / 2)

    def derivatives(self, theta: Floats) -> tuple[Floats, Floats]:
        """(gradient, curvature: the second derivatives with the sign changed)."""
        u, v = self._arguments(theta)
        win, loss = 1 / (1 + np.exp(-u)), 1 / (1 + np.exp(-v))
        by_u = self.wins * (1 - win) - self.draws * win
        by_v = self.losses * (1 - loss) - self.draws * loss
        bend_u = (self.wins + self.draws) * win * (1 - win)
        bend_v = (self.losses + self.draws) * loss * (1 - loss)
        lead, draw = by_u - by_v, -(by_u + by_v).sum()
        bend, cross = bend_u + bend_v, bend_v - bend_u  # by lead and lead; by lead and draw

        gradient = np.empty(self.count + 2)
        gradient[:-2] = lead.sum(1) - lead.sum(0) - self.centred * theta[:-2].sum()
        gradient[-2:] = lead.sum() - self.pull * theta[-2], draw - self.pull * (theta[-1] - DRAW_ELO / UNIT)
        curvature = np.empty((self.count + 2, self.count + 2))
        curvature[:-2, :-2] = np.diag(bend.sum(1) + bend.sum(0)) - bend - bend.T + self.centred
        curvature[:-2, -2] = curvature[-2, :-2] = bend.sum(1) - bend.sum(0)
        curvature[:-2, -1] = curvature[-1, :-2] = cross.sum(1) - cross.sum(0)
        curvature[-2, -2] = curvature[-1, -1] = bend.sum() + self.pull
        curvature[-2, -1] = curvature[-1, -2] = cross.sum()
        if self.draws.any():
            grown = np.exp(2 * theta[-1])
            gradient[-1] += self.draws.sum() * 2 / (grown - 1)
            curvature[-1, -1] += self.draws.sum() * 4 * grown / (grown - 1) ** 2
        return gradient, curvature


def _scale(draw: float) -> tuple[float, float]:
    """BayesElo's scale, 4x / (1 + x)² with x = exp(-draw_elo), and its slope."""
    x = np.exp(-draw)
    return float(4 * x / (1 + x) ** 2), float(-4 * x * (1 - x) / (1 + x) ** 3)


def _scaled(theta: Floats, inverse: Floats, anchored: npt.NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """Elo, and its covariance, in BayesElo's scale: near 0 a difference means what Elo's table says.

    More draws press scores together; the scale takes that back. It is an estimate itself: its share of the uncertainty
    is in the covariance.
    """
    scale, slope = _scale(theta[-1])
    count = len(theta) - 2
    by = np.zeros((count, count + 2))  # how each scaled rating moves with each parameter
    by[:, :count] = scale * (np.eye(count) - (not anchored.any()) / count)
    by[:, -1] = slope * theta[:-2]
    by[anchored] = 0  # their parameters move, as draw_elo does, and their Elo does not
    return UNIT * scale * theta[:-2], UNIT**2 * by @ inverse @ by.T


def _check_connected(players: Sequence[str], met: npt.NDArray[np.bool_]) -> None:
    """Ratings compare only players whom a chain of games connects."""
    left, groups = set(range(len(players))), []
    while left:
        group, new = set[int](), {min(left)}
        while new:
            group |= new
            new = {int(j) for i in new for j in np.flatnonzero(met[i])} - group
        left -= group
        groups.append(", ".join(players[i] for i in sorted(group)))
    if len(groups) > 1:
        raise InputError("no game connects these groups of players, rate each alone: " + " | ".join(groups))


def _check_mixed(players: Sequence[str], score: Floats) -> None:
    clean = [players[i] for i in map(int, np.flatnonzero((score == 0) | (score == 1)))]
    if clean:
        raise InputError(f"won or lost every game: {', '.join(clean)}; rate with a prior above 0")
