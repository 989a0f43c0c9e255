"""What the solver claims is true: to the ply, with certificates that python-chess can follow; and draws, too."""

import copy
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import chess
import pytest

from plyout import Engine, Limits
from plyout.engine.result import Result
from plyout.errors import InputError
from plyout.games import CHESS, TICTACTOE, state_of
from plyout.games.chess.border import decode
from plyout.search.graph import DRAWN_HERE, SURE, new_graph
from plyout.search.proof.certificate import check_certificate
from plyout.search.proof.graft import distance, graft_mate
from plyout.search.proof.mate import ENDLESS, Budget
from tests.sampling import set_up
from tests.search.mirror import State, legal, lost, play
from tests.search.proof import brute

LADDER = chess.Board("8/8/8/3k4/8/8/8/RR2K3 w - - 0 1")


def verify(board: chess.Board, result: Result) -> int:
    """Check a claimed win or loss against its certificate; the plies, negative for a loss."""
    assert result.proof in ("win", "loss"), board.fen()
    assert result.mate_is_shortest
    plies = check_certificate(board, result.certificate())
    won = result.proof == "win"
    assert result.mate == ((plies + 1) // 2 if won else -(plies // 2))
    return plies if won else -plies


def puzzles(count: int, seed: int) -> Iterator[tuple[chess.Board, int]]:
    """(board, plies to mate by brute force, 0 for none) of positions with few pieces."""
    for board in set_up(count, seed, pieces="QQRBNP"):
        yield board, brute.distance(board, 3)


def test_every_mate_claimed_is_exact() -> None:
    """Against brute force up to three plies: mates in one and two, and none claimed shorter than there is."""
    engine = Engine("mcc-solver", hash_mb=8)
    seen = Counter[int]()
    for board, plies in puzzles(150, seed=31):
        engine.new_game()
        result = engine.search(board, Limits(nodes=3000))
        if result.proof in ("win", "loss"):
            claimed = verify(board, result)
            if plies > 0 or 0 < claimed <= 3 or claimed in (-2, 0):
                assert claimed == plies, f"{board.fen()}: {result.move}"
            seen[claimed] += 1
        else:
            assert plies != 1, f"missed a mate in one in {board.fen()}"
            seen[0] += 1
    assert seen[1] >= 10
    assert seen[3] >= 10


def test_every_loss_claimed_is_exact_and_the_longest_defence_is_chosen() -> None:
    engine = Engine("mcc-solver", hash_mb=8)
    losses = Counter[int]()
    for board, plies in puzzles(150, seed=32):
        if plies != 3:
            continue
        for move in board.legal_moves:
            after = board.copy()
            after.push(move)
            if not brute.is_mated_within(after, 2):
                continue
            engine.new_game()
            result = engine.search(after, Limits(nodes=20_000))
            assert result.proof == "loss"
            assert verify(after, result) == -2, after.fen()
            assert all(m.proof == "loss" for m in result.moves)
            assert result.moves[0].mate == min(m.mate or 0 for m in result.moves)
            losses[2] += 1
    for fen in ("8/8/8/8/8/1k6/2r5/K7 w - - 0 1", "k7/8/2K5/8/8/8/8/1Q6 b - - 0 1", "7k/8/5K2/8/8/8/8/R7 b - - 0 1"):
        board = chess.Board(fen)
        plies = next(n for n in (2, 4, 6) if brute.is_mated_within(board, n))
        engine.new_game()
        assert verify(board, engine.search(board, Limits(nodes=50_000))) == -plies, fen
        losses[plies] += 1
    assert losses[2] >= 5
    assert losses[4] >= 1


@pytest.mark.slow
def test_longer_mates_are_exact() -> None:
    """Mates in three: none shorter by brute force, and the certificate is as long as the claim."""
    engine = Engine("mcc-combined", hash_mb=32, tables=0)  # tables would prove some without a certificate
    found = 0
    for board in set_up(120, seed=33, pieces="QQRR"):
        engine.new_game()
        result = engine.search(board, Limits(nodes=10_000))
        if result.mate is not None and result.mate >= 2:
            plies = verify(board, result)
            assert not brute.mates_within(board, min(plies - 2, 3)), board.fen()
            found += plies >= 5
    assert found >= 5


@pytest.mark.parametrize("clock", [98, 99])
def test_a_mate_that_the_fifty_move_rule_forestalls_is_not_claimed(clock: int) -> None:
    """Mate in two by quiet moves would come too late; the pawn's move makes it a mate in three."""
    board = chess.Board(f"7k/R7/8/8/8/1P6/8/1R2K3 w - - {clock} 90")
    result = Engine("mcc-solver", hash_mb=16).search(board, Limits(nodes=20_000))
    assert result.mate == 3
    assert str(result.move) == "b3b4"


def test_a_mate_that_comes_too_late_leaves_no_drawn_position_undecided() -> None:
    """It is looked for without the fifty-move rule, and the search goes on from what that has left in the graph."""
    board = chess.Board("7k/8/8/8/8/8/R7/1R2K3 w - - 98 100")
    graph = new_graph(1000, 10_000)
    assert not graft_mate(graph, 0, state_of(board), CHESS, 3, Budget(ENDLESS))
    drawn = 0
    for first in range(graph.nodes["children"][0]):
        child = int(graph.edges["child"][first])
        if child < 0:
            continue
        board.push(decode(int(graph.edges["move"][first])))
        begin = int(graph.nodes["first"][child])
        for reply in range(begin, begin + int(graph.nodes["children"][child])):
            if graph.edges["child"][reply] >= 0:
                board.push(decode(int(graph.edges["move"][reply])))
                assert board.is_fifty_moves()
                assert graph.nodes["proof"][graph.edges["child"][reply]] == DRAWN_HERE
                drawn += 1
                board.pop()
        board.pop()
    assert drawn


@pytest.mark.slow
def test_mates_in_two_of_famous_games_are_proven(data_file: Callable[[str], Path]) -> None:
    fens = [line for line in data_file("mate-in-2.txt").read_text().splitlines() if line.count("/") == 7][::4]
    engine = Engine("mcc-combined", hash_mb=32)
    proven = 0
    for fen in fens:
        board = chess.Board(fen)
        if not board.is_valid():
            continue
        engine.new_game()
        result = engine.search(board, Limits(nodes=15_000))
        if result.proof is not None:
            assert verify(board, result) == 3, fen
            proven += 1
    assert len(fens) > 50
    assert proven >= 0.5 * len(fens), f"{proven} of {len(fens)}"


def test_threads_prove_no_less_exactly() -> None:
    engine = Engine("mcc-solver", hash_mb=8, threads=2)
    proven = 0
    for board, plies in puzzles(40, seed=34):
        engine.new_game()
        result = engine.search(board, Limits(nodes=3000))
        if result.proof in ("win", "loss"):
            claimed = verify(board, result)
            assert not 0 < plies < claimed, board.fen()
            proven += 1
    assert proven >= 10


# --- certificates ----------------------------------------------------------------------------------------------------


@cache
def mate_in_two() -> tuple[chess.Board, Any]:
    board = chess.Board("7k/8/8/8/8/8/R7/1R2K3 w - - 0 1")
    result = Engine("mcc-solver", hash_mb=16).search(board, Limits(nodes=50_000))
    assert result.mate == 2
    return board, result.certificate()


def test_a_certificate_holds_as_it_is() -> None:
    board, proof = mate_in_two()
    assert check_certificate(board, proof) == 3
    assert proof["winner"] == "white"
    assert proof["fen"] == board.fen()


def tampered(change: Callable[[Any], None]) -> Any:
    proof = copy.deepcopy(mate_in_two()[1])
    change(proof)
    return proof


def drop_reply(proof: Any) -> None:
    replies = proof["lines"][1]
    del replies[next(iter(replies))]


def all_replies_gone(proof: Any) -> None:
    proof["lines"][1] = {}


def illegal_move(proof: Any) -> None:
    proof["lines"][0] = "a2b3"


def no_mate_at_the_end(proof: Any) -> None:
    replies = proof["lines"][1]
    replies[next(iter(replies))] = ["e1e2", {}]


def longer(proof: Any) -> None:
    proof["plies"] = 5


def shorter(proof: Any) -> None:
    proof["plies"] = 1


def illegal_reply(proof: Any) -> None:
    proof["lines"][1]["a8a7"] = ["a2a3", {}]


def other_winner(proof: Any) -> None:
    proof["winner"] = "black"


def nonsense(proof: Any) -> None:
    proof["lines"] = None


TAMPERINGS = (
    drop_reply, all_replies_gone, illegal_move, no_mate_at_the_end, longer, shorter, illegal_reply, other_winner,
    nonsense,
)  # fmt: skip


@pytest.mark.parametrize("change", TAMPERINGS, ids=lambda change: change.__name__)
def test_a_tampered_certificate_is_refused(change: Callable[[Any], None]) -> None:
    with pytest.raises(InputError):
        check_certificate(mate_in_two()[0], tampered(change))


def test_a_certificate_is_refused_for_another_position() -> None:
    with pytest.raises(InputError):
        check_certificate(LADDER, mate_in_two()[1])


def test_there_is_no_certificate_without_a_proof() -> None:
    result = Engine("mcc-solver", hash_mb=8).search(chess.Board(), Limits(nodes=100))
    with pytest.raises(InputError, match="not proven"):
        result.certificate()


# --- draws and whole games -------------------------------------------------------------------------------------------


def test_a_forced_draw_is_proven() -> None:
    """Nothing can be taken or pushed any more, and the hundredth quiet ply is near."""
    board = chess.Board("8/8/8/1k6/1p6/1P6/1K6/8 w - - 97 80")
    result = Engine("mcc-solver", hash_mb=8).search(board, Limits(nodes=3000))
    assert result.proof == "draw"
    assert result.value == 0.5
    assert result.mate is None
    assert result.end_in_ply == 3


@pytest.mark.parametrize(
    "fen, move",
    [
        ("8/8/4r3/8/8/6Q1/5P2/5K1k b - - 0 1", "e6e1"),  # the rook gives itself up: taking it is stalemate
        ("k7/8/K7/1Qr5/8/8/8/8 b - - 0 1", "c5b5"),
    ],
)
def test_a_proven_draw_is_preferred_to_lost_games(fen: str, move: str) -> None:
    result = Engine("mcc-solver", hash_mb=16).search(fen, Limits(nodes=5000))
    assert str(result.move) == move
    assert result.moves[0].proof == "draw"
    assert result.proof in ("draw", None)


@cache
def solved(state: State) -> tuple[int, int]:
    """(1 won, 0 drawn, -1 lost for the side to move; plies of best play) by minimax."""
    if lost(state):
        return -1, 0
    values = [solved(play(state, move)) for move in legal(state)]
    if not values:
        return 0, 0
    best = -min(value for value, _ in values)
    plies = [1 + n for value, n in values if -value == best]
    return best, min(plies) if best > 0 else max(plies)


def unfinished(stones: int) -> set[State]:
    """The positions of games with at least so many stones that go on."""
    found: set[State] = set()
    level: set[State] = {(0, 0, 0, 0)}
    for count in range(9):
        level = {s for s in level if legal(s)}
        if count >= stones:
            found |= level
        level = {play(s, move) for s in level for move in legal(s)}
    return found


def test_tic_tac_toe_is_proven_drawn_from_the_empty_board() -> None:
    """A proven draw must not keep the search from the moves beside it."""
    engine = Engine("mcc-solver", TICTACTOE, hash_mb=64, draw_floor=1)
    result = engine.search("startpos", Limits(nodes=150_000))
    assert result.proof == "draw"
    assert result.value == 0.5
    assert solved((0, 0, 0, 0))[0] == 0
    assert all(m.proof == "draw" for m in result.moves), "no first move loses, and none wins"
    assert {m.end_in_ply for m in result.moves} == {9} == {result.end_in_ply}, "a drawn board is a full one"


def test_a_draw_in_hand_is_a_floor_for_the_value() -> None:
    """Stalemate by giving the rook away, or a lost game: whoever can have the draw does not count less."""
    fen = "k7/8/K7/1Qr5/8/8/8/8 b - - 0 1"
    values = []
    for floor in (0, 1):
        result = Engine("mcc-solver", hash_mb=16, draw_floor=floor).search(fen, Limits(nodes=300))
        assert str(result.move) == "c5b5"
        tree = result.tree
        values.append(float(tree.graph.nodes["value"][tree.root] / tree.graph.nodes["visits"][tree.root]))
    assert values[0] < 0.45
    assert values[1] >= 0.49


def test_tic_tac_toe_is_solved_as_minimax_solves_it() -> None:
    """Every position with four stones or more: win, draw and loss, and a move that keeps it."""
    engine = Engine("mcc-solver", TICTACTOE, hash_mb=1)
    states = sorted(unfinished(4))
    assert len(states) > 3000
    for state in states:
        array = TICTACTOE.start()
        array[0], array[2], array[3] = state[0], state[2], state[3]
        engine.new_game()
        result = engine.search(array, Limits(nodes=5000))
        value, plies = solved(state)
        assert result.proof == {1: "win", 0: "draw", -1: "loss"}[value], TICTACTOE.show(array)
        assert solved(play(state, result.move))[0] == -value, TICTACTOE.show(array)
        if value == 0:
            assert result.end_in_ply == plies, "until the board is full"
        if abs(result.proof_number) > SURE:
            claimed = distance(result.proof_number)
            assert claimed % 2 == plies % 2
            assert claimed >= plies if value > 0 else claimed > 0
            if result.mate_is_shortest:
                assert claimed == plies, f"said to be shortest in {TICTACTOE.show(array)}"
