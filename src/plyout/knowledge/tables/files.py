"""Tables on disk: one file an ending, a header of 64 bytes and then one byte for each entry.

    magic 8 · version 4 · checksum of the entries 4 · their number 8 · name 8 · zeros 28 · checksum of all this 4

Files are memory-mapped. One is written under a temporary name and renamed when it is whole, and is checked whenever
it is opened: a file that is cut short, damaged or of another version is never used.
"""

import contextlib
import os
import struct
import tempfile
import time
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from plyout.errors import InputError
from plyout.folders import data_folder
from plyout.knowledge.tables.endings import Ending

SUFFIX = ".dtm"
_HEADER = struct.Struct("<8sIIQ8s28xI")
HEADER = _HEADER.size
_MAGIC, _VERSION = b"PLYOUTDM", 1
_STALE = 3600.0  # seconds after which a temporary file is taken for abandoned


class Unusable(Exception):
    """A file is missing, damaged or of another version: the text says which."""


def tables_folder() -> Path:
    """Where the tables are: ``$PLYOUT_TABLES``, or a folder among the user's data."""
    chosen = os.environ.get("PLYOUT_TABLES")
    return Path(chosen) if chosen else data_folder() / "tables"


def path_of(folder: Path, ending: Ending) -> Path:
    return folder / (ending.name + SUFFIX)


def try_folder(folder: Path) -> None:
    """Make the folder if it is not there, and see whether tables can be kept in it: before an hour of work."""
    handle, name = _temporary(folder, "try")
    os.close(handle)
    os.unlink(name)


def _temporary(folder: Path, name: str) -> tuple[int, str]:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _clear_stale(folder)
        return tempfile.mkstemp(prefix=f".{name}.", suffix=".part", dir=folder)
    except OSError as error:
        raise InputError(f"tables cannot be kept in {folder} ({error.strerror}): set PLYOUT_TABLES") from None


def write(folder: Path, ending: Ending, codes: Any) -> None:
    """Write a table; the file is there as a whole or not at all."""
    handle, name = _temporary(folder, ending.name)
    try:
        with open(handle, "wb") as file:
            fields = (_MAGIC, _VERSION, zlib.crc32(codes), codes.size, ending.name.encode())
            whole = _HEADER.pack(*fields, 0)
            file.write(_HEADER.pack(*fields, zlib.crc32(whole[:-4])))
            file.write(codes)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, 0o644)
        os.replace(name, path_of(folder, ending))
    except BaseException as error:
        with contextlib.suppress(OSError):
            os.unlink(name)
        if isinstance(error, OSError) and error.errno:  # writing tells no name
            error.filename = str(path_of(folder, ending))
        raise


def _clear_stale(folder: Path) -> None:
    """Remove the temporary files of builds that were killed."""
    for path in folder.glob(".*.part"):
        with contextlib.suppress(OSError):
            if time.time() - path.stat().st_mtime > _STALE:
                path.unlink()


def read(folder: Path, ending: Ending) -> Any:
    """The table of an ending, mapped into memory and checked; `Unusable` if there is none that can be trusted."""
    path = path_of(folder, ending)
    try:
        with open(path, "rb") as file:
            header = file.read(HEADER)
            size = os.fstat(file.fileno()).st_size
        if len(header) < HEADER:
            raise Unusable("cut short")
        magic, version, checksum, entries, name, own = _HEADER.unpack(header)
        if magic != _MAGIC or own != zlib.crc32(header[:-4]):
            raise Unusable("damaged: its header is wrong")
        if version != _VERSION or name.rstrip(b"\0") != ending.name.encode() or entries != ending.entries:
            raise Unusable("of another version")
        if size != HEADER + entries:
            raise Unusable("cut short" if size < HEADER + entries else "damaged: it is too long")
        codes: Any = np.memmap(path, np.uint8, "r", HEADER, entries)
    except FileNotFoundError:
        raise Unusable("missing") from None
    except (OSError, ValueError) as error:
        raise Unusable(f"unreadable: {error}") from None
    if zlib.crc32(codes) != checksum:
        raise Unusable("damaged: its checksum is wrong")
    return codes
