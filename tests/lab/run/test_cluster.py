"""A cluster of three nodes on this machine: the same games as here, whatever becomes of the nodes."""

import io
import os
import signal
from pathlib import Path
from typing import Any

import chess.pgn
import pytest

from plyout.lab.match.match import match
from plyout.lab.match.store import Store
from plyout.lab.record import Game
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


def test_a_cluster_that_loses_a_node_plays_the_games_that_are_played_here(tmp_path: Path) -> None:
    import ray

    from plyout.lab.run.on_ray.runner import RayRunner

    class Watched(RayRunner):
        def start(self, hand: Any, tasks: Any) -> None:
            first = not killed
            if first:  # stopped, so that it cannot end its pair before its node is killed
                killed.append(hand.name)
                process = ray.get(hand.actor.__ray_call__.remote(lambda worker: os.getpid()))
                os.kill(process, signal.SIGSTOP)
            super().start(hand, tasks)
            if first:
                cluster.kill(cluster.nodes[int(hand.name[-1]) - 1])
                os.kill(process, signal.SIGKILL)

    killed: list[str] = []
    match(*PLAYERS, out=tmp_path / "here", **MATCH)
    try:
        with cluster_of(3, tries=1) as cluster, Watched(cluster.address) as runner:
            match(*PLAYERS, out=tmp_path / "there", cluster=runner, **MATCH)
    except TooBusy as error:
        pytest.skip(str(error))
    assert played(tmp_path / "there") == played(tmp_path / "here")
    log = (tmp_path / "there/log").read_text()
    assert f"{killed[0]} has gone" in log or f"a worker on {killed[0]} was lost" in log
    for pair in range(6):
        places = [line.rpartition(" on ")[2] for line in log.splitlines() if f" game {2 * pair + 1}:" in line
                  or f" game {2 * pair + 2}:" in line]  # fmt: skip
        assert len(places) == 2, "each game is told once"
        assert len(set(places)) == 1, "pairs stay together"
