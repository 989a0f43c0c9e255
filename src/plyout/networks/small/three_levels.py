"""Networks that know three levels of attack, as ones that know four: both say the same of every position.

Before there was a level for squares attacked by more than one piece, these were told as attacked by a piece. Such a
network has its rows for that level, too, once they are copied.
"""

from typing import Any

import numpy as np

from plyout.errors import InputError
from plyout.networks.small.features import CODES, LEVELS
from plyout.networks.small.file import Network
from plyout.networks.small.quantise import FEATURES_NAME, features_name

_THREE = 3
_CODES = 12 * _THREE * _THREE
_TOLD_AS = np.array([0, 1, 2, 1])  # by level


def _row_of() -> Any:
    """For each feature of today the one that tells of the same."""
    square, code = np.divmod(np.arange(64 * CODES), CODES)
    levels, piece = np.divmod(code, 12)
    defended, attacked = np.divmod(levels, LEVELS)
    return square * _CODES + piece + 12 * (_TOLD_AS[attacked] + _THREE * _TOLD_AS[defended])


def widened(network: Network) -> Network:
    """The network with a row for each of today's features; one that is not of three levels comes back as it is."""
    if network.header["features"] != features_name(_CODES):
        return network
    table = network.arrays.get("table")
    if table is None or table.ndim != 2 or len(table) != 64 * _CODES:
        raise InputError(f"the network's array 'table' must have {64 * _CODES} rows")
    return Network(network.header | {"features": FEATURES_NAME}, network.arrays | {"table": table[_row_of()]})
