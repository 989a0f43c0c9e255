"""Where results are to go, tried before the work starts: an hour of games must not end in "permission denied"."""

import errno
import os
import tempfile
from pathlib import Path

from plyout.errors import InputError

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}  # no mistake of the user's: the border knows what to say


def output_folder(path: Path, option: str = "--out") -> Path:
    """`path` as a folder that can be written into; it is made if it is not there."""
    try:
        path.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path, prefix=".plyout-") as file:
            file.write(bytes(4096))  # on a full disk, the first to fail
            file.flush()
            return path
    except FileExistsError:
        raise InputError(f"{option}: {path} is a file, and a folder is wanted") from None
    except OSError as error:
        if error.errno in _FULL:
            raise OSError(error.errno, error.strerror, str(path)) from None
        raise InputError(f"{option}: cannot write into {path}: {reason(error)}") from None
    except ValueError as error:  # a zero byte in the name
        raise InputError(f"{option}: {str(path)!r} is no name of a folder: {error}") from None


def output_file(path: Path, option: str = "--out") -> Path:
    """`path` as a file that can be written; its folder is made if it is not there, and the file is not touched."""
    try:
        is_folder, read_only = path.is_dir(), path.exists() and not os.access(path, os.W_OK)
    except OSError as error:  # such as a name that is too long
        raise InputError(f"{option}: cannot write {path}: {reason(error)}") from None
    if is_folder:
        raise InputError(f"{option}: {path} is a folder, and a file is wanted")
    output_folder(path.parent, option)
    if read_only:
        raise InputError(f"{option}: cannot write {path}: it is read-only")
    return path


def reason(error: OSError) -> str:
    """What the system says is wrong, without the number and the path."""
    return (error.strerror or str(error)).lower()
