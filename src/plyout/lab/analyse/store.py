"""The store of analyses: a file of lines, each whole with its checksum, that grows while positions are searched.

The first line says how they are searched. A line that a kill has cut off is dropped; the run that goes on makes it
again.
"""

import errno
import json
import os
from pathlib import Path
from typing import IO, Any

from plyout.errors import InputError
from plyout.lab.analyse.settings import Settings
from plyout.lab.match.sound import checksum
from plyout.lab.match.store import only_one

FILE = "analysis.jsonl"
Record = dict[str, Any]


class Kept:
    """The store in a folder, opened to be added to: ``with Kept(folder, settings) as kept: kept.add(name, record)``."""

    def __init__(self, folder: Path, settings: Settings) -> None:
        self.path = folder / FILE
        folder.mkdir(parents=True, exist_ok=True)
        self._lock = only_one(self.path)
        self._records: dict[str, Record] = {}
        self._file: IO[bytes] | None = None
        try:
            whole = self._read(settings.bound())
            self._file = open(self.path, "r+b" if self.path.exists() else "wb", buffering=0)  # noqa: SIM115
            self._file.truncate(whole)
            self._file.seek(whole)
            if not whole:
                self._write("settings", settings.bound())
        except BaseException:
            self.close()
            raise

    def _read(self, settings: Record) -> int:
        """Read what is there; where the whole lines end."""
        data = self.path.read_bytes() if self.path.exists() else b""
        end = data.rfind(b"\n") + 1
        for number, line in enumerate(data[:end].splitlines(), 1):
            name, record = self._parsed(line, number)
            if number > 1:
                self._records[name] = record
            elif name != "settings":
                raise InputError(f"{self.path} is no store of analyses: name another folder by --out")
            else:
                self._must_fit(record, settings)
        return end

    def _parsed(self, line: bytes, number: int) -> tuple[str, Record]:
        try:
            name, record, check = json.loads(line)
            if check == checksum(name, record) and isinstance(record, dict):
                return str(name), record
        except (ValueError, TypeError, RecursionError):
            pass
        advice = "bring back a copy, or name another folder by --out"
        raise InputError(f"{self.path} is damaged: line {number} is not what was written; {advice}")

    def _must_fit(self, stored: Record, settings: Record) -> None:
        different = sorted(n for n in stored.keys() | settings if stored.get(n) != settings.get(n))
        if different:
            what = "; ".join(f"{n} is {stored.get(n)!r} there, {settings.get(n)!r} here" for n in different)
            advice = "name another folder by --out, or give the same settings"
            raise InputError(f"{self.path} has analyses of other settings ({what}): {advice}")

    def _write(self, name: str, record: Record) -> None:
        assert self._file is not None
        line = json.dumps([name, record, checksum(name, record)], separators=(",", ":")).encode() + b"\n"
        if self._file.write(line) != len(line):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self.path))

    def add(self, name: str, record: Record) -> None:
        """Keep an analysis."""
        self._write(name, record)
        self._records[name] = record

    def get(self, name: str) -> Record | None:
        return self._records.get(name)

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
        self._lock.close()

    def __enter__(self) -> "Kept":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
