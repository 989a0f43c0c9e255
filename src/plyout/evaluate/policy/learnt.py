"""Priors learnt from strong play: by the policy network, or by the linear policy where there is none.

Of what a strong engine plays in positions of games, the network predicts with -log p = 1.94, the linear policy with
2.19. Both together would predict with 1.92, but take so much longer that they lose games.
"""

from typing import Any

from plyout.evaluate.policy.linear import policy_prior
from plyout.games.chess.board import load
from plyout.kernel import Ints, kernel
from plyout.networks.small.policy import network_policy
from plyout.parameters import Expansion


@kernel
def learnt_prior(state: Ints, moves: Ints, count: int, scores: Any, p: Expansion) -> None:
    """The score of each of the first `count` moves, in hundredths of a nat."""
    if p.policy_net:
        network_policy(load(state), p.policy_net, moves, count, scores)
    else:
        policy_prior(state, moves, count, scores, p)
