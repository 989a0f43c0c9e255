"""The loop of the UCI engine.

``uci`` is answered before the compiler is even imported: that is done, and kernels are compiled, in the
background, with an ``info string`` for each, and ``isready`` waits for it. Whatever the input, the process goes on and
keeps its position: what cannot be understood is answered by one ``info string`` that says why. Whatever goes wrong,
``isready`` is answered by ``readyok`` and ``go`` by one ``bestmove``.
"""

import importlib
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from types import SimpleNamespace
from typing import IO, Any

import chess

from plyout import __version__
from plyout.errors import InputError
from plyout.knowledge.books.openings import opening_name, read_names
from plyout.presets import preset as preset_named
from plyout.search.limits import Limits
from plyout.uci.fallback import sensible_move
from plyout.uci.info import bestmove_line, info_lines, line_without_search, mate_text
from plyout.uci.making import complaints_of, make_engine, told
from plyout.uci.options import Settings
from plyout.uci.parse import (
    from_the_command_on, limits_of, parse_go, parse_perft, parse_position, parse_setoption, parse_tree, searchmoves_of,
    shown,
)  # fmt: skip
from plyout.uci.nonstandard import bench_lines, board_lines, evaluation_text, perft_lines, tree_texts
from plyout.uci.output import Output

_PATIENCE = 300.0  # seconds that a search with a limit may still take when the input has ended
_WITHOUT_THREAD = 1000  # milliseconds for a search without end that nobody could stop
_SHAPING = ("Preset", "UCI_Variant", "OwnBook", "UCI_LimitStrength", "UCI_Elo")  # options that are no parameters
_LONG = 10.0  # seconds after which a search for a mate says that it has not decided yet


class Uci:
    """The engine's side of the protocol. `run` reads commands until ``quit`` or the end of input."""

    def __init__(self, preset: str, output: IO[str] | None = None, level: int | None = None) -> None:
        self.output = Output(output)
        self._send, self._info = self.output.send, self.output.info
        self._debug = False
        self._settings = Settings(preset_named(preset))
        if level is not None:
            self._settings.limit_strength(level)
        self._board = chess.Board()
        self._engine: Any = None
        self._stale = True  # the options have changed since the engine was made
        self._making = threading.Lock()  # held by the thread that makes the engine
        self._loaded = threading.Event()  # modules are imported by one thread only: two would wait for each other
        self._search: threading.Thread | None = None
        self._thinking = False  # from `go` until `bestmove`: the thread lives a moment longer
        self._answering = threading.Lock()  # held while `bestmove` is sent: no other search begins meanwhile
        self._complaints: list[str] = []  # about what the engine was made of, to be told when it is needed
        self._endless = False  # `bestmove` must wait for `stop` or `ponderhit`
        self._last: Any = None  # the result of the last search
        self._stop: Any = None
        self._release = threading.Event()  # set by `stop` and `ponderhit`: an endless search may send its move
        self._ponder_limits: Limits | None = None
        self._opening: tuple[str, str] | None = None  # the name that was sent last

    # -- reading commands ---------------------------------------------------------------------------------------

    def run(self, lines: Iterable[bytes]) -> None:
        threading.Thread(target=self._warm_up, daemon=True).start()
        try:
            for raw in lines:
                line = raw.decode("utf-8", "replace").strip().lstrip("\ufeff")
                self.output.log_input(line)
                words = from_the_command_on(line.split())
                if words[:1] == ["quit"]:
                    self._end_search()
                    return
                self._try(words)
        except OSError as error:
            self._info(f"the input cannot be read: {error}")
        if self._endless:
            self._end_search()
        elif self._search:  # the input has ended, but a search with a limit has not: it still answers
            self._search.join(_PATIENCE)
            self._end_search()

    def _try(self, words: list[str]) -> None:
        """Execute a command; what cannot be done is said."""
        try:
            if words:
                self._execute(words)
        except InputError as error:
            self._info(str(error))
        except Exception as error:  # a fault of ours must not cost the game
            self._info(f"internal error in {shown(' '.join(words))}: {type(error).__name__}: {error}")

    def _execute(self, words: list[str]) -> None:
        command = getattr(self, f"_do_{words[0]}", None) if words[0].isidentifier() else None
        if command is None:
            raise InputError(f"unknown command {shown(words[0])}: 'help' lists those there are")
        command(words[1:])

    # -- commands of the protocol -------------------------------------------------------------------------------

    def _do_uci(self, words: list[str]) -> None:
        self._send(f"id name Plyout {__version__}")
        self._send("id author the Plyout authors")
        for option in self._settings.options:
            self._send(f"option name {option.name} type {option.kind}")
        self._send("uciok")

    def _do_debug(self, words: list[str]) -> None:
        if words not in (["on"], ["off"]):
            raise InputError("debug wants 'on' or 'off'")
        self._debug = words == ["on"]

    def _do_isready(self, words: list[str]) -> None:
        try:
            if not self._searching():
                self._ready()
        except Exception as error:  # `readyok` must come, whatever is wrong
            self._info(told(error))
        self._send("readyok")

    def _do_register(self, words: list[str]) -> None:
        pass

    def _do_ucinewgame(self, words: list[str]) -> None:
        self._must_be_idle("ucinewgame")
        if self._engine and not self._stale:
            self._engine.new_game(self._settings.another_seed())
        self._board = self._settings.first_board()

    def _do_setoption(self, words: list[str]) -> None:
        self._must_be_idle("setoption")
        option = self._settings.set(*parse_setoption(words))
        if option.name == "Debug Log File":
            self.output.log_to(self._settings[option.name])
        if option.name in ("UCI_Variant", "UCI_Chess960"):
            self._board = self._settings.first_board()
        if option.parameter or option.name in _SHAPING:
            self._stale = True

    def _do_position(self, words: list[str]) -> None:
        self._must_be_idle("position")
        self._loaded.wait()
        self._board = parse_position(words, self._settings.variant, self._settings.on("UCI_Chess960"))

    def _do_go(self, words: list[str]) -> None:
        self._must_be_idle("go")
        if words[:1] == ["perft"]:
            return self._do_perft(words[1:])
        asked = parse_go(words)
        limits = limits_of(asked, self._board.turn)
        moves = searchmoves_of(asked, self._board)
        if asked.complaints:
            self._info("go: " + "; ".join(asked.complaints))
        self._ready_or_not()
        self._stop, self._release = _stop(), threading.Event()
        self._ponder_limits = limits if asked.ponder else None
        self._endless = asked.ponder or limits.infinite
        if asked.ponder:
            limits = Limits(infinite=True)
        with suppress(Exception):  # nobody needs it
            self._report_opening()
        work = (self._board.copy(), limits, moves, self._stop, self._release)
        self._thinking = True
        self._search = threading.Thread(target=self._run_search, args=work, daemon=True)
        try:
            self._search.start()
        except RuntimeError:  # the system allows no more threads
            self._search, self._endless = None, False
            in_time = Limits(movetime=_WITHOUT_THREAD) if limits.infinite else limits
            self._run_search(work[0], in_time, *work[2:])
        return None

    def _do_stop(self, words: list[str]) -> None:
        if not self._searching():
            raise InputError("stop: no search is going on")
        self._end_search()

    def _do_ponderhit(self, words: list[str]) -> None:
        if not self._searching() or self._ponder_limits is None:
            raise InputError("ponderhit: no pondering is going on")
        limits, self._ponder_limits = self._ponder_limits, None
        if self._engine:
            from plyout.search.pace import pace_of  # not before there is an engine: it brings the compiler

            numbers = self._engine.parameters
            planned = limits.seconds(numbers["time_fraction"], numbers["overhead"])
            self._stop.by(pace_of(limits, planned, numbers["pace"], numbers["overhead"]))
        else:
            self._stop.after(limits.seconds(0.05, 20))
        if limits.nodes is not None or limits.mate is not None or limits.depth is not None:
            self._stop.after(0)
        self._endless = limits.infinite
        if not limits.infinite:
            self._release.set()

    # -- commands that are not in the protocol ------------------------------------------------------------------

    def _do_help(self, words: list[str]) -> None:
        """List the commands."""
        names = sorted(name.removeprefix("_do_") for name in dir(self) if name.startswith("_do_"))
        self._info("commands: " + ", ".join([*names, "quit"]))

    def _do_d(self, words: list[str]) -> None:
        """Show the board."""
        for line in board_lines(self._board):
            self._send(line)

    def _do_eval(self, words: list[str]) -> None:
        """Show the static evaluation."""
        self._loaded.wait()
        self._info(evaluation_text(self._board))

    def _do_tree(self, words: list[str]) -> None:
        """Show the root moves of the last search: 'tree' or 'tree 20'."""
        self._must_be_idle("tree")
        count = parse_tree(words)
        if not self._engine or self._last is None:
            raise InputError("tree: nothing has been searched yet")
        for text in tree_texts(self._last, count):
            self._info(text)

    def _do_perft(self, words: list[str]) -> None:
        """Count move sequences: 'perft 5'."""
        self._must_be_idle("perft")
        depth = parse_perft(words)
        self._loaded.wait()
        for line in perft_lines(self._board, depth):
            self._send(line)

    def _do_bench(self, words: list[str]) -> None:
        """Search a few positions and show the speed."""
        self._must_be_idle("bench")
        self._ready()
        for line in bench_lines(self._engine):
            self._send(line)

    # -- the engine ---------------------------------------------------------------------------------------------

    def _warm_up(self) -> None:
        """Import and compile in the background, while the chess program reads the options."""
        try:
            importlib.import_module("plyout.engine")
        except Exception as error:  # it is tried again when the engine is needed
            self._complaints.append(f"loading has failed: {told(error)}")
        finally:
            self._loaded.set()
        try:
            self._make()
        except Exception as error:
            self._complaints.append(f"starting has failed: {told(error)}")

    def _ready(self) -> None:
        """Make the engine that the options describe, unless it is there, and compile what it needs."""
        self._loaded.wait()
        try:
            self._make()
        finally:
            while self._complaints:
                self._info(self._complaints.pop(0))

    def _ready_or_not(self) -> None:
        """The same, but without an engine the game goes on, too."""
        try:
            self._ready()
        except Exception as error:
            self._info(f"there is no engine to search with: {told(error)}")

    def _make(self) -> None:
        with self._making:
            if not self._stale:
                return
            from plyout.kernel import report_compiling_to
            from plyout.progress import report_notes_to

            self._stale = False  # before the options are read, as they may change meanwhile
            self._engine = self._last = None  # their memory is for the next
            report_compiling_to(lambda text: self._info(text) if text else None)
            report_notes_to(self._info)
            try:
                complaints: list[str] = []
                self._engine = make_engine(self._settings, complaints.append)
                with suppress(Exception):
                    read_names()  # here, and not on the clock of the first move
                self._complaints += [*complaints, *complaints_of(self._engine)]
            except BaseException:
                self._stale = True
                raise

    def _run_search(self, board: chess.Board, limits: Limits, moves: Any, stop: Any, release: threading.Event) -> None:
        """Search and send the move: the work of the search thread."""
        endless = self._endless
        multipv = int(self._settings["MultiPV"])
        so_far: list[Any] = []  # the last result that was reported

        def report(result: Any) -> None:
            if limits.mate is not None and result.seconds >= _LONG > (so_far[0].seconds if so_far else 0.0):
                self._info(f"mate in {limits.mate}: neither proven nor refuted yet")
            so_far[:] = [result]
            self._report(result, multipv)

        try:
            result = self._found(board, limits, moves, stop, report)
            if result.book:
                self._info("this move is from the book")
            if limits.mate is not None and (text := mate_text(result, limits.mate)):
                self._info(text)
            self._report(result, multipv)
            self._last = result
            move, ponder = result.move, result.ponder
        except Exception as error:
            if self._engine is not None:
                self._info(f"the search has failed: {told(error)}")
            self._stale = True  # the next one gets an engine that is made anew
            move, ponder = self._without_search(board, moves, so_far, multipv)
        if endless:  # UCI wants no move before `stop` or `ponderhit`
            release.wait()
        with self._answering:
            self._thinking = False
            self._send(bestmove_line(move, ponder))

    def _found(self, board: chess.Board, limits: Limits, moves: Any, stop: Any, report: Callable[[Any], None]) -> Any:
        """The result of a search, whose move and reply are legal."""
        if self._engine is None:
            raise InputError("there is no engine")
        lines = None if limits.clock is None else int(self._settings["MultiPV"])  # other lines would cost time
        result = self._engine.search(
            board, limits, moves=moves, stop=stop, play_on=True, on_progress=report, every=0.5, lines=lines
        )  # fmt: skip
        if result.move is None:
            if any(board.legal_moves):
                raise InputError("there is no move")
        else:
            line = board.copy(stack=False)
            for move in (result.move, result.ponder):
                if move and not line.is_legal(move):
                    raise InputError(f"{move} is not legal in {line.fen()}")
                if move:
                    line.push(move)
        return result

    def _without_search(
        self, board: chess.Board, moves: Any, so_far: list[Any], multipv: int
    ) -> tuple[chess.Move | None, chess.Move | None]:
        """What to play when the search has failed: what it had found so far, or what looks sensible."""
        if so_far and so_far[0].move is not None and board.is_legal(so_far[0].move):
            self._report(so_far[0], multipv)
            return so_far[0].move, None
        move, gain = sensible_move(board, moves)
        self._send(line_without_search(board, move, gain))
        return move, None

    def _report(self, result: Any, multipv: int) -> None:
        for line in info_lines(result, multipv, self._settings.on("UCI_ShowWDL"), self._debug):
            self._send(line)

    def _report_opening(self) -> None:
        """Send the opening's name if it has changed."""
        name = opening_name(self._board)
        if name and name != self._opening:
            self._info(f"opening {name[0]} {name[1]}")
        self._opening = name

    def _searching(self) -> bool:
        with self._answering:
            return self._thinking

    def _end_search(self) -> None:
        if self._search:
            self._stop.set()
            self._release.set()
            self._search.join()

    def _must_be_idle(self, command: str) -> None:
        if self._searching():
            raise InputError(f"{command}: a search is going on, 'stop' it first")


def _stop() -> Any:
    """A switch to stop a search, as far as there can be one."""
    try:
        from plyout.engine import Stop
    except Exception:
        return SimpleNamespace(set=lambda: None, after=lambda seconds: None)
    return Stop()
