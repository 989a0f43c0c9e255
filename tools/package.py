"""Build the wheel and the source distribution, look into them, and try the wheel where nothing else is.

usage: python tools/package.py [--quick]

It is installed into empty environments of the oldest and of the newest Python at hand, and searches there; with --quick
into that of the newest alone.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "dist"
OLDEST = (3, 10)
MOST_BYTES = 25_000_000
IN_THE_WHEEL = (
    "plyout/py.typed", "plyout/presets/plyout.toml", "plyout/board/static/index.html", "plyout/evaluate/weights.toml",
    "plyout/networks/shipped/value.plynet", "plyout/networks/shipped/policy.plynet",
)  # fmt: skip
IN_THE_SOURCES = ("README.md", "LICENSE", "CHANGELOG.md", "Makefile", "tests/conftest.py", "docs/architecture.md")
NOWHERE = re.compile(r"\.pyc$|__pycache__|\.nb[ic]$|\.sqlite|(^|/)\.(git|venv|ci)/|\.DS_Store")


def main() -> None:
    shutil.rmtree(OUT, ignore_errors=True)
    _run(sys.executable, "-m", "build", "--outdir", str(OUT), str(ROOT))
    _run(sys.executable, "-m", "twine", "check", "--strict", *map(str, OUT.iterdir()))
    (wheel,), (sources,) = OUT.glob("*.whl"), OUT.glob("*.tar.gz")
    _look_into(wheel, sources)
    pythons = _pythons()
    for python in pythons[-1:] if "--quick" in sys.argv else sorted({pythons[0], pythons[-1]}):
        _try(python[1], wheel)


def _run(*command: str, **options: str) -> str:
    """What a command prints; all of it is shown if it fails."""
    done = subprocess.run(command, capture_output=True, text=True, cwd=tempfile.gettempdir(), env=_environment(options))
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{done.stdout}\n{done.stderr}")
    return done.stdout


def _environment(changes: dict[str, str]) -> dict[str, str]:
    """Ours, without what would let other code of Plyout in."""
    ours = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    return ours | changes


def _look_into(wheel: Path, sources: Path) -> None:
    """What must be inside is, what must not is not; what is large is told."""
    with zipfile.ZipFile(wheel) as archive:
        sizes = {info.filename: info.compress_size for info in archive.infolist()}
    with tarfile.open(sources) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    missing = [name for name in IN_THE_WHEEL if name not in sizes] + [n for n in IN_THE_SOURCES if n not in names]
    if missing:
        sys.exit(f"missing in the distributions: {', '.join(missing)}")
    for name in (*sizes, *names):
        if NOWHERE.search(name):
            sys.exit(f"{name} belongs into no distribution")
    stray = {name.split("/")[0] for name in sizes} - {"plyout"}
    if not all(name.endswith(".dist-info") for name in stray):
        sys.exit(f"the wheel would install more than plyout: {', '.join(sorted(stray))}")
    for path in (wheel, sources):
        print(f"{path.name}: {path.stat().st_size / 1e6:.1f} MB")
        if path.stat().st_size > MOST_BYTES:
            sys.exit(f"{path.name} has more than {MOST_BYTES / 1e6:g} MB")
    for name, size in sorted(sizes.items(), key=lambda item: -item[1])[:8]:
        print(f"  {size / 1e6:6.2f} MB  {name}")
    print(f"  {len(sizes)} files in the wheel")


def _pythons() -> list[tuple[tuple[int, int], str]]:
    """Every Python at hand that Plyout supports, one of each version, the oldest first."""
    places = [Path(folder) for folder in os.environ.get("PATH", "").split(os.pathsep) if folder]
    versions = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    places += sorted(versions.glob("*/bin"))
    found = {sys.version_info[:2]: sys.executable}
    for place in places:
        for path in place.glob("python3.*"):
            if not re.fullmatch(r"python3\.\d+", path.name) or "shims" in path.parts:
                continue
            version = (3, int(path.name.partition(".")[2]))
            if version >= OLDEST and version not in found:
                found[version] = str(path)
    return sorted(found.items())


def _try(python: str, wheel: Path) -> None:
    """Install the wheel into an empty environment and search there, with an empty cache."""
    with tempfile.TemporaryDirectory(prefix="plyout-package-") as folder:
        home = {"PLYOUT_CACHE": f"{folder}/cache", "HOME": folder}
        _run(python, "-m", "venv", f"{folder}/venv")
        _run(f"{folder}/venv/bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", str(wheel))
        plyout = f"{folder}/venv/bin/plyout"
        version = _run(plyout, "--version", **home).strip()
        if version.split()[1] != wheel.name.split("-")[1]:
            sys.exit(f"{wheel.name} says that it is {version}")
        moves = ("--moves", "f3 e5 g4")
        answer = json.loads(_run(plyout, "search", "--nodes", "2000", *moves, "--json", **home))
        if answer["bestmove"] != "d8h4":
            sys.exit(f"{python}: the search misses a mate in one: {answer}")
        where = _run(f"{folder}/venv/bin/python", "-c", "import plyout; print(plyout.__file__)").strip()
        if not where.startswith(folder):
            sys.exit(f"not the wheel was tried, but {where}")
        print(f"{_run(python, '--version').strip()}: {version} is installed from the wheel and mates by Qh4")


if __name__ == "__main__":
    main()
