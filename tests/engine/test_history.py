"""The history of a search: exact, reproducible, true, and saved with the tree."""

from itertools import pairwise
from pathlib import Path

import chess
import numpy as np
import pytest

from plyout import Engine, Limits
from plyout.engine.events import Event
from plyout.engine.history import MARKS, NO_MOVE, History, Record, Recorder
from plyout.engine.tree import Tree
from plyout.errors import InputError
from plyout.search.graph import PROVEN, SURE
from tests.dump import digest
from tests.positions import KIWIPETE, START

LEGAL = "r2qkbnr/ppp2ppp/2np4/4N2b/2B1P3/2N4P/PPPP1PP1/R1BQK2R b KQkq - 0 1"


def same(a: Record, b: Record) -> bool:
    return all(np.array_equal(x, y) for name, x, y in zip(Record._fields, a, b, strict=True) if name != "seconds")


@pytest.mark.parametrize("name", ["mcc", "mcts", "mcgs", "plyout"])
def test_same_seed_same_history(name: str) -> None:
    """However long it is looked at."""
    once = Engine(name, hash_mb=4, seed=7).search(KIWIPETE, Limits(nodes=700))
    again = Engine(name, hash_mb=4, seed=7).search(KIWIPETE, Limits(nodes=700), on_progress=lambda _: None, every=0.0)
    assert same(once.history.record, again.history.record)
    assert once.history.n.tolist() == [*(n for n in MARKS if n < 700), 700]


def test_a_snapshot_is_what_a_shorter_search_ends_with() -> None:
    longer = Engine("mcc", hash_mb=4).search(KIWIPETE, Limits(nodes=500)).history
    for n in (64, 128, 256):
        short = Engine("mcc", hash_mb=4).search(KIWIPETE, Limits(nodes=n)).history
        k = longer.n.tolist().index(n)
        assert same(record_up_to(longer, k), record_up_to(short, len(short) - 1)), n


def record_up_to(history: History, k: int) -> Record:
    """One snapshot, by move; its line may have been noted at an earlier one."""
    order = np.argsort(history.record.moves)
    rows = {name: getattr(history.record, name)[k : k + 1, order] for name in ("visits", "values", "proofs", "replies")}
    empty = np.zeros(0, np.int32)
    return history.record._replace(
        n=history.n[k : k + 1], proof=history.record.proof[k : k + 1], moves=history.record.moves[order],
        priors=history.priors[order], shares=history.record.shares[k : k + 1, order], lines=empty, **rows,
    )  # fmt: skip


@pytest.mark.parametrize("name", ["mcc", "mcgs", "alphabeta"])
def test_the_last_snapshot_is_the_result(name: str) -> None:
    result = Engine(name, hash_mb=4).search(KIWIPETE, Limits(nodes=3000))
    history = result.history
    by_move = dict(zip(history.moves, history.visits[-1], strict=True))
    if name != "alphabeta":  # whose last iteration may have been cut
        assert by_move == {m.move: m.visits for m in result.moves}
        assert dict(zip(history.moves, history.values[-1], strict=True)) == pytest.approx(
            {m.move: m.value for m in result.moves}
        )
        assert history.n[-1] == result.nodes
    assert len(history) == len(history.n) >= 3
    assert np.all(np.diff(history.n) > 0)
    assert np.all(np.diff(history.seconds) >= 0)


def test_the_lines_are_legal_and_are_the_leaders() -> None:
    history = Engine("mcgs", hash_mb=4).search(KIWIPETE, Limits(nodes=3000)).history
    for k, line in history.lines:
        assert line[0] == history.moves[history.leaders[k]]
        board = chess.Board(KIWIPETE)
        for move in line:
            assert board.is_legal(move)
            board.push(move)
    assert history.lines[-1][0] <= len(history) - 1


def test_several_threads_have_a_history_too() -> None:
    result = Engine("mcgs", hash_mb=4, threads=3).search(START, Limits(nodes=4000))
    assert result.history.n[-1] == result.nodes == 4000
    passed = [sum(mark <= n for mark in MARKS) for n in result.history.n.tolist()]
    assert all(a < b for a, b in pairwise(passed[:-1])), "each mark that was passed is looked at once"
    assert 5 <= len(result.history) <= passed[-1] + 1, "a busy machine lets several be passed at a time"


def test_legals_trap_is_refuted() -> None:
    """The queen may be taken, and that allows mate in two: it tempts, and is then proven lost."""
    result = Engine("mcc-combined", hash_mb=16, tables=0).search(LEGAL, Limits(nodes=20_000))
    takes = chess.Move.from_uci("h5d1")
    told = [e for e in result.history.events if e.move == takes and e.kind == "refutation"]
    assert told, result.history.events
    proven = [e for e in told if e.proof < -SURE]
    assert proven and proven[-1].proof == -(PROVEN - 4)
    assert proven[-1].other == chess.Move.from_uci("c4f7")
    k = proven[-1].snapshot
    column = result.history.moves.index(takes)
    assert result.history.proofs[k, column] == proven[-1].proof
    assert result.history.proofs[k - 1, column] == 0


def test_traps_that_are_left_out_are_told() -> None:
    result = Engine("ta-mcc-root", hash_mb=16).search(LEGAL, Limits(nodes=300))
    assert Event("trap", 0, 0, chess.Move.from_uci("h5d1")) in result.history.events


def hand_made(visits: list[list[float]], values: list[list[float]], replies: list[list[int]], share: float) -> History:
    k, m = len(visits), len(visits[0])
    record = Record(
        n=2 ** np.arange(6, 6 + k), seconds=np.zeros(k), proof=np.zeros(k, np.int32),
        moves=np.arange(m, dtype=np.int32), priors=np.zeros(m, np.float32), visits=np.array(visits),
        values=np.array(values), proofs=np.zeros((k, m), np.int32), replies=np.array(replies, np.int32),
        shares=np.full((k, m), share, np.float32), lines=np.zeros(0, np.int32), traps=np.zeros(0, np.int32),
    )  # fmt: skip
    return History(record, lambda number: f"move {number}")


def test_what_an_event_says() -> None:
    visits, values = [[40.0, 20.0], [50.0, 70.0]], [[0.6, 0.5], [0.45, 0.55]]
    standing_out = hand_made(visits, values, [[7, NO_MOVE], [8, NO_MOVE]], 0.8).events
    assert standing_out == [
        Event("refutation", 1, 128, "move 0", "move 8", 0.6, 0.45),
        Event("lead", 1, 128, "move 1", "move 0", 0.45, 0.55),
    ]
    (fallen, _) = hand_made(visits, values, [[7, NO_MOVE], [8, NO_MOVE]], 0.2).events
    assert fallen == Event("collapse", 1, 128, "move 0", None, 0.6, 0.45)


def test_the_history_is_saved_with_the_tree(tmp_path: Path) -> None:
    result = Engine("mcgs-solver", hash_mb=4).search(LEGAL, Limits(nodes=2000))
    result.tree.save(tmp_path / "tree.npz")
    loaded = Tree.load(tmp_path / "tree.npz")
    assert same(loaded.history.record, result.history.record)
    assert loaded.history.events == result.history.events
    assert loaded.history.lines == result.history.lines
    assert digest(loaded) == digest(result.tree)


def test_a_history_of_another_position_is_refused(tmp_path: Path) -> None:
    tree = Engine("mcc", hash_mb=4).search(START, Limits(nodes=200)).tree
    for field, wrong in (("moves", 5), ("replies", 7), ("traps", 3), ("lines", 2), ("visits", np.nan)):
        other = Engine("mcc", hash_mb=4).search(START, Limits(nodes=200)).tree
        array = getattr(other.history.record, field).copy()
        array = np.append(array, np.int32(wrong)) if field in ("traps", "lines") else array
        array.reshape(-1)[-1] = wrong
        tree.history = History(other.history.record._replace(**{field: array}), tree.move_numbered)
        tree.save(tmp_path / "tree.npz")
        with pytest.raises(InputError, match="history"):
            Tree.load(tmp_path / "tree.npz")


def test_somebody_may_look_on_at_every_snapshot() -> None:
    engine, seen = Engine("mcc", hash_mb=4), list[tuple[int, float]]()
    engine.watch = lambda n, graph, root: seen.append((n, float(graph.nodes["visits"][root])))
    result = engine.search(START, Limits(nodes=100))
    assert [n for n, _ in seen] == result.history.n.tolist()
    assert all(n == visits for n, visits in seen)


def test_without_a_search_the_history_is_empty(tmp_path: Path) -> None:
    result = Engine("mcc", hash_mb=4).search("R6k/6pp/8/8/8/8/8/K7 b - - 0 1", Limits(nodes=100))
    assert result.move is None
    assert len(result.history) == 0
    assert result.history.events == result.history.lines == result.history.moves == []
    result.tree.save(tmp_path / "tree.npz")
    assert len(Tree.load(tmp_path / "tree.npz").history) == 0


@pytest.mark.parametrize("time", [{"clock": 600_000}, {"movetime": 60_000}])
def test_where_time_counts_snapshots_are_few_unless_somebody_looks_on(time: dict[str, float]) -> None:
    engine, limits = Engine("mcc", hash_mb=4), Limits(nodes=600, **time)  # type: ignore[arg-type]
    history = engine.search(START, limits).history
    assert (np.diff(history.seconds, prepend=0.0)[:-1] >= 0.0099).all(), "at most a hundred a second"
    assert (np.diff(history.n) > 0).all()
    assert history.n[-1] == 600
    engine.new_game()
    engine.watch = lambda n, graph, root: None
    assert engine.search(START, limits).history.n.tolist() == [*(n for n in MARKS if n < 600), 600]


def test_a_search_that_time_ends_is_not_cut() -> None:
    """The number of iterations between two looks at the clock is the search's own affair."""
    root = Engine("mcc", hash_mb=4)._searcher.root  # type: ignore[union-attr]
    recorder = Recorder(root, 0.0, timed=True)
    recorder.look(5, 0.004)
    assert recorder.snapshots == [], "too soon"
    recorder.look(50, 0.012)
    recorder.look(51, 0.5)
    recorder.look(3000, 0.6)
    assert [(look.n, look.seconds) for look in recorder.snapshots] == [(50, 0.012), (3000, 0.6)]
    assert recorder.next <= 0, "no mark is ahead, at which a slice would have to end"
    assert Recorder(root, 0.0).next == 1
