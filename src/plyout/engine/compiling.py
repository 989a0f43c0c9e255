"""The first start: the kernels of a search, compiled by several processes side by side.

Numba compiles in one thread, and the default preset takes half a minute. Its kernels do not depend on each other, so
each process claims one after the other, by a file that only one can create; the code reaches the others through the
cache. What is in the cache already is only loaded, and no process is started.
"""

import hashlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import nullcontext, suppress
from pathlib import Path

from plyout.engine.compile_bar import compile_bar
from plyout.engine.system import System, system_of
from plyout.kernel.door import kept_files

Parts = Mapping[str, Callable[[], object]]
"""What is to be compiled, by name: each compiles, or loads, one kernel. The longest come first."""

_MOST_PROCESSES = 4
_DONE = ".done"


def compile_parts(parts: Parts, system: System) -> None:
    """Compile, or load, all parts of the search that `system` describes."""
    described = _description(system)
    processes = min(_processes(), _MOST_PROCESSES, len(parts))
    files = kept_files()
    marked = described is not None and files.folder is not None and files.is_marked(_mark(described))
    if described is None or processes < 2 or files.folder is None or marked:
        done: list[str] = []
        with nullcontext() if marked else compile_bar(parts, lambda: done, 1):
            _run(parts, done=done.append)
        return
    files.report()  # here, as nobody would hear it of another process
    try:
        with tempfile.TemporaryDirectory(prefix="plyout-", ignore_cleanup_errors=True) as claims:
            folder = Path(claims)
            with compile_bar(parts, lambda: [name for name in parts if (folder / (name + _DONE)).exists()], processes):
                _run_side_by_side(parts, processes, described, folder)
    except OSError:
        pass  # there is no room for claims: what is not done yet is done here, by one process
    _run(parts)  # those of the others are in the cache now; what went wrong there goes wrong here, for all to see
    files.mark(_mark(described))


def _run_side_by_side(parts: Parts, processes: int, described: str, claims: Path) -> None:
    command = [sys.executable, "-m", "plyout.engine.compiling", described, str(claims), str(os.getpid())]
    helpers = [_start(command) for _ in range(processes - 1)]
    try:
        _run(parts, claims)
        for helper in helpers:
            if helper:
                helper.wait()
    finally:
        for helper in helpers:
            if helper and helper.poll() is None:
                helper.kill()
                helper.wait()


def _run(
    parts: Parts, claims: Path | None = None, parent: int | None = None, done: Callable[[str], None] | None = None
) -> None:
    """Compile all parts; or those that nobody else has claimed, while the `parent` process is there.

    Who asks is told which parts are `done`; others see it among the claims.
    """
    for name, part in parts.items():
        if parent is not None and os.getppid() != parent:
            return
        if claims is None or _claimed(claims / name):
            part()
            if done:
                done(name)
            elif claims:
                with suppress(OSError):
                    (claims / (name + _DONE)).touch()


def _claimed(path: Path) -> bool:
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return False
    except OSError:
        return True  # nobody can claim anything here: better twice than not at all
    return True


def _processes() -> int:
    """How many processes may compile: as many as there are cores, or as ``PLYOUT_COMPILE_PROCESSES`` says."""
    wanted = os.environ.get("PLYOUT_COMPILE_PROCESSES", "")
    if wanted.isdigit():
        return int(wanted)
    if not Path(sys.executable or "").name.startswith("python"):
        return 1  # a program that Python is built into: it cannot be started as Python
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _start(command: list[str]) -> "subprocess.Popen[bytes] | None":
    nothing = subprocess.DEVNULL
    try:
        return subprocess.Popen(command, stdin=nothing, stdout=nothing, stderr=nothing)
    except OSError:
        return None  # then we compile everything ourselves


def _description(system: System) -> str | None:
    """The system in words that another process understands; None where a rule or game is the user's own."""
    from plyout.games import GAMES

    own = any(not isinstance(rule, str) for rule in system.rules.values())
    own |= system.evaluator is not None and not system.texts["network"]
    if own or GAMES.get(system.game.name) is not system.game or system.texts["book"]:
        return None
    small = {"hash_mb": 1, "threads": 1, "seed": 1}
    networks = {name: system.texts[name] for name in ("value_net", "policy_net", "network")}
    changes = system.rules | dict(system.numbers) | small | networks
    return json.dumps([system.preset.name, system.game.name, changes], sort_keys=True)


def _mark(described: str) -> str:
    """The name of a mark in the cache that is there when all parts are.

    Most numbers change no kernel. Which do is known to the parts alone; but they only ask whether it is zero.
    """
    _, game, changes = json.loads(described)
    switched = {name: value if isinstance(value, str) else bool(value) for name, value in changes.items()}
    return hashlib.sha256(json.dumps([game, switched], sort_keys=True).encode()).hexdigest()[:16]


def main(described: str, claims: str, parent: str) -> None:
    """Compile what is not claimed: the work of a process that `compile_parts` has started."""
    from plyout.engine.montecarlo import MonteCarlo

    preset, game, changes = json.loads(described)
    _run(MonteCarlo(system_of(preset, game, changes), None).parts(), Path(claims), int(parent))


if __name__ == "__main__":
    main(*sys.argv[1:])
