"""Damaged copies of every kind of file that is read: each is refused in one line, or read as something of use.

``python -m tests.damage.run --copies 2000`` prints, for each kind, how many were refused and how many read, and the
first failures: another exception than `InputError`, a text of several lines, a crash, a hang, or a file with a
checksum that was read as something else than it was. Each kind is tried in a process of its own.
"""

import argparse
import json
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from plyout.errors import InputError
from tests.conftest import ROOT
from tests.damage.damage import damaged
from tests.damage.kinds import AS_IT_WAS, KINDS, REFUSED, Kind

SECONDS = 20  # for one copy to be read
SEED = 18
OUTCOME = "outcome: "


@dataclass
class Outcome:
    """How the copies of one kind fared."""

    refused: int = 0
    read: int = 0
    failures: list[str] = field(default_factory=list)

    def add(self, what: str, fate: str) -> None:
        self.refused += fate == "refused"
        self.read += fate == "read"
        if fate not in ("refused", "read"):
            self.failures.append(f"{what}: {fate}")


def tried(kind: Kind, copies: int) -> Outcome:
    """Read so many damaged copies in this process; a copy that hangs or crashes ends it."""
    outcome = Outcome()
    with tempfile.TemporaryDirectory(prefix="plyout-damage-") as name:
        folder = Path(name)
        path = kind.make(folder)
        content, others = path.read_bytes(), set(folder.rglob("*"))
        original = kind.read(path)
        assert original == kind.read(path), "reading twice gives the same"
        for what, copy in damaged(content, copies * kind.times, SEED):
            print(what, flush=True)
            for left in set(folder.rglob("*")) - others | {path}:
                left.unlink(missing_ok=True)  # a file that is cut to nothing and written again would wait for the disk
            path.write_bytes(copy)
            path.chmod(0o600)
            signal.alarm(SECONDS)
            became = fate(kind, path, original)
            signal.alarm(0)
            if path.read_bytes() != copy and not (kind.mends and became == "read"):
                became = f"{became}, and the file was changed"
            outcome.add(what, became)
    if outcome.refused < kind.refused * copies * kind.times:
        outcome.failures.append(f"only {outcome.refused} were refused")
    return outcome


def fate(kind: Kind, path: Path, original: Any) -> str:
    """What becomes of a damaged copy: ``refused``, ``read``, or what is wrong about it."""
    try:
        said = kind.read(path)
    except InputError as error:
        text = str(error)
        if not text or "\n" in text:
            return f"not one line: {text!r}"
        if str(path.parent) not in text:
            return f"the file is not named: {text}"
        return "refused"
    except BaseException as error:
        return f"{type(error).__name__}: {error}"
    if kind.holds == REFUSED:
        return "read, in spite of the checksum"
    if kind.holds == AS_IT_WAS and said != original:
        return "read as something else, in spite of the checksum"
    return "read"


def tried_all_apart(kinds: list[Kind], copies: int) -> dict[str, Outcome]:
    """Kind after kind in a process of their own; after a crash another process goes on with the next kind."""
    outcomes: dict[str, Outcome] = {}
    while left := [kind for kind in kinds if kind.name not in outcomes]:
        only = [word for kind in left for word in ("--only", kind.name)]
        command = [sys.executable, "-m", "tests.damage.run", "--copies", str(copies), "--here", *only]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, errors="replace")
        lines = done.stdout.splitlines()
        for line in lines:
            if line.startswith(OUTCOME):
                name, found = json.loads(line.removeprefix(OUTCOME))
                outcomes[name] = Outcome(**found)
        broken = next((kind for kind in left if kind.name not in outcomes), None)
        if broken:
            hung = done.returncode == -signal.SIGALRM
            how = (
                f"it was still read after {SECONDS} s"
                if hung
                else f"exit {done.returncode}: {done.stderr[-500:].strip()}"
            )
            outcomes[broken.name] = Outcome(failures=[f"{lines[-1] if lines else 'at the start'}: {how}"])
    return outcomes


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--copies", type=int, default=2000)
    parser.add_argument("--only", action="append", choices=list(KINDS))
    parser.add_argument("--here", action="store_true", help="in this process, with a line for each copy")
    arguments = parser.parse_args()
    kinds = [kind for name, kind in KINDS.items() if name in (arguments.only or KINDS) and kind.there()]
    if arguments.here:
        for kind in kinds:
            print(OUTCOME + json.dumps([kind.name, vars(tried(kind, arguments.copies))]), flush=True)
        return 0
    print(f"{'kind':24} {'copies':>7} {'refused':>8} {'read':>7} {'failures':>9}")
    failed = False
    for kind in kinds:
        outcome = tried_all_apart([kind], arguments.copies)[kind.name]
        failed |= bool(outcome.failures)
        counts = f"{arguments.copies * kind.times:7} {outcome.refused:8} {outcome.read:7} {len(outcome.failures):9}"
        print(f"{kind.name:24} {counts}", flush=True)
        for text in outcome.failures[:5]:
            print(f"    {text}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
