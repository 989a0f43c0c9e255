"""Is it better? The sequential test that stops as soon as the games have told.

Wald's test of two hypotheses, "the Elo difference is elo0" and "it is elo1", on pairs of games. Neither says how often
a pair brings 0, ½, 1, 1½ or 2 points, only what the mean score is: each is therefore represented by the distribution of
that mean that makes the counts likeliest (Van den Bergh's generalised test, as in fishtest).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import numpy as np

from plyout.errors import InputError
from plyout.lab.statistics.estimate import Floats, score_of

_SCORES = np.arange(5) / 4
_FARTHEST = 2000.0  # Elo: beyond, an expected score is 0 or 1, and nothing can be told from it
_UNSEEN = 1e-3  # a count of 0 is taken as this, that a mean beyond the results seen stays possible


@dataclass(frozen=True)
class Sprt:
    """Where the test stands: it ends when the log-likelihood ratio leaves the bounds."""

    llr: float
    lower: float
    upper: float
    decision: str | None  # "H0": elo0 is accepted, "H1": elo1 is, None: play on


def sprt(
    pentanomial: Sequence[int],
    elo0: float,
    elo1: float,
    alpha: float = 0.05,
    beta: float = 0.05,
    model: str = "logistic",
) -> Sprt:
    """Test the counts of pairs; `alpha`: the chance of a wrong H1, `beta`: of a wrong H0.

    With the model "normalized" the two differences are in normalized Elo (the score in its standard deviations), as in
    today's fishtest.

    >>> test = sprt((147, 343, 642, 402, 176), 0, 10, model="normalized")
    >>> round(test.llr, 2), round(test.upper, 2), test.decision
    (2.95, 2.94, 'H1')
    """
    if len(pentanomial) != 5 or min(pentanomial) < 0:
        raise InputError(f"pentanomial counts are five numbers of pairs, none below 0, not {tuple(pentanomial)}")
    if not elo0 < elo1:
        raise InputError(f"the test needs elo0 < elo1, not {elo0:g} and {elo1:g}")
    if max(abs(elo0), abs(elo1)) > _FARTHEST:
        raise InputError(f"the test knows differences up to {_FARTHEST:g} Elo, not {elo0:g} and {elo1:g}")
    if not (0 < alpha < 0.5 and 0 < beta < 0.5):
        raise InputError(f"alpha and beta must lie between 0 and 0.5, not {alpha:g} and {beta:g}")
    if model not in MODELS:
        raise InputError(f"the model is one of {', '.join(MODELS)}, not {model!r}")
    ratio = float(MODELS[model](np.asarray(pentanomial, float), elo0, elo1))
    lower, upper = log(beta / (1 - alpha)), log((1 - beta) / alpha)
    return Sprt(ratio, lower, upper, "H0" if ratio <= lower else "H1" if ratio >= upper else None)


def llr(counts: Floats, elo0: float, elo1: float) -> Floats:
    """The log-likelihood ratios of `counts`, an array whose last axis holds the five."""
    shares, pairs = _shares(counts)
    zero = likeliest(shares, _SCORES - score_of(elo0))
    one = likeliest(shares, _SCORES - score_of(elo1))
    return _ratio(shares, pairs, zero, one)


def llr_normalized(counts: Floats, elo0: float, elo1: float) -> Floats:
    """The same in normalized Elo, of which 800 / ln 10 are one standard deviation of a game's score."""
    shares, pairs = _shares(counts)
    zero, one = (_likeliest_normalized(shares, elo * log(10) / 800 * 2**0.5) for elo in (elo0, elo1))
    return _ratio(shares, pairs, zero, one)


MODELS = {"logistic": llr, "normalized": llr_normalized}


def _shares(counts: Floats) -> tuple[Floats, Floats]:
    regular = np.where(counts > 0, counts, _UNSEEN)
    pairs = regular.sum(-1)
    return regular / pairs[..., None], pairs


def _ratio(shares: Floats, pairs: Floats, zero: Floats, one: Floats) -> Floats:
    return np.asarray(pairs * (shares * np.log(one / zero)).sum(-1))


def likeliest(shares: Floats, distance: Floats) -> Floats:
    """The distribution under which `shares` are likeliest among those where `distance` has mean 0.

    Lagrange's multiplier x gives shares / (1 + x·distance); x is where the mean vanishes, found by halving.
    """
    low = np.broadcast_to(-1 / distance.max(-1), shares.shape[:-1])
    high = np.broadcast_to(-1 / distance.min(-1), shares.shape[:-1])
    for _ in range(50):
        x = (low + high) / 2
        mean = (shares * distance / (1 + x[..., None] * distance)).sum(-1)
        low, high = np.where(mean > 0, x, low), np.where(mean > 0, high, x)
    found = shares / (1 + ((low + high) / 2)[..., None] * distance)
    return np.asarray(found / found.sum(-1, keepdims=True))


def _likeliest_normalized(shares: Floats, goal: float) -> Floats:
    """As `likeliest`, where (mean - ½) / deviation is to be `goal`: made linear around the last answer, repeatedly."""
    found = shares
    for _ in range(10):
        mean = (found * _SCORES).sum(-1, keepdims=True)
        deviation = np.sqrt((found * (_SCORES - mean) ** 2).sum(-1, keepdims=True))
        standard = (_SCORES - mean) / deviation
        found = likeliest(shares, _SCORES - 0.5 - goal * deviation * (1 + standard**2) / 2)
    return found
