"""The files of the cache: one for each kernel and signature, with a checksum that is verified before anything is read.

A damaged file would be unpickled, and its bytes run as machine code. So each begins with a checksum of its contents and
of its name: one that was cut, changed, or put in another's place is noticed. A file is written under another name and
then renamed: processes that compile the same kernels at once write the same files, and each is whole at all times.
"""

import contextlib
import hashlib
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from plyout.cache.trust import make_private, objection, reason
from plyout.progress import note, warn

MAGIC = b"plyout kernel 1\n"
ENDING, MARK = ".kernel", ".complete"
HEADER = len(MAGIC) + hashlib.sha256().digest_size
LARGEST = 1 << 28
"""The bytes that a file may have: kernels have a few hundred thousand."""


class Unusable(Exception):
    """A file of the cache is not what was written; the text says why."""


def seal(path: Path, contents: bytes) -> bytes:
    """What the file at `path` begins with, if it has these contents."""
    return MAGIC + _digest(path, contents)


def unseal(path: Path, data: bytes) -> memoryview:
    """The contents of the file at `path` whose bytes are `data`."""
    if not data.startswith(MAGIC):
        raise Unusable("it is empty" if not data else "it does not begin as a file of the cache does")
    contents = memoryview(data)[HEADER:]
    if data[len(MAGIC) : HEADER] != _digest(path, contents):
        raise Unusable("its checksum is wrong")
    return contents


def _digest(path: Path, contents: "bytes | memoryview") -> bytes:
    """The names are of the state of the sources, and of the kernel: code of another's must not pass for it."""
    digest = hashlib.sha256(os.fsencode(f"{path.parent.name}/{path.name}\n"))
    digest.update(contents)
    return digest.digest()


def read(path: Path) -> memoryview:
    """The contents of a file that is ours and whole, else `Unusable`; `FileNotFoundError` where there is none."""
    flags = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    flags |= getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)  # no links, and no waiting for a pipe
    try:
        descriptor = os.open(path, flags)
        try:
            data = _bytes_of(descriptor)
        finally:
            os.close(descriptor)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise Unusable(f"it cannot be read: {reason(error)}") from None
    return unseal(path, data)


def _bytes_of(descriptor: int) -> bytes:
    about = os.fstat(descriptor)
    if not stat.S_ISREG(about.st_mode) or about.st_size > LARGEST:
        raise Unusable("it is no file of the cache")
    if why := objection(about):
        raise Unusable(why)
    with open(descriptor, "rb", buffering=0, closefd=False) as file:
        return file.read()


def write(path: Path, contents: bytes) -> None:
    """Keep `contents` at `path`, which only we can read and write."""
    make_private(path.parent)
    descriptor, temporary = tempfile.mkstemp(prefix=".", suffix=".part", dir=path.parent)
    try:
        with open(descriptor, "wb") as file:
            file.write(seal(path, contents))
            file.write(contents)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def files_of(folder: Path) -> Iterator[Path]:
    """The files of a folder of the cache that hold kernels."""
    return (path for path in folder.iterdir() if path.name.endswith(ENDING))


def damage(folder: Path) -> dict[Path, str]:
    """The files of a folder that cannot be used, each with the reason."""
    found = {}
    for path in sorted(files_of(folder)):
        try:
            read(path)
        except Unusable as why:
            found[path] = str(why)
        except FileNotFoundError:  # another process has removed it
            pass
    return found


class Store:
    """The files of one folder, for a process that never fails because of them: what cannot be read is not there."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self.complete = True  # all that was to be kept is
        self._reported = False

    def path(self, name: str) -> Path:
        """Where what is called so is kept, in a store that has a folder."""
        assert self.folder is not None
        return self.folder / f"{name}{ENDING}"

    def load(self, name: str) -> memoryview | None:
        """The contents that were saved under this name, if they are there and whole."""
        if self.folder is None:
            return None
        try:
            return read(self.path(name))
        except FileNotFoundError:
            pass
        except Unusable as why:
            self.report({self.path(name): str(why)})
        return None

    def save(self, name: str, contents: bytes) -> None:
        """Keep `contents` for the next start, if that is possible; else it is told once why not."""
        if self.folder is None:
            return
        try:
            write(self.path(name), contents)
        except OSError as error:
            self.complete = False
            note(f"no machine code can be kept in {self.folder}: {reason(error)}; the next start compiles it again")

    def report(self, known: Mapping[Path, str] | None = None) -> None:
        """Remove everything that is damaged, with one line: the next start must not stumble over the rest of it."""
        bad = dict(known or {})
        with contextlib.suppress(OSError):
            if self.folder and not self._reported:
                bad |= damage(self.folder)
            for path in [*bad, *(self.folder.glob(f"*{MARK}") if bad and self.folder else ())]:
                _remove(path)
        if bad and not self._reported:
            self._reported = True
            files = f"{len(bad)} file{'s' if len(bad) > 1 else ''}: {', '.join(sorted(set(bad.values())))}"
            warn(f"the cache {self.folder} was damaged ({files}); compiled anew")

    def is_marked(self, name: str) -> bool:
        """Whether everything that `name` stands for was kept; a mark is a hint, and nothing is run because of it."""
        return self.folder is not None and os.path.exists(self.folder / f"{name}{MARK}")

    def mark(self, name: str) -> None:
        """Everything that `name` stands for is kept now, unless something could not be."""
        if self.folder is not None and self.complete:
            with contextlib.suppress(OSError):
                (self.folder / f"{name}{MARK}").touch(mode=0o600)


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()
