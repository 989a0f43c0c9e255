"""Who could have written what is in the cache: machine code is run, so it must be ours.

A file that belongs to us and that nobody else can write was written by us, whatever folders lead to it: that is asked
of the open file at every load (`plyout.cache.store`). The folders are asked, too, before anything in them is.
"""

import os
import stat
from pathlib import Path

OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


def is_ours(about: os.stat_result) -> bool:
    """Whether a file or folder belongs to the user who runs us. Windows does not say."""
    return not hasattr(os, "geteuid") or about.st_uid == os.geteuid()


def objection(about: os.stat_result) -> str:
    """Why a file or folder is not to be trusted; empty where it is."""
    if not is_ours(about):
        return f"it belongs to another user (number {about.st_uid})"
    if hasattr(os, "geteuid") and about.st_mode & OTHERS_WRITE and not stat.S_ISLNK(about.st_mode):
        return "others can write to it"  # a link's own mode means nothing, and neither do those of Windows
    return ""


def folder_objection(folder: Path) -> str:
    """Why a folder, or a link to one, is not to be trusted; empty where it is, or where there is none."""
    try:
        link, about = folder.lstat(), folder.stat()
    except OSError:
        return ""  # whoever wants to use it will be told
    return (objection(link) or objection(about)) if stat.S_ISDIR(about.st_mode) else ""


def make_private(folder: Path) -> None:
    """Make a folder, and those above it that are missing, which only we can read and write, whatever the umask is."""
    if not folder.is_dir():
        make_private(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)


def reason(error: OSError) -> str:
    """What the system says is wrong, without the number and the path."""
    return (error.strerror or str(error)).lower()
