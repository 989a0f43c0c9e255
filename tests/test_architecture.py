"""The house keeps its shape: imports go one way, functions take few parameters, files stay short.

Complexity is ruff's to watch; what it cannot say is said here.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT

PACKAGE = ROOT / "src/plyout"
MODULES = sorted(PACKAGE.rglob("*.py"))
CODE = sorted(
    path for folder in ("src", "tests", "tools", "examples", "bench") for path in (ROOT / folder).rglob("*.py")
)

BELOW_ALL = {"errors", "folders", "progress", "parameters"}
"""Modules that anybody may read, and that read at most each other."""

MAY_IMPORT: dict[str, set[str]] = {
    "errors": set(),
    "progress": set(),
    "folders": set(),
    "parameters": {"errors"},
    "cache": set(),
    "kernel": {"cache"},
    "games": {"kernel"},
    "evaluate": {"kernel", "games", "networks"},
    "networks": {"kernel", "games"},
    "knowledge": {"kernel", "games"},
    "playout": {"kernel", "games", "evaluate", "networks", "knowledge"},
    "search": {"kernel", "games", "evaluate", "networks", "knowledge", "playout"},
    "presets": {"parameters"},
    "engine": {"kernel", "games", "evaluate", "networks", "knowledge", "playout", "search", "presets"},
    "explain": {"kernel", "games", "evaluate", "networks", "knowledge", "playout", "search", "presets", "engine"},
}
"""What the rooms of the house may use beside themselves and BELOW_ALL; those on the roof may use all of these."""

ROOF = {"uci", "board", "lab", "play", "cli"}
ON_THE_ROOF: dict[str, set[str]] = {
    "uci": set(), "board": set(), "lab": set(), "play": {"lab"}, "cli": {"uci", "board", "lab", "play"},
    "__main__": {"cli"},
}  # fmt: skip
"""What they may use of each other."""

PACKAGE_ITSELF = "engine"
"""``from plyout import Engine`` is an import of the engine."""

KNOWN = {
    ("engine/result.py", "explain"): "a result explains itself, and what explains it searches with an engine",
    ("lab/match/players.py", "uci"): "an engine that is played by UCI gets its options by the names that UCI knows",
}
"""Imports that go against the order, each with its reason. Make this list shorter, not longer."""

MOST_PARAMETERS = 8
MOST_LINES = 400
LONG_FILES = {"src/plyout/evaluate/policy/weights.py"}  # a fitted table


def room_of(path: Path) -> str:
    """The part of the package that a file belongs to."""
    first = path.relative_to(PACKAGE).parts[0]
    return PACKAGE_ITSELF if first == "__init__.py" else first.removesuffix(".py")


def imported(path: Path) -> Iterator[str]:
    """The parts of the package that a file imports, inside of functions, too."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            names = [node.module or ""]
            if node.module == "plyout":  # a module of the package, or what the package itself exports
                rooms = {room_of(module) for module in MODULES}
                names = [f"plyout.{a.name}" if a.name in rooms else "plyout" for a in node.names]
        for name in names:
            package, *rest = name.split(".")
            if package == "plyout":
                yield rest[0] if rest else PACKAGE_ITSELF


def allowed(room: str) -> set[str]:
    if room in BELOW_ALL or room == "presets":
        return {room} | MAY_IMPORT[room] | {"errors"}
    if room in MAY_IMPORT:
        return {room} | MAY_IMPORT[room] | BELOW_ALL
    return {room} | set(MAY_IMPORT) | BELOW_ALL | ON_THE_ROOF[room]


def test_every_part_of_the_package_has_its_place() -> None:
    rooms = {room_of(path) for path in MODULES}
    assert rooms == set(MAY_IMPORT) | set(ON_THE_ROOF)
    assert set(ON_THE_ROOF) >= ROOF


def test_no_import_goes_upward() -> None:
    upward = {
        (path.relative_to(PACKAGE).as_posix(), other)
        for path in MODULES
        for other in imported(path)
        if other not in allowed(room_of(path))
    }
    assert upward - set(KNOWN) == set(), "these imports go against the order of the parts"
    assert set(KNOWN) <= upward, "an exception that nobody needs any more"


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def parameters_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    """The names of the parameters, but for the object that a method belongs to."""
    arguments = function.args
    names = [a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
    return names[1:] if names[:1] in (["self"], ["cls"]) else names


def is_command(path: Path, function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function is a command of the command line, whose parameters are its options."""
    return path.is_relative_to(PACKAGE / "cli") and "typer.Option" in ast.unparse(function.args)


def test_no_function_takes_more_than_eight_parameters() -> None:
    crowded = {
        f"{path.relative_to(ROOT)}:{function.lineno} {function.name}": len(parameters_of(function))
        for path in CODE
        for function in functions(path)
        if len(parameters_of(function)) > MOST_PARAMETERS and not is_command(path, function)
    }
    assert not crowded


@pytest.mark.parametrize("path", [str(path.relative_to(ROOT)) for path in CODE])
def test_no_file_of_code_is_longer_than_four_hundred_lines(path: str) -> None:
    lines = len((ROOT / path).read_text(encoding="utf-8").splitlines())
    assert lines <= MOST_LINES or path in LONG_FILES
