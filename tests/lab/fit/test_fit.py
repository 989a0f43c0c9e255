"""Fitting: labels are never lost, and the regression finds what is there."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import chess
import numpy as np
import pytest

from plyout.errors import InputError
from plyout.evaluate.weighted import TERMS, load_weights
from plyout.lab import children
from plyout.lab.fit.fit import positions, regress, terms_of, write_weights
from plyout.lab.fit.labels import Labelling, Labels, check_limit
from tests.lab.fit import scorer


def program(folder: Path, seconds: float = 0.0) -> Path:
    """An engine to label with, which notes what it was asked."""
    path = folder / "engine"
    path.write_text(f"#!/bin/sh\nexec {sys.executable} {scorer.__file__} {folder / 'asked'} {seconds}\n")
    path.chmod(0o755)
    return path


def asked(folder: Path) -> list[str]:
    return (folder / "asked").read_text().splitlines()


def settled(read: Callable[[], int]) -> int:
    """A number that has not changed for half a second."""
    found, since = read(), time.monotonic()
    while time.monotonic() < since + 0.5:
        time.sleep(0.05)
        if (now := read()) != found:
            found, since = now, time.monotonic()
    return found


def test_a_killed_fit_goes_on_without_losing_a_label(tmp_path: Path) -> None:
    arguments = [
        sys.executable, "-m", "plyout", "fit", "--count", "100", "--program", str(program(tmp_path, 0.05)),
        "-j", "2", "--out", str(tmp_path / "work"), "--save", str(tmp_path / "weights.toml"), "--json",
    ]  # fmt: skip
    labels = tmp_path / "work" / "labels.tsv"
    first = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, start_new_session=True)
    deadline = time.monotonic() + 600  # it may have to compile first
    while not (labels.exists() and len(labels.read_text().splitlines()) >= 20):
        assert first.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.02)
    os.killpg(first.pid, signal.SIGKILL)
    first.wait()
    kept = labels.read_text()
    kept = kept[: kept.rfind("\n") + 1]
    before = settled(lambda: len(asked(tmp_path)))  # the engines end when they find that nobody asks any more
    second = subprocess.run(arguments, capture_output=True, text=True, timeout=300)
    assert second.returncode == 0, second.stderr
    assert labels.read_text().startswith(kept), "what was labelled stays"
    assert len(asked(tmp_path)) - before == 100 - len(kept.splitlines()), "and is not asked for again"
    answer = json.loads(second.stdout)
    assert answer["train"] + answer["test"] == 100
    fens = (tmp_path / "work" / "positions.txt").read_text().splitlines()
    found = dict(line.split("\t") for line in labels.read_text().splitlines())
    for number, fen in enumerate(fens):
        for_white = scorer.score(fen) * (1 if chess.Board(fen).turn else -1)
        assert int(found[str(number)]) == for_white
    assert set(load_weights(tmp_path / "weights.toml")) == set(TERMS)


def test_a_missing_engine_is_a_clear_message(tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "plyout", "fit", "--program", "no-such-engine", "--out", str(tmp_path / "work")],
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert run.returncode == 2
    assert run.stderr.count("\n") == 1
    assert "no-such-engine" in run.stderr
    assert not (tmp_path / "work").exists(), "nothing is begun"


def test_a_program_that_is_no_engine_is_said_to_be_none(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="UCI engine"):
        Labels(tmp_path / "w", Labelling(1, engine="true")).label([chess.STARTING_FEN], jobs=1, silent=True)


@pytest.mark.parametrize("limit", ["foo bar", "", "nodes", "nodes 0", "nodes -5", "infinite", "nodes x", "depth 1e3"])
def test_a_limit_that_never_ends_a_search_is_refused(limit: str) -> None:
    with pytest.raises(InputError, match="--limit is 'nodes 1000', 'depth 8' or 'movetime 50'"):
        check_limit(limit)


def test_limits_may_be_several() -> None:
    for limit in ("nodes 1000", "depth 8", "movetime 50 nodes 9"):
        check_limit(limit)


def test_an_engine_that_is_killed_is_told_and_the_labels_stay(tmp_path: Path) -> None:
    labels = Labels(tmp_path / "w", Labelling(3, engine=str(program(tmp_path))))
    (tmp_path / "engine").write_text((tmp_path / "engine").read_text().replace("exec", "ulimit -f 0; exec"))
    with pytest.raises(InputError, match=r"did not score .*: it ended "):
        labels.label([chess.STARTING_FEN] * 3, jobs=1, silent=True)
    assert children.alive() == ()


def test_a_line_cut_short_is_forgotten_and_other_settings_are_refused(tmp_path: Path) -> None:
    labels = Labels(tmp_path, Labelling(2, seed=1))
    (tmp_path / "labels.tsv").write_text("0\t12\n1\t-3")
    assert labels.read() == {0: 12}
    assert (tmp_path / "labels.tsv").read_text() == "0\t12\n"
    with pytest.raises(InputError, match="seed"):
        Labels(tmp_path, Labelling(2, seed=2))


def test_positions_come_by_seed_are_distinct_and_not_over() -> None:
    def some(seed: int, quiet: bool) -> list[str]:
        made = positions(seed, quiet)
        return [next(made) for _ in range(60)]

    assert some(3, False) == some(3, False)
    assert some(3, False) != some(4, False)
    for fen in (fens := some(3, False)):
        board = chess.Board(fen)
        assert board.is_valid()
        assert not board.is_game_over()
    assert len(set(fens)) == 60
    assert not any(chess.Board(fen).is_check() for fen in some(3, True))


def test_terms_are_white_s_and_turn_about_with_the_colours() -> None:
    fens = [next(positions(5, False)) for _ in range(1)]
    fens += ["r3k3/8/8/8/8/8/PP6/4K3 b - - 0 1"]
    mirrored = [chess.Board(fen).mirror().fen() for fen in fens]
    assert np.abs(terms_of(fens) + terms_of(mirrored)).max() <= 1, "but for rounding"
    assert terms_of(fens[-1:])[0, TERMS.index("passed")] == 2


def test_the_regression_finds_weights_that_are_there(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    true = np.array([0.9, 4.0, 5.0, 10.0, 30.0, -8.0, -20.0])
    rows = rng.normal(0, [200, 8, 4, 2, 2, 1, 1], (4000, 7))
    answer = regress(rows, rows @ true + rng.normal(0, 20, 4000), seed=1, compare=True)
    assert (answer["train"], answer["test"]) == (3000, 1000)
    for term, weight in zip(TERMS, true, strict=True):
        assert answer["weights"][term] == pytest.approx(weight, rel=0.1, abs=1.5)
    by_name = {row["method"]: row for row in answer["methods"]}
    assert set(by_name) == {"tapered", "linear", "random forest", "support vectors"}
    assert by_name["linear"]["errors"][1] == pytest.approx(20 * 0.798, rel=0.1), "the mean error is that of the noise"
    assert by_name["tapered"]["errors"][1] > by_name["linear"]["errors"][1]
    write_weights(tmp_path / "w.toml", answer | {"engine": "e", "limit": "nodes 1"})
    assert load_weights(tmp_path / "w.toml")["passed"] == pytest.approx(answer["weights"]["passed"], abs=0.001)
