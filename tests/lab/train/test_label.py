"""Labelling: the same games by the same seed, whatever happens on the way, and labels that fit their positions."""

import lzma
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import chess
import pytest

from plyout.errors import InputError
from plyout.lab import children
from plyout.lab.match.players import Answer
from plyout.lab.train import kept
from plyout.lab.train import label as labelling
from plyout.lab.train.games import UNLABELLED, files_in, read_games
from plyout.lab.train.kept import Kept
from plyout.lab.train.label import OPENING, Labelling, label
from tests.lab.train.made import move_of

ROGUE = Path(__file__).parents[1] / "match/rogue.py"
ROGUES = Labelling(f"uci:{sys.executable} {ROGUE}", nodes=1, max_plies=14)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in files_in(folder)}


@pytest.fixture(autouse=True)
def _no_engine_is_left() -> Iterator[None]:
    before = children.alive()
    yield
    assert children.alive() == before


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "BLOCK", 4)


@pytest.mark.usefixtures("small_blocks")
def test_the_files_depend_on_the_seed_only(tmp_path: Path) -> None:
    tally = label(ROGUES, 10, tmp_path / "one", jobs=1, quiet=True)
    label(ROGUES, 10, tmp_path / "two", jobs=2, quiet=True)
    label(replace(ROGUES, seed=2), 10, tmp_path / "other", jobs=2, quiet=True)
    found = contents(tmp_path / "one")
    assert (len(found), tally.games) == (3, 10)
    assert found == contents(tmp_path / "two")
    assert all(found[name] != data for name, data in contents(tmp_path / "other").items())


@pytest.mark.usefixtures("small_blocks")
def test_going_on_gives_what_one_run_gives(tmp_path: Path) -> None:
    whole = label(ROGUES, 10, tmp_path / "one", jobs=1, quiet=True)
    for games in (3, 6, 10):
        assert label(ROGUES, games, tmp_path / "two", jobs=1, quiet=True).games == games
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    assert label(ROGUES, 5, tmp_path / "two", jobs=1, quiet=True) == whole, "and nothing is taken away"


@pytest.mark.usefixtures("small_blocks")
def test_a_game_that_a_kill_cut_off_is_played_again(tmp_path: Path) -> None:
    label(ROGUES, 7, tmp_path / "one", jobs=1, quiet=True)
    label(ROGUES, 7, tmp_path / "two", jobs=1, quiet=True)
    journal = tmp_path / "two/unfinished.bin"
    journal.write_bytes(journal.read_bytes()[:-5])
    (tmp_path / "two/games-00001.bin.xz").unlink()
    with Kept(tmp_path / "two", ROGUES) as folder:
        assert len(folder.missing(7)) == 1
    label(ROGUES, 7, tmp_path / "two", jobs=1, quiet=True)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_games_are_legal_and_labels_are_those_of_the_engine(tmp_path: Path) -> None:
    label(replace(ROGUES, random=0.3, max_plies=40), 12, tmp_path, jobs=2, quiet=True)
    at_random = labelled = 0
    for game in read_games(files_in(tmp_path)):
        board = chess.Board()
        openings = 0
        for played, best, score in game.plies.tolist():
            assert board.is_legal(move_of(played))
            if score == UNLABELLED:
                assert (best, board.ply()) == (0, openings), "only openings have no label"
                openings += 1
            else:
                assert board.is_legal(move_of(best))
                assert score == 12
                labelled += 1
                at_random += played != best
            board.push(move_of(played))
        assert OPENING[0] <= openings <= OPENING[1]
    assert 0.15 < at_random / labelled < 0.4


class Scripted:
    """A player that knows its moves and scores (of the side to move) by heart."""

    def __init__(self, moves: str, cp: Callable[[int], int | None], mate: Callable[[int], int | None]) -> None:
        self.moves, self.cp, self.mate = moves.split(), cp, mate

    def new_game(self, seed: int) -> None:
        pass

    def go(self, board: chess.Board, *given: object) -> Answer:
        ply = board.ply()
        return Answer(self.moves[ply % len(self.moves)], 0.0, self.cp(ply), self.mate(ply))


SHUFFLE = "g1f3 g8f6 f3g1 f6g8"


@pytest.mark.parametrize(
    ("moves", "cp", "mate", "plies", "points"),
    [
        ("f2f3 e7e5 g2g4 d8h4", 0, None, 4, 0.0),  # on the board
        (SHUFFLE, 500, None, 8, 0.5),  # by repetition
        ("g1f3 g8f6", 500, None, 2, 1.0),  # cut off: by the last score
        ("g1f3 g8f6", 200, None, 2, 0.5),
        ("g1f3 g8f6 b1c3", -400, None, 3, 0.0),
        (SHUFFLE, None, -9, 6, 0.0),  # a mate that nobody need see played out
    ],
)
def test_a_game_ends_with_its_result(
    moves: str, cp: int | None, mate: int | None, plies: int, points: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Scores are White's here."""
    monkeypatch.setattr(labelling, "OPENING", (0, 0))

    def of_the_mover(score: int | None) -> Callable[[int], int | None]:
        return lambda ply: None if score is None else score if ply % 2 == 0 else -score

    most = plies if len(moves.split()) < 4 else 100
    player: Any = Scripted(moves, of_the_mover(cp), of_the_mover(mate))
    game = labelling.play(player, Labelling(random=0.0, max_plies=most), 1)
    assert (len(game.plies), game.points) == (plies, points)
    if mate is not None:
        assert game.plies[:2, 2].astype("int16").tolist() == [-30000 + 9, 30000 - 9]


def test_a_preset_of_ours_can_label(tmp_path: Path) -> None:
    found = label(Labelling("alphabeta", nodes=50, max_plies=12), 2, tmp_path, jobs=1, quiet=True)
    assert found.games == 2
    assert found.positions > 2
    assert any(score not in (0, UNLABELLED) for game in read_games(files_in(tmp_path)) for score in game.plies[:, 2])


def test_games_made_otherwise_are_not_mixed(tmp_path: Path) -> None:
    label(ROGUES, 1, tmp_path, jobs=1, quiet=True)
    with pytest.raises(InputError, match="made with another nodes, seed: name another folder"):
        label(replace(ROGUES, nodes=2, seed=9), 2, tmp_path, jobs=1)
    (tmp_path / "about.json").unlink()
    with pytest.raises(InputError, match="that were not made here"):
        label(ROGUES, 2, tmp_path, jobs=1)


def test_two_runs_do_not_write_into_one_folder(tmp_path: Path) -> None:
    with Kept(tmp_path, ROGUES), pytest.raises(InputError, match="another run"):
        label(ROGUES, 1, tmp_path, jobs=1)


@pytest.mark.parametrize(
    ("faults", "told"),
    [
        ("--illegal 3", "answered 'a1a1' in .* which is no legal move"),
        ("--crash 3", "failed while labelling: ended with"),
    ],
)
def test_an_engine_that_fails_is_named_and_its_games_are_kept(faults: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=told):
        label(replace(ROGUES, engine=f"{ROGUES.engine} {faults}"), 3, tmp_path, jobs=1, quiet=True)
    with pytest.raises(InputError, match="no program is called 'nobody'"):
        Labelling("nobody").player()


@pytest.mark.slow
def test_a_killed_run_loses_no_game(tmp_path: Path) -> None:
    words = ["--engine", ROGUES.engine, "--nodes", "1", "--max-plies", "14", "--games", "60", "-j", "1", "--json"]
    command = [sys.executable, "-m", "plyout", "label", *words, "--out", str(tmp_path / "one")]
    first = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    journal = tmp_path / "one/unfinished.bin"
    while not (journal.exists() and journal.stat().st_size > 1000):
        assert first.poll() is None
        time.sleep(0.01)
    first.send_signal(signal.SIGKILL)
    first.wait()
    with Kept(tmp_path / "one", ROGUES) as folder:
        assert 5 < 60 - len(folder.missing(60)) < 60
    label(ROGUES, 60, tmp_path / "one", jobs=1, quiet=True)
    label(ROGUES, 60, tmp_path / "two", jobs=1, quiet=True)
    assert lzma.decompress(contents(tmp_path / "one")["games-00000.bin.xz"])
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
