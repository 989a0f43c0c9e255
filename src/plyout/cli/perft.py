"""``plyout perft`` and ``plyout playouts``: games without a search, counted."""

import time
from typing import Annotated, Any

import typer

from plyout.cli.common import Fen, Json, Seed, Variant, print_json


def perft(
    fen: Fen = "startpos",
    depth: Annotated[int, typer.Option(min=0, max=40, help="How many plies.")] = 5,
    variant: Variant = "chess",
    divide: Annotated[bool, typer.Option("--divide", help="Show the count of each first move.")] = False,
    as_json: Json = False,
) -> None:
    """Count the move sequences of a given length: the test of a move generator."""
    from plyout.games import game as find_game
    from plyout.progress import Progress

    game = find_game(variant)
    state = game.parse(fen)
    moves = game.moves(state) if depth > 0 else []
    for move in moves[:1]:  # compiled, or loaded, before the clock starts
        game.perft(game.after(state, move), 1)
    began = time.perf_counter()
    counts: dict[str, int] = {}
    with Progress("perft", len(moves), quiet=as_json) as progress:
        for move in moves:
            counts[game.move_text(state, move)] = sum(game.perft_in_slices(game.after(state, move), depth - 1))
            progress.step()
    nodes = sum(counts.values()) if depth > 0 else 1
    seconds = time.perf_counter() - began
    nps = round(nodes / seconds)
    if as_json:
        answer: dict[str, Any] = {"nodes": nodes, "seconds": seconds, "nps": nps, "depth": depth}
        answer |= {"fen": game.show(state), "variant": variant}
        print_json(answer | ({"divide": counts} if divide else {}))
        return
    if divide:
        for text, count in counts.items():
            print(f"{text:6} {count:>15,}")
    print(f"{nodes:,} nodes at depth {depth} in {seconds:.3f} s: {nps / 1e6:,.1f} million a second")


def playouts(
    fen: Fen = "startpos",
    count: Annotated[int, typer.Option(min=1, max=10**12, help="How many games.")] = 10_000,
    seed: Seed = 1,
    variant: Variant = "chess",
    as_json: Json = False,
) -> None:
    """Play games out with uniformly random moves and count how they end."""
    from plyout.games import game as find_game
    from plyout.playout.random import Tally, random_games
    from plyout.progress import Progress

    game = find_game(variant)
    state = game.parse(fen)
    random_games(game, state, seed, 0, 1)  # compiled, or loaded, before the clock starts
    began = time.perf_counter()
    tally, done, slice_ = Tally(0, 0, 0, 0), 0, 16
    with Progress("playouts", count, quiet=as_json) as progress:
        while done < count:
            slice_began = time.perf_counter()
            last = min(done + slice_, count)
            part = random_games(game, state, seed, done, last)
            tally = Tally(*(a + b for a, b in zip(tally, part, strict=True)))
            progress.step(last - done)
            done = last
            if time.perf_counter() - slice_began < 0.05:  # slices short enough for Ctrl-C and the display
                slice_ *= 2
    seconds = time.perf_counter() - began
    per_second = count / seconds
    if as_json:
        print_json(
            tally._asdict()
            | {"count": count, "seconds": seconds, "per_second": round(per_second), "seed": seed}
            | {"fen": game.show(state), "variant": variant}
        )
        return
    first, second = ("White", "Black") if variant != "tictactoe" else ("x", "o")
    for name, games in ((first, tally.white), ("drawn", tally.draw), (second, tally.black)):
        print(f"{name:6} {games:>12,}  {100 * games / count:6.2f} %")
    print(f"{count:,} games of {tally.plies / count:.1f} plies in {seconds:.2f} s: {per_second:,.0f} a second")
