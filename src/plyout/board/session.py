"""What goes on at a page: the game, who plays or analyses it, the clock. One thread calls all of this."""

import os
from collections.abc import Callable
from itertools import count
from secrets import randbelow
from typing import TYPE_CHECKING, Any

import chess

from plyout.board.clock import Clock
from plyout.board.game import Ending, Game
from plyout.board.settings import Settings
from plyout.errors import InputError

if TYPE_CHECKING:  # they load the engine, and the page is shown first
    from plyout.board.shown import Job, Shown
    from plyout.board.side import Side
    from plyout.engine import Limits, Result
    from plyout.presets.levels import Level

SIDES = 2
_WITHOUT_CLOCK = 2000.0  # milliseconds for a move where neither a clock nor a level ends the search
_SEED = 1  # of analyses, where none is set: tomorrow they are the same
_SEEDS = 1 << 31  # of games: each is another


class Session:
    """`send` gets messages for the page. The engines come later."""

    def __init__(self, send: Callable[[dict[str, Any]], None]) -> None:
        self.send = send
        self.game, self.settings = Game(), Settings()
        self.analysing = False
        self.sides: list[Side] = []
        self.opening_name: Callable[[chess.Board], tuple[str, str] | None] | None = None
        self.numbers = count(1)
        self._clock: Clock | None = None
        self._ending: Ending | None = None  # of the game that is played
        self._awaited: Job | None = None  # the search whose move will be played
        self._game_seed = randbelow(_SEEDS)
        self._sent_version = -1

    # -- how things stand -------------------------------------------------------------------------------------------

    @property
    def turn(self) -> str:
        return "white" if self.game.board.turn else "black"

    @property
    def over(self) -> Ending | None:
        """How the game has ended. One that was played is over wherever one looks at it."""
        return self._ending or self.game.result(claim=self.settings.mode == "play")

    @property
    def playing(self) -> bool:
        """Whether a game is going on."""
        return self.settings.mode == "play" and not self.over

    @property
    def seconds_to_fall(self) -> float | None:
        return self._clock.seconds_to_fall if self._clock else None

    def tell(self) -> None:
        """Send where the game stands; the moves, when they have changed."""
        state = {"t": "state", **self.game.position(), "settings": vars(self.settings) | {}}
        state |= {
            "analysing": self.analysing, "over": self.over, "searching": [side.busy for side in self.sides],
            "clock": self._clock.message() if self._clock else None,
        }  # fmt: skip
        if self.opening_name is not None:
            name = self.opening_name(self.game.board)
            state["opening"] = f"{name[0]} {name[1]}" if name else None
        if self.game.version != self._sent_version:
            state["moves"], state["pgn"] = self.game.moves(), self.pgn()
            self._sent_version = self.game.version
        self.send(state)

    def tell_all(self) -> None:
        """A page has come, perhaps again: it gets everything."""
        self._sent_version = -1
        self.tell()
        for side in self.sides:
            side.teller.again()

    def pgn(self) -> str:
        return self.game.pgn(self._ending)

    # -- the game ---------------------------------------------------------------------------------------------------

    def play(self, text: str) -> None:
        """The side to move moves."""
        mover = self.turn
        self.game.play(text)
        if self._clock:
            self._clock.moved(mover)
        if self.settings.mode == "play" and (over := self.over):
            self._end(*over)
        self.moved()

    def take_back(self) -> None:
        """Take a move back; in a game, the opponent's with it."""
        self.game.remove()
        if self.settings.mode == "play" and self.turn != self.settings.colour and self.game.board.move_stack:
            self.game.remove()
        fallen = self._clock is not None and 0.0 in (self._clock.now("white"), self._clock.now("black"))
        self._ending = None
        if fallen:
            self._new_clock()
        elif self._clock:
            self._clock.start(self.turn)
        self.moved()

    def begin(self, take: Callable[[], None]) -> None:
        """Another game, which `take` sets up: if it cannot, the present one stays."""
        take()
        self._ending, self._game_seed = None, randbelow(_SEEDS)
        self._new_clock()
        self.moved()

    def resign(self) -> None:
        if not self.playing:
            raise InputError("there is no game to resign")
        self._end("0-1" if self.settings.colour == "white" else "1-0", "resignation")
        self.moved()

    def time_over(self) -> None:
        fallen = self._clock.fallen if self._clock else None
        if fallen is None:
            return
        if self.game.board.has_insufficient_material(fallen == "black"):  # the other side's
            self._end("1/2-1/2", "time, and nothing to mate with")
        else:
            self._end("0-1" if fallen == "white" else "1-0", "time")
        self.moved()

    def change(self, values: dict[str, Any]) -> None:
        """Other settings."""
        before, self.settings = self.settings, self.settings.changed(values, max(os.cpu_count() or 1, 1))
        if self.settings == before:
            return self.tell()
        times = (self.settings.mode, self.settings.minutes, self.settings.increment)
        if self.settings.mode != "play":
            self._clock, self._ending = None, None
        elif times != (before.mode, before.minutes, before.increment):
            self._new_clock()
        return self.moved()

    def may_wander(self) -> None:
        """An `InputError` where one may not leave the position that is played."""
        if self.playing:
            raise InputError("you are playing: end the game, then look at other moves")

    def _end(self, result: str, why: str) -> None:
        self._ending = result, why
        if self._clock:
            self._clock.stop()

    def _new_clock(self) -> None:
        self._clock = None
        if self.settings.mode == "play" and self.settings.minutes > 0:
            self._clock = Clock(self.settings.minutes, self.settings.increment)
            if self.playing:
                self._clock.start(self.turn)

    # -- searches ---------------------------------------------------------------------------------------------------

    def side(self, number: Any) -> "Side":
        if number not in range(SIDES):
            raise InputError("there are two sides, 0 and 1")
        return self.sides[int(number)]

    def analyse(self, on: bool) -> None:
        """Search the position on the board, and the next one, and so on; or stop that."""
        if self.playing:
            raise InputError("you are playing: end the game, then analyse it")
        if on == self.analysing:
            return self.tell()
        self.analysing = on
        return self.moved()

    def moved(self) -> None:
        """Another position, or other settings: search it, if somebody is to."""
        searching = list[str]()
        if self.playing:
            self.analysing = False
            searching = [self.settings.preset] if self.turn != self.settings.colour else []
        elif self.analysing and self.game.result() is None:
            searching = [self.settings.preset, self.settings.other][: 2 if self.settings.mode == "compare" else 1]
        self._awaited = None
        for number, side in enumerate(self.sides):
            if number < len(searching):
                job = self._job(searching[number])
                if self._clock and side.must_make(job):
                    self._clock.stop()
                side.start(job)
            else:
                side.halt()
        self.tell()

    def _job(self, preset: str) -> "Job":
        from plyout.board.shown import Job
        from plyout.search.limits import Limits

        settings, plays = self.settings, self.playing
        level = settings.level_in(self.game.variant) if plays else None
        seed = settings.seed if settings.seed is not None else self._game_seed if plays else _SEED
        changes: dict[str, Any] = {"threads": settings.threads, "hash_mb": settings.memory, "seed": seed}
        changes |= {"level": level.elo} if level else {}
        limits = self._limits(level) if plays else Limits(infinite=True)
        job = Job(next(self.numbers), self.game.board.copy(), limits, preset, tuple(changes.items()), plays)
        if plays:
            self._awaited = job
        return job

    def _limits(self, level: "Level | None") -> "Limits":
        """Of a move in a game."""
        from plyout.search.limits import Limits

        if self._clock:
            left = max(1000 * self._clock.now(self.turn), 1.0)
            return Limits(clock=left, increment=1000 * self._clock.increment)
        return Limits(nodes=level.nodes) if level else Limits(movetime=_WITHOUT_CLOCK)

    def ready(self, job: "Job") -> None:
        """The engine for a job was made: from here on its clock runs."""
        if self._clock and self._clock.running is None and job is self._awaited:
            self._clock.start(self.turn)
            self.tell()

    def found(self, side: int, job: "Job", result: "Result | None") -> None:
        """A search has ended."""
        self.sides[side].redraw()
        if result is None:
            self.analysing = False
        if job is self._awaited and result is not None and result.move is not None:
            if self._clock and self._clock.fallen:
                self.time_over()
            else:
                self.play(self.game.board.uci(result.move))
        else:
            self.tell()

    def to_search(self, side: "Side") -> None:
        """Stand where a search began."""
        if side.shown is not None and not self.game.find(side.shown.job.board.fen()):
            raise InputError("that search was of another game")

    def open(self, pgn: str, shown: "Shown") -> None:
        """Show a search that was saved, and its game."""
        board, variant = shown.job.board, str(shown.job.board.uci_variant)
        self.game.read_pgn(pgn)
        if not self.game.find(board.fen()):
            self.game.read_fen(board.fen(), variant)
        self.analysing = False
        self.settings = self.settings.changed({"mode": "analyse"}, 1)
        self._clock, self._ending = None, None
        self.moved()
        self.sides[0].show(shown)
        self.tell()
