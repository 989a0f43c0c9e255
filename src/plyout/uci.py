"""The engine spoken to in UCI, the protocol of chess programs.

``uci`` is answered before anything is compiled; compiling goes on in the background, shown as ``info string``, and
``isready`` waits for it. Whatever the input, the process goes on and keeps its position: what cannot be understood
gets one ``info string`` that says why.
"""

import contextlib
import importlib
import sys
import threading
import time
from typing import IO, Any

import chess
import chess.variant

from plyout import __version__
from plyout.errors import InputError
from plyout.knowledge.openings import opening_name
from plyout.presets import preset as preset_named
from plyout.uci_options import Option, options

_LONGEST_ECHO = 80
_PATIENCE = 300.0  # seconds that a search may go on when nobody is there any more
_GO_NUMBERS = ("wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "mate", "movetime")
_GO_WORDS = {*_GO_NUMBERS, "infinite", "ponder", "searchmoves", "perft"}
_DEPTH_0 = 5  # see `plyout.search.limits`
_VARIANTS: dict[str, type[chess.Board]] = {"chess": chess.Board, "crazyhouse": chess.variant.CrazyhouseBoard}


class Uci:
    """One conversation. `run` reads commands until ``quit`` or the end of input."""

    def __init__(self, preset: str, output: IO[str] | None = None) -> None:
        self._output = output or sys.stdout
        self._writing = threading.Lock()
        self._log: IO[str] | None = None
        self._debug = False
        self._options: dict[str, Option] = {o.name.lower(): o for o in options(preset_named(preset))}
        self._set: dict[str, str] = {}  # what differs from the defaults
        self._board = chess.Board()
        self._engine: Any = None
        self._stale = True  # the options have changed since the engine was made
        self._making = threading.Lock()
        self._loaded = threading.Event()  # two threads that load modules at once get in each other's way
        self._search: threading.Thread | None = None
        self._thinking = False  # from `go` until the move is told: a thread lives a moment longer
        self._endless = False
        self._last: Any = None  # the result of the last search
        self._stop: Any = None
        self._release = threading.Event()  # an infinite search may tell its move
        self._ponder_limits: dict[str, Any] | None = None
        self._opening: tuple[str, str] | None = None  # the name that was told last

    # -- talking ------------------------------------------------------------------------------------------------

    def _send(self, line: str) -> None:
        with self._writing:
            self._write_log("< " + line)
            print(line, file=self._output, flush=True)

    def _write_log(self, line: str) -> None:
        if self._log:
            try:
                print(line, file=self._log, flush=True)
            except (OSError, ValueError):  # no room on the disk: the game goes on without a log
                self._log = None

    def _say(self, text: str) -> None:
        """One line for people."""
        text = " ".join(text.split())
        self._send("info string " + (text if len(text) <= 500 else text[:500] + "…"))

    def run(self, lines: IO[bytes]) -> None:
        threading.Thread(target=self._warm_up, daemon=True).start()
        for raw in lines:
            line = raw.decode("utf-8", "replace").strip()
            self._write_log("> " + line)
            if line.split(maxsplit=1)[:1] == ["quit"]:
                self._end_search()
                return
            try:
                self._obey(line)
            except InputError as error:
                self._say(str(error))
            except Exception as error:  # a fault of ours must not cost the user's game
                self._say(f"internal error in {_shown(line)}: {type(error).__name__}: {error}")
        if self._endless:
            self._end_search()
        elif self._search:  # the input has ended, but a search with a limit has not: let it answer
            self._search.join(_PATIENCE)
            self._end_search()

    def _obey(self, line: str) -> None:
        words = line.split()
        if not words:
            return
        command = getattr(self, f"_do_{words[0]}", None) if words[0].isidentifier() else None
        if command is None:
            raise InputError(f"unknown command {_shown(words[0])}: 'help' lists those there are")
        command(words[1:])

    # -- commands of the protocol -------------------------------------------------------------------------------

    def _do_uci(self, words: list[str]) -> None:
        self._send(f"id name Plyout {__version__}")
        self._send("id author the Plyout authors")
        for option in self._options.values():
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
        except InputError as error:  # whoever asks waits for the answer, whatever is wrong
            self._say(str(error))
        self._send("readyok")

    def _do_register(self, words: list[str]) -> None:
        pass

    def _do_ucinewgame(self, words: list[str]) -> None:
        self._must_be_idle("ucinewgame")
        if self._engine and not self._stale:
            self._engine.new_game()
        self._board = self._variant()(chess960=self._on("UCI_Chess960"))

    def _do_setoption(self, words: list[str]) -> None:
        self._must_be_idle("setoption")
        if not words or words[0] != "name":
            raise InputError("setoption wants 'name NAME value VALUE'")
        at = words.index("value") if "value" in words else len(words)
        name, value = " ".join(words[1:at]), " ".join(words[at + 1 :])
        option = self._options.get(name.lower())
        if option is None:
            raise InputError(f"no option is called {_shown(name)}")
        kept = option.check(value)
        if option.name == "Debug Log File":
            self._open_log(kept)
        if kept == option.default:
            self._set.pop(option.name, None)
        else:
            self._set[option.name] = kept
        if option.name in ("UCI_Variant", "UCI_Chess960"):
            self._board = self._variant()(chess960=self._on("UCI_Chess960"))
        if option.parameter or option.name in ("Preset", "UCI_Variant", "OwnBook"):
            self._stale = True

    def _do_position(self, words: list[str]) -> None:
        self._must_be_idle("position")
        self._loaded.wait()
        from plyout.games.chess.border import check_board, parse_board

        at = words.index("moves") if "moves" in words else len(words)
        if words[:1] == ["startpos"] and at == 1:
            board = self._variant()(chess960=self._on("UCI_Chess960"))
        elif words[:1] == ["fen"]:
            board = parse_board(" ".join(words[1:at]), self._variant())
            board.chess960 = board.chess960 or self._on("UCI_Chess960")
        else:
            raise InputError("position wants 'startpos' or 'fen FEN', then perhaps 'moves MOVES'")
        for text in words[at + 1 :]:
            try:
                if not board.push_uci(text):
                    raise ValueError
            except ValueError:
                raise InputError(
                    f"illegal move {_shown(text)} in {board.fen()}: the position stays as it was"
                ) from None
        check_board(board, board.fen())
        self._board = board

    def _do_go(self, words: list[str]) -> None:
        self._must_be_idle("go")
        if words[:1] == ["perft"]:
            return self._do_perft(words[1:])
        asked = _parse_go(words)
        limits = self._limits(asked)
        moves = [self._legal(text) for text in asked["searchmoves"]] or None
        self._ready()
        from plyout.engine import Stop

        self._stop, self._release = Stop(), threading.Event()
        self._ponder_limits = limits if asked["ponder"] else None
        self._endless = asked["ponder"] or limits.get("infinite", False)
        if asked["ponder"]:
            limits = {"infinite": True}
        self._tell_opening()
        work = (self._board.copy(), limits, moves, self._stop, self._release)
        self._thinking = True
        self._search = threading.Thread(target=self._think, args=work, daemon=True)
        self._search.start()
        return None

    def _do_stop(self, words: list[str]) -> None:
        if not self._searching():
            raise InputError("stop: no search is going on")
        self._end_search()

    def _do_ponderhit(self, words: list[str]) -> None:
        if not self._searching() or self._ponder_limits is None:
            raise InputError("ponderhit: no pondering is going on")
        from plyout.search.limits import Limits

        numbers = self._engine.parameters
        limits, self._ponder_limits = Limits(**self._ponder_limits), None
        self._stop.after(limits.seconds(numbers["time_fraction"], numbers["overhead"]))
        if limits.nodes is not None or limits.mate is not None or limits.depth is not None:
            self._stop.after(0)
        self._endless = limits.infinite
        if not limits.infinite:
            self._release.set()

    # -- commands for people ------------------------------------------------------------------------------------

    def _do_help(self, words: list[str]) -> None:
        """List the commands."""
        names = sorted(name.removeprefix("_do_") for name in dir(self) if name.startswith("_do_"))
        self._say("commands: " + ", ".join([*names, "quit"]))

    def _do_d(self, words: list[str]) -> None:
        """Show the board."""
        for line in [*str(self._board).splitlines(), "", f"Fen: {self._board.fen()}"]:
            self._send(line)

    def _do_eval(self, words: list[str]) -> None:
        """Show the static evaluation."""
        self._loaded.wait()
        from plyout.evaluate.glance import centipawns_of

        if self._variant() is not chess.Board:
            raise InputError("eval: there is a static evaluation for chess only")
        centipawns = centipawns_of(self._board) * (1 if self._board.turn else -1)
        self._say(f"static evaluation {centipawns / 100:+.2f} pawns for White")

    def _do_tree(self, words: list[str]) -> None:
        """Show the root moves of the last search: 'tree' or 'tree 20'."""
        self._must_be_idle("tree")
        count = _whole(words[0], "tree") if words else 10
        if count < 0:
            raise InputError("tree: the number of moves must not be negative")
        if not self._engine or self._last is None:
            raise InputError("tree: nothing has been searched yet")
        for m in self._last.moves[:count]:
            line = " ".join(str(move) for move in m.pv[:8])
            self._say(f"{m.move} visits {m.visits:.0f} value {m.value:.4f} proof {m.proof or '-'} pv {line}")

    def _do_perft(self, words: list[str]) -> None:
        """Count move sequences: 'perft 5'."""
        self._must_be_idle("perft")
        if not words:
            raise InputError("perft wants a depth")
        depth = _whole(words[0], "perft")
        if depth < 0:
            raise InputError("perft: the depth must not be negative")
        if depth > 12:
            raise InputError("perft: a depth above 12 would take years")
        self._loaded.wait()
        from plyout.games import game, state_of

        rules, state = game(self._set.get("UCI_Variant", "chess")), state_of(self._board)
        total = 0
        for move in rules.moves(state) if depth > 0 else ():
            count = sum(rules.perft_in_pieces(rules.after(state, move), depth - 1))
            total += count
            self._send(f"{rules.move_text(state, move)}: {count}")
        self._send("")
        self._send(f"Nodes searched: {total if depth > 0 else 1}")

    def _do_bench(self, words: list[str]) -> None:
        """Search a few positions and show the speed."""
        self._must_be_idle("bench")
        self._ready()
        nodes, began = 0, time.perf_counter()
        for fen in _BENCH:
            self._engine.new_game()
            nodes += self._engine.search(fen, nodes=5000).nodes
        seconds = time.perf_counter() - began
        self._engine.new_game()
        self._send(f"Nodes searched: {nodes}")
        self._send(f"Nodes/second: {round(nodes / seconds)}")

    # -- the engine ---------------------------------------------------------------------------------------------

    def _on(self, name: str) -> bool:
        return self._set.get(name) == "true"

    def _variant(self) -> type[chess.Board]:
        return _VARIANTS[self._set.get("UCI_Variant", "chess")]

    def _warm_up(self) -> None:
        """Load and compile while the chess program is still busy with our options."""
        try:
            importlib.import_module("plyout.engine")
        finally:
            self._loaded.set()
        with contextlib.suppress(InputError):  # it will be said when the engine is asked for
            self._ready()

    def _ready(self) -> None:
        """Make the engine that the options describe, if it is not there, and compile what it needs."""
        self._loaded.wait()
        with self._making:
            from plyout.engine import Engine
            from plyout.kernel import report_compiling_to
            from plyout.progress import report_notes_to

            if self._stale:
                self._stale = False  # before the options are read: they may change meanwhile
                report_compiling_to(lambda text: self._say(text) if text else None)
                report_notes_to(self._say)
                by_name = {o.name: o for o in self._options.values()}
                changes: dict[str, Any] = {p.name: v for n, v in self._set.items() if (p := by_name[n].parameter)}
                if self._set.get("OwnBook") == "false":
                    changes["book"] = ""
                variant = self._set.get("UCI_Variant", "chess")
                preset = self._set.get("Preset", by_name["Preset"].default)
                self._engine = None
                try:
                    self._engine = Engine(preset, variant, **changes)
                    opening_name(self._board)  # the table is read here, and not on the clock of the first move
                    for text in self._engine.opening.book.complaints[:10] if self._engine.opening else ():
                        self._say(f"left out of the book: {text}")
                except BaseException:
                    self._stale = True
                    raise
            self._engine.prepare()

    def _legal(self, text: str) -> chess.Move:
        try:
            move = self._board.parse_uci(text)
            if not move:
                raise ValueError
            return move
        except ValueError:
            raise InputError(f"searchmoves: {_shown(text)} is not legal in {self._board.fen()}") from None

    def _limits(self, asked: dict[str, Any]) -> dict[str, Any]:
        """What ``go`` asked for, as limits of the engine."""
        mine = ("wtime", "winc") if self._board.turn else ("btime", "binc")
        limits = {name: asked[name] for name in ("nodes", "mate", "movetime", "depth") if asked[name] is not None}
        if asked[mine[0]] is not None:
            limits |= {"clock": max(asked[mine[0]], 1), "increment": max(asked[mine[1]] or 0, 0)}
            if asked["movestogo"]:
                limits["moves_to_go"] = asked["movestogo"]
        return {"infinite": True} if asked["infinite"] or not limits else limits

    def _think(
        self, board: chess.Board, limits: dict[str, Any], moves: Any, stop: Any, release: threading.Event
    ) -> None:
        """Search and tell the move: the work of the search thread."""
        endless = self._endless
        try:
            multipv = int(self._set.get("MultiPV", "1"))
            result = self._engine.search(
                board,
                **limits,
                moves=moves,
                stop=stop,
                play_on=True,
                on_progress=lambda r: self._tell(r, multipv),
                every=0.5,
            )
            self._tell(result, multipv)
            if result.book:
                self._say("this move is from the book")
            self._last = result
            if endless:  # UCI wants no move before it is asked for
                release.wait()
            move, ponder = result.move, result.ponder
        except Exception as error:
            self._say(f"internal error in the search: {type(error).__name__}: {error}")
            move, ponder = next(iter(board.legal_moves), None), None
        self._thinking = False
        self._send(f"bestmove {move.uci() if move else '(none)'}" + (f" ponder {ponder.uci()}" if ponder else ""))

    def _tell(self, result: Any, multipv: int) -> None:
        """The state of the search as ``info`` lines."""
        from plyout.result import centipawns

        graph = result.tree.graph
        full = max(result.graph["nodes"] / graph.key.size, result.graph["edges"] / graph.move.size)
        permille = result.graph.get("permille_full", int(1000 * full))
        common = f"nodes {result.nodes} nps {result.nps} hashfull {permille} tbhits {result.tbhits}"
        common += f" time {int(1000 * result.seconds)}"
        plies = result.nodes.bit_length() - 1 - _DEPTH_0 if result.plies is None else result.plies
        depth = f"depth {max(1, plies)} seldepth {max(1, result.deepest)}"
        for rank, m in enumerate(result.moves[:multipv], 1):
            cp = result.centipawns if rank == 1 and result.centipawns is not None else centipawns(m.known_value)
            score = f"mate {m.mate}" if m.mate is not None else f"cp {cp}"
            wdl = " wdl {} {} {}".format(*result.wdl_of(m)) if self._on("UCI_ShowWDL") else ""
            line = " ".join(move.uci() for move in m.pv)
            self._send(f"info {depth} multipv {rank} score {score}{wdl} {common} pv {line}")
        if not result.moves:
            self._send(f"info depth 0 score {'mate 0' if result.proof == 'loss' else 'cp 0'}")
        elif self._debug:
            self._send(f"info currmove {result.moves[0].move.uci()} currmovenumber 1")

    def _tell_opening(self) -> None:
        """The opening's name, when it is another than before."""
        name = opening_name(self._board)
        if name and name != self._opening:
            self._say(f"opening {name[0]} {name[1]}")
        self._opening = name

    def _searching(self) -> bool:
        return self._thinking

    def _end_search(self) -> None:
        if self._search:
            self._stop.set()
            self._release.set()
            self._search.join()

    def _must_be_idle(self, command: str) -> None:
        if self._searching():
            raise InputError(f"{command}: a search is going on, 'stop' it first")

    def _open_log(self, path: str) -> None:
        if self._log:
            self._log.close()
            self._log = None
        if path:
            try:
                self._log = open(path, "a", encoding="utf-8")  # noqa: SIM115  (closed when another is set)
            except (OSError, ValueError) as error:
                raise InputError(f"Debug Log File: {error}") from None


_BENCH = (
    chess.STARTING_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
)


def _shown(text: str) -> str:
    return repr(text if len(text) <= _LONGEST_ECHO else text[:_LONGEST_ECHO] + "…")


def _whole(text: str, what: str) -> int:
    try:
        if len(text) > 20:
            raise ValueError
        return int(text)
    except ValueError:
        raise InputError(f"{what} wants a whole number, not {_shown(text)}") from None


def _parse_go(words: list[str]) -> dict[str, Any]:
    """The words after ``go``; a number that is absurd is brought into range, one that is none is an error."""
    asked: dict[str, Any] = dict.fromkeys(_GO_NUMBERS) | {"infinite": False, "ponder": False, "searchmoves": []}
    rest = iter(range(len(words)))
    for i in rest:
        word = words[i]
        if word in _GO_NUMBERS:
            if i + 1 >= len(words):
                raise InputError(f"go {word} wants a number")
            number = _whole(words[next(rest)], f"go {word}")
            if word != "movestogo" or number > 0:  # 0 means: to the end
                asked[word] = min(max(number, 0 if word.endswith(("time", "inc")) else 1), 10**15)
        elif word in ("infinite", "ponder"):
            asked[word] = True
        elif word == "searchmoves":
            while i + 1 + len(asked[word]) < len(words) and words[i + 1 + len(asked[word])] not in _GO_WORDS:
                asked[word].append(words[next(rest)])
            if not asked[word]:
                raise InputError("go searchmoves wants moves")
        else:
            raise InputError(f"go: unknown word {_shown(word)}")
    return asked


def main(preset: str) -> None:
    """Speak UCI on standard input and output."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")
    Uci(preset).run(sys.stdin.buffer)
