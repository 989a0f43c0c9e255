"""The setting `network`: a network evaluates the leaves, from wherever an engine is made."""

import json
import sys
from pathlib import Path
from typing import Any

import chess
import chess.engine
import numpy as np
import pytest

from plyout import Engine, Limits
from plyout.engine import compiling
from plyout.engine.system import system_of
from plyout.errors import InputError
from plyout.games.chess.board import NUMBER
from plyout.games.contract import KEY
from plyout.networks.positions import Positions
from plyout.networks.residual.onnx import Network
from tests.cli.client import answer, mistake
from tests.dump import digest
from tests.networks.residual.tiny import write_tiny
from tests.positions import KIWIPETE, START

PRESETS = ("mcts-net", "mcts-tt-net", "mcgs-net")
PAWNS = "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1"  # most positions are met again


@pytest.fixture(scope="module")
def network(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(write_tiny(tmp_path_factory.mktemp("networks") / "tiny.onnx"))


@pytest.fixture
def named(network: str, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("PLYOUT_NETWORKS", str(Path(network).parent))
    return "tiny"


@pytest.mark.parametrize("preset", PRESETS)
def test_presets_with_a_network_play_legal_moves(preset: str, network: str) -> None:
    engine, board = Engine(preset, network=network, hash_mb=4), chess.Board(KIWIPETE)
    while not board.is_game_over() and board.ply() < 24:
        result = engine.search(board, Limits(nodes=40), play_on=True)
        assert result.move in board.legal_moves
        assert result.playouts <= 40
        board.push(result.move)


@pytest.mark.parametrize("preset", PRESETS)
def test_the_same_seed_makes_the_same_tree(preset: str, network: str) -> None:
    trees = {digest(Engine(preset, network=network, hash_mb=4).search(PAWNS, Limits(nodes=500)).tree) for _ in "ab"}
    assert len(trees) == 1


def test_the_network_gives_the_root_its_value_and_its_priors(network: str) -> None:
    result = Engine("mcts-net", network=network, policy=1, hash_mb=4).search(KIWIPETE, Limits(nodes=1))
    seen: list[Any] = []

    def keeps(positions: Positions) -> Any:
        seen.append(Network(network)(positions))
        return seen[-1]

    Engine("mcts", evaluator=keeps, hash_mb=4).search(KIWIPETE, Limits(nodes=1))
    values, priors = seen[0]
    assert result.tree.nodes["value"][result.tree.root] == pytest.approx(0.5 + 0.5 * values[0])
    assert max(m.prior for m in result.moves) == pytest.approx(priors.max() / priors.sum(), rel=1e-5)


@pytest.mark.parametrize("batch", [1, 16])
def test_mcts_tt_asks_an_evaluator_once_for_a_position_of_one_ply(batch: int) -> None:
    asked: list[tuple[int, int]] = []

    def by_key(positions: Positions) -> Any:
        keys = positions.states[:, KEY]
        asked.extend(zip(keys.tolist(), positions.states[:, NUMBER].tolist(), strict=True))  # the side is in the key
        return (keys % 2003) / 2003 * 0.8 - 0.4, 1.0 + (positions.moves * 7919 + keys[:, None]) % 101

    result = Engine("mcts-tt", evaluator=by_key, batch=batch, hash_mb=8).search(PAWNS, Limits(nodes=3000))
    assert len(asked) == len(set(asked)) == result.playouts
    assert result.playouts < 0.5 * result.nodes, "most are copied"
    tree = result.tree
    priors: dict[tuple[int, int], Any] = {}
    raw: dict[tuple[int, int], float] = {}
    graph = tree.graph
    for node in range(result.graph["nodes"]):
        n = graph.nodes[node]
        if n["children"]:
            place = int(n["key"]), int(n["ply"])
            edges = graph.edges[n["first"] : n["first"] + n["children"]]
            mine = sorted(zip(edges["move"].tolist(), edges["prior"].tolist(), strict=True))
            assert priors.setdefault(place, mine) == mine
            assert raw.setdefault(place, float(n["raw_value"])) == float(n["raw_value"]) >= 0
    assert len(priors) < result.graph["nodes"]


def test_searched_moves_have_the_priors_of_the_network(network: str) -> None:
    board = chess.Board()
    moves = [chess.Move.from_uci("e2e4"), chess.Move.from_uci("a2a3")]
    engine = Engine("mcgs-net", network=network, hash_mb=4)
    everything = {m.move: m.prior for m in engine.search(board, Limits(nodes=50)).moves}
    some = {m.move: m.prior for m in engine.search(board, Limits(nodes=50), moves=moves).moves}
    assert set(some) == set(moves)
    assert sum(some.values()) == pytest.approx(1)
    assert some[moves[0]] / some[moves[1]] == pytest.approx(everything[moves[0]] / everything[moves[1]], rel=1e-4)


def test_a_short_search_keeps_its_time_and_a_slow_one_its_batches() -> None:
    sizes: list[int] = []

    def slow(positions: Positions) -> Any:
        import time

        time.sleep(0.002 * len(positions))
        sizes.append(len(positions))
        return np.zeros(len(positions)), None

    result = Engine("mcts", evaluator=slow, batch=16, hash_mb=4).search(KIWIPETE, Limits(movetime=700))
    assert sorted(sizes)[len(sizes) // 2] >= 8, "slow slices are not cut down to single leaves"
    assert result.seconds < 0.75


def test_threads_are_the_networks(network: str, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[int] = []
    real = Network.__init__

    def spy(self: Network, path: Any, threads: int = 1, *rest: Any) -> None:
        given.append(threads)
        real(self, path, threads, *rest)

    monkeypatch.setattr(Network, "__init__", spy)
    engine = Engine("mcgs-net", network=network, threads=2, hash_mb=4)
    assert given == [2]
    assert engine.search(START, Limits(nodes=30)).nodes == 30


def test_another_process_compiles_for_a_network_too(network: str) -> None:
    described = compiling._description(system_of("mcts", "chess", {"network": network}))
    assert described is not None
    preset, game, changes = json.loads(described)
    assert isinstance(system_of(preset, game, changes).evaluator, Network)


def test_a_network_is_found_by_name(named: str) -> None:
    found = answer("search", "--preset", "mcgs-net", "--set", f"network={named}", "--nodes", "30", "--json")
    assert chess.Move.from_uci(found["bestmove"]) in chess.Board().legal_moves


def test_a_network_serves_by_uci(network: str) -> None:
    with chess.engine.SimpleEngine.popen_uci([sys.executable, "-m", "plyout", "uci"], timeout=180) as engine:
        engine.configure({"Preset": "mcts-tt-net", "NetworkFile": network, "Hash": 4, "Threads": 2})
        played = engine.play(chess.Board(), chess.engine.Limit(nodes=40))
        assert played.move in chess.Board().legal_moves


@pytest.mark.parametrize(
    "preset, game, changes, complaint",
    [
        ("mcgs-net", "chess", {"network": "nothing"}, "there is no network 'nothing': give a file, or a name"),
        ("mcgs-net", "crazyhouse", {}, "the network tiny is for chess, and not for crazyhouse"),
        ("alphabeta", "chess", {}, "alphabeta has no use for a network of many leaves"),
        ("mcgs-net", "chess", {"rave": 5}, "no rave"),
    ],
)
def test_what_does_not_go_with_a_network_is_refused_in_one_line(
    preset: str, game: str, changes: dict[str, Any], complaint: str, network: str
) -> None:
    with pytest.raises(InputError, match=complaint) as caught:
        Engine(preset, game, **{"network": network, "hash_mb": 4, **changes})
    assert "\n" not in str(caught.value)


def test_a_file_that_is_no_network_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "no.onnx").write_bytes(b"\x08\x08nothing")
    assert "is not a network" in mistake("search", "--set", f"network={tmp_path / 'no.onnx'}", "--preset", "mcgs-net")


def test_without_onnxruntime_one_line_says_how_to_get_it(network: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(InputError, match=r"^networks need onnxruntime: pip install 'plyout\[network\]'$"):
        Engine("mcgs-net", network=network)


def test_a_provider_that_is_not_there_is_named(network: str) -> None:
    assert Network(network).provider.endswith("ExecutionProvider")
    with pytest.raises(InputError, match=r"onnxruntime has no Abacus here: there are .*CPUExecutionProvider"):
        Network(network, providers=["Abacus"])
