"""Terminals that are not UTF-8 get text that they can show."""

import io
import json
from pathlib import Path

import pytest
from rich.table import Table

from plyout.cli import streams
from plyout.cli.streams import ascii_of
from plyout.lab.report.terminal import Terminal
from tests.cli import faults

LINES = {  # commands that print tables and signs; the last are searches
    "presets": ("presets",),
    "show": ("presets", "show", "mcc-mixed"),
    "ratings": ("ratings", "GAMES"),
    "book": ("book", "lookup", "--moves", "e4 c5"),
    "elo": ("elo", "30", "45", "25"),
    "probe": ("tables", "probe", "--fen", "8/8/8/8/8/2k5/1R6/K7 w - - 0 1"),
    "search": ("search", "--nodes", "30", "--preset", "mcc", "--set", "hash_mb=4"),
}


@pytest.fixture
def games(tmp_path: Path) -> str:
    text = "".join(
        f'[White "{white}"]\n[Black "{black}"]\n[Result "{result}"]\n\n1. e4 {result}\n\n'
        for white, black, result in [
            ("Zoë [b]", "♘ir", "1-0"),
            ("♘ir", "Zoë [b]", "1/2-1/2"),
            ("♘ir", "Zoë [b]", "1-0"),
        ]
    )
    (tmp_path / "games.pgn").write_text(text, encoding="utf-8")
    return str(tmp_path / "games.pgn")


@pytest.mark.parametrize("line", LINES)
def test_every_table_can_be_printed_in_ascii(line: str, games: str) -> None:
    run = faults.plyout(
        *(games if word == "GAMES" else word for word in LINES[line]), environment={"PYTHONIOENCODING": "ascii"}
    )
    assert (run.returncode, run.stderr) == (0, b"")
    assert run.stdout.isascii()
    if line == "ratings":
        assert b"Zoe [b]" in run.stdout
        assert b"Nir" in run.stdout
    if line == "search":
        assert b"8 r n b q k b n r" in run.stdout
        assert b"|--------------+" in run.stdout


def test_signs_that_become_wider_in_ascii_do_not_break_a_table() -> None:
    """A live table whose lines are too long for the terminal is drawn again and again, one below the other."""
    streams.prepare()
    written = io.BytesIO()
    console = Terminal(file=io.TextIOWrapper(written, "ascii", streams.LOOK_ALIKES), width=24)
    table = Table("move", "line", width=24)
    table.add_row("e4", "1.e4 e5 2.Nf3 …")
    console.print(table)
    console.file.flush()
    lines = written.getvalue().decode().splitlines()
    assert any("..." in line for line in lines)
    assert {len(line) for line in lines} == {24}


@pytest.mark.parametrize("encoding", ["cp1252", "koi8-r", "utf-16"])
def test_an_encoding_keeps_the_signs_that_it_has(encoding: str, games: str) -> None:
    run = faults.plyout("ratings", games, environment={"PYTHONIOENCODING": encoding})
    assert (run.returncode, run.stderr) == (0, b"")
    text = run.stdout.decode(encoding)
    assert ("Zoe [b]" if encoding == "koi8-r" else "Zoë [b]") in text
    assert ("♘ir" if encoding == "utf-16" else "Nir") in text


def test_lc_all_c_means_ascii(games: str) -> None:
    environment = {"LC_ALL": "C", "PYTHONIOENCODING": "", "PYTHONUTF8": ""}
    run = faults.plyout("ratings", games, environment=environment)
    assert run.returncode == 0, run.stderr
    assert run.stdout.isascii()
    assert b"Zoe [b]" in run.stdout


def test_json_says_the_same_in_every_encoding() -> None:
    plain, other = (
        faults.plyout("presets", "--json", environment={"PYTHONIOENCODING": encoding})
        for encoding in ("utf-8", "ascii")
    )
    assert not plain.stdout.isascii()
    assert other.stdout.isascii()
    assert json.loads(plain.stdout.decode()) == json.loads(other.stdout)


def test_a_mistake_is_told_in_ascii_too() -> None:
    run = faults.plyout("presets", "show", "ÿ½\udcff", environment={"PYTHONIOENCODING": "ascii"})
    assert run.returncode == 2
    assert run.stderr.startswith(b"plyout: no preset is called 'y.5")
    assert run.stderr.isascii()


@pytest.mark.parametrize(
    ("text", "plain"),
    [("♔♛", "Kq"), ("½ 1½", ".5 1.5"), ("a…", "a..."), ("Björn Åse Łódź", "Bjorn Ase Lodz"), ("e\u0301", "e"),
     ("±×→−–", "+/-x->--"), ("┏━┓│", "+-+|"), ("将\udcff\x00", "??\x00"), ("ﬁ²", "fi2")],
)  # fmt: skip
def test_signs_have_look_alikes(text: str, plain: str) -> None:
    assert "".join(map(ascii_of, text)) == plain
