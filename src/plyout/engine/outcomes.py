"""How games end that stand so: won, drawn and lost per mille, as chess programs show them.

A search's own value cannot tell, and the drawn leaves of its tree tell less: most games that are drawn in the end have
no drawn position within reach. So we asked our own games: `tools/fit_outcomes.py` lets a preset play itself and fits to
what its scores were worth. A lead of x centipawns wins with probability 1 / (1 + exp((threshold - x) / spread)), and
loses with that of -x; the rest is drawn. Threshold and spread depend on how much is left on the board.
"""

from dataclasses import dataclass
from math import exp

from plyout.engine.system import System
from plyout.games import CHESS, State
from plyout.games.chess.border import to_board

_WORTH = (1, 3, 3, 5, 9)  # pawn to queen
_ALL = 78  # what both sides begin with

Outcomes = tuple[int, int, int]
"""Won, drawn and lost per mille, for the side to move."""


def material(state: State) -> float:
    """What is left on the board: 1 at the start of a game, 0 for bare kings."""
    board = to_board(state)
    return min(1.0, sum(worth * board.pieces_mask(piece, colour).bit_count()
                        for piece, worth in enumerate(_WORTH, 1) for colour in (True, False)) / _ALL)  # fmt: skip


@dataclass(frozen=True)
class Model:
    """`threshold` and `spread` are centipawns: with bare kings, and what a full board adds."""

    threshold: tuple[float, float]
    spread: tuple[float, float]

    def outcomes(self, centipawns: float, material: float) -> Outcomes:
        threshold = self.threshold[0] + self.threshold[1] * material
        spread = max(1.0, self.spread[0] + self.spread[1] * material)

        def chance(lead: float) -> float:
            return 1 / (1 + exp(min(max((threshold - lead) / spread, -500.0), 500.0)))

        won, lost = round(1000 * chance(centipawns)), round(1000 * chance(-centipawns))
        return won, 1000 - won - lost, lost


FITTED: dict[str, Model] = {
    "network": Model((179, -71), (43, 50)),
    "quiescence": Model((190, -161), (91, -51)),
    "alphabeta": Model((138, -119), (125, -30)),
    "singh": Model((531, -509), (258, -189)),
}
"""By what a search's scores are made of: a small value network, a rule's name, or alpha-beta. Whole playouts need none:
their ends are draws, too. For AlphaOne's static evaluation a hundred games gave nothing of use."""


def model_of(system: System) -> Model | None:
    """What was fitted for such a system; None for other games, and for evaluations of the user's own."""
    if system.game is not CHESS or system.evaluator is not None:
        return None
    kind = "alphabeta" if system.preset.search == "alphabeta" else system.rules["evaluate"]
    if system.texts["value_net"]:
        kind = None if kind == "singh" else "network"  # nothing was fitted to Stockfish's
    return FITTED.get(kind) if isinstance(kind, str) else None


def of_value(value: float, drawn: float) -> Outcomes:
    """The outcomes where nothing was fitted: the value, with as many draws as the leaves had."""
    drawn = min(drawn, 2 * value, 2 * (1 - value))
    won, drew = round(1000 * (value - drawn / 2)), round(1000 * drawn)
    return won, drew, 1000 - won - drew
