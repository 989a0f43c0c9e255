"""Make `src/plyout/knowledge/tables/three_pieces.zlib`: the 3-piece tables that come with the package.

usage: python tools/make_tables.py
"""

import os
import zlib

from plyout.knowledge.tables.endings import endings
from plyout.knowledge.tables.generate import Workers, generate
from plyout.knowledge.tables.library import Library
from plyout.knowledge.tables.shipped import FILE


def generated() -> bytes:
    """The codes of all 3-piece endings, one table after the other."""
    library = Library([])
    with Workers(os.cpu_count() or 1) as workers:
        for ending in endings(3):
            library.add(ending, generate(ending, library.directory, workers, lambda share: None))
    return b"".join(codes.tobytes() for codes in library.tables.values())


if __name__ == "__main__":
    content = generated()
    FILE.write_bytes(zlib.compress(content, 9))
    print(f"{FILE}: {len(content):,} bytes in {FILE.stat().st_size:,}")
