"""Options are set, reset, and do what they say."""

import re
from pathlib import Path

from tests.uci.client import Talk, moves_and_counts


def test_options_are_set_and_reset(talk: Talk) -> None:
    talk.ask("position startpos", "setoption name explore value 0.7", "setoption name Seed value 1")
    first = moves_and_counts(talk.go("nodes 3000"))
    talk.ask("ucinewgame", "setoption name seed value 99")  # in any case of letters
    other = moves_and_counts(talk.go("nodes 3000"))
    talk.ask("ucinewgame", "setoption name Seed value 1")
    assert moves_and_counts(talk.go("nodes 3000")) == first != other


def test_names_with_blanks_and_choices_in_any_case_are_understood(talk: Talk) -> None:
    assert talk.ask("setoption name  Move  Overhead value 25", "setoption name Preset value MCC-Solver") == []
    talk.changed.add("Move Overhead")
    talk.changed.discard(" Move  Overhead")


def test_wdl_is_shown_on_request_only(talk: Talk) -> None:
    assert not any(" wdl " in line for line in talk.go("nodes 50"))
    talk.ask("setoption name UCI_ShowWDL value true")
    found = re.search(r" wdl (\d+) (\d+) (\d+) ", talk.go("nodes 50")[-2])
    assert found
    assert abs(sum(map(int, found.groups())) - 1000) <= 1


def test_the_log_holds_both_sides(talk: Talk, tmp_path: Path) -> None:
    log = tmp_path / "a log.txt"
    talk.ask(f"setoption name Debug Log File value {log}")
    talk.ask("fly", "setoption name Debug Log File value <empty>")
    lines = log.read_text(encoding="utf-8").splitlines()
    assert "> fly" in lines
    assert any(line.startswith("< info string unknown command") for line in lines)


def test_debug_says_more(talk: Talk) -> None:
    talk.ask("debug on")
    assert any(line.startswith("info currmove ") for line in talk.go("nodes 50"))
    talk.ask("debug off")
    assert not any(line.startswith("info currmove ") for line in talk.go("nodes 50"))
