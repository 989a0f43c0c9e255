"""Writing files atomically."""

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from plyout.errors import InputError


@contextlib.contextmanager
def replaced(path: Path) -> Iterator[IO[bytes]]:
    """A file to write to, which replaces `path` once all is written; until then `path` stays as it was."""
    try:
        file = tempfile.NamedTemporaryFile(dir=path.parent, prefix=path.name, suffix=".new", delete=False)  # noqa: SIM115
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}") from None
    try:
        with file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(file.name, 0o666 & ~umask)
        os.replace(file.name, path)
    except BaseException as error:
        with contextlib.suppress(OSError):
            os.unlink(file.name)
        if isinstance(error, OSError):
            error.filename = str(path)
        raise
