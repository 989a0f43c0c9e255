"""Games drawn by chance from players whose strength is known."""

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
SCORES = np.arange(5) / 4


def expected(elo: float) -> float:
    return 1 / (1 + 10 ** (-elo / 400))


def three(elo: float, draws: float) -> Floats:
    """(loss, draw, win) of one game; `draws` is their share between equals."""
    draw_elo = 400 * np.log10((1 + draws) / (1 - draws))
    loss, win = expected(-elo - draw_elo), expected(elo - draw_elo)
    return np.array([loss, 1 - win - loss, win])


def five(elo: float, draws: float, bias: float) -> Floats:
    """How likely a pair brings 0, ½, 1, 1½, 2 points where the opening favours one colour by `bias` Elo."""
    return np.convolve(three(elo + bias, draws), three(elo - bias, draws))
