"""Files that are there whole or not at all."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any


def save_whole(path: Path, write: Callable[[Any], object]) -> None:
    """Let `write` fill a file, under another name until it is whole."""
    new = path.with_name(path.name + ".new")
    try:
        with open(new, "wb") as file:
            write(file)
        os.replace(new, path)
    except BaseException:
        new.unlink(missing_ok=True)
        raise
