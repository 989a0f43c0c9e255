"""The report of a reproduction: what is stored, beside the papers, with a verdict on each experiment.

It is made of nothing but the stores: the same results give the same report, letter by letter. Several folders make one
report: of each experiment what was done at the largest scale is told, and games of several seeds count together.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import isinf
from pathlib import Path
from typing import Any

from plyout.lab.match.store import write_whole
from plyout.lab.report.page import Block, Cell, Facts, Figure, Heading, Table, Text, html, markdown
from plyout.lab.report.plots import beside, signed
from plyout.lab.report.report import setting_words
from plyout.lab.reproduce.experiment import SCALES, Bench, Experiment, Findings, Study, Tournament
from plyout.lab.reproduce.run import about, skipped
from plyout.lab.reproduce.verdict import (
    AGREES,
    DIFFERS,
    ENDLESS,
    MOST,
    NOT_KNOWN,
    RULE,
    UNDECIDED,
    Number,
    Row,
    overall,
)

TITLE = "Five papers on Monte-Carlo chess, reproduced"
PAPERS = {
    "arenz": "Arenz 2012", "xu": "Xu 2024", "czech": "Czech et al. 2021", "topolewski": "Topolewski 2019",
    "singh": "Singh 2023",
}  # fmt: skip
NOTHING, SKIPPED = "nothing to compare", "skipped"
_TINT = {AGREES: 0.25, DIFFERS: -0.35, UNDECIDED: 0.0}
_ENDLESS = ("∞", "−∞")
_NAMED = 4  # of what differs, in the summary
_LARGE = 1_000  # numbers of which nobody reads the decimals
_CUT, _MANY = "adjudication: length", 0.25  # games that end so, and what share of them is too many


def write_report(experiments: Iterable[Experiment], out: Path, benches: Sequence[Bench]) -> dict[str, Any]:
    """Write ``report.md`` and ``report.html`` of what the benches' folders hold; it comes back for programs."""
    told = [_Told(e, benches) for e in experiments]
    told = [t for t in told if t.state]
    blocks = [*_head(benches, told), *(block for t in told for block in t.blocks())]
    write_whole(out / "report.md", markdown(TITLE, blocks))
    write_whole(out / "report.html", html(TITLE, blocks))
    return {"runs": [about(bench.out) for bench in benches], "experiments": [t.as_dict() for t in told]}


def _head(benches: Sequence[Bench], told: Sequence["_Told"]) -> list[Block]:
    count = {v: sum(t.verdict == v for t in told) for v in (AGREES, DIFFERS, UNDECIDED)}
    facts = [("experiments", f"{len(told)}"), *((v, f"{n}") for v, n in count.items())]
    facts += [(what, f"{n}") for what in (NOTHING, SKIPPED) if (n := sum(t.state == what for t in told))]
    facts += [(f"at {scale} scale", f"{n}") for scale in SCALES if (n := sum(t.scale == scale for t in told))]
    rows: list[list[str | Cell]] = [
        [t.experiment.name, Cell(f"{t.state} {t.tally}", tint=_TINT.get(t.verdict, 0.0)), t.experiment.title,
         f"{t.scale} scale" if t.scale else "", t.sentence]
        for t in told
    ]  # fmt: skip
    runs = {f"{b.scale} scale, seed {b.seed}: {name}." for b in benches for name in about(b.out).get("machines", [])}
    head = ["experiment", "verdict", "what", "scale", "what differs, or would decide"]
    tally = Text("In brackets: how many statements and numbers agree, differ and are undecided.")
    return [Facts(facts), *map(Text, sorted(runs)), Table(head, rows, left=5), tally, Text(RULE)]


class _Told:
    """One experiment as the report tells it: complete at the largest scale, or else as far as it came."""

    def __init__(self, experiment: Experiment, benches: Sequence[Bench]) -> None:
        self.experiment = experiment
        by_scale = [[b for b in benches if b.scale == scale] for scale in reversed(SCALES)]
        begun = [b for b in by_scale if b and experiment.is_begun(b)]
        self.done = next((b for b in begun if experiment.is_done(b)), None)
        self.benches = self.done or (begun[0] if begun else [])
        self.cut = _cut_short(experiment, self.benches)
        self.findings = experiment.findings(self.benches) if self.benches else None
        if self.findings and self.cut:
            rows, claims = ([replace(r, cut=True) for r in some] for some in (self.findings.rows, self.findings.claims))
            self.findings = replace(self.findings, rows=rows, claims=claims)
        self.skipped = "" if begun else next(filter(None, (skipped(b, experiment) for b in benches)), "")
        self.rows = [*self.findings.claims, *self.findings.rows] if self.findings else []
        self.verdict = overall(self.rows)

    @property
    def scale(self) -> str:
        return self.benches[0].scale if self.benches else ""

    @property
    def state(self) -> str:
        """The verdict in words; empty where nothing has been done."""
        if self.skipped:
            return SKIPPED
        if self.findings is None:
            return "begun" if self.benches else ""
        words = self.verdict or NOTHING
        return words if self.done else f"{words} so far"

    @property
    def tally(self) -> str:
        """How many of the statements and numbers agree, differ and are undecided."""
        verdicts = [row.verdict for row in self.rows if row.verdict]
        counts = "/".join(str(verdicts.count(v)) for v in (AGREES, DIFFERS, UNDECIDED))
        return f"({counts})" if verdicts else ""

    @property
    def sentence(self) -> str:
        """What differs, with the reason as far as one was tested; or what would decide."""
        if self.findings is None:
            return self.skipped
        found = self.findings
        if self.verdict == DIFFERS:
            differ = [_beside(row, found) for row in self.rows if row.verdict == DIFFERS]
            more = [f"and {len(differ) - _NAMED} more"] if len(differ) > _NAMED else []
            names = "; ".join(differ[:_NAMED] + more)
            return f"{names}. {f'Tested: {found.reason}' if found.reason else NOT_KNOWN}"
        if self.verdict != UNDECIDED:
            return ""
        if self.cut:
            return f"{self.cut} were cut short by their length and count as drawn: whole games would decide."
        open_rows = [row for row in self.rows if row.verdict == UNDECIDED]
        counts = [(row.deciding, row.ours.samples) for row in open_rows if row.deciding and row.ours]
        if not counts:
            return found.else_decides or f"More {found.counted} alone would not decide it."
        most, have = max(counts)
        told = f"About {_rounded(most)} {found.counted} would decide"
        if len(counts) == len(open_rows):
            return f"{told}; there are {have:,}."
        part = f"{told} {len(counts)} of {len(open_rows)} (there are {have:,})"
        return f"{part}; more {found.counted} alone would not decide the rest."

    def blocks(self) -> list[Block]:
        e, scale = self.experiment, f" at {self.scale} scale" if self.scale else ""
        source = ", ".join(filter(None, [PAPERS.get(e.paper), e.where]))
        verdict = f"Verdict{scale}: {self.state}. {self.sentence}"
        blocks: list[Block] = [Heading(f"{e.name}: {e.title}"), Text(f"Source: {source}."), Text(verdict)]
        if self.findings is not None:
            blocks += _numbers(self.findings)
            blocks += _claims(self.findings)
            blocks += self.findings.blocks
        for part in e.parts:
            if self.benches and part.found(self.benches) is not None:
                blocks += _settings(part, self.benches)
        return blocks

    def as_dict(self) -> dict[str, Any]:
        rows = [_row(r) for r in self.findings.rows] if self.findings else []
        claims = [_row(r) for r in self.findings.claims] if self.findings else []
        e = self.experiment
        about_it = {"name": e.name, "title": e.title, "where": e.where, "scale": self.scale or None}
        said = {"state": self.state, "verdict": self.verdict or None, "why": self.sentence}
        return about_it | said | {"numbers": rows, "statements": claims}


def _cut_short(experiment: Experiment, benches: Sequence[Bench]) -> str:
    """How many games were cut short by their length, where that is too many; else nothing."""
    games = cut = 0
    for part in experiment.parts:
        if isinstance(part, Tournament) and (found := part.found(benches)) is not None:
            games, cut = games + len(found.games), cut + found.endings().get(_CUT, 0)
    return f"{cut} of {games} games" if cut > _MANY * games else ""


def _rounded(count: int) -> str:
    """
    >>> _rounded(63), _rounded(4321)
    ('63', '4,300')
    """
    digits = max(0, len(str(count)) - 2)
    return f"{round(count, -digits):,}"


def _beside(row: Row, found: Findings) -> str:
    ours = _shown(row.ours.value, found, row.unit) if row.ours else ""
    if row.quote is not None:
        return f"{row.what} {_range(row, found)}: ours {ours}"
    return f"{row.what}: ours {ours}, paper {_shown(row.paper.value, found, row.unit) if row.paper else ''}"


def _range(row: Row, found: Findings) -> str:
    """What a statement is tested as: the range that our number is said to lie in."""
    assert row.paper is not None
    low, high = (_shown(end, found, row.unit) for end in (row.paper.low, row.paper.high))
    if isinf(row.paper.high):
        return f"> {low}"
    return f"< {high}" if isinf(row.paper.low) else f"from {low} to {high}"


def _row(row: Row) -> dict[str, Any]:
    def ends(number: Number | None) -> dict[str, Any] | None:
        if number is None:
            return None
        named = {"value": number.value, "low": number.low, "high": number.high}
        return {k: None if isinf(v) else v for k, v in named.items()} | {"samples": number.samples or None}

    said = {"words": row.quote.words, "where": row.quote.where} if row.quote else {}
    verdict = {"verdict": row.verdict or None, "would_decide": row.deciding}
    return {"what": row.what, **said, "paper": ends(row.paper), "ours": ends(row.ours), **verdict}


def _numbers(found: Findings) -> list[Block]:
    if not found.rows:
        return []
    rows: list[list[str | Cell]] = []
    for row in found.rows:
        rows.append([row.what, *_cells(row.paper, found, row.unit), *_cells(row.ours, found, row.unit), *_verdict(row)])
    head = [found.unit, "paper", "95 %", "ours", "95 %", "verdict", f"{found.counted} to decide"]
    drawn = [
        (row.what, (row.ours.value, row.ours.low, row.ours.high), None if row.paper is None else row.paper.value)
        for row in found.rows
        if row.ours is not None and not row.unit
    ]
    blocks: list[Block] = [Table(head, rows)]
    if drawn and found.drawn:
        caption = f"{found.unit}: ours with its 95 % interval; a ring is the paper's number"
        blocks.append(Figure(beside(drawn, found.digits if found.unit != "Elo" else None), caption))
    return blocks


def _claims(found: Findings) -> list[Block]:
    """Each quotation once, and below it what it was tested as."""
    blocks: list[Block] = []
    ours = "ours" + (f", {found.unit}" if found.unit else "")
    for quote in dict.fromkeys(row.quote for row in found.claims if row.quote is not None):
        rows: list[list[str | Cell]] = [
            [f"{row.what} {_range(row, found)}", *_cells(row.ours, found, row.unit), *_verdict(row)]
            for row in found.claims
            if row.quote == quote
        ]
        head = ["tested as", ours, "95 %", "verdict", f"{found.counted} to decide"]
        blocks += [Text(f"“{quote.words}” ({quote.where})"), Table(head, rows)]
    return blocks


def _verdict(row: Row) -> tuple[Cell, str]:
    deciding = row.deciding
    more = _rounded(deciding) if deciding is not None else f"> {MOST:,} times" if row.verdict == UNDECIDED else ""
    more = "whole ones" if row.cut and row.verdict else more
    return Cell(row.verdict, tint=_TINT.get(row.verdict, 0.0)), more


def _cells(number: Number | None, found: Findings, unit: str) -> tuple[str, str]:
    if number is None:
        return "", ""
    value, low, high = (_shown(end, found, unit) for end in (number.value, number.low, number.high))
    return value, f"{low} to {high}" if number.width else ""


def _shown(value: float, found: Findings, unit: str) -> str:
    if isinf(value) or (abs(value) > ENDLESS and "Elo" in (unit, found.unit)):
        return _ENDLESS[value < 0]
    if unit:
        return f"{value:,.1f} {unit}"
    return signed(value) if found.unit == "Elo" else f"{value:,.{0 if abs(value) >= _LARGE else found.digits}f}"


def _settings(part: Tournament | Study, benches: Sequence[Bench]) -> list[Block]:
    found = part.settings(benches)
    rows: list[list[str | Cell]] = [[name, text] for name, value in found.items() if (text := setting_words(value))]
    if isinstance(part, Tournament) and (results := part.found(benches)) is not None:
        faults = "; ".join(results.fault_lines()) or "none"
        ends = ", ".join(f"{count} {reason}" for reason, count in results.endings().items())
        rows += [["games lost by faults", faults], ["endings", ends]]
    return [Table([f"settings of {part.name}", ""], rows, left=2)]
