"""The report of a reproduction: what is stored, beside the papers, with a verdict on each experiment.

It is made of nothing but the store: the same results give the same report, letter by letter.
"""

from collections.abc import Iterable, Sequence
from math import isinf
from typing import Any

from plyout.lab.match.store import write_whole
from plyout.lab.report.page import Block, Cell, Facts, Figure, Heading, Table, Text, html, markdown
from plyout.lab.report.plots import beside, signed
from plyout.lab.report.report import setting_words
from plyout.lab.reproduce.experiment import Bench, Experiment, Findings, Study, Tournament
from plyout.lab.reproduce.run import about, skipped
from plyout.lab.reproduce.verdict import AGREES, DIFFERS, RULE, UNDECIDED, Number, Row, overall, why

TITLE = "Five papers on Monte-Carlo chess, reproduced"
_TINT = {AGREES: 0.25, DIFFERS: -0.35, UNDECIDED: 0.0}
_ENDLESS = ("∞", "−∞")
_FARTHEST = 2300.0  # Elo beyond which an interval's end means that there is none


def write_report(experiments: Iterable[Experiment], bench: Bench) -> dict[str, Any]:
    """Write ``report.md`` and ``report.html``; what they say comes back for programs."""
    told = [_Told(e, bench) for e in experiments]
    told = [t for t in told if t.state]
    blocks = [*_head(bench, told), *(block for t in told for block in t.blocks())]
    write_whole(bench.out / "report.md", markdown(TITLE, blocks))
    write_whole(bench.out / "report.html", html(TITLE, blocks))
    return {**about(bench.out), "experiments": [t.as_dict() for t in told]}


def _head(bench: Bench, told: Sequence["_Told"]) -> list[Block]:
    known = about(bench.out)
    count = {v: sum(t.verdict == v for t in told) for v in (AGREES, DIFFERS, UNDECIDED)}
    facts = [("experiments", f"{len(told)}"), *((v, f"{n}") for v, n in count.items())]
    facts += [("scale", str(known.get("scale", ""))), ("seed", str(known.get("seed", "")))]
    rows: list[list[str | Cell]] = [
        [t.experiment.name, t.experiment.title, Cell(t.state, tint=_TINT.get(t.verdict, 0.0)), t.tally, t.sentence]
        for t in told
    ]
    machines = [Text(f"Machine: {name}.") for name in known.get("machines", [])]
    return [
        Facts(facts),
        *machines,
        Table(["experiment", "what", "verdict", "numbers that agree", "why"], rows, left=5),
        Text(RULE),
    ]


class _Told:
    """One experiment as the report tells it."""

    def __init__(self, experiment: Experiment, bench: Bench) -> None:
        self.experiment, self._bench = experiment, bench
        self.skipped = skipped(bench, experiment)
        self.findings = None if self.skipped else experiment.findings(bench)
        self.verdict = overall(self.findings.claims, self.findings.rows) if self.findings else ""

    @property
    def state(self) -> str:
        """The verdict in words; empty where nothing has been done."""
        if self.skipped:
            return "skipped"
        if self.findings is None:
            begun = any(part.found(self._bench) is not None for part in self.experiment.parts)
            return "begun" if begun else ""
        words = self.verdict or "no number to compare"
        return words if self.experiment.is_done(self._bench) else f"{words} so far"

    @property
    def sentence(self) -> str:
        if self.skipped:
            return self.skipped
        return why(self.verdict, self.experiment.why) if self.verdict else ""

    @property
    def tally(self) -> str:
        """How many of the paper's numbers ours agree with, whatever its statements say."""
        verdicts = [row.verdict for row in self.findings.rows if row.verdict] if self.findings else []
        return f"{verdicts.count(AGREES)} of {len(verdicts)}" if verdicts else ""

    def blocks(self) -> list[Block]:
        e = self.experiment
        blocks: list[Block] = [Heading(f"{e.name}: {e.title}"), Text(f"Verdict: {self.state}. {self.sentence}")]
        if self.findings is not None:
            blocks += _numbers(self.findings)
            blocks += _claims(self.findings)
            blocks += self.findings.blocks
        for part in e.parts:
            if part.found(self._bench) is not None:
                blocks += _settings(part, self._bench)
        return blocks

    def as_dict(self) -> dict[str, Any]:
        rows = [_row(r) for r in self.findings.rows] if self.findings else []
        claims = [_row(r) for r in self.findings.claims] if self.findings else []
        about_it = {"name": self.experiment.name, "title": self.experiment.title, "state": self.state}
        return about_it | {"verdict": self.verdict or None, "why": self.sentence, "numbers": rows, "statements": claims}


def _row(row: Row) -> dict[str, Any]:
    def ends(number: Number | None) -> dict[str, Any] | None:
        if number is None:
            return None
        named = {"value": number.value, "low": number.low, "high": number.high}
        return {k: None if isinf(v) else v for k, v in named.items()}

    return {"what": row.what, "paper": ends(row.paper), "ours": ends(row.ours), "verdict": row.verdict or None}


def _numbers(found: Findings) -> list[Block]:
    if not found.rows:
        return []
    rows: list[list[str | Cell]] = []
    for row in found.rows:
        cells = [*_cells(row.paper, found), *_cells(row.ours, found)]
        rows.append([row.what, *cells, Cell(row.verdict, tint=_TINT.get(row.verdict, 0.0))])
    head = [found.unit, "paper", "95 %", "ours", "95 %", "verdict"]
    drawn = [
        (row.what, (row.ours.value, row.ours.low, row.ours.high), None if row.paper is None else row.paper.value)
        for row in found.rows
        if row.ours is not None
    ]
    blocks: list[Block] = [Table(head, rows)]
    if drawn and found.drawn:
        caption = f"{found.unit}: ours with its 95 % interval; a ring is the paper's number"
        blocks.append(Figure(beside(drawn, found.digits if found.unit != "Elo" else None), caption))
    return blocks


def _claims(found: Findings) -> list[Block]:
    if not found.claims:
        return []
    rows: list[list[str | Cell]] = [
        [row.what, *_cells(row.ours, found), Cell(row.verdict, tint=_TINT.get(row.verdict, 0.0))]
        for row in found.claims
    ]
    return [Table(["the paper says", "ours" + (f", {found.unit}" if found.unit else ""), "95 %", "verdict"], rows)]


def _cells(number: Number | None, found: Findings) -> tuple[str, str]:
    if number is None:
        return "", ""
    if not number.width:
        return _shown(number.value, found), ""
    return _shown(number.value, found), f"{_shown(number.low, found)} to {_shown(number.high, found)}"


def _shown(value: float, found: Findings) -> str:
    if found.unit == "Elo":
        return _ENDLESS[value < 0] if abs(value) > _FARTHEST else signed(value)
    return _ENDLESS[value < 0] if isinf(value) else f"{value:,.{found.digits}f}"


def _settings(part: Tournament | Study, bench: Bench) -> list[Block]:
    found = part.settings(bench)
    rows: list[list[str | Cell]] = [[name, text] for name, value in found.items() if (text := setting_words(value))]
    if isinstance(part, Tournament) and (results := part.found(bench)) is not None:
        faults = "; ".join(results.fault_lines()) or "none"
        ends = ", ".join(f"{count} {reason}" for reason, count in results.endings().items())
        rows += [["games lost by faults", faults], ["endings", ends]]
    return [Table([f"settings of {part.name}", ""], rows, left=2)]
