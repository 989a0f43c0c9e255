"""How analyses are made: in any order, by one or by several, at once or with an interruption, they are the same."""

from pathlib import Path
from typing import Any

import pytest

from plyout.errors import InputError
from plyout.lab.analyse.analyse import PAGE, PGN, analyse
from plyout.lab.analyse.games import read_games
from plyout.lab.analyse.settings import Settings
from plyout.lab.analyse.store import FILE, Kept
from plyout.progress import so_far
from tests.lab.analyse.made import BLUNDER, LEGAL, MISSED, analysed, collection

GAMES = (LEGAL, BLUNDER, MISSED, LEGAL)


def written(folder: Path) -> tuple[bytes, bytes]:
    return (folder / PGN).read_bytes(), (folder / PAGE).read_bytes()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A collection, and the folder where it was analysed by one, without an interruption."""
    folder = tmp_path_factory.mktemp("whole")
    path = collection(folder, *GAMES)
    analysed(path, folder / "out", nodes=60)
    return path, folder / "out"


def test_two_at_once_find_the_same_as_one(whole: tuple[Path, Path], tmp_path: Path) -> None:
    path, out = whole
    analysed(path, tmp_path / "out", nodes=60, jobs=2)
    assert written(tmp_path / "out") == written(out)


@pytest.mark.parametrize("after", [1, 17, 28])
def test_a_run_that_goes_on_writes_the_same_as_one_without_an_interruption(
    whole: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    path, out = whole
    add, left = Kept.add, after

    def add_or_not(self: Kept, name: str, record: dict[str, Any]) -> None:
        nonlocal left
        if not left:
            raise KeyboardInterrupt
        left -= 1
        add(self, name, record)

    with monkeypatch.context() as patch:
        patch.setattr(Kept, "add", add_or_not)
        with pytest.raises(KeyboardInterrupt) as ended:
            analysed(path, tmp_path / "out", nodes=60)
    kept = so_far(ended.value)
    assert kept is not None and 0 < kept.done < kept.total
    store = tmp_path / "out" / FILE
    assert store.read_bytes().count(b"\n") == 1 + after
    with store.open("ab") as file:
        file.write(b'["position 12')  # a kill may cut a line off
    analysed(path, tmp_path / "out", nodes=60)
    assert written(tmp_path / "out") == written(out)
    assert sorted(store.read_bytes().splitlines()) == sorted((out / FILE).read_bytes().splitlines())


def test_a_position_that_several_games_have_is_searched_once(whole: tuple[Path, Path]) -> None:
    names = [line.split(b'"')[1] for line in (whole[1] / FILE).read_bytes().splitlines()]
    assert len(names) == len(set(names))


def test_what_is_there_is_not_searched_again(
    whole: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path, out = whole
    before = written(out), (out / FILE).read_bytes()
    monkeypatch.setattr("plyout.lab.analyse.analyst.Analyst.answer", None)
    analysed(path, out, nodes=60)
    assert (written(out), (out / FILE).read_bytes()) == before


def test_other_settings_are_refused_by_name(whole: tuple[Path, Path]) -> None:
    with pytest.raises(InputError, match=r"nodes is 60 there, 61 here\): name another folder by --out"):
        Kept(whole[1], Settings(nodes=61, changes={"hash_mb": 16}))


def test_a_store_that_is_damaged_is_not_used(whole: tuple[Path, Path], tmp_path: Path) -> None:
    lines = (whole[1] / FILE).read_bytes().splitlines(keepends=True)
    settings = Settings(nodes=60, changes={"hash_mb": 16})
    for number, wrong in ((1, b"{}\n"), (3, lines[2].replace(b'"nodes":', b'"nades":')), (4, b"\xff\n")):
        damaged = [*lines[: number - 1], wrong, *lines[number:]]
        (tmp_path / FILE).write_bytes(b"".join(damaged))
        with pytest.raises(InputError, match=f"line {number} is not what was written"):
            Kept(tmp_path, settings)
    (tmp_path / FILE).write_bytes(b"".join(lines[1:]))
    with pytest.raises(InputError, match="is no store of analyses"):
        Kept(tmp_path, settings)


def test_two_runs_do_not_share_a_folder(tmp_path: Path) -> None:
    with Kept(tmp_path, Settings()), pytest.raises(InputError, match="another run"):
        Kept(tmp_path, Settings())


def test_a_mistake_in_the_settings_is_told_before_the_work(tmp_path: Path) -> None:
    games = read_games(collection(tmp_path, MISSED))
    with pytest.raises(InputError, match="no parameter is called 'fast'"):
        analyse(games, Settings(changes={"fast": "1"}), tmp_path / "out", quiet=True)
