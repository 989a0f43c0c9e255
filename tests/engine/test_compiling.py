"""The first start compiles in several processes; each part once, and nothing is lost if a process fails."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from plyout.engine import compiling
from plyout.engine.montecarlo import MonteCarlo
from plyout.engine.system import system_of
from plyout.games import TICTACTOE
from plyout.kernel import INTERPRETED

SYSTEM = system_of("mcc", "tictactoe", {})


def test_every_part_is_claimed_by_one_process(tmp_path: Path) -> None:
    done: list[str] = []
    parts = {name: (lambda name=name: done.append(name)) for name in "abcde"}
    (tmp_path / "b").touch()  # another process is at it
    compiling._run(parts, tmp_path)
    assert done == ["a", "c", "d", "e"]
    compiling._run(parts, tmp_path)
    assert done == ["a", "c", "d", "e"]
    compiling._run(parts)
    assert done[4:] == list("abcde")


def test_a_process_whose_parent_is_gone_compiles_nothing_more(tmp_path: Path) -> None:
    done: list[int] = []
    compiling._run({"a": lambda: done.append(1)}, tmp_path, parent=os.getppid() + 1)
    assert not done


def test_what_is_the_users_own_is_compiled_here() -> None:
    def select(graph, node, parameters):  # type: ignore[no-untyped-def]
        return graph.nodes[node].first

    assert compiling._description(SYSTEM) is not None
    assert compiling._description(system_of("mcc", TICTACTOE, {"select": select})) is None
    assert compiling._description(system_of("mcts", "chess", {"evaluator": print})) is None


def test_another_process_understands_the_description() -> None:
    preset, game, changes = compiling.json.loads(compiling._description(SYSTEM) or "")
    again = system_of(preset, game, changes)
    assert (again.preset, again.game, again.rules) == (SYSTEM.preset, SYSTEM.game, SYSTEM.rules)
    assert dict(again.numbers) | {"hash_mb": 1.0} == dict(SYSTEM.numbers) | {"hash_mb": 1.0}
    assert list(MonteCarlo(again, None).parts()) == list(MonteCarlo(SYSTEM, None).parts())


@pytest.mark.parametrize("program", ["true", "false", "/no/such/program"])
def test_all_is_compiled_whatever_becomes_of_the_helpers(
    program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    monkeypatch.setenv("PLYOUT_COMPILE_PROCESSES", "2")
    monkeypatch.setattr(compiling, "INTERPRETED", False)
    monkeypatch.setattr(compiling, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(sys, "executable", program)
    compiling.compile_parts({name: (lambda name=name: done.append(name)) for name in "ab"}, SYSTEM)
    assert done == ["a", "b", "a", "b"]  # once by claim, once for what others may have done
    compiling.compile_parts({name: (lambda name=name: done.append(name)) for name in "ab"}, SYSTEM)
    assert done[4:] == ["a", "b"]  # it is known to be complete: nobody is started


@pytest.mark.slow
@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
def test_two_processes_fill_one_cache(tmp_path: Path) -> None:
    program = (
        "from plyout import Engine, Limits; from plyout.kernel import report_compiling_to; said = [];"
        "report_compiling_to(said.append);"
        "print(Engine('mcc-solver', 'tictactoe', hash_mb=1).search('xo./.x./...', Limits(nodes=50)).nodes, *said)"
    )
    environment = os.environ | {"PLYOUT_CACHE": str(tmp_path), "PLYOUT_COMPILE_PROCESSES": "2"}
    first, second = (
        subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
        ).stdout
        for _ in range(2)
    )
    assert first.split()[0] == second.split()[0] == "50"
    assert "compiling search." in first
    assert "compiling search." not in second  # a playout of any game's rules is made of them, and not kept
    assert list(tmp_path.glob("*/*.complete"))
