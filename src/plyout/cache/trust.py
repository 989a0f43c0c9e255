"""Who could have written what is in the cache: machine code is run, so it must be ours.

A file that belongs to us and that nobody else can write was written by us, whatever folders lead to it: that is asked
of the open file at every load (`plyout.cache.store`). The folders are asked, too, before anything in them is.
"""

import os
import stat
from pathlib import Path

OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


def objection(about: os.stat_result) -> str:
    """Why a file or folder is not to be trusted; empty where it is. Windows knows neither owners nor modes."""
    if not hasattr(os, "geteuid"):
        return ""
    if about.st_uid != os.geteuid():
        return f"it belongs to another user (number {about.st_uid})"
    if about.st_mode & OTHERS_WRITE and not stat.S_ISLNK(about.st_mode):  # a link's own mode means nothing
        return "others can write to it"
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
