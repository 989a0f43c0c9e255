"""``plyout tables fetch-syzygy``: the 3- and 4-piece Syzygy tables, out of the source archive of `chess`.

python-chess carries them in its source archive on PyPI, for its own tests; pip fetches it as it fetches any package.
"""

import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import chess
import chess.syzygy

from plyout.errors import InputError
from plyout.folders import data_folder
from plyout.knowledge.tables.endings import ENDINGS

_INSIDE = "data/syzygy/regular/"
# (position, result): probes of some tables, so that a file of the right name is also the right file
_PROBES = (
    ("8/8/8/8/8/2k5/8/KQ6 w - - 0 1", 2),
    ("8/8/6R1/2K5/n7/8/8/3k4 w - - 0 1", 2),
    ("7K/4B3/4k3/8/8/8/8/2N5 w - - 0 1", 2),
    ("8/8/8/8/8/1k6/p7/R1K5 w - - 0 1", 0),
    ("8/8/8/1Kp5/2Pk4/8/8/8 w - - 0 1", -2),
)


def syzygy_folder() -> Path:
    return data_folder() / "syzygy"


def _download(where: Path) -> Path:
    """The source archive of the `chess` that is installed."""
    wanted = f"chess=={version('chess')}"
    command = [sys.executable, "-m", "pip", "download", "--no-binary", ":all:", "--no-deps"]
    command += ["--quiet", "--disable-pip-version-check", "--dest", str(where), wanted]
    done = subprocess.run(command, capture_output=True, text=True)
    archives = [path for path in where.iterdir() if path.name.startswith("chess-")]
    if not archives:
        why = (done.stderr.strip().splitlines() or ["it is not installed"])[-1]
        raise InputError(f"pip could not fetch the source archive of {wanted}: {why}")
    return archives[0]


def _members(archive: Path) -> Iterator[tuple[str, bytes]]:
    """(name, content) of the tables in an archive."""
    if archive.suffix == ".zip":
        with zipfile.ZipFile(archive) as bundle:
            for name in bundle.namelist():
                if _INSIDE in name and name.endswith((".rtbw", ".rtbz")):
                    yield Path(name).name, bundle.read(name)
        return
    with tarfile.open(archive) as tar:
        for member in tar:
            if _INSIDE in member.name and member.name.endswith((".rtbw", ".rtbz")):
                content = tar.extractfile(member)
                if content:
                    yield Path(member.name).name, content.read()


def check(folder: Path) -> int:
    """The number of tables; `InputError` if some are missing or give a wrong result."""
    names = {path.name for path in folder.glob("*.rtb[wz]")}
    pairs = [f"{name[: name.rindex('K')]}v{name[name.rindex('K') :]}" for name in ENDINGS]
    missing = [pair + end for pair in pairs for end in (".rtbw", ".rtbz") if pair + end not in names]
    if missing:
        raise InputError(f"{folder} lacks {len(missing)} Syzygy tables: {', '.join(missing[:4])} …")
    with chess.syzygy.open_tablebase(str(folder)) as tables:
        for fen, result in _PROBES:
            try:
                answer = tables.probe_wdl(chess.Board(fen))
            except Exception as error:  # python-chess trips over damaged files in many ways
                raise InputError(f"a Syzygy table in {folder} is damaged: {error}") from None
            if answer != result:
                raise InputError(f"a Syzygy table in {folder} is damaged: it says {answer} of {fen}")
    return len(names)


def fetch(folder: Path | None = None) -> tuple[Path, int]:
    """Fetch the tables, check them and put them into `folder`; returns (the folder, the number of files)."""
    folder = folder or syzygy_folder()
    with tempfile.TemporaryDirectory(prefix="plyout-") as temporary:
        fresh = Path(temporary, "syzygy")
        fresh.mkdir()
        for name, content in _members(_download(Path(temporary))):
            (fresh / name).write_bytes(content)
        count = check(fresh)
        folder.mkdir(parents=True, exist_ok=True)
        for path in sorted(fresh.iterdir()):
            part = folder / f".{path.name}.part"
            part.write_bytes(path.read_bytes())
            part.replace(folder / path.name)
    return folder, count
