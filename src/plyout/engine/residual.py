"""The setting `network`: a residual network evaluates the leaves of a Monte-Carlo search."""

from plyout.errors import InputError
from plyout.games import Game
from plyout.networks.library import find
from plyout.networks.residual.onnx import Network
from plyout.parameters import Values, values
from plyout.presets import Preset


def network_of(name: str, preset: Preset, game: Game, numbers: Values) -> tuple[Network, Values]:
    """The network of this name or path, and the parameters of a search with it.

    The threads are the network's: it takes nearly all of the time, and one thread finds its leaves.
    """
    if preset.search != "mcts":
        raise InputError(f"{preset.name} has no use for a network of many leaves: try mcgs-net, or value_net")
    network = Network(find(name), int(numbers["threads"]), numbers["policy"] or 1.0)
    network.check_game(game)
    return network, values({**numbers, "threads": 1})
