"""Priors by the policy network and the linear policy together: the one sees the position, the other each move."""

from typing import Any

from plyout.evaluate.policy.linear import policy_prior
from plyout.games.chess.board import load
from plyout.kernel import Ints, kernel
from plyout.networks.small.policy import network_policy
from plyout.parameters import Expansion

_NETWORK, _LINEAR = 0.6, 0.5  # shares


@kernel
def joined_prior(state: Ints, moves: Ints, count: int, scores: Any, p: Expansion) -> None:
    """The score of each of the first `count` moves, in hundredths of a nat."""
    policy_prior(state, moves, count, scores, p)
    for i in range(count):
        scores[i] *= _LINEAR
    network_policy(load(state), p.policy_net, moves, count, scores, _NETWORK)
