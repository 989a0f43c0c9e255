"""The first words: ``uci``, its options, and ``isready``."""

import os
import re
import sys
import time
from pathlib import Path

import chess.engine
import pytest

from plyout.presets import presets
from tests.uci.client import Talk, without_compiling


@pytest.mark.slow
def test_uci_is_answered_before_anything_is_compiled(tmp_path: Path) -> None:
    """Chess programs give up on an engine that is silent for seconds; ``isready`` may take as long as it takes."""
    talk = Talk("uci", environment=os.environ | {"PLYOUT_CACHE": str(tmp_path)})
    talk.send("uci", "isready")
    hello = talk.timed_until("uciok")
    ready = talk.timed_until("readyok", 180)
    assert hello[-1][0] - talk.began < 5
    assert hello[0][1].startswith("id name Plyout")
    assert not any("compiling" in line for _, line in hello)
    compiling = [line for _, line in ready if line.startswith("info string compiling")]
    assert len(compiling) > 20
    assert without_compiling([line for _, line in ready]) == ["readyok"]
    assert ready[-1][0] - hello[-1][0] > 1, "isready waits for compiling"
    began = time.perf_counter()
    talk.go("nodes 50")
    assert time.perf_counter() - began < 2, "nothing is left to be compiled"
    assert talk.close() == 0


def test_uci_gives_its_name_and_well_formed_options(talk: Talk) -> None:
    lines = talk.ask("uci")
    assert re.fullmatch(r"id name Plyout \d+\.\d+\S*", lines[0])
    assert re.fullmatch(r"id author \S.*", lines[1])
    assert lines[-1] == "uciok"
    names = []
    for line in lines[2:-1]:
        found = re.fullmatch(
            r"option name (\S+(?: \S+)*) type "
            r"(?:check default (?:true|false)"
            r"|spin default (-?\d+) min (-?\d+) max (-?\d+)"
            r"|combo default (\S+)((?: var \S+)+)"
            r"|string default (\S+))",
            line,
        )
        assert found, line
        names.append(found[1].lower())
        if found[2]:
            assert int(found[3]) <= int(found[2]) <= int(found[4])
        if found[5]:
            assert found[5] in found[6].split(" var ")
    assert len(names) == len(set(names)), "UCI does not tell capitals from small letters"
    assert {"hash", "threads", "multipv", "ponder", "uci_chess960", "uci_variant", "move overhead"} <= set(names)


def test_python_chess_understands_every_option() -> None:
    with chess.engine.SimpleEngine.popen_uci([sys.executable, "-m", "plyout", "uci"]) as engine:
        options = engine.options
        assert list(options["Preset"].var or ()) == list(presets())
        assert (options["Hash"].type, options["Hash"].default, options["Hash"].min) == ("spin", 96, 1)
        assert options["Debug Log File"].default in ("", "<empty>")
        for name, option in options.items():
            if not option.is_managed():
                engine.configure({name: option.default})
        engine.ping()


def test_isready_waits_for_compiling_and_answers_during_a_search(talk: Talk) -> None:
    talk.send("go infinite", "isready")
    assert not any(line.startswith("bestmove") for line in talk.until("readyok"))
    talk.send("stop")
    talk.until("bestmove")
