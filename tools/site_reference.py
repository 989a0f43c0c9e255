"""The reference pages of the documentation, made from the sources: what they say is what the program does."""

import importlib
import inspect
import re
from collections.abc import Iterator, Sequence
from typing import Any

from plyout.cli.help import value_type, walk
from plyout.cli.main import command_line
from plyout.cli.sections import SECTIONS
from plyout.parameters import SETTINGS, TABLE
from plyout.presets import RULES, preset, presets
from plyout.search.built_in import BUILT_IN
from plyout.search.choose import RULES as CHOICES
from plyout.search.graph import EDGE, NODE
from plyout.uci.options import options

API = {
    "The engine": ("plyout.Engine", "plyout.Limits", "plyout.Stop"),
    "What a search answers": (
        "plyout.Result", "plyout.engine.result.MoveStatistics", "plyout.engine.tree.Tree",
        "plyout.engine.history.History",
    ),
    "Why": (
        "plyout.explain.explain", "plyout.explain.Explanation", "plyout.explain.Statement",
        "plyout.search.proof.certificate.check_certificate",
    ),
    "Matches": ("plyout.lab.match.match.match", "plyout.lab.match.match.tournament"),
    "Networks of your own": ("plyout.networks.positions.Positions",),
    "Mistakes": ("plyout.errors.InputError",),
}  # fmt: skip
FORMATS = {  # what, and the module whose docstring describes it
    "Presets: `.toml`": "plyout.presets",
    "Experiments: `games.sqlite`": "plyout.lab.match.store",
    "Search trees: `.npz`": "plyout.engine.tree_file",
    "Books: `.tsv`": "plyout.knowledge.books.entries",
    "Books: `.bin`": "plyout.knowledge.books.polyglot",
    "Endgame tables": "plyout.knowledge.tables.files",
    "Puzzles": "plyout.lab.puzzles.read",
    "Positions with traps": "plyout.lab.traps.positions",
    "Small networks: `.plynet`": "plyout.networks.small.file",
    "Labelled games: `games-*.bin.xz`": "plyout.lab.train.games",
    "Compiled kernels": "plyout.cache.store",
}


def pages() -> dict[str, str]:
    """The pages by the names of their files."""
    return {
        "command-line.md": _command_line(),
        "uci-options.md": _uci_options(),
        "parameters.md": _parameters(),
        "python.md": _python(),
        "file-formats.md": _file_formats(),
    }


def _command_line() -> str:
    root = command_line()
    told = ["# All commands", "What they have in common is told [elsewhere](../commands.md)."]
    known = {words[0]: each for words, each in walk(root) if len(words) == 1}
    for section, commands in SECTIONS.items():
        told.append(f"## {section}")
        for name in commands:
            if name in known:
                told += _command((name,), known[name])
    return _page(told)


def _command(path: tuple[str, ...], command: Any) -> Iterator[str]:
    for words, each in walk(command, path):
        is_group = hasattr(each, "commands")
        if is_group and not each.invoke_without_command:
            yield f"### {' '.join(words)}"
            yield _prose(each.help or "")
            continue
        yield f"### {' '.join(words)}"
        arguments = [p for p in each.params if p.param_type_name == "argument"]
        shown = " ".join(_argument(p) for p in arguments)
        yield f"```\nplyout {' '.join(words)} {shown}".rstrip() + " [OPTIONS]\n```"
        yield _prose(each.help or "")
        rows = [(f"`{_argument(p)}`", _prose(p.help or "")) for p in arguments if p.help]
        rows += [(_option(p), _explained(each, p)) for p in each.params if p.param_type_name == "option"]
        rows = [row for row in rows if "`--help`" not in row[0]]
        if rows:
            yield _table(("option", "meaning"), rows)


def _argument(parameter: Any) -> str:
    name = parameter.metavar or str(parameter.name).upper() + ("..." if parameter.nargs == -1 else "")
    return name if parameter.required or name.startswith("[") else f"[{name}]"


def _option(parameter: Any) -> str:
    value = f" {parameter.metavar}" if parameter.metavar else ""
    names = [f"`{name}{value}`" for name in reversed(parameter.opts)]
    return ", ".join([*reversed(names), *(f"`{name}`" for name in parameter.secondary_opts)])


def _explained(command: Any, parameter: Any) -> str:
    text, default = _prose(parameter.help or ""), parameter.default
    if default is not None and default != "" and "[default" not in text and value_type(command, parameter) is not bool:
        text += f" Default: {default:,}." if isinstance(default, int) else f" Default: {_plain(default)}."
    return re.sub(r"\s*\[default: (.*?)\]", r" Default: \1.", text)


def _plain(default: object) -> str:
    return f"{default:g}" if isinstance(default, float) else str(default)


def _uci_options() -> str:
    told = ["# UCI options", "What `plyout uci` offers to chess programs, with the default preset's values. "
            "Every [parameter](parameters.md) is an option."]  # fmt: skip
    rows = []
    for option in options(preset("plyout")):
        kind, _, rest = option.kind.partition(" ")
        limits = re.search(r"min (\S+) max (\S+)", rest)
        values = re.findall(r"var (\S+)", rest)
        allowed = f"{limits[1]} to {limits[2]}" if limits else ", ".join(values)
        if option.name == "Preset":
            allowed = "those of `plyout presets`"
        meaning = option.parameter.help if option.parameter else _OF_UCI[option.name]
        rows.append((f"`{option.name}`", kind, option.default or "", allowed, _prose(meaning)))
    told.append(_table(("option", "type", "default", "values", "meaning"), rows))
    return _page(told)


_OF_UCI = {
    "Preset": "the system that plays",
    "MultiPV": "how many moves are told, each with its line",
    "Ponder": "the program may let it think in the opponent's time",
    "OwnBook": "play from its opening book, where it has one",
    "UCI_Chess960": "castling is king takes rook",
    "UCI_Variant": "the game",
    "UCI_ShowWDL": "tell the chances to win, draw and lose, in per mille",
    "UCI_LimitStrength": "play like somebody of UCI_Elo",
    "UCI_Elo": "how strong, if UCI_LimitStrength is on",
    "Debug Log File": "a file for all lines that come and go",
}


def _parameters() -> str:
    told = ["# Parameters", "Keys of presets, `--set NAME=VALUE`, options of UCI and keywords of `Engine`: one table."]
    rows = []
    for p in TABLE:
        default = p.names[int(p.default)] if p.names else f"{p.default:g}"
        allowed = ", ".join(p.names) if p.names else f"{p.low:g} to {p.high:g}" + (", whole" if p.whole else "")
        rows.append((f"`{p.name}`", default, allowed, _prose(p.help), _set_by(p.name)))
    rows += [(f"`{s.name}`", s.default, "text", _prose(s.help), _set_by(s.name)) for s in SETTINGS]
    told.append(_table(("parameter", "default", "values", "meaning", "set by"), rows))
    told += ["## Rules", "Set like parameters; `select`, `evaluate` and `prior` may be functions of your own."]
    built = {name: list(found) for name, found in BUILT_IN.items()} | {"choose": list(CHOICES)}
    of_traps = ["see [traps](../traps.md)"]
    rules = [(f"`{name}`", default, ", ".join(built.get(name, of_traps))) for name, default in RULES.items()]
    told.append(_table(("rule", "default", "built in"), rules))
    return _page(told)


def _set_by(name: str) -> str:
    """The presets that change a parameter: their names, or how many they are."""
    found = [p.name for p in presets().values() if name in p.parameters]
    return f"{len(found)} presets" if len(found) > 3 else ", ".join(f"`{one}`" for one in found)


def _python() -> str:
    told = ["# Python", "What programs may use. Names with an underscore, and modules that are not here, may change."]
    for title, names in API.items():
        told.append(f"## {title}")
        for name in names:
            module, _, attribute = name.rpartition(".")
            told += _object(name, getattr(importlib.import_module(module), attribute))
    return _page(told)


def _object(name: str, found: Any) -> Iterator[str]:
    yield f"### {name}"
    if inspect.isclass(found) and issubclass(found, Exception):
        yield _prose(inspect.getdoc(found) or "")
        return
    yield f"```python\n{name.rpartition('.')[2]}{_signature(found)}\n```"
    yield _docstring(found)
    if not inspect.isclass(found):
        return
    for member, value in vars(found).items():
        if member.startswith("_"):
            continue
        function = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
        if inspect.isfunction(function) and function.__doc__:
            shown = member if isinstance(value, property) else f"{member}{_signature(function)}"
            yield f"**`{shown}`**"
            yield _docstring(function)


def _signature(found: Any) -> str:
    signature = inspect.signature(found)
    plain = (str, int, float, bool, type(None), tuple)
    shown = [
        p if p.default is p.empty or isinstance(p.default, plain) else p.replace(default=...)
        for p in signature.parameters.values()
    ]
    text = str(signature.replace(parameters=shown)).replace("Ellipsis", "…")
    return re.sub(r"(?:plyout|collections|typing|numpy|chess|pathlib)\.(?:\w+\.)*(\w+)", r"\1", text).replace("'", "")


def _docstring(found: Any) -> str:
    return _prose(inspect.getdoc(found) or "")


def _file_formats() -> str:
    told = ["# File formats", "What Plyout writes and reads beside PGN, EPD and UCI, as the modules say that do it."]
    for title, module in FORMATS.items():
        told += [f"## {title}", _prose(inspect.getdoc(importlib.import_module(module)) or ""), f"Module `{module}`."]
        if module == "plyout.engine.tree_file":
            told.append("`Tree.save` writes it, `Tree.load` reads it; without pickle. Its records are the search's:")
            for name, kind in (("nodes", NODE), ("edges", EDGE)):
                rows = [(f"`{field}`", str(kind.fields[field][0]), str(kind.fields[field][1])) for field in kind.names]
                told.append(_table((f"field of {name}", "type", "byte"), rows))
    return _page(told)


def _prose(text: str) -> str:
    """A docstring as Markdown: literals in single backticks, examples in fences."""
    text = re.sub(r"``(.+?)``", r"`\1`", text)
    text = re.sub(r"(?m)^((?:>>>|\.\.\.) .*\n?(?:(?!\n).*\n?)*)", lambda m: f"```pycon\n{m[1].rstrip()}\n```\n", text)
    return text.strip()


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    cells = [[" ".join(cell.split()).replace("|", "\\|") for cell in line] for line in (head, *rows)]
    cells.insert(1, ["---"] * len(head))
    return "\n".join(f"| {' | '.join(line)} |" for line in cells)


def _page(parts: list[str]) -> str:
    return "\n\n".join(part for part in parts if part) + "\n"
