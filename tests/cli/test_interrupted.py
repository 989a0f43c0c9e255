"""Ctrl-C keeps what there is: every long command shows its results so far, says how to go on, and ends with 130."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from plyout.cli.ending import Ending
from plyout.lab import bench
from plyout.lab.match import rate
from plyout.lab.match.match import match
from plyout.lab.match.rate import Score
from plyout.lab.reproduce import catalogue
from plyout.lab.reproduce.experiment import Experiment, Findings, Study
from plyout.lab.studies import tictactoe
from plyout.lab.train.games import files_in, read_games
from plyout.progress import Progress
from plyout.search.similarity import MEASURES
from tests.cli.client import inside
from tests.lab.fit.test_fit import program
from tests.lab.train.made import random_games, write_games

pytestmark = pytest.mark.slow  # the commands, not the kernels, are tried
ROGUE = Path(__file__).parents[1] / "lab/match/rogue.py"
Interrupt = Callable[..., tuple[str, str]]


def engine(name: str, *faults: str) -> str:
    return f"uci:{sys.executable} {ROGUE} {' '.join(faults)}?name={name}"


GAMES = ["--games", "4", "--nodes", "1", "--max-plies", "20"]


@pytest.fixture
def interrupt(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Interrupt:
    """Run a command and press Ctrl-C after so many steps of the work that it keeps: (standard output, error)."""

    def run(after: int, *words: str) -> tuple[str, str]:
        left = after
        step = Progress.step

        def step_and_interrupt(self: Progress, by: float = 1, note: str = "") -> None:
            nonlocal left
            step(self, by, note)
            left -= self._keep is not None
            if left == 0:
                signal.raise_signal(signal.SIGINT)

        monkeypatch.setattr(Progress, "step", step_and_interrupt)
        code, out, err = inside(words, capsys)
        assert code == 130, err
        assert err.splitlines()[-1].startswith("interrupted after "), err
        return out, err.splitlines()[-1]

    return run


def test_a_match_without_a_folder_shows_its_games_and_how_to_keep_them(interrupt: Interrupt) -> None:
    out, err = interrupt(2, "match", "-e", engine("a"), "-e", engine("b", "--illegal", "1"), *GAMES)
    assert "100.0 %" in out
    assert "2 illegal" in out
    assert err == "interrupted after 2 of 4 games: nothing is kept; with --out FOLDER the same command would go on " \
        "where it was"  # fmt: skip


def test_a_tournament_with_a_folder_goes_on_from_there(interrupt: Interrupt, tmp_path: Path) -> None:
    words = [word for name in "abc" for word in ("-e", engine(name))]
    out, err = interrupt(3, "tournament", *words, *GAMES, "--out", str(tmp_path / "x"), "--json")
    found = json.loads(out)
    assert (found["interrupted"], found["done"], found["of"], found["games"]) == (True, 3, 12, 3)
    assert f"{tmp_path / 'x'}: the same command goes on" in err
    assert json.loads((tmp_path / "x/results.json").read_text())["games"] == 3


def test_a_tuning_keeps_its_pairs_and_its_preset(interrupt: Interrupt, tmp_path: Path) -> None:
    words = ["tune", "--preset", "mcts", "--set", "hash_mb=2", "-p", "puct_init", "--pairs", "4"]
    out, err = interrupt(5, *words, "--nodes", "2", "--max-plies", "4", "--out", str(tmp_path))
    assert "2 of 4 pairs" in out
    assert "match must show" not in out, "it has not come to its end"
    assert err.startswith("interrupted after 5 of 8 games: what was done so far is in ")
    assert (tmp_path / "tuned.toml").is_file()


def test_a_rating_shows_the_matches_so_far(interrupt: Interrupt, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate, "levels_of", lambda name: (1000, 3000))
    monkeypatch.setattr(rate, "_play", lambda player, name, level, games, *more: Score(level, games / 2, games))
    out, err = interrupt(7, "rate", "-e", "mcc", "--method", "both", "--json")
    (row,) = json.loads(out)["players"]
    assert len(row["binary_search"]["rounds"]) == rate.ROUNDS
    assert [score["level"] for score in row["estimate"]["scores"]] == [1350, 1650]
    assert 1350 < row["estimate"]["elo"] < 1650
    assert err.startswith("interrupted after 7 of 9 matches")


def test_a_rating_counts_the_games_of_a_match_that_was_not_ended(
    interrupt: Interrupt, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(rate, "levels_of", lambda name: (0, 9))
    monkeypatch.setattr(
        rate, "match", lambda player, rival, **options: match(player, engine("b"), **options | {"max_plies": 6})
    )
    words = ["--method", "estimate", "--levels", "1,2", "--games", "4", "--out", str(tmp_path), "--json"]
    out, err = interrupt(6, "rate", "-e", engine("a"), "--program", "true", *words)
    scores = json.loads(out)["players"][0]["estimate"]["scores"]
    assert [score["games"] for score in scores] == [4, 1]
    assert err.startswith("interrupted after 1 of 2 matches")


def test_bench_shows_the_rows_that_were_measured(interrupt: Interrupt, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [bench.Contest(name, name, "m/s", lambda: lambda: 1.0) for name in ("walk", "run")]
    monkeypatch.setattr(bench, "contests", lambda: rows)
    out, err = interrupt(1, "bench", "--json")
    found = json.loads(out)
    assert [row["name"] for row in found["contests"]] == ["walk"]
    assert found["seconds_to_compile"] is None
    assert err.startswith("interrupted after 1 of 5 measurements")
    monkeypatch.undo()


@pytest.mark.parametrize(
    ("words", "what", "rows"),
    [
        (("study", "accuracy", "--playouts", "100"), "1 of 6 positions", "rows"),
        (("graph-stats", "--nodes", "50"), "1 of 6 positions", "positions"),
        (("visits-to-refutation", "--preset", "mcc", "--count", "3", "--nodes", "16"), "1 of 3 positions", "presets"),
        (("similarity", "xo./.x./...", "xo./.../..x", "--variant", "tictactoe"), "1 of 8 measures", "similarity"),
        (("solve", "mate-in-2.epd", "--count", "3", "--depth", "2"), "1 of 3 puzzles", "runs"),
    ],
)
def test_what_was_done_is_shown_and_marked(interrupt: Interrupt, words: tuple[str, ...], what: str, rows: str) -> None:
    out, err = interrupt(1, *words, "--json")
    assert err.startswith(f"interrupted after {what}: ")
    found = json.loads(out)
    assert found["interrupted"] is True
    assert len(found[rows]) == 1


def test_playouts_so_far_make_a_share(interrupt: Interrupt) -> None:
    out, err = interrupt(2, "study", "queen-ending", "--playouts", "20000", "--json")
    assert err.startswith("interrupted after 10,000 of 20,000 playouts")
    assert json.loads(out)["playouts"] == 10_000
    assert 0.1 < json.loads(out)["white_wins_percent"] < 1


def test_the_tables_of_an_interrupted_study_have_the_rows_so_far(
    interrupt: Interrupt, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tictactoe, "SECONDS", (0.001,))
    out, err = interrupt(2, "study", "tictactoe", "--games", "1", "--plot", str(tmp_path / "new/x.svg"))
    assert "0.001 s" in out
    assert "78,530" not in out.split("0.001 s")[1], "the next row was not ended"
    assert err.startswith("interrupted after 2 of 12 games")
    assert (tmp_path / "new/x.svg").stat().st_size > 1000


def test_a_fit_keeps_its_labels(interrupt: Interrupt, tmp_path: Path) -> None:
    words = ["--program", str(program(tmp_path)), "--out", str(tmp_path / "w"), "--save", str(tmp_path / "w.toml")]
    out, err = interrupt(120, "fit", "--count", "100", *words, "-j", "1", "--json")
    assert (json.loads(out)["done"], json.loads(out)["interrupted"]) == (20, True)
    assert err.startswith("interrupted after 20 of 100 labels: the labels so far are in ")
    assert len((tmp_path / "w/labels.tsv").read_text().splitlines()) == 20
    assert not (tmp_path / "w.toml").exists()


def test_labelled_games_are_kept(interrupt: Interrupt, tmp_path: Path) -> None:
    words = ["--engine", engine("a"), "--nodes", "1", "--max-plies", "12", "-j", "1", "--out", str(tmp_path / "x")]
    out, err = interrupt(3, "label", "--games", "9", *words, "--json")
    assert (json.loads(out)["games"], json.loads(out)["done"], json.loads(out)["of"]) == (3, 3, 9)
    assert err.startswith("interrupted after 3 of 9 games: ")
    assert f"{tmp_path / 'x'}: the same command goes on" in err
    assert len(list(read_games(files_in(tmp_path / "x")))) == 3


def test_a_network_that_learns_keeps_a_checkpoint(interrupt: Interrupt, tmp_path: Path) -> None:
    labels, out = write_games(tmp_path / "labels", random_games(60, 12)), tmp_path / "t.npz"
    words = [str(labels), "--out", str(out), "--blocks", "1", "--channels", "4", "--batch", "8", "--steps", "5"]
    text, err = interrupt(2, "train", "teacher", *words, "--json")
    assert [row["step"] for row in json.loads(text)["rows"]] == [1, 2]
    assert err == f"interrupted after 2 of 5 steps: a checkpoint is beside {out}: the same command goes on from there"
    assert not out.exists()
    assert out.with_name("t.npz.checkpoint").exists()


def test_mined_positions_are_kept(interrupt: Interrupt, tmp_path: Path) -> None:
    out, err = interrupt(1, "mine", "mates", "--mate", "1", "--count", "3")
    assert out.count("\n") == 1
    assert err.startswith("interrupted after 1 of 3 mates: ")
    out, err = interrupt(1, "mine", "mates", "--mate", "1", "--count", "3", "--out", str(tmp_path / "new/m.epd"))
    assert (out, (tmp_path / "new/m.epd").read_text().count("\n")) == ("", 1)
    assert f"they are in {tmp_path / 'new/m.epd'}" in err
    out, err = interrupt(1, "mine", "traps", "--count", "3", "--out", str(tmp_path / "t.epd"), "--json")
    assert (json.loads(out)["positions"], (tmp_path / "t.epd").read_text().count("\n")) == (1, 1)
    assert f"{tmp_path / 't.epd'}: the same command goes on" in err


def test_the_trap_laboratory_shows_the_pairs_and_positions_so_far(interrupt: Interrupt, tmp_path: Path) -> None:
    words = ["--fen", "6k1/5ppp/8/8/8/8/r4PPP/3R2K1 b - - 0 1", "--trap-level", "1", "--no-plots", "--json"]
    out, err = interrupt(len(MEASURES) + 5, "trap-study", *words, "--out", str(tmp_path / "study"))
    assert json.loads(out)["pairs"] == 5
    assert err.startswith("interrupted after 5 of ")
    assert (tmp_path / "study/observations.csv").read_text().count("\n") == 6
    (tmp_path / "x.pgn").write_text("1. f3 e5 2. g4 Qh4# 0-1\n")
    out, err = interrupt(2, "trap-density", str(tmp_path / "x.pgn"), "--trap-level", "1", "--out", str(tmp_path / "d"))
    assert err.startswith("interrupted after 2 of 4 positions")
    assert (tmp_path / "d/trap-density.csv").read_text().count("\n") == 3
    assert "0–15" in out


def test_a_reproduction_reports_what_is_done(
    interrupt: Interrupt, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def experiment(name: str) -> Experiment:
        return Experiment(
            name, name, "p. 1", [Study(name, lambda bench: {}, ({},) * 3)], lambda found: Findings(), (1, 1)
        )

    monkeypatch.setattr(catalogue, "EXPERIMENTS", {name: experiment(name) for name in ("x-1", "x-2")})
    out, err = interrupt(1, "reproduce", "--all", "--out", str(tmp_path / "r"), "--json")
    found = json.loads(out)
    assert [row["name"] for row in found["experiments"]] == ["x-1"]
    assert (found["done"], found["of"]) == (1, 2)
    assert Path(found["markdown"]).is_file()
    assert "the same command goes on from there" in err


# -- real processes ----------------------------------------------------------------------------------------------


def start(*words: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "plyout", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # ignored in a background job
    )


def logged(folder: Path, games: int, process: "subprocess.Popen[str]") -> None:
    """Wait until so many games are in the log."""
    log = folder / "log"
    while not (log.is_file() and log.read_text().count("\n") > games):
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)


def engines_with(mark: str) -> list[str]:
    """Processes whose command holds a word; a dead one has no command."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().decode(errors="replace").split("\0")
        except OSError:
            continue
        if mark in words and "-m" not in words:
            found.append(path.parent.name)
    return found


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="processes are looked for in /proc")
@pytest.mark.parametrize(
    ("number", "whole_group", "status"),
    [(signal.SIGINT, True, 130), (signal.SIGINT, False, 130), (signal.SIGTERM, False, 143)],
)
def test_a_match_that_is_interrupted_leaves_no_process_and_no_traceback(
    tmp_path: Path, number: int, whole_group: bool, status: int
) -> None:
    mark = f"--twice={os.getpid()}{number}{whole_group}"
    words = ["--games", "100", "--nodes", "1", "--max-plies", "6", "-j", "2", "--out", str(tmp_path / "x"), "--json"]
    (tmp_path / "rogue.sh").write_text(f'exec {sys.executable} {ROGUE} --late 50 "${{@:2}}"\n')
    players = [f"uci:bash {tmp_path / 'rogue.sh'} {mark}?name={name}" for name in "ab"]
    process = start("match", "-e", players[0], "-e", players[1], *words)
    logged(tmp_path / "x", 2, process)
    (os.killpg if whole_group else os.kill)(process.pid, number)
    out, err = process.communicate(timeout=60)
    assert process.returncode == status, err
    assert err.count("\n") == 1, err
    assert 2 <= json.loads(out)["games"] < 100
    assert engines_with(mark) == []


def test_a_second_ctrl_c_ends_at_once(tmp_path: Path) -> None:
    """The first is waiting for an engine that nothing can hurry: here, for a thread that sleeps."""
    script = (
        "import signal, time, threading\n"
        "from plyout.cli.ending import Ending\n"
        "with Ending('wait'):\n"
        "    try:\n"
        "        print('ready', flush=True)\n"
        "        time.sleep(60)\n"
        "    finally:\n"
        "        print('ending', flush=True)\n"
        "        time.sleep(60)\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script],
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert process.stdout is not None
    for word in ("ready", "ending"):
        assert process.stdout.readline().strip() == word
        process.send_signal(signal.SIGINT)
    assert process.wait(timeout=10) == 130


def test_signals_that_are_ignored_stay_ignored() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with Ending("go on"):
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def test_an_error_comes_after_the_results(capsys: pytest.CaptureFixture[str]) -> None:
    def work() -> list[Any]:
        with Progress("games", 9, quiet=True, keep=lambda: ["a draw"]) as progress:
            progress.step()
            raise OSError(28, "No space left on device")

    handler = signal.getsignal(signal.SIGINT)
    with pytest.raises(OSError, match="No space left"), Ending("go on") as ending:
        assert ending.of(work) == ["a draw"]
    assert capsys.readouterr() == ("cut short after 1 of 9 games: go on\n", "")
    with pytest.raises(OSError, match="No space left"), Ending("go on") as ending:
        ending.of(work)
        assert ending.marked({}) == {"interrupted": True, "done": 1, "of": 9, "what": "games"}
    assert capsys.readouterr() == ("", ""), "the answer for programs has said it"
    assert signal.getsignal(signal.SIGINT) is handler
