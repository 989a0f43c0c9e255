"""Who plays: a preset (``mcc?c=0.7``), or any UCI program (``uci:stockfish?UCI_Elo=1500``).

After the question mark come settings, ``name=value`` with ``&`` between them: parameters and rules of a preset,
options of a program, and for both

- ``tc``, ``movetime``, ``nodes``, ``evaluations``: a time control of its own,
- ``name``: what it is called in the results,
- ``process=true``: a preset plays in a process of its own, through our own UCI.

>>> parse_spec("mcc?c=0.7&nodes=500")
Spec(text='mcc?c=0.7&nodes=500', name='mcc?c=0.7&nodes=500', preset='mcc', command=(), settings={'c': '0.7'}, ...
"""

import re
import shlex
import shutil
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import unquote

import chess

from plyout.errors import InputError
from plyout.lab.match.openings import BOARDS
from plyout.lab.match.timecontrol import Clock, TimeControl
from plyout.presets import preset as preset_named
from plyout.search.limits import Limits

_GAMES_FOLDERS = ("/usr/games", "/usr/local/games")  # of Debian, and not on every PATH


class Fault(Exception):
    """A player has lost the game otherwise than on the board; `reason` is a key of `FAULTS` in `plyout.lab.record`."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason


@dataclass(frozen=True)
class Answer:
    """A player's move, as UCI writes it, with what it thought; scores are the mover's."""

    move: str
    seconds: float
    cp: int | None = None
    mate: int | None = None
    depth: int | None = None


class Player(Protocol):
    """Somebody at the board. `new_game` and `go` raise `Fault`; after one, `new_game` makes it ready again."""

    def prepare(self) -> None:
        """Be ready to play; `InputError` says why it cannot."""

    def new_game(self, seed: int) -> None:
        """Forget the last game; `seed` numbers this one, for players whose moves depend on chance."""

    def go(self, board: chess.Board, mine: Clock, other: Clock, margin: float, patience: float) -> Answer:
        """A move in `board`. Its time is up `margin` seconds late; when `patience` has passed, too, it has stalled."""

    def stop(self) -> None:
        """End what it is doing, from another thread: the run is over."""

    def close(self) -> None:
        """It will not play again."""


@dataclass(frozen=True)
class Spec:
    """A player before it sits down."""

    text: str  # as the user wrote it
    name: str
    preset: str = ""
    command: tuple[str, ...] = ()
    settings: dict[str, str] | None = None
    control: TimeControl | None = None
    engine: Any = None  # an `Engine` that the caller has made


def _settings(text: str, whole: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for part in filter(None, text.split("&")):
        name, equals, value = part.partition("=")
        if not equals or not name.strip():
            raise InputError(f"after '?' an engine has name=value, with '&' between, and not {part!r} as in {whole!r}")
        found[unquote(name.strip())] = unquote(value.strip())
    return found


def _number(settings: dict[str, str], name: str, kind: Callable[[str], Any]) -> Any:
    text = settings.pop(name, None)
    try:
        return None if text is None else kind(text)
    except ValueError:
        raise InputError(f"{name} must be a number, not {text!r}") from None


def find_program(name: str) -> str:
    """The path of a program, or how to get it."""
    found = shutil.which(name)
    for folder in _GAMES_FOLDERS:
        found = found or shutil.which(name, path=folder)
    if found:
        return found
    if "/" in name or "\\" in name:
        raise InputError(f"{name} is not a program that can be run")
    raise InputError(
        f"no program is called {name!r}: install it (on Debian 'apt install {name}') or give its path, "
        f"as in uci:/usr/games/{name}"
    )


def parse_spec(text: str) -> Spec:
    """The player that a text means; `InputError` if it means none."""
    head, _, tail = text.partition("?")
    settings = _settings(tail, text)
    nodes, evaluations = _number(settings, "nodes", int), _number(settings, "evaluations", int)
    movetime = _number(settings, "movetime", float)
    control = TimeControl.of(settings.pop("tc", None), movetime, nodes, evaluations)
    given = settings.pop("name", None)
    process = settings.pop("process", "false")
    if process not in ("true", "false"):
        raise InputError(f"process must be true or false, not {process!r}")
    if head.startswith("uci:"):
        try:
            command = shlex.split(head.removeprefix("uci:"))
        except ValueError as error:  # a quotation mark without its twin
            raise InputError(f"{head!r} cannot be read as a command: {str(error).lower()}") from None
        if not command:
            raise InputError("uci: wants a program, as in uci:stockfish")
        if "UCI_Elo" in settings:
            settings.setdefault("UCI_LimitStrength", "true")
        name = Path(command[0]).name + (f"?{tail}" if tail else "")
        program = (find_program(command[0]), *command[1:])
        return Spec(text, given or name, command=program, settings=settings, control=control)
    preset_named(head)  # or an InputError with those there are
    if process == "true":
        command = [sys.executable, "-m", "plyout", "uci", "--preset", head]
        return Spec(text, given or text, head, tuple(command), settings, control)
    return Spec(text, given or text, head, settings=settings, control=control)


def named(text: str, name: str) -> str:
    """The text of a player that is called `name` in the results.

    >>> named("mcc", "plain"), named("mcc?c=2", "wide")
    ('mcc?name=plain', 'mcc?c=2&name=wide')
    """
    return f"{text}{'&' if '?' in text else '?'}name={name}"


def specs_of(engines: Iterable[Any]) -> list[Spec]:
    """The players, each under a name of its own: a second ``mcc`` is called ``mcc #2``."""
    found: list[Spec] = []
    for engine in engines:
        if isinstance(engine, str):
            spec = parse_spec(engine)
        else:
            spec = Spec(f"python:{engine.preset.name}", engine.preset.name, engine=engine)
        if re.search(r'["\\]', spec.name) or not spec.name.isprintable():
            raise InputError(f"a name is printable, without quotation marks or backslashes, and not {spec.name!r}")
        same = sum(other.name.split(" #")[0] == spec.name for other in found)
        found.append(replace(spec, name=f"{spec.name} #{same + 1}") if same else spec)
    return found


def counts_evaluations(spec: Spec) -> bool:
    """Whether a player can be told how many leaves to evaluate: UCI has no word for it, and alpha-beta no leaves."""
    if spec.engine is not None:
        return bool(spec.engine.preset.search == "mcts")
    return not spec.command and preset_named(spec.preset).search == "mcts"


def open_player(spec: Spec, variant: str) -> Player:
    """Seat a player of `variant`."""
    if spec.command:
        from plyout.lab.match.uci_player import UciPlayer
        from plyout.uci.options import name_of

        settings = dict(spec.settings or {})
        if spec.preset:
            settings = {name_of(name): value for name, value in settings.items()}
            if "level" in (spec.settings or {}):
                settings["UCI_LimitStrength"] = "true"
        return UciPlayer(spec.command, settings, variant, seeded=bool(spec.preset))
    return EnginePlayer(spec, variant)


class EnginePlayer:
    """A preset that plays in this process. Its kernels release the GIL, so that games run side by side."""

    def __init__(self, spec: Spec, variant: str) -> None:
        from plyout.engine import Engine

        game = BOARDS[variant].uci_variant or "chess"  # Chess960 is chess to an engine
        self._engine = spec.engine or Engine(spec.preset, game, **(spec.settings or {}))
        if self._engine.game.name != game:
            raise InputError(f"the engine plays {self._engine.game.name}, and the match is one of {game}")
        self._seed = int(self._engine.parameters["seed"])

    def prepare(self) -> None:
        self._engine.prepare()

    def new_game(self, seed: int) -> None:
        self._engine.prepare()  # now: a tuned player is a new one in each pair, and its first move is on the clock
        self._engine.new_game(self._seed + seed)

    def go(self, board: chess.Board, mine: Clock, other: Clock, margin: float, patience: float) -> Answer:
        control = mine.control
        limits = Limits(
            nodes=control.nodes,
            playouts=control.evaluations,
            movetime=None if control.movetime is None else 1000 * control.movetime,
            clock=None if mine.left is None else 1000 * mine.left,
            increment=1000 * control.increment,
            moves_to_go=mine.moves_to_go,
        )
        began = time.perf_counter()
        try:
            result = self._engine.search(board, limits, play_on=True, lines=1)
        except Exception as error:  # of a rule that the user wrote, say: it costs the game, not the run
            raise Fault("crash", f"{type(error).__name__}: {error}") from error
        seconds = time.perf_counter() - began
        move = board.uci(result.move) if result.move is not None else ""
        depth = max(1, round(result.depth))
        return Answer(move, seconds, result.score.get("cp"), result.score.get("mate"), depth)

    def stop(self) -> None:
        self._engine.stop()

    def close(self) -> None:
        self._engine.new_game(self._seed)  # it may be the caller's
