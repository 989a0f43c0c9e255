"""What the shipped networks cost and know: size, held-back errors, microseconds a call, simulations a second.

usage: python bench/networks.py

The errors are those that training measured, on games that it did not learn from. Calls are timed over positions of
games that the engine played against itself, in their order, as a search meets them; simulations in three middle games,
in turn with the same preset without networks.
"""

import statistics
import time
from typing import Any

import chess
import numpy as np

from plyout import Engine, Limits
from plyout.games import CHESS, state_of
from plyout.games.chess.board import load
from plyout.kernel import Ints, address_of, kernel
from plyout.networks.library import SHIPPED
from plyout.networks.small.file import SUFFIX, read
from plyout.networks.small.image import image
from plyout.networks.small.policy import network_policy
from plyout.networks.small.value import ROOM, network_value

MIDDLE_GAMES = (
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2Q1RK1 w - - 0 9",
    "r2q1rk1/1b2bppp/ppnppn2/8/2P1P3/1PN1BN2/P3BPPP/R2Q1RK1 w - - 0 12",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
)
ROUNDS = 7


@kernel
def _values(states: Any, count: int, net: int, kept: Ints) -> int:
    total = 0
    for i in range(count):
        total += network_value(load(states[i]), net, address_of(kept))
    return total


@kernel
def _policies(states: Any, moves: Any, counts: Ints, count: int, net: int, scores: Any) -> None:
    for i in range(count):
        network_policy(load(states[i]), net, moves[i], counts[i], scores)


def positions() -> tuple[Any, Any, Any]:
    """States, their moves and how many these are: of games of quick moves."""
    engine, states = Engine("plyout", hash_mb=16, temperature=1.0), []
    for seed in range(1, 9):
        engine.new_game(seed)
        board = chess.Board()
        while not board.is_game_over(claim_draw=True) and len(board.move_stack) < 120:
            board.push(engine.search(board, Limits(nodes=100)).move)
            states.append(state_of(board))
    states = [s for s in states if CHESS.moves(s)]
    moves = np.full((len(states), 256), -1, np.int64)
    for row, state in zip(moves, states, strict=True):
        found = CHESS.moves(state)
        row[: len(found)] = found
    return np.array(states), moves, (moves >= 0).sum(axis=1)


def microseconds(work: Any, calls: int) -> float:
    work()
    times = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        for _ in range(20):
            work()
        times.append((time.perf_counter() - began) / (20 * calls) * 1e6)
    return statistics.median(times)


def main() -> None:
    states, moves, counts = positions()
    print(f"{len(states)} positions, {counts.mean():.0f} moves each on average")
    for path in sorted(SHIPPED.glob(f"*{SUFFIX}")):
        network = read(path)
        words = image(network, network.kind)
        net, count = np.int64(words.ctypes.data), np.int64(len(states))
        if network.kind == "value":
            kept = np.zeros(words[ROOM], np.int64)
            cost = microseconds(lambda: _values(states, count, net, kept), len(states))  # noqa: B023
        else:
            scores = np.zeros(256)
            cost = microseconds(lambda: _policies(states, moves, counts, count, net, scores), len(states))  # noqa: B023
        told = network.header["trained"].get("held_back", {})
        size = path.stat().st_size / 1e6
        print(f"{path.name}: width {network.header['width']}, {size:.2f} MB, {cost:.2f} µs a call, held back: {told}")
    engines = {"with networks": Engine("plyout"), "without": Engine("plyout", value_net="", policy_net="")}
    for fen in MIDDLE_GAMES:
        rates: dict[str, list[float]] = {name: [] for name in engines}
        for _ in range(ROUNDS):
            for name, engine in engines.items():
                engine.new_game()
                result = engine.search(fen, Limits(movetime=1000))
                rates[name].append(result.nodes / result.seconds)
        print(fen, ", ".join(f"{name} {statistics.median(found):,.0f}/s" for name, found in rates.items()))


if __name__ == "__main__":
    main()
