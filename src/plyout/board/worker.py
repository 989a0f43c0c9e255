"""The process of one page: it owns the game and the searches, and ends when its input ends.

Lines of JSON come in, ``{"page": …}`` from the page and ``{"server": …}`` from the server; lines of JSON go out to the
page. One thread handles what comes, one message after the other; searches have threads of their own.
"""

import json
import os
import queue
import sys
import threading
from typing import Any

from plyout.board.clock import Clock
from plyout.board.game import Game
from plyout.board.settings import Settings
from plyout.errors import InputError

_SIDES = 2


class Worker:
    """Handles messages; `write` sends a line to the page."""

    def __init__(self, write: Any) -> None:
        self._write, self._writing = write, threading.Lock()
        self._events: queue.Queue[Any] = queue.Queue()
        self._game, self._settings = Game(), Settings()
        self._clock: Clock | None = None
        self._ending: tuple[str, str] | None = None  # by the clock, or somebody has resigned
        self._analysing = False
        self._number = 0
        self._sent_version = -1
        self._sides: list[Any] = []
        self._names: Any = None

    def send(self, message: dict[str, Any]) -> None:
        line = json.dumps(message, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
        with self._writing:
            self._write(line)

    def run(self, lines: Any) -> None:
        """Handle messages until there are no more."""
        self.send({"t": "status", "side": 0, "text": "loading the engine …"})
        self._state()
        threading.Thread(target=self._read, args=(lines,), daemon=True).start()
        from plyout.board.side import Side
        from plyout.kernel import report_compiling_to
        from plyout.knowledge.books.openings import opening_name
        from plyout.progress import report_notes_to

        def note(text: str | None) -> None:
            self.send({"t": "status", "side": 0, "text": text or ""})

        report_compiling_to(note)
        report_notes_to(note)
        self._names = opening_name
        done = lambda side, job, result: self._events.put(("done", side, job, result))  # noqa: E731
        self._sides = [Side(side, self.send, done) for side in range(_SIDES)]
        self.send({"t": "status", "side": 0, "text": ""})
        while True:
            wait = self._clock.seconds_to_fall if self._clock else None
            try:
                event = self._events.get(timeout=wait)
            except queue.Empty:
                self._time_over()
                continue
            if event is None:
                return
            if event[0] == "done":
                self._found(*event[1:])
            else:
                self._handle(event[1])

    def _read(self, lines: Any) -> None:
        for line in lines:
            self._events.put(("message", line))
        self._events.put(None)

    def _handle(self, line: bytes) -> None:
        """One message; what is wrong with it is told to the page."""
        try:
            message = json.loads(line)
            source, content = next(iter(message.items()))
            prefix = "_server_" if source == "server" else "_do_"
            kind = content.get("t") if isinstance(content, dict) else None
            action = getattr(self, f"{prefix}{kind}", None) if isinstance(kind, str) else None
            if action is None:
                raise InputError(f"no message is called {str(kind)[:40]!r}")
            action(content)
        except InputError as error:
            self.send({"t": "error", "text": str(error)})
            self._state()  # the page may show what was refused
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            self.send({"t": "error", "text": f"a message could not be understood: {type(error).__name__}"})
            self._state()

    # -- from the server --------------------------------------------------------------------------------------------

    def _server_hello(self, message: dict[str, Any]) -> None:
        """A page has come, perhaps again: it gets everything."""
        self._sent_version = -1
        self._state()
        for side in self._sides:
            side.tell_again()

    def _server_save(self, message: dict[str, Any]) -> None:
        from plyout.board.saved import write_search

        try:
            side = self._side(message)
            if side.shown is None:
                raise InputError("there is no search to save yet")
            if side.busy:
                raise InputError("stop the search before you save it")
            write_search(message["path"], side.shown, self._game.pgn())
            self.send({"t": "_saved", "id": message["id"], "error": None})
        except (InputError, OSError) as error:
            self.send({"t": "_saved", "id": message["id"], "error": str(error)})

    def _server_load(self, message: dict[str, Any]) -> None:
        from plyout.board.saved import read_search

        try:
            self._halt()
            side = self._sides[0]
            self._number += 1
            pgn, shown = read_search(message["path"], self._number)
            self._settings = self._settings.changed({"mode": "analyse"}, _most_threads())
            self._game.read_pgn(pgn)
            if self._game.board.fen() != shown.job.board.fen():
                self._game.read_fen(shown.job.board.fen(), self._variant_of(shown.job.board))
            side.focus, side.shown = [], shown
            self.send({"t": "_loaded", "id": message["id"], "error": None})
            self._state()
            side.tell_again()
        except (InputError, OSError) as error:
            self.send({"t": "_loaded", "id": message["id"], "error": str(error)})

    @staticmethod
    def _variant_of(board: Any) -> str:
        return str(board.uci_variant)

    # -- from the page: the game ------------------------------------------------------------------------------------

    def _do_move(self, message: dict[str, Any]) -> None:
        if self._settings.mode == "play":
            if self._over():
                raise InputError("the game is over: begin another, or analyse it")
            if self._turn() != self._settings.colour:
                raise InputError("it is not your move")
        self._play(str(message["uci"]))

    def _play(self, uci: str) -> None:
        mover = self._turn()
        self._game.play(uci)
        if self._clock:
            self._clock.moved(mover)
            if self._over():
                self._clock.stop()
        self._moved()

    def _do_line(self, message: dict[str, Any]) -> None:
        """Go to where some moves lead, from the position that was searched."""
        self._may_wander()
        side = self._side(message)
        self._to_search(side)
        self._game.line([str(uci) for uci in message["moves"]][:100])
        self._moved()

    def _to_search(self, side: Any) -> None:
        """Stand where a search began, if the game knows the place."""
        if side.shown is not None and side.shown.job.board.fen() != self._game.board.fen():
            here: Any = self._game.here
            while here is not None and here.board().fen() != side.shown.job.board.fen():
                here = here.parent
            if here is None:
                raise InputError("that search was of another game")
            self._game.stand(here)

    def _do_goto(self, message: dict[str, Any]) -> None:
        self._may_wander()
        self._game.go_to(int(message["id"]))
        self._moved()

    def _do_back(self, message: dict[str, Any]) -> None:
        """Take a move back; in a game, the opponent's with it."""
        self._ending = None
        playing = self._settings.mode == "play"
        self._halt()
        self._game.remove()
        if playing and self._turn() != self._settings.colour and self._game.board.move_stack:
            self._game.remove()
        self._moved()

    def _do_promote(self, message: dict[str, Any]) -> None:
        self._game.promote()
        self._state()

    def _do_new(self, message: dict[str, Any]) -> None:
        self._begin(lambda: self._game.begin(str(message.get("variant", "chess"))))

    def _do_fen(self, message: dict[str, Any]) -> None:
        self._begin(lambda: self._game.read_fen(str(message["text"]), str(message.get("variant", "chess"))))

    def _do_pgn(self, message: dict[str, Any]) -> None:
        self._begin(lambda: self._game.read_pgn(str(message["text"])))

    def _do_export(self, message: dict[str, Any]) -> None:
        self.send({"t": "pgn", "text": self._game.pgn(), "fen": self._game.board.fen()})

    def _begin(self, take: Any) -> None:
        """Another game: if it cannot be read, the present one stays."""
        take()
        self._ending = None
        self._new_clock()
        for side in self._sides:
            side.focus = []
        self._moved()

    def _do_resign(self, message: dict[str, Any]) -> None:
        if self._settings.mode != "play" or self._over():
            raise InputError("there is no game to resign")
        self._halt()
        self._ending = ("0-1" if self._settings.colour == "white" else "1-0"), "resignation"
        self._stop_clock()
        self._state()

    # -- from the page: searches ------------------------------------------------------------------------------------

    def _do_settings(self, message: dict[str, Any]) -> None:
        before = self._settings
        self._settings = before.changed(dict(message["values"]), _most_threads())
        if self._settings == before:
            return self._state()
        self._halt()
        if self._settings.mode == "play":
            self._analysing = False
            if before.mode != "play" or (self._settings.minutes, self._settings.increment) != (
                before.minutes, before.increment,
            ):  # fmt: skip
                self._new_clock()
        else:
            self._clock, self._ending = None, None
        return self._moved()

    def _do_analyse(self, message: dict[str, Any]) -> None:
        if self._settings.mode == "play" and not self._over():
            raise InputError("you are playing: end the game, then analyse it")
        self._analysing = bool(message["on"])
        if not self._analysing:
            self._halt()
            self._state()
        else:
            self._moved()

    def _do_look(self, message: dict[str, Any]) -> None:
        self._side(message).look([str(uci) for uci in message["line"]][:200])

    def _do_frame(self, message: dict[str, Any]) -> None:
        self._side(message).frame(int(message["n"]))

    def _do_peek(self, message: dict[str, Any]) -> None:
        """The SAN of a line from the position that was searched."""
        shown = self._side(message).shown
        if shown is not None:
            import chess

            moves = [chess.Move.from_uci(str(uci)) for uci in message["line"][:40]]
            self.send({"t": "peek", "line": message["line"], "san": shown.names.line(moves)})

    # -- what follows -----------------------------------------------------------------------------------------------

    def _moved(self) -> None:
        """Another position, or other settings: search it, if somebody is to."""
        mode = self._settings.mode
        if mode == "play":
            if not self._over() and self._turn() != self._settings.colour:
                self._search(0, self._settings.preset, plays=True)
            else:
                self._halt()
        elif self._analysing and self._game.result() is None:
            self._search(0, self._settings.preset)
            if mode == "compare":
                self._search(1, self._settings.other)
        else:
            self._halt()
        self._state()

    def _search(self, side: int, preset: str, plays: bool = False) -> None:
        from plyout.board.levels import limits_of
        from plyout.board.side import Job
        from plyout.presets import presets
        from plyout.search.limits import Limits

        self._number += 1
        limits = Limits(infinite=True)
        if plays:
            clock = None
            if self._clock:
                clock = 1000 * self._clock.now(self._turn()), 1000 * self._clock.increment
            limits = limits_of(self._settings.level, presets()[preset].search == "alphabeta", clock)
        changes = tuple(self._settings.changes().items())
        self._sides[side].start(Job(self._number, self._game.board.copy(), limits, preset, changes, plays))

    def _found(self, side: int, job: Any, result: Any) -> None:
        """A search has ended."""
        self._sides[side].redraw()
        if result is None:
            self._analysing = False
        current = job.board.fen() == self._game.board.fen() and not self._over()
        if job.plays and current and result is not None and result.move is not None:
            if self._clock and self._clock.fallen:
                self._time_over()
            elif self._settings.mode == "play" and self._turn() != self._settings.colour:
                self._play(self._game.board.uci(result.move))
                return
        self._state()

    def _halt(self) -> None:
        for side in self._sides:
            side.halt()

    def _new_clock(self) -> None:
        self._clock = None
        if self._settings.mode == "play" and self._settings.minutes > 0:
            self._clock = Clock(self._settings.minutes, self._settings.increment)
            self._clock.start(self._turn())

    def _stop_clock(self) -> None:
        if self._clock:
            self._clock.stop()

    def _time_over(self) -> None:
        fallen = self._clock.fallen if self._clock else None
        if fallen is not None:
            self._halt()
            self._stop_clock()
            self._ending = ("0-1" if fallen == "white" else "1-0"), "time"
            self._state()

    def _turn(self) -> str:
        return "white" if self._game.board.turn else "black"

    def _over(self) -> tuple[str, str] | None:
        return self._ending or self._game.result(claim=self._settings.mode == "play")

    def _may_wander(self) -> None:
        if self._settings.mode == "play" and not self._over():
            raise InputError("you are playing: end the game, then look at other moves")

    def _side(self, message: dict[str, Any]) -> Any:
        number = message.get("side", 0)
        if number not in range(_SIDES):
            raise InputError("there are two sides, 0 and 1")
        return self._sides[number]

    def _state(self) -> None:
        """Send where the game stands."""
        state = {"t": "state", **self._game.position(), "settings": vars(self._settings) | {}}
        state |= {
            "analysing": self._analysing, "over": self._over(), "searching": [s.busy for s in self._sides],
            "clock": self._clock.message() if self._clock else None,
        }  # fmt: skip
        if self._names is not None:
            name = self._names(self._game.board)
            state["opening"] = f"{name[0]} {name[1]}" if name else None
        if self._game.version != self._sent_version:
            state["moves"], state["pgn"] = self._game.moves(), self._game.pgn()
            self._sent_version = self._game.version
        self.send(state)


def _most_threads() -> int:
    return max(os.cpu_count() or 1, 1)


def main() -> None:
    """Speak with the server on standard input and output; whatever else prints goes to standard error."""
    out = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    Worker(out.write).run(sys.stdin.buffer)
    os._exit(0)  # searches are not waited for


if __name__ == "__main__":
    main()
