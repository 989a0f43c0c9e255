"""Lines: beside every root move stands a legal one that ends with the game, and beside every mate the line that proves
it. python-chess is the judge."""

from collections import Counter
from collections.abc import Iterator
from itertools import chain

import chess
import pytest

from plyout import Engine, Limits
from plyout.engine.result import MoveStatistics, Result
from plyout.engine.tree import Tree
from plyout.games import CHESS, TICTACTOE
from plyout.lab.puzzles.read import read_puzzles
from plyout.search.graph import PROVEN, add_edges, new_graph
from plyout.search.proof.graft import distance
from plyout.search.proof.lines import ProofLines
from tests.engine.judge import judge
from tests.sampling import positions, set_up

LEGALS_TRAP = "r2qkbnr/ppp2ppp/2np4/4N2b/2B1P3/2N4P/PPPP1PP1/R1BQK2R b KQkq - 0 1"


def puzzles(every: int) -> Iterator[chess.Board]:
    """Mates in two and three from games, and the same after the first move: the side to move is mated, then."""
    for name in ("mate-in-2.epd", "mate-in-3.epd"):
        for puzzle in read_puzzles(name)[::every]:
            yield puzzle.board.copy()
            mated = puzzle.board.copy()
            mated.push(puzzle.best[0])
            yield mated


def endings() -> Iterator[chess.Board]:
    for fen in ("8/8/8/3k4/8/8/8/Q3K3 w - - 0 1", "8/8/8/3k4/8/8/8/R3K3 b - - 0 1", "7k/8/5K2/8/8/8/8/R7 b - - 0 1",
                "8/1P1k4/8/8/8/8/8/4K3 w - - 0 1", "7k/R7/8/8/8/1P6/8/1R2K3 w - - 98 90"):  # fmt: skip
        yield chess.Board(fen)


def corpus(size: int) -> Iterator[chess.Board]:
    """Positions with mates, with proofs by tables, and from random games with their history."""
    yield chess.Board(LEGALS_TRAP)
    yield from endings()
    yield from puzzles(every=max(1, 640 // size))
    for board in chain(set_up(size // 3, seed=61, pieces="QRBNPP"), positions(size // 3, seed=62, every=9)):
        if not board.is_game_over(claim_draw=True):
            yield board.copy()


@pytest.mark.parametrize(
    "preset, nodes",
    [("plyout", 1500), ("mcc-combined", 1500), ("mcgs-solver", 1500), ("alphabeta", 4000), ("alphabeta-v1", 4000)],
)
def test_every_line_is_legal_ends_with_the_game_and_proves_what_is_said(preset: str, nodes: int) -> None:
    engine = Engine(preset, hash_mb=16)
    seen, wrong = Counter[str](), []
    for board in corpus(size=48):
        engine.new_game()
        wrong += judge(board, engine.search(board, Limits(nodes=nodes)), seen)
    assert not wrong, "\n".join(wrong[:10])
    assert seen["win with its distance"] >= 12 and seen["loss with its distance"] >= 20, seen
    assert seen["proven by trying everything"] >= 20, seen


def san(board: chess.Board, m: MoveStatistics) -> str:
    return board.variation_san(m.pv)


def move_of(result: Result, text: str) -> MoveStatistics:
    return next(m for m in result.moves if str(m.move) == text)


def test_legals_mate_stands_beside_the_capture_of_the_queen() -> None:
    board = chess.Board(LEGALS_TRAP)
    result = Engine("plyout", hash_mb=16).search(board, Limits(nodes=20_000))
    takes = move_of(result, "h5d1")
    assert takes.mate == -2 and san(board, takes) == "1...Bxd1 2. Bxf7+ Ke7 3. Nd5#"
    assert takes.as_dict()["pv"] == [str(move) for move in takes.pv]


def test_every_move_that_tables_know_has_its_whole_line() -> None:
    board = chess.Board("8/8/8/3k4/8/8/8/Q3K3 w - - 0 1")
    result = Engine("mcc-combined", hash_mb=1).search(board, Limits(nodes=10))
    won = [m for m in result.moves if m.proof == "win"]
    assert len(won) >= 20 and all(m.mate is not None and len(m.pv) == 2 * m.mate - 1 for m in won)


@pytest.mark.parametrize("threads", [1, 2])
def test_reports_of_a_search_that_goes_on_hold_as_well(threads: int) -> None:
    engine, seen, wrong = Engine("plyout", hash_mb=16, threads=threads), Counter[str](), []
    for board in (chess.Board(LEGALS_TRAP), *puzzles(every=40)):
        engine.new_game()

        def report(result: Result, board: chess.Board = board) -> None:
            wrong.extend(judge(board, result, seen, brute_force=False))

        engine.search(board, Limits(nodes=6000), on_progress=report, every=0.0)
    assert not wrong, "\n".join(wrong[:10])
    assert seen["positions"] >= 10 and seen["loss with its distance"] >= 10, seen


@pytest.mark.parametrize("preset", ["plyout", "mcgs-solver", "alphabeta"])
@pytest.mark.parametrize("fen", ["8/8/3rk3/8/8/3RK3/8/8 w - - 80 90", "8/5kp1/8/8/8/8/1PK5/8 w - - 70 90"])
def test_lines_end_with_the_game_where_it_repeats_and_drags_on(preset: str, fen: str) -> None:
    """The engine plays itself in a drawn ending without tables, up to the fifty-move rule and three moves further."""
    engine, board = Engine(preset, hash_mb=4, **({} if preset == "alphabeta" else {"tables": 0})), chess.Board(fen)
    seen, wrong = Counter[str](), []
    for _ in range(34):
        result = engine.search(board, Limits(nodes=400), play_on=True)
        if result.move is None:
            break
        wrong += judge(board, result, seen, brute_force=False)
        board.push(result.move)
    assert not wrong, "\n".join(wrong[:10])
    assert seen["positions"] >= 12


def test_a_mate_that_a_third_repetition_forestalls_is_not_counted_out() -> None:
    """The game has been twice where the mate would pass through: whoever may claim the draw there does."""
    board = chess.Board("7k/8/8/8/8/8/R7/1R2K3 w - - 0 1")
    for text in ("b1b7", "h8g8", "b7b1", "g8h8") * 2:
        board.push_uci(text)
    result = Engine("mcc-solver", hash_mb=4).search(board, Limits(nodes=3000), play_on=True)
    wrong = judge(board, result, Counter())
    assert not wrong, wrong
    assert move_of(result, "b1b7").mate is None, "after Rb7 Kg8 the position is there for the third time"


def test_so_many_lines_as_are_wanted() -> None:
    engine = Engine("plyout", hash_mb=16)
    result = engine.search(LEGALS_TRAP, Limits(nodes=6000), lines=2)
    assert [len(m.pv) > 1 for m in result.moves[:2]] == [True, True]
    assert all(m.pv == [m.move] and m.mate is None for m in result.moves[2:])
    assert move_of(result, "h5d1").proof == "loss"


def test_a_distance_that_has_become_shorter_below_is_counted_anew() -> None:
    """In a graph another way may shorten a mate after the nodes above were told its distance."""
    board = chess.Board("7k/8/8/8/8/8/R7/1R2K3 w - - 0 1")
    result = Engine("mcc-solver", hash_mb=4).search(board, Limits(nodes=5000))
    tree, plies = result.tree, distance(result.proof_number)
    assert result.proof == "win" and plies == 3
    tree.graph.nodes["proof"][tree.root] -= 4  # as if it had been proven first with a longer one
    for nodes, whole in ((1000, True), (1, False)):
        found = ProofLines(tree.graph, CHESS, None, lambda state: [], nodes).of_node(tree.root, tree.state)
        assert found.whole == whole
        assert (distance(found.proof) == len(found.line) == plies) == whole


def test_the_best_line_of_a_graph_with_a_cycle_ends() -> None:
    graph = new_graph(2, 2)
    add_edges(graph, 0, [1], 0.0)
    add_edges(graph, 1, [2], 0.0)
    graph.edges["child"][:] = 1, 0
    graph.edges["visits"][:] = 1.0
    assert Tree(graph, TICTACTOE.start(), TICTACTOE, "mcc", {}).best_line() == [1, 2]


def test_other_games_have_lines_to_their_ends() -> None:
    """Noughts and crosses: a proven win is as many moves away as its line has."""
    state = TICTACTOE.start()
    for move in (0, 1, 3):
        TICTACTOE.play(state, move)
    result = Engine("mcc-solver", TICTACTOE, hash_mb=1).search(state, Limits(nodes=5000))
    for m in result.moves:
        if m.proof in ("win", "loss"):
            after = state
            for move in m.pv:
                after = TICTACTOE.after(after, move)
            assert TICTACTOE.result(after) == 0.0 and len(m.pv) == PROVEN - abs(m.proof_number)
