"""What a machine must have: differences are named, what is missing is sent, and the worker there finds it."""

import pickle
import re
import socket
import sys
import threading
from pathlib import Path
from typing import Any

import chess
import pytest

from plyout.cli.cluster import cluster_of
from plyout.engine import Engine, Limits
from plyout.errors import InputError
from plyout.lab.analyse import analyst, settings
from plyout.lab.match.belongings import cores_of, moved, things_of
from plyout.lab.match.conditions import Conditions
from plyout.lab.match.match import match
from plyout.lab.match.players import open_player, parse_spec
from plyout.lab.match.tournament import Plan
from plyout.lab.match.work import GameWork
from plyout.lab.puzzles.read import read_puzzles
from plyout.lab.puzzles.solve import Solving
from plyout.lab.run import kit
from plyout.lab.run.kit import Kit
from plyout.lab.run.on_ray import connect
from plyout.lab.run.on_ray.worker import RemoteWorker
from plyout.lab.run.work import Here, Thing
from plyout.lab.train.games import LabelledGame
from plyout.lab.train.label import Labelling, LabelWork
from plyout.networks.library import SHIPPED
from tests.lab.run.squares import Squares

ROGUE = Path(__file__).parents[1] / "match/rogue.py"


def test_versions_that_differ_are_named() -> None:
    ours = Kit.here([])
    assert ours.objections(Kit.here([])) == []
    theirs = Kit({**ours.versions, "Numba": "0.1", "Plyout": "9.9 (0)"})
    plyout, numba = ours.objections(theirs)
    assert plyout == f"Plyout is 9.9 (0) there and {ours.versions['Plyout']} here"
    assert numba.startswith("Numba is 0.1 there and ")
    missing = ours.objections(Kit({name: v for name, v in ours.versions.items() if name != "Python"}))
    assert missing == [f"Python is missing there and {ours.versions['Python']} here"]


def test_the_version_of_plyout_tells_sources_apart(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(kit, "_PACKAGE", tmp_path)
    (tmp_path / "a.py").write_text("1")
    first = kit._package_checksum()
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__/a.pyc").write_text("x")
    assert kit._package_checksum() == first
    (tmp_path / "a.py").write_text("2")
    assert kit._package_checksum() != first


def test_a_thing_that_is_another_one_is_an_objection_and_one_that_is_missing_is_sent(tmp_path: Path) -> None:
    file, folder = Thing("file", str(tmp_path / "book.bin")), Thing("folder", str(tmp_path / "tables"))
    Path(file.name).write_text("one")
    Path(folder.name).mkdir()
    ours = Kit.here([file, folder])
    Path(file.name).write_text("another")
    (Path(folder.name) / "KQK").write_text("")
    first, second = ours.objections(Kit.here([file, folder]))
    assert first.startswith(f"the file {file.name} is another one there (")
    assert second.startswith(f"the folder {folder.name} is another one there (")
    Path(file.name).unlink()
    (Path(folder.name) / "KQK").unlink()
    Path(folder.name).rmdir()
    gone = Kit.here([file, folder])
    assert ours.objections(gone) == [f"the folder {folder.name} is not there"], "a file can be sent"
    assert ours.lacks(gone) == [file, folder]


def test_a_program_is_found_where_this_machine_has_it() -> None:
    assert kit.place(Thing("program", "/nowhere/sh")) == Path(str(kit.place(Thing("program", "sh"))))
    assert kit.place(Thing("program", "/nowhere/nosuchengine")) is None
    assert kit.checksum(Thing("network", "value")) == kit.checksum(Thing("file", str(SHIPPED / "value.plynet")))
    assert kit.checksum(Thing("network", "nosuchnetwork")) == kit.MISSING


def test_players_say_what_they_bring_along(tmp_path: Path) -> None:
    own = tmp_path / "mine.toml"
    own.write_text('[parameters]\nvalue_net = "value"\n')
    book = tmp_path / "book.bin"
    book.write_bytes(b"")
    assert list(things_of(parse_spec(f"{own}?book={book}"))) == [
        Thing("file", str(own)), Thing("network", "value"), Thing("file", str(book)),
    ]  # fmt: skip
    assert list(things_of(parse_spec(f"uci:{sys.executable} {ROGUE}?Level=3"))) == [
        Thing("program", sys.executable), Thing("file", str(ROGUE)),
    ]  # fmt: skip
    assert list(things_of(parse_spec("mcc?c=0.7&book=own"))) == []
    assert [cores_of(parse_spec(t)) for t in ("mcc", "mcc?threads=4", f"uci:{sys.executable}?Threads=2")] == [1, 4, 2]


def test_belongings_are_used_where_they_lie_on_the_machine(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text((Path(kit.__file__).parents[2] / "presets/mcc.toml").read_text())
    spec = parse_spec(f"{tmp_path / 'mine.toml'}?value_net=value")
    places = {Thing("file", spec.preset): "/there/mine.toml", Thing("network", "value"): "/there/value.plynet"}
    there = moved(spec, places)
    assert there.preset == "/there/mine.toml"
    assert there.settings == {"value_net": "/there/value.plynet"}
    analysis = analyst.Analysis.of(settings.Settings(spec.preset, nodes=7, changes={"value_net": "value"}), [])
    assert list(analysis.things()) == list(things_of(spec))
    found = analysis.worker(Here(places))._settings
    assert (found.preset, found.nodes, found.changes) == (there.preset, 7, there.settings)
    rogue = parse_spec(f"uci:{sys.executable} {ROGUE}")
    assert moved(rogue, {Thing("file", str(ROGUE)): "/there/rogue.py"}).command[1] == "/there/rogue.py"
    ours = parse_spec("mcc?process=true")
    assert moved(ours, {}) == ours


def test_a_worker_elsewhere_plays_with_what_it_was_sent(tmp_path: Path) -> None:
    script = tmp_path / "rogue.py"
    script.write_bytes(ROGUE.read_bytes())
    plan = Plan.of([f"uci:{sys.executable} {script}?name=a", "mcc?hash_mb=8"], Conditions(nodes=2, max_plies=14))
    work = GameWork(plan.players, plan.conditions.control, plan.conditions.rules)
    thing = Thing("file", str(script))
    assert thing in work.things()
    expected = match(f"uci:{sys.executable} {script}?name=a", "mcc?hash_mb=8", games=2, nodes=2, max_plies=14)
    content = script.read_bytes()
    script.unlink()
    worker = RemoteWorker()
    about = worker.about([tuple(thing)], True)
    assert about["versions"] == kit.versions()
    assert about["checksums"] == [kit.MISSING]
    assert about["speed"] > 0
    worker.take_up(work, work.things(), 1.0, (thing, content))
    played = worker.do([plan.task(0), plan.task(1)])
    assert [(g.white, g.result, g.plies) for g, _ in played] == [(g.white, g.result, g.plies) for g in expected.games]
    folder = worker._folder
    assert folder is not None
    worker.rest()
    assert not Path(folder.name).exists(), "what was sent is removed"


def test_games_labels_puzzles_and_analyses_can_travel() -> None:
    plan = Plan.of(["mcc?hash_mb=8", "mcc?hash_mb=8"], Conditions(nodes=2, max_plies=14))
    labelling = Labelling("mcc?hash_mb=8", nodes=2, max_plies=6)
    board = chess.Board()
    board.push_uci("e2e4")
    analysis = analyst.Analysis.of(settings.Settings("mcc", nodes=20, changes={"hash_mb": 8}), [chess.Board()])
    works: list[tuple[Any, Any]] = [
        (GameWork(plan.players, plan.conditions.control, plan.conditions.rules), plan.task(0)),
        (LabelWork(labelling.player(), labelling), 3),
        (Solving(parse_spec("alphabeta?hash_mb=8"), read_puzzles("mate-in-2.epd")[:2], [Limits(depth=1)]), (0, 1)),
        (analysis, analyst.Task("position", "e4", board)),
    ]
    for work, task in works:
        work, task = pickle.loads(pickle.dumps((work, task)))
        worker = RemoteWorker()
        worker.take_up(work, work.things(), 1.0)
        (result,) = worker.do([task])
        worker.rest()
        found = pickle.loads(pickle.dumps(result))
        if isinstance(found, LabelledGame):
            assert (found.plies == result.plies).all()
        else:
            assert found == result


def test_a_worker_that_is_sent_home_stops_what_it_does() -> None:
    spec = f"uci:{sys.executable} {ROGUE} --hang 1"
    plan = Plan.of([spec, spec], Conditions(nodes=2, patience=60.0))
    work = GameWork(plan.players, plan.conditions.control, plan.conditions.rules)
    worker = RemoteWorker()
    worker.take_up(work, [], 1.0)
    raised: list[BaseException] = []

    def play() -> None:
        try:
            worker.do([plan.task(0)])
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=play)
    thread.start()
    while not worker._working.locked():
        thread.join(0.01)
    worker.rest()
    thread.join(30)
    assert [type(error).__name__ for error in raised] == ["Halted"]


def test_slow_machines_get_more_time() -> None:
    plan = Plan.of(["mcc?hash_mb=8", "mcc?hash_mb=8&movetime=8"], Conditions(tc="4+0.5", max_plies=12))
    worker = GameWork(plan.players, plan.conditions.control, plan.conditions.rules).worker(Here(pace=2.5))
    white, black = worker._seats(plan.task(0))
    worker.close()
    assert (str(white.control), str(black.control)) == ("10+1.25", "20 ms a move")


def test_a_missing_thing_is_told_by_who_starts_the_player() -> None:
    spec = parse_spec(f"uci:{sys.executable} {ROGUE}")
    gone = moved(spec, {Thing("program", sys.executable): "/nowhere/python"})
    with pytest.raises(InputError, match="/nowhere/python"):
        open_player(gone, "chess").prepare()


def test_squares_need_nothing() -> None:
    worker = RemoteWorker()
    worker.take_up(Squares(), [], 1.0)
    assert worker.do([2, 3]) == [4, 9]
    assert worker.ping() > 0


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("127.0.0.1:1", r"^there is no cluster at 127.0.0.1:1 \(connection refused\): 'ray start --head --port=6399'"),
        ("nonsense", "^--cluster is auto, local or HOST:PORT, as in 10.0.0.1:6399, not 'nonsense'$"),
        ("ray://a:1", "not 'ray://a:1'"),
        ("a:99999", "not 'a:99999'"),
    ],
)
def test_where_there_is_no_cluster_one_line_says_so(address: str, said: str) -> None:
    pytest.importorskip("ray", reason="Ray is not installed: pip install 'plyout[ray]'")
    with pytest.raises(InputError, match=said) as told, connect.connected(address):
        pass
    assert "\n" not in str(told.value)


def test_what_is_no_cluster_is_told_so_though_it_answers() -> None:
    pytest.importorskip("ray", reason="Ray is not installed: pip install 'plyout[ray]'")
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"

        def answer() -> None:
            with server.accept()[0] as door:
                door.sendall(b"HTTP/1.0 400 what?\r\n\r\n")

        thread = threading.Thread(target=answer)
        thread.start()
        with (
            pytest.raises(InputError, match=f"^what answers at {address} is no Ray cluster"),
            connect.connected(address),
        ):
            pass
        thread.join()


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("RPC error: InvalidAuthToken: Authentication token is missing or incorrect", "wants another token"),
        ("Version mismatch: The cluster was started with:\n Ray: 2.50.0\n", "has other versions of Ray or Python"),
        ("Could not find any running Ray instance. Please", "this machine belongs to no cluster"),
        ("Something\nelse", "cannot be joined .*: Something else"),
    ],
)
def test_what_bars_the_way_is_one_line(said: str, why: str) -> None:
    found = connect._why("auto", said)
    assert re.search(why, found)
    assert "\n" not in found


def test_without_ray_one_line_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with (
        pytest.raises(InputError, match=r"^--cluster needs Ray: pip install 'plyout\[ray\]'"),
        connect.connected("auto"),
    ):
        pass


def test_an_engine_object_cannot_travel() -> None:
    class Elsewhere:
        concurrency = 0

    runner: Any = Elsewhere()
    with pytest.raises(InputError, match="in this process"):
        match(Engine("mcc", hash_mb=8), "mcc?hash_mb=8", games=2, nodes=1, cluster=runner)


def test_scaled_times_want_a_cluster() -> None:
    with (
        pytest.raises(InputError, match=r"^--scale-time is for several machines"),
        cluster_of("local", scale_time=True),
    ):
        pass
