"""``plyout tables``: each command answers people and programs."""

import json
from pathlib import Path

import pytest

from plyout.knowledge.tables import ENDINGS
from plyout.knowledge.tables.files import path_of
from tests.cli.client import answer, mistake, plyout

ROOK = "8/8/8/8/8/2k5/1R6/K7 w - - 0 1"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PLYOUT_TABLES", str(tmp_path))
    return tmp_path


def test_three_pieces_need_no_building(folder: Path) -> None:
    assert answer("tables", "build", "--pieces", "3", "--json")["built"] == []
    listed = answer("tables", "list", "--json")
    rows = {row["ending"]: row for row in listed["tables"]}
    assert list(rows) == list(ENDINGS)
    assert {name for name, row in rows.items() if row["state"] == "shipped"} == {"KNK", "KBK", "KRK", "KQK", "KPK"}
    assert rows["KRK"]["longest_mate"]["white"] == {"moves": 16, "fen": ROOK}
    assert rows["KBNK"]["state"] == "missing"
    assert listed["bytes"] == sum(rows[name]["bytes"] for name in ("KNK", "KBK", "KRK", "KQK", "KPK")) < 500_000
    assert plyout("tables", "list").stdout.splitlines()[-1].startswith("5 of 35 tables, 0.4 MB")
    assert not list(folder.iterdir())


def test_building_listing_verifying_and_repairing(folder: Path) -> None:
    arguments = ("tables", "build", "--ending", "KNNK")
    assert answer(*arguments, "--json")["built"] == ["KNNK"]
    assert answer(*arguments, "--json")["built"] == []
    rows = {row["ending"]: row for row in answer("tables", "list", "--json")["tables"]}
    path = path_of(folder, ENDINGS["KNNK"])
    assert (rows["KNNK"]["state"], rows["KNNK"]["bytes"]) == ("built", path.stat().st_size)
    assert rows["KNNK"]["longest_mate"]["white"]["moves"] == 1
    assert answer("tables", "verify", "--json") == {
        "folder": str(folder), "verified": 6, "wrong": {}, "unchecked": [],
    }  # fmt: skip

    path.write_bytes(path.read_bytes()[:-1] + b"\7")
    run = plyout("tables", "verify")
    assert run.returncode == 1
    assert run.stdout.startswith(f"{path}: damaged: its checksum is wrong\n5 tables verified, ")
    run = plyout(*arguments)
    assert run.stdout.startswith("built 1 tables")
    assert run.stderr == f"plyout: {path} is damaged: its checksum is wrong; it is built anew\n"


def test_probing_shows_result_distance_and_line() -> None:
    found = answer("tables", "probe", "--fen", ROOK, "--json")
    assert (found["result"], found["plies"], found["moves"], len(found["line"])) == ("win", 31, 16, 31)
    assert found["before_fifty_moves"] is True
    text = plyout("tables", "probe", "--fen", "7k/8/5K2/8/8/8/8/6R1 w - - 99 1").stdout.splitlines()
    assert text == [
        "White mates in 2 moves (3 plies)",
        "1. Kf7 Kh7 2. Rh1#",
        "the fifty-move rule comes first, unless a capture or pawn move does",
    ]
    assert plyout("tables", "probe", "--fen", "8/8/8/8/8/2k5/8/K7 w - - 0 1").stdout == "drawn\n"
    assert plyout("tables", "probe", "--fen", "8/8/8/8/8/5k2/6q1/7K w - - 0 1").stdout.startswith("White is mated\n")


@pytest.mark.parametrize(
    "arguments, text",
    [
        (("probe", "--fen", "startpos"), "the tables hold positions of up to four pieces, and this one has 32"),
        (("probe", "--fen", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"), "the tables hold no positions with castling rights"),
        (("probe", "--fen", "8/8/8/8/8/2k5/8/K5QR w - - 0 1"), "the table of this ending is not there: 'plyout tables"),
        (("probe", "--fen", "nonsense"), "not a FEN"),
        (("probe",), "Missing option"),
        (("build", "--ending", "KQQQK"), "no ending of three or four "),
        (("build", "--pieces", "5"), "Invalid value for '--pieces'"),
    ],
)
def test_a_mistake_gets_one_line(arguments: tuple[str, ...], text: str) -> None:
    assert mistake("tables", *arguments).startswith(text)


@pytest.mark.slow
def test_syzygys_tables_come_out_of_the_source_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    run = plyout("tables", "fetch-syzygy", "--json")
    if "pip could not fetch" in run.stderr:
        pytest.skip("pip cannot fetch the source archive of 'chess' here")
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout)
    assert found["files"] == 2 * len(ENDINGS) == len(list(Path(found["folder"]).glob("*.rtb[wz]")))
