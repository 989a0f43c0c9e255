"""``plyout book``: answers for people and programs, one line for mistakes."""

from pathlib import Path

import chess.polyglot
import pytest

from tests.cli.client import answer, mistake, plyout

PGN = '[Result "1-0"]\n\n1. e4 e5 2. Nf3 1-0\n\n[Result "0-1"]\n\n1. e4 c5 0-1\n\n[Result "*"]\n\n1. d4 Kd5 *\n'


def test_info_and_lookup_answer_in_json() -> None:
    found = answer("book", "info", "--json")
    assert found["moves"] > 1000
    assert found["longest_line"] >= 20
    assert found["left_out"] == []
    found = answer("book", "lookup", "--moves", "e4 c5", "--json")
    assert found["opening"] == {"eco": "B20", "name": "Sicilian Defence"}
    assert found["moves"][0]["san"] == "Nf3"
    assert abs(sum(m["share"] for m in found["moves"]) - 1) < 1e-9


def test_a_book_is_built_from_games_and_exported(tmp_path: Path) -> None:
    games, book, polyglot = tmp_path / "games.pgn", tmp_path / "book.tsv", tmp_path / "book.bin"
    games.write_text(PGN)
    built = answer("book", "build", str(games), "--out", str(book), "--min-games", "1", "--json")
    assert (built["games"], built["moves"]) == (3, 5)
    assert built["left_out"][0].startswith(f"{games}:11: illegal san: 'Kd5'")
    found = answer("book", "lookup", str(book), "--json")
    assert [(m["san"], m["won"], m["drawn"], m["lost"]) for m in found["moves"]] == [("e4", 1, 0, 1), ("d4", 0, 0, 0)]
    assert answer("book", "export", str(book), "--out", str(polyglot), "--json")["moves"] == 5
    with chess.polyglot.open_reader(polyglot) as reader:
        assert {entry.move.uci() for entry in reader.find_all(chess.Board())} == {"e2e4", "d2d4"}
    assert {p.name for p in tmp_path.iterdir()} == {"games.pgn", "book.tsv", "book.bin"}


def test_readers_get_lines(tmp_path: Path) -> None:
    shown = plyout("book", "lookup", "--moves", "d4 d5 c4").stdout
    assert shown.startswith("D06 Queen's Gambit\n")
    assert "e6 " in shown
    assert "the longest line has 25 plies" in plyout("book", "info").stdout
    (tmp_path / "half.tsv").write_text("eco\tname\tpgn\nA00\tGrob\tg4\nA0")
    run = plyout("book", "info", str(tmp_path / "half.tsv"))
    assert run.returncode == 0
    assert "half.tsv:3: there must be three columns" in run.stderr


@pytest.mark.parametrize(
    "arguments, text",
    [
        (("info", "nothere.bin"), "there is no book 'nothere.bin': name a file, a folder or 'own'"),
        (("build", "nothere.pgn", "--out", "x.bin"), "there is no file nothere.pgn"),
        (("build", "x.pgn", "--out", "x.txt"), "--out must end in .bin (Polyglot) or .tsv (text), not 'x.txt'"),
        (("lookup", "--moves", "e5"), "'e5' is no legal move in "),
    ],
)
def test_mistakes_get_one_line(arguments: tuple[str, ...], text: str) -> None:
    assert mistake("book", *arguments).startswith(text)
