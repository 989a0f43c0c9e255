"""The first words: ``uci``, its options, and ``isready``."""

import os
import re
import sys
from pathlib import Path

import chess.engine
import pytest

from plyout.presets import presets
from tests.uci.client import CompilerGate, Talk, without_compiling


def test_uci_is_answered_before_the_compiler_is_imported(tmp_path: Path) -> None:
    """Chess programs give up on an engine that is silent for seconds; ``isready`` may take as long as it takes."""
    gate = CompilerGate(tmp_path)
    talk = Talk("uci", environment=gate.environment)
    talk.send("uci", "isready")
    hello = talk.until("uciok")
    assert hello[0].startswith("id name Plyout")
    assert "readyok" not in talk.heard_within(0.2)
    gate.open()
    talk.until("readyok", 300)
    assert gate.was_reached(), "and nothing else would show that it was closed"
    assert talk.close() == 0


@pytest.mark.slow
def test_isready_waits_until_all_is_compiled(tmp_path: Path) -> None:
    talk = Talk("uci", environment=os.environ | {"PLYOUT_CACHE": str(tmp_path)})
    talk.send("uci", "isready")
    assert without_compiling(talk.until("uciok"))[0].startswith("id name Plyout")
    ready = talk.until("readyok", 300)
    assert any(line.startswith("info string compiling") for line in ready)
    assert without_compiling(ready) == ["readyok"]
    talk.send("go nodes 50")
    assert not any("compiling" in line for line in talk.until("bestmove")), "nothing is left to be compiled"
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
        assert (options["Hash"].type, options["Hash"].default, options["Hash"].min) == ("spin", 256, 1)
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
