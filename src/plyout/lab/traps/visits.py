"""``plyout visits-to-refutation``: how many iterations a preset needs until it leaves a trap for good."""

from dataclasses import dataclass
from typing import Any

from plyout.engine import Engine, Limits
from plyout.lab.traps.positions import TrapPosition
from plyout.progress import Progress

FIRST_STEP = 16


def steps(limit: int) -> list[int]:
    """The iterations after which the engine is asked for its move: doubled each time, up to the limit."""
    found = []
    step = FIRST_STEP
    while step < limit:
        found.append(step)
        step *= 2
    return [*found, limit]


def visits_to_refutation(engine: Engine, position: TrapPosition, asked: list[int]) -> int | None:
    """The first of `asked` from which on the engine plays no trap; None if there is none."""
    engine.new_game()
    left: int | None = None
    done = 0
    for step in asked:
        result = engine.search(position.board, Limits(nodes=step - done))
        done = step
        if result.move in position.traps:
            left = None
        elif left is None:
            left = step
    return left


@dataclass(frozen=True)
class Visits:
    preset: str
    needed: list[int | None]
    """For each position; None where the limit was not enough."""

    def curve(self, asked: list[int]) -> list[float]:
        """The share of positions that the preset has not left for good, after each number of iterations."""
        count = len(self.needed)
        return [sum(n is None or n > step for n in self.needed) / count for step in asked]

    def as_dict(self) -> dict[str, Any]:
        found = sorted(n for n in self.needed if n is not None)
        middle = (len(self.needed) - 1) // 2
        median = found[middle] if middle < len(found) else None
        return {"preset": self.preset, "positions": len(self.needed), "left": len(found), "median": median,
                "needed": self.needed}  # fmt: skip


def measure(
    presets: list[str], positions: list[TrapPosition], asked: list[int], seed: int, quiet: bool = False
) -> list[Visits]:
    """How many iterations each preset needs in each position."""
    measured: list[Visits] = []

    def some() -> list[Visits] | None:
        return [one for one in measured if one.needed] or None

    with Progress("positions", len(presets) * len(positions), quiet, keep=some) as progress:
        for preset in presets:
            engine = Engine(preset, hash_mb=32, seed=seed)
            measured.append(Visits(preset, []))
            for position in positions:
                measured[-1].needed.append(visits_to_refutation(engine, position, asked))
                progress.step()
    return measured
