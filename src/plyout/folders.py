"""Where programs keep a user's data on this system."""

import os
import sys
from pathlib import Path


def data_folder() -> Path:
    """The user's folder for data that programs keep."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData/Local")) / "plyout/data"
    if sys.platform == "darwin":
        return Path.home() / "Library/Application Support/plyout"
    return Path(os.environ.get("XDG_DATA_HOME", "") or Path.home() / ".local/share") / "plyout"
