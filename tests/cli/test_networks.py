"""``plyout networks``: what is there, what is damaged, and what an installed Stockfish holds."""

from pathlib import Path

import numpy as np
import pytest

from plyout.networks.small import file as small
from tests.cli.client import answer, mistake, plyout
from tests.damage.kinds import KINDS
from tests.networks.nnue import made, oracle


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's folder with a network, and with one that was cut."""
    folder = tmp_path / "networks"
    folder.mkdir()
    content = made.file_of(made.arrays(seed=1))
    (folder / "mine.nnue").write_bytes(content)
    (folder / "cut.nnue").write_bytes(content[:1000])
    (folder / "notes.txt").write_text("no network")
    monkeypatch.setenv("PLYOUT_NETWORKS", str(folder))
    return folder


def test_networks_are_listed_with_those_that_are_damaged(folder: Path) -> None:
    found = answer("networks", "list", "--json")
    assert found["folder"] == str(folder)
    rows = {row["name"]: row for row in found["networks"] if Path(row["path"]).parent == folder}
    assert set(rows) == {"mine", "cut"}
    assert (rows["mine"]["kind"], rows["mine"]["damage"]) == ("stockfish's", None)
    assert rows["mine"]["bytes"] == 47_001_438
    assert rows["mine"]["about"].endswith("of no Stockfish that we know: random numbers")
    assert "it has 1000 bytes, and not 47001438" in rows["cut"]["damage"]
    lines = plyout("networks", "list").stdout.splitlines()
    assert lines[0] == f"your own: {folder}"
    assert {line.split()[0] for line in lines[2:]} >= {"mine", "cut"}


def test_a_network_is_shown_by_name_or_path(folder: Path) -> None:
    by_name, by_path = (answer("networks", "show", name, "--json") for name in ("mine", str(folder / "mine.nnue")))
    assert by_name == by_path
    assert by_name["header"]["description"] == "random numbers"
    assert "random numbers" in plyout("networks", "show", "mine").stdout
    assert mistake("networks", "show", "yours").startswith("there is no network 'yours': give a file, or a name (")
    assert mistake("networks", "show", str(folder / "notes.txt")).endswith("must end in .plynet, .onnx or .nnue")


def test_checking_tells_the_damaged_by_the_exit_code(folder: Path) -> None:
    whole, damaged = plyout("networks", "check", "mine"), plyout("networks", "check", "mine", "cut")
    assert (whole.returncode, damaged.returncode) == (0, 1)
    assert whole.stdout.endswith("1 network checked, 0 damaged\n")
    assert damaged.stdout.endswith("2 networks checked, 1 damaged\n")
    named = folder / "nn-0123456789ab.nnue"
    named.write_bytes((folder / "mine.nnue").read_bytes())
    run = plyout("networks", "check", str(named))
    assert run.returncode == 1
    assert "is damaged: by its checksum it is nn-" in run.stdout


def test_networks_of_every_kind_are_told_apart(folder: Path) -> None:
    header = {"kind": "value", "features": "none", "width": 1, "scale": 1.0, "trained": {"games": 7, "seconds": 3}}
    small.write(folder / "tiny-value.plynet", small.Network(header, {"biases": np.zeros(1, np.int16)}))
    kinds = {"mine": "stockfish's", "tiny-value": "small"}
    if KINDS["network"].there():
        kinds[KINDS["network"].make(folder).stem] = "residual"
    found = {row["name"]: row for row in answer("networks", "list", "--json")["networks"]}
    assert {name: found[name]["kind"] for name in kinds} == kinds
    assert found["tiny-value"]["about"] == "value: games 7, seconds 3"
    content = (folder / "tiny-value.plynet").read_bytes()
    (folder / "tiny-value.plynet").write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    assert plyout("networks", "check", "tiny-value").returncode == 1


def test_every_network_that_comes_with_plyout_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLYOUT_NETWORKS", str(tmp_path))
    assert answer("networks", "check", "--json")["damaged"] == {}


@pytest.mark.skipif(not oracle.is_stockfish_15_1(), reason="Debian 12's package stockfish is not installed")
def test_what_was_extracted_has_a_name_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLYOUT_NETWORKS", str(tmp_path / "new"))
    run = plyout("networks", "extract", "stockfish")
    assert run.stdout.startswith("nn-ad9b42354671 of Stockfish 15.1, 47.0 MB, found in ")
    assert run.stdout.endswith(f": {tmp_path / 'new/stockfish.nnue'}\n")
    assert answer("networks", "show", "stockfish", "--json")["header"]["stockfish"] == "15.1"
    other = answer("networks", "extract", "stockfish", "--out", str(tmp_path / "other.nnue"), "--json")
    assert Path(other["path"]).read_bytes() == (tmp_path / "new/stockfish.nnue").read_bytes()


def test_mistakes_get_one_line(tmp_path: Path) -> None:
    assert (
        mistake("networks", "extract", "leela") == "only Stockfish's network can be extracted: 'stockfish', not 'leela'"
    )
    program = tmp_path / "program"
    program.write_bytes(b"nothing of the kind")
    out = ("--out", str(tmp_path / "out.nnue"))
    assert "holds no network of Stockfish 15.1: Debian 12's package 'stockfish'" in mistake(
        "networks", "extract", "stockfish", "--program", str(program), *out
    )
    assert mistake("networks", "extract", "stockfish", "--program", str(tmp_path / "none"), *out).endswith(
        "is not a file"
    )
    assert not (tmp_path / "out.nnue").exists()
