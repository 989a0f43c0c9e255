"""The figures of Topolewski 2019, chapter 5, to stand beside ours."""

from typing import NamedTuple


class Features(NamedTuple):
    """What the thesis extracts from a set of similarities."""

    avg: float
    std: float
    max: float
    min: float
    skw: float


TABLE_5_1: dict[str, float | None] = {
    "constant": 10.0,
    "depth-breadth": 186.5,
    "pieces": 29.6,
    "legal-actions": 80.2,
    "recursive-legal-actions": 12_927.8,
    "expandable-states": 14_504.0,
    "recursive-expandable-states": None,  # out of memory
}
"""Microseconds a call, in which two FENs are read; every measure is said to be aheuristic, symmetric, normalised and
accurate."""

GROWTH = {
    "constant": "O(1)",
    "depth-breadth": "O(N)",
    "pieces": "O(M)",
    "legal-actions": "O(N²)",
    "recursive-legal-actions": "O(N⁴)",
    "expandable-states": "O(N²)",
    "recursive-expandable-states": "O(N⁴)",
}
"""Its fifth column, by the number of moves and of pieces."""

_ALIKE = Features(0.5, 0.0, 0.5, 0.5, 0.0)
_NOTHING = Features(0.0, 0.0, 0.0, 0.0, 0.0)

TABLE_5_2 = {
    "constant": _ALIKE,
    "depth-breadth": Features(0.978, 0.031, 1.000, 0.553, -9.763),
    "pieces": Features(0.995, 0.017, 1.000, 0.933, -3.362),
    "legal-actions": Features(0.740, 0.126, 0.919, 0.056, -0.977),
    "recursive-legal-actions": Features(0.844, 0.095, 0.950, 0.056, -2.521),
    "expandable-states": _NOTHING,
    "recursive-expandable-states": _NOTHING,
}
"""Grandchildren of Légal's position in which a trap persists."""

TABLE_5_3 = {
    "constant": _ALIKE,
    "depth-breadth": Features(0.955, 0.088, 1.000, 0.527, -4.028),
    "pieces": Features(0.992, 0.022, 1.000, 0.933, -2.352),
    "legal-actions": Features(0.625, 0.172, 0.944, 0.000, -1.748),
    "recursive-legal-actions": Features(0.766, 0.174, 0.955, 0.027, -2.981),
    "expandable-states": _NOTHING,
    "recursive-expandable-states": _NOTHING,
}
"""Those in which it is gone."""

TABLE_5_5 = {
    "depth-breadth": Features(0.551, 0.066, 0.621, 0.003, -2.951),
    "pieces": Features(0.545, 0.137, 0.583, 0.048, -3.362),
    "legal-actions": Features(0.598, 0.165, 0.819, 0.024, -0.689),
    "recursive-legal-actions": Features(0.577, 0.131, 0.732, 0.008, -1.010),
}
"""The similarities of Table 5.2, standardised and through the logistic function."""

TABLE_5_6 = {
    "depth-breadth": Features(0.510, 0.128, 0.621, 0.002, -2.832),
    "pieces": Features(0.519, 0.173, 0.583, 0.048, -2.352),
    "legal-actions": Features(0.458, 0.180, 0.841, 0.017, -0.361),
    "recursive-legal-actions": Features(0.484, 0.159, 0.738, 0.007, -1.116),
}
"""Those of Table 5.3."""

SCALED = tuple(TABLE_5_5)

TABLE_5_4 = {"MCC": 969_028, "TA-MCC of Aw 2017": 947_865, "TA-MCC": 956_107}
"""Nodes a second."""
