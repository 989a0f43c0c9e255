"""The modules of the board in the browser as one: a widget's code is a single text, which can import no files.

Each module becomes a function of its own, so that names stay apart. It handles the forms that our modules have, and a
test runs the result.
"""

import re
from functools import cache
from pathlib import Path

import plyout.board

PAGE = Path(plyout.board.__file__).parent / "static"
HERE = Path(__file__).parent / "static"
_IMPORT = re.compile(r'^import\s*\{([^}]*)\}\s*from\s*"([^"]+)";?[ \t]*$', re.MULTILINE)
_EXPORTED = re.compile(r"^export (?=(?:async )?(?:function|class|const|let) (\w+))", re.MULTILINE)
_LIST = re.compile(r"export\s*\{([^}]*)\};?\s*$")
_RENAMED = re.compile(r"(\w+)(?:\s+as\s+(\w+))?")
_CSS = ("vendor/chessground/chessground.base.css", "vendor/chessground/chessground.cburnett.css")


@cache
def code() -> str:
    """The widget's module, with all that it imports."""
    done: dict[Path, str] = {}
    parts = list[str]()
    _add((HERE / "widget.js").resolve(), done, (), parts)
    entry = done[(HERE / "widget.js").resolve()]
    return "\n".join([*parts, f"export default {entry};", ""])


@cache
def style() -> str:
    """The widget's style sheet: chessground's, and ours, which stays inside the widget."""
    files = [*(PAGE / name for name in _CSS), HERE / "widget.css"]
    return "\n".join(path.read_text(encoding="utf-8") for path in files)


def _add(path: Path, done: dict[Path, str], above: tuple[Path, ...], parts: list[str]) -> None:
    """Add a module after those that it imports; `above` are the modules that are waiting for it."""
    source = path.read_text(encoding="utf-8")
    name = f"module{len(done)}"
    done[path] = name
    heads = list[str]()
    for names, target in _IMPORT.findall(source):
        other = ((PAGE if target.startswith("board/") else path.parent) / target.removeprefix("board/")).resolve()
        if other not in done:
            _add(other, done, (*above, path), parts)
        heads += [_bound(done[other], *pair, later=other in above) for pair in _pairs(names)]
    listed = _LIST.search(source)
    exports = [(inner, inner) for inner in _EXPORTED.findall(source)]
    exports += _pairs(listed[1]) if listed else []
    body = _EXPORTED.sub("", _LIST.sub("", _IMPORT.sub("", source)))
    given = ", ".join(f"get {outer}() {{ return {inner}; }}" for inner, outer in exports)
    # what a module gives is there before it runs: two modules may import each other's functions
    parts.append(
        f"const {name} = {{}};\n(() => {{\nObject.defineProperties({name}, "
        f"Object.getOwnPropertyDescriptors({{ {given} }}));\n" + "\n".join(heads) + f"\n{body}\n}})();"
    )


def _pairs(names: str) -> list[tuple[str, str]]:
    """``a, b as c``: the names outside and inside."""
    return [(first, second or first) for first, second in _RENAMED.findall(names)]


def _bound(module: str, outer: str, inner: str, later: bool) -> str:
    """An imported name; of a module that runs `later`, only functions, which are looked up when they are called."""
    if later:
        return f"const {inner} = (...given) => {module}.{outer}(...given);"
    return f"const {inner} = {module}.{outer};"
