"""The border of the command line: whatever goes wrong inside leaves as one line on standard error and an exit code.

Mistakes of the user's are 2, what the machine lacks is 1; an exception that is neither is a bug of ours, and 70.
"""

import contextlib
import errno
import logging
import os
import select
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TextIO

import typer

from plyout.cli import streams
from plyout.errors import InputError, did_you_mean

OK, MACHINE, USER, BUG, INTERRUPTED, CLOSED = 0, 1, 2, 70, 130, 141

EXIT_CODES = (
    "Exit codes: 0 done; 1 the machine could not (disk full, no memory), or a check failed; 2 a mistake in what was "
    "given; 70 a bug of plyout's (PLYOUT_TRACEBACK=1 shows where); 130 interrupted; 141 the reader closed the pipe."
)

_LONGEST = 600  # signs of a line

_USAGE: Any = typer.BadParameter.__bases__[0]  # of click, or of the copy that newer Typers carry

_ADVICE = {
    errno.ENOSPC: "free some space, or write to another disk",
    errno.EDQUOT: "free some space, or write to another disk",
    errno.EFBIG: "write to another disk, or raise the limit (ulimit -f)",
    errno.EMFILE: "run less at the same time, or raise the limit (ulimit -n)",
    errno.ENFILE: "run less at the same time",
    errno.EAGAIN: "run less at the same time, or raise the limit (ulimit -u)",
    errno.EIO: "check the disk",
    errno.ENOENT: "check the name",
    errno.EACCES: "check the permissions, or name another place",
    errno.EPERM: "check the permissions, or name another place",
    errno.EROFS: "name another place",
    errno.EISDIR: "name a file",
    errno.ENOTDIR: "a part of the path is a file",
    errno.EEXIST: "remove it, or name another place",
    errno.ENAMETOOLONG: "give it a shorter name",
    errno.ELOOP: "name the place itself, not a link",
}
_OF_THE_USER = {
    errno.ENOENT, errno.EACCES, errno.EPERM, errno.EROFS, errno.EISDIR, errno.ENOTDIR, errno.EEXIST, errno.EINVAL,
    errno.ENAMETOOLONG, errno.ELOOP, errno.ENOEXEC, errno.ETXTBSY, errno.ENOTEMPTY,
}  # fmt: skip


class Verdict(NamedTuple):
    """How the program ends, and what is said about it."""

    code: int
    text: str = ""


def guarded(command: Callable[[], object]) -> int:
    """Run `command`, say in one line what went wrong, and return the exit code; standard output is complete then."""
    streams.prepare()
    threading.excepthook = _in_a_thread
    if not os.environ.get("PLYOUT_TRACEBACK"):
        sys.unraisablehook = lambda _: None  # what fails in a destructor or at the very end changes no result
        if not logging.root.handlers:  # python-chess tells of each bad move in a PGN file, asyncio of closed pipes
            logging.root.addHandler(logging.NullHandler())
    try:
        status = command()
        verdict = Verdict(status if isinstance(status, int) else OK)
    except BaseException as error:
        verdict = _judged(error)
    unwritten = _flush(sys.stdout)
    if unwritten is not None and verdict.code in (OK, unwritten.code):
        verdict = unwritten
    if verdict.text:
        _say(verdict.text)
    _flush(sys.stderr)
    return verdict.code


def _judged(error: BaseException) -> Verdict:
    if os.environ.get("PLYOUT_TRACEBACK"):
        import traceback

        traceback.print_exception(error)
    return judge(error)


def judge(error: BaseException) -> Verdict:
    """What an exception means to who runs the program."""
    causes = list(_chain(error))
    match error:
        case InputError():
            return Verdict(USER, str(error))
        case typer.Exit():
            return Verdict(error.exit_code)
        case KeyboardInterrupt() | typer.Abort():
            return Verdict(INTERRUPTED, "interrupted")
        case SystemExit():
            if any(isinstance(cause, BrokenPipeError) for cause in causes):  # rich leaves so
                return Verdict(CLOSED)
            said = error.code
            return Verdict(said) if isinstance(said, int) else Verdict(MACHINE if said else OK, str(said or ""))
        case MemoryError():
            return _memory(error)
        case OSError():
            return _system(error)
        case RecursionError():
            return Verdict(USER, "what was given is nested too deeply to be read: check the input file")
        case _ if isinstance(error, _USAGE):
            return _usage(error)
    for cause in causes[1:]:  # such as a KeyboardInterrupt in the middle of an import
        if isinstance(cause, (KeyboardInterrupt, MemoryError)):
            return judge(cause)
    if (found := _of_a_library(error)) is not None:
        return found
    return Verdict(BUG, f"internal error: {_named(error)} (set PLYOUT_TRACEBACK=1 to see where)")


def _chain(error: BaseException) -> Iterator[BaseException]:
    """An exception, and what led to it."""
    seen: set[int] = set()
    at: BaseException | None = error
    while at is not None and id(at) not in seen:
        seen.add(id(at))
        yield at
        at = at.__cause__ or at.__context__


def _named(error: BaseException) -> str:
    text = str(error)
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _usage(error: Any) -> Verdict:
    context = getattr(error, "ctx", None)
    path = context.command_path if context else "plyout"
    said = str(error.format_message()).strip().rstrip(".")
    if (option := getattr(error, "option_name", None)) and (known := getattr(error, "possibilities", None)):
        said = f"No such option: {option}: {did_you_mean(option, known)}"
    return Verdict(USER, f"{said} (see '{path} --help')")


def _memory(error: BaseException) -> Verdict:
    text = f" ({error})" if str(error) else ""
    return Verdict(MACHINE, f"not enough memory{text}: ask for less (--set hash_mb=64), or run less at the same time")


def _system(error: OSError) -> Verdict:
    if isinstance(error, BrokenPipeError) and _is_closed(sys.stdout, sys.stderr):
        return Verdict(CLOSED)
    if error.errno is None:  # of a library: gzip's about what is in a file, others about what they cannot load
        damaged = type(error).__name__ == "BadGzipFile"
        return Verdict(USER, f"an input file is damaged: {error}") if damaged else _unloadable(error)
    if error.errno == errno.ENOMEM:
        return _memory(error)
    names = [os.fsdecode(name) for name in (error.filename, error.filename2) if isinstance(name, (str, bytes))]
    what = (error.strerror or str(error)).lower()
    text = ": ".join([*names[-1:], what, *filter(None, [_ADVICE.get(error.errno)])])
    return Verdict(USER if error.errno in _OF_THE_USER else MACHINE, text)


def _unloadable(error: BaseException) -> Verdict:
    return Verdict(MACHINE, f"a library failed: {error}: is memory short? if not, install plyout again")


def _is_closed(*outputs: TextIO) -> bool:
    """Whether nobody reads one of our outputs any more; a pipe to an engine may be the one that broke."""
    if not hasattr(select, "poll"):
        return True
    watch = select.poll()
    for output in outputs:
        with contextlib.suppress(OSError, ValueError):
            watch.register(output.fileno(), 0)
    return bool(watch.poll(0))


def _of_a_library(error: BaseException) -> Verdict | None:
    """Exceptions of libraries that broken files and missing programs make; they are loaded only here."""
    import csv
    import json
    import sqlite3
    import struct
    import subprocess
    import tarfile
    import zipfile
    import zlib

    match error:
        case sqlite3.Error():
            return _database(error)
        case UnicodeDecodeError():
            byte = error.object[error.start]
            what = f"byte {error.start + 1}, 0x{byte:02x}, is no {error.encoding.upper()}"
            return Verdict(USER, f"an input file is not text: {what}: check which file was named")
        case UnicodeEncodeError():
            sign = error.object[error.start]
            return Verdict(USER, f"{sign!r} cannot be written in {error.encoding.upper()}: use other names")
        case json.JSONDecodeError():
            return Verdict(USER, f"an input file is damaged: it is no JSON: {error}")
        case zipfile.BadZipFile() | zlib.error() | tarfile.TarError() | struct.error() | csv.Error() | EOFError():
            return Verdict(USER, f"an input file is damaged: {_named(error)}")
        case subprocess.SubprocessError():
            return Verdict(MACHINE, f"a program that plyout started has failed: {error}")
        case ModuleNotFoundError() if not str(error.name).startswith("plyout"):
            return Verdict(MACHINE, f"{error.name} is not installed: pip install 'plyout[all]' brings it")
        case ImportError() if "shared object" in str(error) or "DLL" in str(error):
            return _unloadable(error)
        case RuntimeError() if "can't start new thread" in str(error):
            return Verdict(MACHINE, "the system allows no more threads: run less at the same time (ulimit -u)")
    if type(error).__name__ == "TOMLDecodeError":  # of tomllib, or of tomli before Python 3.11
        return Verdict(USER, f"an input file is damaged: it is no TOML: {error}")
    return None


def _database(error: Exception) -> Verdict:
    text = str(error)
    if "full" in text:
        return Verdict(MACHINE, f"{text}: {_ADVICE[errno.ENOSPC]}")
    if "I/O" in text or "locked" in text:
        return Verdict(MACHINE, f"the file of games cannot be used: {text}: check the disk, and who else writes to it")
    if "readonly" in text or "unable to open" in text:
        return Verdict(USER, f"the file of games cannot be opened: {text}: {_ADVICE[errno.EACCES]}")
    return Verdict(USER, f"the file of games is damaged: {text}: use a copy, or begin anew in another folder")


def _flush(stream: TextIO) -> Verdict | None:
    """Write what is left; None if that went well."""
    try:
        stream.flush()
    except OSError as error:
        streams.silence(stream)  # or Python tries again at its end, and tells of it in its own words
        if isinstance(error, BrokenPipeError):
            return Verdict(CLOSED)
        return Verdict(MACHINE, f"standard output cannot be written: {_system(error).text}")
    except ValueError:  # closed already
        return None
    return None


def _say(text: str) -> None:
    """One line on standard error, if anything can be written there."""
    line = "plyout: " + " ".join(text.split())
    if len(line) > _LONGEST:  # a whole file, maybe; what to do is at the end
        line = f"{line[: _LONGEST // 2]} … {line[-_LONGEST // 2 :]}"
    with contextlib.suppress(OSError, ValueError):
        print(line, file=sys.stderr, flush=True)


def _in_a_thread(event: threading.ExceptHookArgs) -> None:
    """An exception that ended a thread: the line is the same, and the program goes on."""
    if event.exc_value is not None and (verdict := _judged(event.exc_value)).text:
        _say(verdict.text)
