"""A playout of one's own: random moves for at most thirty plies, then the side with more material has won.

Run it: ``python examples/own_playout.py``.
"""

from plyout import Engine
from plyout.evaluate.tapered import evaluate
from plyout.games.chess.board import load, make
from plyout.games.chess.moves import draw
from plyout.lab.match.match import match

PLIES, ENOUGH = 30, 150  # centipawns


def short(state, scratch, parameters):  # type: ignore[no-untyped-def]
    position = load(state)
    turn = position.turn
    for _ in range(PLIES):
        move, checkers, scratch.rng[0] = draw(position, scratch.sets, scratch.rng[0])
        if move < 0:  # the game is over: mate, or stalemate
            return 0.5 if not checkers else 0.0 if position.turn == turn else 1.0
        position = make(position, move)
    worth = evaluate(position) if position.turn == turn else -evaluate(position)
    return 1.0 if worth > ENOUGH else 0.0 if worth < -ENOUGH else 0.5


if __name__ == "__main__":
    mine, theirs = Engine("mcc", evaluate=short), Engine("mcc")
    print(match(mine, theirs, games=6, nodes=300, max_plies=200, seed=1))
