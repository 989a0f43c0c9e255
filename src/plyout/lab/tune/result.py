"""What came of a run, or has come of it so far: the parameters, how sure they are, and a preset of them."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from plyout.in_notebooks import InNotebooks
from plyout.lab.match.openings import BUILT_IN
from plyout.lab.match.results import Results
from plyout.lab.match.store import write_whole
from plyout.lab.tune.axis import Axis
from plyout.lab.tune.plan import PLUS, TuningPlan, engine_text
from plyout.parameters import BY_NAME, SETTING_BY_NAME
from plyout.presets import Preset, preset

_CONFIRM = ("--games", "2000", "--sprt", "0,5")


class Row(NamedTuple):
    """A parameter and where it has come; `moved` is in steps."""

    axis: Axis
    value: float
    moved: float


@dataclass(frozen=True)
class Tuned(InNotebooks):
    """A run and its games."""

    plan: TuningPlan
    results: Results

    @property
    def rows(self) -> list[Row]:
        point = self.plan.spsa.point
        return [
            Row(axis, axis.final(point[axis.name]), (point[axis.name] - axis.start) / axis.step)
            for axis in self.plan.spsa.axes
        ]

    @property
    def settings(self) -> dict[str, str]:
        """What differs from the preset, as texts."""
        return {**self.plan.changes, **{row.axis.name: row.axis.text(row.value) for row in self.rows}}

    def as_dict(self) -> dict[str, Any]:
        """For programs; `path` has the point after every pair."""
        spsa, estimate = self.plan.spsa, self.results.of(PLUS)
        parameters = [
            {
                "name": axis.name, "start": axis.start, "value": value, "moved_steps": moved, "low": axis.low,
                "high": axis.high, "step": axis.step,
            }
            for axis, value, moved in self.rows
        ]  # fmt: skip
        return {
            "preset": self.plan.preset,
            "pairs": spsa.done,
            "of_pairs": spsa.gains.pairs,
            "rate": spsa.gains.rate,
            "parameters": parameters,
            "chance_steps": spsa.chance,
            "games": estimate.games,
            "wins": estimate.wins,
            "draws": estimate.draws,
            "losses": estimate.losses,
            **self.results.faults(),
            "path": [dict(zip((axis.name for axis in spsa.axes), point, strict=True)) for point in spsa.path],
        }

    def confirm(self, path: Path) -> str:
        """The command that tests the preset in `path` against the one that it came from, with openings in new order."""
        conditions = self.plan.conditions
        words = ["plyout", "match", "-e", str(path), "-e", engine_text(self.plan.preset, self.plan.changes)]
        words += [*_CONFIRM, *_control(conditions.tc, conditions.movetime, conditions.nodes)]
        if conditions.variant != "chess":
            words += ["--variant", conditions.variant]
        if conditions.book != BUILT_IN:
            words += ["--openings", conditions.book]
        words += ["--seed", str(conditions.seed + 1), "--out", str(path.with_suffix("")) + "-confirmed"]
        return shlex.join(words)

    def write(self, path: Path) -> None:
        """The preset as a file that every command takes in the place of a preset's name."""
        write_whole(path, preset_text(preset(self.plan.preset), self.settings, self._comment()))

    def _comment(self) -> list[str]:
        spsa, conditions = self.plan.spsa, self.plan.conditions
        lines = [
            f"Tuned from {self.plan.preset} by plyout tune: {spsa.done} of {spsa.gains.pairs} pairs at "
            f"{conditions.control}, rate {spsa.gains.rate:.4g}, lag {spsa.lag}, seed {spsa.seed}.",
            f"By chance alone a parameter would have moved by ± {spsa.chance:.2f} steps. A match has to confirm it.",
        ]
        for axis, value, moved in self.rows:
            lines.append(f"{axis}: {axis.text(axis.start)} -> {axis.text(value)} ({moved:+.2f} steps)")
        return lines


def _control(tc: str | None, movetime: float | None, nodes: int | None) -> list[str]:
    """The options of the time control that were given."""
    given = {"--tc": tc, "--movetime": None if movetime is None else f"{movetime:g}", "--nodes": nodes}
    return [word for name, value in given.items() if value is not None for word in (name, str(value))]


def preset_text(base: Preset, changes: Mapping[str, str], comment: list[str]) -> str:
    """A preset's TOML: `base` with `changes`, and what else is to be known."""
    rules = base.rules | {name: value for name, value in changes.items() if name in base.rules}
    parameters: dict[str, Any] = base.parameters | {
        name: _value(name, value) for name, value in changes.items() if name not in base.rules
    }
    lines = [f"# {' '.join(line.split())}" for line in comment]
    lines += [f"description = {_quoted(f'{base.name}, tuned.')}", f"paper = {_quoted(base.paper)}"]
    lines += [f"search = {_quoted(base.search)}", "", "[rules]"]
    lines += [f"{name} = {_quoted(value)}" for name, value in rules.items()]
    lines += ["", "[parameters]", *(f"{name} = {_written(value)}" for name, value in parameters.items())]
    return "\n".join(lines) + "\n"


def _value(name: str, text: str) -> str | float:
    """What a text says: the number of a parameter, the name of one that has names, or a setting's text."""
    if name in SETTING_BY_NAME or BY_NAME[name].names:
        return text
    number = float(text)
    return int(number) if number.is_integer() else number


def _written(value: Any) -> str:
    return _quoted(value) if isinstance(value, str) else repr(value)


def _quoted(text: str) -> str:
    """A text as TOML writes it."""
    escaped = "".join(
        c if c.isprintable() else f"\\U{ord(c):08x}" for c in text.replace("\\", "\\\\").replace('"', '\\"')
    )
    return f'"{escaped}"'
