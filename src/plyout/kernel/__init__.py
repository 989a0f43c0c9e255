"""What every compiled function of Plyout is made of."""

from plyout.kernel.bits import (
    at,
    atomic_add,
    atomic_load,
    atomic_swap,
    bswap,
    low,
    nth,
    popcount,
    put,
    rotl,
    shr,
    signed,
    tail,
)
from plyout.kernel.door import BOUNDS_CHECKED, INTERPRETED, entry, inlined, kernel, pointer
from plyout.kernel.progress import report_compiling_to
from plyout.kernel.types import Ints, f64, floats, i64, ints, void

__all__ = [
    "BOUNDS_CHECKED",
    "INTERPRETED",
    "Ints",
    "at",
    "atomic_add",
    "atomic_load",
    "atomic_swap",
    "bswap",
    "entry",
    "f64",
    "floats",
    "i64",
    "inlined",
    "ints",
    "kernel",
    "low",
    "nth",
    "pointer",
    "popcount",
    "put",
    "report_compiling_to",
    "rotl",
    "shr",
    "signed",
    "tail",
    "void",
]
