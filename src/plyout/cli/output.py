"""Where results are to go, tried before the work starts: an hour of games must not end in "permission denied"."""

import os
import tempfile
from pathlib import Path

from plyout.errors import InputError


def output_folder(path: Path, option: str = "--out") -> Path:
    """`path` as a folder that can be written into; it is made if it is not there."""
    try:
        path.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path, prefix=".plyout-"):
            return path
    except FileExistsError:
        raise InputError(f"{option}: {path} is a file, and a folder is wanted") from None
    except OSError as error:
        raise InputError(f"{option}: cannot write into {path}: {reason(error)}") from None


def output_file(path: Path, option: str = "--out") -> Path:
    """`path` as a file that can be written; its folder is made if it is not there, and the file is not touched."""
    if path.is_dir():
        raise InputError(f"{option}: {path} is a folder, and a file is wanted")
    output_folder(path.parent, option)
    if path.exists() and not os.access(path, os.W_OK):
        raise InputError(f"{option}: cannot write {path}: it is read-only")
    return path


def reason(error: OSError) -> str:
    """What the system says is wrong, without the number and the path."""
    return (error.strerror or str(error)).lower()
