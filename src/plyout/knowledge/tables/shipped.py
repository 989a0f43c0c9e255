"""The 3-piece tables, which come with the package: no search has to wait until they are generated.

The file is one zlib stream of the codes of all of them, in the order of `endings(3)`; `tools/make_tables.py` writes it.
"""

import zlib
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from plyout.errors import InputError
from plyout.knowledge.tables.endings import endings

FILE = Path(__file__).with_name("three_pieces.zlib")


@cache
def three_piece_tables() -> dict[str, npt.NDArray[np.uint8]]:
    """The codes of every 3-piece ending, by its name. Kernels read them by address: the cache keeps them alive."""
    try:
        codes = np.frombuffer(zlib.decompress(FILE.read_bytes()), np.uint8)
    except (OSError, zlib.error) as error:
        raise InputError(f"{FILE} is missing or damaged ({error}): install plyout again") from None
    ends = np.cumsum([ending.entries for ending in endings(3)])
    if codes.size != ends[-1]:
        raise InputError(f"{FILE} has {codes.size} entries and not {ends[-1]}: install plyout again")
    return {ending.name: codes[end - ending.entries : end] for ending, end in zip(endings(3), ends, strict=True)}
