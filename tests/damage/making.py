"""What writes a file that is then damaged."""

from collections.abc import Callable
from pathlib import Path

Make = Callable[[Path], Path]
"""writes a file into a folder, and says where"""


def text(name: str, content: str) -> Make:
    return _writing(name, content.encode)


def copied(source: Path) -> Make:
    return _writing(source.name, source.read_bytes)


def _writing(name: str, content: Callable[[], bytes]) -> Make:
    def make(folder: Path) -> Path:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content())
        return path

    return make
