"""Books and names of openings in UCI."""

from pathlib import Path

from tests.uci.client import Talk


def test_book_moves_come_at_once_and_say_so(talk: Talk) -> None:
    talk.ask("setoption name Book value own", "ucinewgame", "position startpos")
    lines = talk.go("movetime 60000", 60)
    assert "info string this move is from the book" in lines
    assert lines[-1] == "bestmove e2e4"
    talk.ask("setoption name OwnBook value false")
    assert "info string this move is from the book" not in talk.go("nodes 50", 60)
    talk.ask("setoption name OwnBook value true", "setoption name Book Use value prune", "position startpos moves e2e4")
    lines = talk.go("nodes 200", 60)
    assert lines[-1].split()[1] in "e7e5 e7e6 c7c5 c7c6 d7d5 d7d6 g7g6 g8f6 b8c6 b7b6 a7a6 f7f5 g7g5".split()  # noqa: SIM905
    assert "nodes 200" in lines[-2]


def test_the_openings_name_is_told_when_it_changes(talk: Talk) -> None:
    told = []
    for moves in ("", " moves e2e4", " moves e2e4 c7c5", " moves e2e4 c7c5 a2a3", " moves e2e4 c7c5 g1f3 d7d6"):
        talk.ask("position startpos" + moves)
        told.append([line for line in talk.go("nodes 20") if "opening" in line])
    name = "info string opening "
    assert told == [
        [], [name + "B00 King's Pawn Opening"], [name + "B20 Sicilian Defence"], [],
        [name + "B50 Sicilian Defence, Modern Variations"],
    ]  # fmt: skip


def test_a_book_that_is_not_there_is_said_and_the_engine_goes_on(talk: Talk, tmp_path: Path) -> None:
    talk.send(f"setoption name Book value {tmp_path / 'none.bin'}", "isready")
    assert any("there is no book" in line for line in talk.until("readyok"))
    talk.ask("setoption name Book value <empty>")
    assert talk.go("nodes 20", 60)[-1].startswith("bestmove")


def test_a_damaged_book_names_its_damage(talk: Talk, tmp_path: Path) -> None:
    (tmp_path / "b.tsv").write_text("eco\tname\tpgn\nA00\tGrob\tg4\nA00\thalf")
    talk.send(f"setoption name Book value {tmp_path / 'b.tsv'}", "isready")
    assert any("left out of the book" in line and "b.tsv:3:" in line for line in talk.until("readyok", 60))
    assert talk.go("nodes 20")[-1] == "bestmove g2g4"
