"""The first start compiles in several processes; each part once, and nothing is lost if a process fails."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from plyout.cache.store import Store
from plyout.engine import compile_bar, compiling
from plyout.engine.montecarlo import MonteCarlo
from plyout.engine.system import system_of
from plyout.games import TICTACTOE
from plyout.kernel import INTERPRETED
from plyout.progress import Progress
from tests.kernel.test_progress import Terminal

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


def test_the_bar_goes_by_the_time_but_no_further_than_the_parts_at_work_could_bring_it() -> None:
    parts = {"long": 8.0, "b": 1.0, "c": 1.0}
    shares = [compile_bar.share_done(parts, [], 1, seconds) for seconds in (1, 2, 4, 1000)]
    assert shares == sorted(shares)
    assert shares[0] == 0.1
    assert shares[-1] < 0.8
    assert compile_bar.share_done(parts, ["long"], 1, 16.0) == 0.8  # slower than thought, but done is done
    assert compile_bar.share_done(parts, ["long"], 2, 4.0) == pytest.approx(0.8)
    assert compile_bar.share_done(parts, list(parts), 2, 20.0) == 1.0


def test_every_part_is_in_the_bars_table() -> None:
    assert set(MonteCarlo(system_of("plyout", "chess", {}), None).parts()) <= set(compile_bar.SECONDS)


def test_a_bar_that_is_there_already_says_that_we_compile(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in `plyout analyse`, whose bar would stand still for half a minute, and nobody knew why."""
    monkeypatch.setattr(compile_bar, "_SOON", 0.0)
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    with Progress("positions", 10):
        with compile_bar.compile_bar(["a"], list, 1):
            for _ in range(100):
                if "compiling, this once" in terminal.getvalue():
                    break
                time.sleep(0.05)
            else:
                pytest.fail("nothing is said of the compiling")
        seen = len(terminal.getvalue())
        time.sleep(0.3)  # the bar is drawn ten times a second
        assert "positions" in terminal.getvalue()[seen:]
        assert "compiling" not in terminal.getvalue()[seen:]


def test_parts_that_are_done_are_told(tmp_path: Path) -> None:
    told: list[str] = []
    compiling._run(counting([]), done=told.append)
    assert told == ["a", "b"]
    compiling._run(counting([]), tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"a", "b", "a.done", "b.done"}


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
    monkeypatch.setattr(compiling, "kept_files", lambda: Store(tmp_path))
    monkeypatch.setattr(sys, "executable", program)
    compiling.compile_parts(counting(done), SYSTEM)
    assert done == ["a", "b", "a", "b"]  # once by claim, once for what others may have done
    compiling.compile_parts(counting(done), SYSTEM)
    assert done[4:] == ["a", "b"]  # it is known to be complete: nobody is started


def counting(done: list[str]) -> compiling.Parts:
    return {name: (lambda name=name: done.append(name)) for name in "ab"}


def test_where_nothing_can_be_kept_nobody_else_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """What others compile would not reach us."""
    done: list[str] = []
    monkeypatch.setenv("PLYOUT_COMPILE_PROCESSES", "2")
    monkeypatch.setattr(compiling, "kept_files", lambda: Store(None))
    monkeypatch.setattr(compiling, "_start", lambda command: pytest.fail("a process was started"))
    compiling.compile_parts(counting(done), SYSTEM)
    assert done == ["a", "b"]


def test_without_room_for_claims_all_is_compiled_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_room(**options: object) -> None:
        raise FileNotFoundError(2, "No usable temporary directory found")

    done: list[str] = []
    monkeypatch.setenv("PLYOUT_COMPILE_PROCESSES", "2")
    monkeypatch.setattr(compiling, "kept_files", lambda: Store(tmp_path))
    monkeypatch.setattr(compiling.tempfile, "TemporaryDirectory", no_room)
    compiling.compile_parts(counting(done), SYSTEM)
    assert done == ["a", "b"]


def test_a_cache_is_not_called_complete_if_something_could_not_be_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next start would compile the rest in one process, and slowly."""
    files = Store(tmp_path)
    monkeypatch.setenv("PLYOUT_COMPILE_PROCESSES", "2")
    monkeypatch.setattr(compiling, "kept_files", lambda: files)
    monkeypatch.setattr(compiling, "_start", lambda command: None)
    files.complete = False
    compiling.compile_parts(counting([]), SYSTEM)
    assert list(tmp_path.iterdir()) == []
    files.complete = True
    compiling.compile_parts(counting([]), SYSTEM)
    assert len(list(tmp_path.iterdir())) == 1


def test_damage_is_told_before_others_could_mend_it_unheard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    files = Store(tmp_path)
    files.save("code", b"code")
    os.truncate(files.path("code"), 10)
    monkeypatch.setenv("PLYOUT_COMPILE_PROCESSES", "2")
    monkeypatch.setattr(compiling, "kept_files", lambda: files)
    monkeypatch.setattr(compiling, "_start", lambda command: None)
    compiling.compile_parts(counting([]), SYSTEM)
    assert capsys.readouterr().err.count("was damaged (1 file") == 1


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
