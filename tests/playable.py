"""The presets that can be played on this machine: some need a network that Debian's stockfish has."""

from plyout.networks.library import are_there
from plyout.parameters import texts
from plyout.presets import presets


def playable() -> list[str]:
    return [name for name, found in presets().items() if are_there(texts(found.parameters))]
