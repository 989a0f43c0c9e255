"""As much memory as was asked for, or as much as can be had.

Memory is set aside at once and used little by little: a system that promises more than it has would end the process in
the middle of a game. So what is there is looked up first, and some of it is left to others.
"""

import os
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

from plyout.progress import warn

_MEGABYTE = 1e6
_LEFT_TO_OTHERS = 0.1  # of what is there
_LEAST_LEFT = 256.0  # megabytes: machine code, results, the buffers of threads
_CGROUPS = Path("/sys/fs/cgroup")

Made = TypeVar("Made")


def as_much_as_fits(megabytes: float, make: Callable[[float], Made]) -> Made:
    """What `make` makes of so many megabytes, or of as many as there are: a warning says so."""
    there = free_megabytes()
    room = min((1 - _LEFT_TO_OTHERS) * there, there - _LEAST_LEFT)
    granted = megabytes if room >= megabytes else max(1.0, room // 1)
    while True:
        try:
            made = make(granted)
        except MemoryError:
            if granted <= 1.0:
                raise
            granted = max(1.0, granted // 2)
            continue
        if granted < megabytes:
            warn(f"there is no memory of {megabytes:.0f} MB to be had: going on with {granted:.0f} MB")
        return made


def free_megabytes() -> float:
    """What the machine, the limits of this process and those of its group leave free; infinite where nobody says."""
    return min(_of_machine(), _of_process(), _of_group()) / _MEGABYTE


def _of_machine() -> float:
    kilobytes = _numbers(Path("/proc/meminfo")).get("MemAvailable")
    return float("inf") if kilobytes is None else 1024.0 * kilobytes


def _of_process() -> float:
    """By ``ulimit -v``."""
    try:
        import resource
    except ImportError:  # as on Windows
        return float("inf")
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    used = _words(Path("/proc/self/statm"))
    if limit == resource.RLIM_INFINITY or not used:
        return float("inf")
    return max(0.0, limit - float(used[0]) * os.sysconf("SC_PAGE_SIZE"))


def _of_group() -> float:
    """By the limit of a container, or of a service."""
    own = next((word[3:] for word in _words(Path("/proc/self/cgroup")) if word.startswith("0::")), "/")
    folder = _CGROUPS / own.lstrip("/")
    free = float("inf")
    for group in (folder, *folder.parents):
        limit, used = _words(group / "memory.max"), _words(group / "memory.current")
        if limit and used and limit[0].isdigit():
            given_back = _numbers(group / "memory.stat").get("inactive_file", 0.0)  # files kept as long as nobody wants
            free = min(free, max(0.0, float(limit[0]) - float(used[0]) + given_back))
        if group == _CGROUPS:
            break
    return free


def _words(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").split()
    except (OSError, ValueError):
        return []


def _numbers(path: Path) -> dict[str, float]:
    """A file of names and numbers."""
    words = _words(path)
    return {name.rstrip(":"): float(word) for name, word in pairwise(words) if word.isdigit()}
