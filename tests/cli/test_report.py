"""``plyout report``, ``plyout ratings`` and ``plyout elo``."""

from pathlib import Path

import pytest

from tests.cli.client import answer, mistake, plyout

GAME = """[Event "?"]
[Round "{round}"]
[White "{white}"]
[Black "{black}"]
[Result "{result}"]

1. e4 e5 {result}

"""


def test_a_report_is_written_from_pgn(tmp_path: Path) -> None:
    games = [("a", "b", "1-0"), ("b", "a", "1/2-1/2"), ("a", "c", "1-0"), ("c", "a", "0-1")]
    text = "".join(GAME.format(round=1, white=w, black=b, result=r) for w, b, r in games)
    (tmp_path / "three.pgn").write_text(text)
    found = answer("report", str(tmp_path / "three.pgn"), "--out", str(tmp_path / "out"), "--json")
    assert found == {
        "games": 4,
        "markdown": str(tmp_path / "out/report.md"),
        "html": str(tmp_path / "out/report.html"),
    }
    assert (tmp_path / "out/report.md").read_text().startswith("# three\n")
    assert "<title>three</title>" in (tmp_path / "out/report.html").read_text()


def test_ratings_of_pgn(tmp_path: Path) -> None:
    games = [("a", "b", "1-0"), ("b", "a", "1/2-1/2"), ("b", "c", "1-0"), ("c", "b", "0-1")]
    (tmp_path / "three.pgn").write_text(
        "".join(GAME.format(round="?", white=w, black=b, result=r) for w, b, r in games)
    )
    found = answer("ratings", str(tmp_path / "three.pgn"), "--json")
    assert set(found) == {"players", "advantage", "draw_elo", "los", "covariance"}
    assert [player["name"] for player in found["players"]] == ["a", "b", "c"]
    assert sum(player["elo"] for player in found["players"]) == pytest.approx(0, abs=1e-6)
    run = plyout("ratings", str(tmp_path / "three.pgn"))
    assert run.returncode == 0
    assert "Elo about the mean" in run.stdout


def test_elo_of_a_result() -> None:
    found = answer("elo", "30", "45", "25", "--json")
    assert (found["wins"], found["draws"], found["losses"], found["score"]) == (30, 45, 25, 0.525)
    assert found["elo"] == pytest.approx(17.4, abs=0.05)
    assert found["low"] < 0 < found["high"]
    run = plyout("elo", "30", "45", "25")
    assert "52.5 % of 100 games, Elo +17.4" in run.stdout


def test_elo_of_pairs_with_the_sequential_test() -> None:
    found = answer("elo", "--penta", "665,4806,9333,4893,747", "--sprt=-0.5,1.5", "--json")  # Stockfish, pull 2920
    assert found["sprt"]["llr"] == pytest.approx(2.95, abs=0.01)
    assert found["sprt"]["decision"] == "H1"
    assert "wins" not in found  # pairs do not tell


@pytest.mark.parametrize(
    "arguments",
    [
        ["elo"],
        ["elo", "1", "2"],
        ["elo", "1", "2", "3", "--penta", "1,2,3,4,5"],
        ["elo", "1", "2", "3", "--sprt", "0,5"],
        ["elo", "--penta", "1,2,3"],
        ["elo", "--penta", "1,2,3,4,nan"],
        ["elo", "--penta", "1,2,3,4,0.5"],
        ["elo", "--penta", "1,2,3,4,-5"],
        ["elo", "--penta", "1,2,3,4,5", "--sprt", "0,inf"],
        ["elo", "--penta", "1,2,3,4,5", "--sprt", "5,0"],
        ["elo", "--penta", "1,2,3,4,5", "--sprt", "0,5", "--model", "bayes"],
        ["elo", "--penta", "1,2,3,4,5", "--sprt", "0,5", "--alpha", "2"],
        ["report", "/nowhere.pgn", "--out", "/tmp/nothing"],
    ],
)
def test_a_mistake_gets_one_line(arguments: list[str]) -> None:
    mistake(*arguments)
