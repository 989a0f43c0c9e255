"""A file that is not whole, or not of Stockfish 15.1, is refused in one line; what a program holds is found."""

import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from plyout.errors import InputError
from plyout.networks.library import NO_STOCKFISH, STOCKFISH, find
from plyout.networks.nnue.evaluate import Evaluator
from plyout.networks.nnue.extract import extract, find_stockfish
from plyout.networks.nnue.file import read, read_header, validated
from tests.networks.nnue import made, oracle
from tests.positions import KIWIPETE

WITH_STOCKFISH = pytest.mark.skipif(
    not oracle.is_stockfish_15_1(), reason="Debian 12's package stockfish is not installed"
)


@pytest.fixture(scope="module")
def content() -> bytes:
    return made.file_of(made.arrays(seed=2))


def _word(place: int, word: int) -> Callable[[bytes], bytes]:
    return lambda content: content[:place] + struct.pack("<I", word) + content[place + 4 :]


LAST_HASH = -(4 + 4 * 16 + 16 * 1024 + 4 * 32 + 32 * 32 + 4 + 32)
DAMAGE: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "nothing": (lambda content: b"", "it has 0 bytes, which are not even a header"),
    "cut": (lambda content: content[:-1], "it has 47001437 bytes, and not 47001438"),
    "longer": (lambda content: content + b"!", "it has 47001439 bytes, and not 47001438"),
    "version": (_word(0, 0x7AF32F16), "its version is 0x7af32f16, and that of Stockfish 15.1's networks 0x7af32f20"),
    "architecture": (_word(4, 0x1C1020F2), "its architecture 0x1c1020f2 is not that of Stockfish 15.1, 0x1c102ef2"),
    "description": (_word(8, 2**32 - 1), "its description has 4294967295 bytes"),
    "sums": (_word(12 + len(made.DESCRIPTION), 7), "the hash of its part 0 of 8 is 0x00000007, and not 0x7f2344b8"),
    "last stack": (
        lambda content: content[:LAST_HASH] + bytes(4) + content[LAST_HASH + 4 :],
        "the hash of its part 8 of 8 is 0x00000000, and not 0x63336a4a",
    ),
}


@pytest.mark.parametrize("what", DAMAGE)
def test_what_does_not_fit_is_refused_in_one_line(what: str, content: bytes, tmp_path: Path) -> None:
    change, reason = DAMAGE[what]
    path = tmp_path / "a.nnue"
    path.write_bytes(change(content))
    for reading in (read, read_header):
        with pytest.raises(InputError) as caught:
            reading(path)
        assert str(caught.value) == f"{path} is no network of Stockfish 15.1: {reason}"


def test_a_file_that_is_not_there_or_far_too_large_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"^cannot read the network \S*none.nnue: No such file or directory$"):
        read(tmp_path / "none.nnue")
    large = tmp_path / "large.nnue"
    with large.open("wb") as file:
        file.truncate(10**10)
    with pytest.raises(InputError, match=r"it has 10000000000 bytes$"):
        read(large)


def test_a_file_that_was_replaced_is_read_anew(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.nnue"
    path.write_bytes(content)
    before = Evaluator(read(path)).value(KIWIPETE)
    path.write_bytes(made.file_of(made.arrays(seed=3)))
    assert Evaluator(read(path)).value(KIWIPETE) != before


def _program(content: bytes, name: str = "") -> bytes:
    """A program with a network in it, and the version word in its code before."""
    word = content[:4]
    return b"\x7fELF" + word + bytes(100) + word + content[4:30] + name.encode() + content + b"the end"


def test_the_network_in_a_program_is_found_and_its_name_compared(content: bytes, tmp_path: Path) -> None:
    program = tmp_path / "program"
    program.write_bytes(_program(content))
    header, found = extract(program)
    assert found == content
    assert (header.description, header.release) == ("random numbers", None)
    program.write_bytes(_program(content, f"{header.name}.nnue"))
    assert extract(program)[1] == content
    program.write_bytes(_program(content, "nn-0123456789ab.nnue"))
    with pytest.raises(InputError, match=rf"is damaged: it is {header.name}, and not nn-0123456789ab$"):
        extract(program)


def test_a_program_without_a_network_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for content in (b"", b"#!/bin/sh\n", struct.pack("<I", made.VERSION) * 50):
        (tmp_path / "program").write_bytes(content)
        with pytest.raises(InputError, match=r"^(cannot read|\S*program holds no network of Stockfish 15.1: Debian)"):
            extract(find_stockfish(tmp_path / "program"))
    with pytest.raises(InputError, match=r"^--program: \S*nothing is not a file$"):
        find_stockfish(tmp_path / "nothing")
    monkeypatch.setattr("shutil.which", lambda *_, **__: None)
    with pytest.raises(InputError, match=r"^there is no Stockfish here: .*apt install stockfish.*--program$"):
        find_stockfish()


def test_without_the_network_a_line_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLYOUT_NETWORKS", str(tmp_path))
    with pytest.raises(InputError) as caught:
        find(STOCKFISH)
    assert str(caught.value) == NO_STOCKFISH
    assert "plyout networks extract stockfish" in NO_STOCKFISH and "\n" not in NO_STOCKFISH


@WITH_STOCKFISH
def test_debians_stockfish_holds_the_network_that_it_names() -> None:
    header, found = extract(find_stockfish())
    assert (header.name, header.release, len(found)) == ("nn-ad9b42354671", "15.1", 47_001_499)
    assert validated(find(STOCKFISH).read_bytes()) == header
