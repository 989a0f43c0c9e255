"""A cluster of three nodes on this machine: the same games and analyses as here, whatever becomes of the nodes."""

import io
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chess.pgn
import pytest

from plyout.lab.analyse.analyse import analyse
from plyout.lab.analyse.games import read_games
from plyout.lab.analyse.settings import Settings
from plyout.lab.analyse.store import FILE
from plyout.lab.match.match import match
from plyout.lab.match.store import Store
from plyout.lab.record import Game
from plyout.lab.run.on_ray.runner import RayRunner
from tests.lab.analyse.made import BLUNDER, MISSED, collection
from tests.lab.run.clusters import TooBusy, cluster_of

pytestmark = pytest.mark.slow
pytest.importorskip("ray", reason="Ray is not installed: pip install 'plyout[ray]'")

PLAYERS = ("mcc?hash_mb=8&nodes=15", "mcc-decisive?hash_mb=8&nodes=15")
MATCH: dict[str, Any] = {"games": 12, "max_plies": 24, "quiet": True}


def played(folder: Path) -> list[tuple[str, str, str, list[chess.Move]]]:
    """All games of a store by number: who played, the result, and every move."""

    def moves(game: Game) -> list[chess.Move]:
        read = chess.pgn.read_game(io.StringIO(game.pgn))
        assert read is not None
        return list(read.mainline_moves())

    with Store.read(folder) as store:
        assert store.numbers() == set(range(len(store.games())))
        return [(game.white, game.black, game.result, moves(game)) for game in store.games()]


class Watched(RayRunner):
    """Kills the node that gets the first task, if it is told to."""

    def __init__(self, cluster: Any) -> None:
        super().__init__(cluster.address)
        self._cluster = cluster
        self.kills = False
        self.killed = ""

    def start(self, hand: Any, tasks: Any) -> None:
        if not self.kills or self.killed:
            super().start(hand, tasks)
            return
        self.killed = hand.name
        process = self._ray.get(hand.actor.ping.remote())
        os.kill(process, signal.SIGSTOP)  # it cannot end its pair, however fast it is
        super().start(hand, tasks)
        os.kill(process, signal.SIGKILL)  # and before its node goes: who loses his parent may be woken
        self._cluster.kill(self._cluster.nodes[int(hand.name[-1]) - 1])


@pytest.fixture(scope="module")
def runner() -> Iterator[Watched]:
    try:
        with cluster_of(3) as cluster, Watched(cluster) as runner:
            yield runner
    except TooBusy as error:
        pytest.skip(str(error))


def test_analyses_of_a_cluster_are_those_that_are_made_here(tmp_path: Path, runner: Watched) -> None:
    games = read_games(collection(tmp_path, BLUNDER, MISSED))
    searched = Settings("mcc", nodes=60, why=1, changes={"hash_mb": 8})
    assert len(analyse(games, searched, tmp_path / "here", quiet=True)) == 2
    assert len(analyse(games, searched, tmp_path / "there", quiet=True, cluster=runner)) == 2
    here, there = (sorted((tmp_path / folder / FILE).read_bytes().splitlines()) for folder in ("here", "there"))
    assert len(here) > 20
    assert there == here


def test_a_cluster_that_loses_a_node_plays_the_games_that_are_played_here(tmp_path: Path, runner: Watched) -> None:
    match(*PLAYERS, out=tmp_path / "here", **MATCH)
    runner.kills = True
    match(*PLAYERS, out=tmp_path / "there", cluster=runner, **MATCH)
    assert runner.killed
    assert played(tmp_path / "there") == played(tmp_path / "here")
    log = (tmp_path / "there/log").read_text()
    assert f"{runner.killed} has gone" in log or f"a worker on {runner.killed} was lost" in log
    for pair in range(6):
        places = [line.rpartition(" on ")[2] for line in log.splitlines() if f" game {2 * pair + 1}:" in line
                  or f" game {2 * pair + 2}:" in line]  # fmt: skip
        assert len(places) == 2, "each game is told once"
        assert len(set(places)) == 1, "pairs stay together"
