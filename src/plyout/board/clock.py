"""A chess clock."""

import time


class Clock:
    """Both sides' seconds, of which one runs down at a time; `increment` comes back for every move."""

    def __init__(self, minutes: float, increment: float) -> None:
        self.left = {"white": 60.0 * minutes, "black": 60.0 * minutes}
        self.increment = increment
        self.running: str | None = None
        self._since = 0.0

    def start(self, side: str) -> None:
        """Let `side` think."""
        self.stop()
        self.running, self._since = side, time.monotonic()

    def stop(self) -> None:
        if self.running is not None:
            self.left[self.running] = self.now(self.running)
            self.running = None

    def moved(self, side: str) -> None:
        """`side` has moved: the other thinks."""
        self.stop()
        self.left[side] += self.increment
        self.start("black" if side == "white" else "white")

    def now(self, side: str) -> float:
        """The seconds that a side has left."""
        spent = time.monotonic() - self._since if side == self.running else 0.0
        return max(self.left[side] - spent, 0.0)

    @property
    def fallen(self) -> str | None:
        """The side whose time is over."""
        return self.running if self.running is not None and self.now(self.running) <= 0.0 else None

    @property
    def seconds_to_fall(self) -> float | None:
        return None if self.running is None else self.now(self.running)

    def message(self) -> dict[str, object]:
        return {"white": self.now("white"), "black": self.now("black"), "running": self.running}
