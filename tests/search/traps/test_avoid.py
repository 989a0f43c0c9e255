"""The trap-adaptive engine: listed moves are pruned at the root and end playouts, and never trap the search itself."""

from typing import Any

import chess
import numpy as np
import pytest

from plyout import Engine, Limits
from plyout.errors import InputError
from plyout.games import CHESS, state_of
from plyout.games.chess.border import decode, encode
from plyout.knowledge.tables.probe import no_tables
from plyout.parameters import Leaf, group, values
from plyout.playout.playouts import chess_evaluator
from plyout.playout.scratch import new_scratch
from plyout.playout.traps import CHANCES, trap_list
from plyout.search.proof.certificate import check_certificate
from plyout.search.traps.hard import hard_traps
from plyout.search.traps.soft import soft_traps
from tests.search.proof import brute

LEGAL = "r2qkbnr/ppp2ppp/2np4/4N2b/2B1P3/2N4P/PPPP1PP1/R1BQK2R b KQkq - 0 6"
QUEEN_TAKEN = chess.Move.from_uci("h5d1")
ALL_LOSE = "6rk/5Npp/8/8/8/8/8/K7 b - - 0 1"


@pytest.mark.parametrize("name", ["ta-mcc-root", "ta-mcc-soft", "ta-mcc-exploit"])
def test_no_trap_is_played_in_legals_position_where_they_are_pruned(name: str) -> None:
    result = Engine(name, hash_mb=8).search(chess.Board(LEGAL), Limits(nodes=40))
    traps = {decode(trap.move) for trap in hard_traps(CHESS.parse(LEGAL), 3)}
    assert QUEEN_TAKEN in traps
    assert result.move not in traps
    assert not traps & {m.move for m in result.moves}


def test_a_search_that_falls_for_a_trap_does_not_with_a_list() -> None:
    """Figure 5.12: an engine without a list is tempted."""
    traps = {decode(trap.move) for trap in hard_traps(CHESS.parse(LEGAL), 3)}
    tempted = Engine("mcc-hp-see", hash_mb=8).search(chess.Board(LEGAL), Limits(nodes=1000))
    assert tempted.move in traps
    listed = Engine("mcc-hp-see", hash_mb=8, trap_level=3).search(chess.Board(LEGAL), Limits(nodes=1000))
    assert listed.move not in traps


def test_the_tree_is_used_again_on_the_next_move() -> None:
    engine = Engine("ta-mcc-root", hash_mb=16)
    board = chess.Board(LEGAL)
    first = engine.search(board, Limits(nodes=3000))
    board.push(first.moves[0].pv[0])
    board.push(first.moves[0].pv[1])
    result = engine.search(board, Limits(nodes=1))
    assert sum(m.visits for m in result.moves) > 5


def test_a_second_search_of_the_position_goes_on_with_the_first() -> None:
    engine = Engine("ta-mcc-root", hash_mb=16)
    engine.search(chess.Board(LEGAL), Limits(nodes=500))
    again = engine.search(chess.Board(LEGAL), Limits(nodes=500))
    assert sum(m.visits for m in again.moves) > 900
    assert QUEEN_TAKEN not in {m.move for m in again.moves}


def test_same_seed_same_tree() -> None:
    runs = [Engine("ta-mcc", hash_mb=8, seed=3).search(chess.Board(LEGAL), Limits(nodes=200)) for _ in range(2)]
    assert [m.visits for m in runs[0].moves] == [m.visits for m in runs[1].moves]


def test_if_every_move_is_a_trap_any_is_played() -> None:
    board = chess.Board("7k/R7/8/8/8/8/8/KR6 b - - 0 1")
    assert {decode(t.move) for t in hard_traps(state_of(board), 3)} == set(board.legal_moves)
    result = Engine("ta-mcc-root", hash_mb=4).search(board, Limits(nodes=50))
    assert result.move in board.legal_moves
    assert len(result.moves) == board.legal_moves.count()


@pytest.mark.parametrize(
    "fen, hard, soft, rest",
    [
        ("5k2/8/K4R1Q/8/8/8/8/2r5 b - - 0 1", {"f8g8"}, {"f8e8"}, {"f8e7"}),
        ("6K1/8/8/2Q5/3R4/2k5/8/5b2 b - - 0 1", set(), {"f1c4"}, {"c3b2", "c3b3"}),
    ],
)
def test_where_all_else_is_lost_the_pruned_moves_are_searched(
    fen: str, hard: set[str], soft: set[str], rest: set[str]
) -> None:
    """A soft trap loses material, and every other move the game: it is searched in the end, and played."""
    board = chess.Board(fen)
    assert {str(decode(t.move)) for t in hard_traps(state_of(board), 1)} == hard
    assert {str(decode(t.move)) for t in soft_traps(state_of(board), 1)} - hard == soft
    assert {str(m) for m in board.legal_moves} - hard - soft == rest
    for move in rest:
        after = board.copy()
        after.push_uci(move)
        assert brute.mates_within(after, 3)
    result = Engine("ta-mcc-soft", hash_mb=4, trap_level=1).search(board, Limits(nodes=3000))
    assert {str(m.move) for m in result.moves} == soft
    assert result.restricted
    assert not result.mate_is_shortest


def test_a_loss_proven_without_the_pruned_moves_has_no_certificate() -> None:
    """One move is mated at once and pruned, the other one a move later: the loss is proven, and of that one alone."""
    board = chess.Board("3k4/6R1/8/8/8/8/1R6/2K5 b - - 0 1")
    assert [str(decode(t.move)) for t in hard_traps(state_of(board), 1)] == ["d8e8"]
    result = Engine("ta-mcc-root", hash_mb=8, trap_level=1).search(board, Limits(nodes=3000))
    assert (result.proof, result.mate, result.restricted) == ("loss", -2, True)
    assert [str(m.move) for m in result.moves] == ["d8c8"]
    with pytest.raises(InputError, match="only some of the moves were searched"):
        result.certificate()


def test_a_win_has_its_certificate_also_where_traps_are_pruned() -> None:
    board = chess.Board("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1")
    result = Engine("ta-mcc-root", hash_mb=8).search(board, Limits(nodes=500))
    assert check_certificate(board, result.certificate()) == 1


def test_only_the_moves_asked_for_are_searched() -> None:
    asked = [QUEEN_TAKEN, chess.Move.from_uci("c6e5")]
    result = Engine("ta-mcc-root", hash_mb=4).search(chess.Board(LEGAL), Limits(nodes=50), moves=asked)
    assert [m.move for m in result.moves] == asked[1:]
    alone = Engine("ta-mcc-root", hash_mb=4).search(chess.Board(LEGAL), Limits(nodes=50), moves=[QUEEN_TAKEN])
    assert alone.move == QUEEN_TAKEN, "there is nothing else to play"


def test_a_similarity_of_ones_own_decides_whether_lists_are_kept() -> None:
    asked = []

    def never(before, now):  # type: ignore[no-untyped-def]
        asked.append((int(before[0]), int(now[0])))
        return 0.0

    engine = Engine("ta-mcc-root", hash_mb=4, similarity=never)
    asked.clear()
    board = chess.Board(LEGAL)
    engine.search(board, Limits(nodes=20))
    asked.clear()
    board.push_uci("a7a6")
    board.push_uci("a2a3")
    engine.search(board, Limits(nodes=20))
    assert asked == [(1, 1)]
    with pytest.raises(InputError, match="no measure of similarity is called 'x'"):
        Engine("ta-mcc", similarity="x")
    with pytest.raises(InputError, match="no scaling is called 'x'"):
        Engine("ta-mcc", scaling="x")


def test_moves_that_set_traps_are_favoured() -> None:
    """White's Nxe5 sets Légal's trap: the more replies are traps, the higher its prior."""
    board = chess.Board("r2qkbnr/ppp2ppp/2np4/4p2b/2B1P3/2N2N1P/PPPP1PP1/R1BQK2R w KQkq - 0 6")
    priors = []
    for exploit in (0, 1000):
        result = Engine("ta-mcc-root", hash_mb=4, exploit=exploit).search(board, Limits(nodes=20))
        priors.append({m.move: m.prior for m in result.moves})
    taken = chess.Move.from_uci("f3e5")
    board.push(taken)
    share = len(hard_traps(state_of(board), 3)) / board.legal_moves.count()
    assert share > 0
    assert priors[1][taken] - priors[0][taken] == pytest.approx(1000 * share, abs=0.1)


def test_traps_are_for_chess() -> None:
    with pytest.raises(InputError, match="trap_level is for chess only"):
        Engine("mcc", "tictactoe", trap_level=3)


# -- playouts ----------------------------------------------------------------------------------------------------------


def white_score(board: chess.Board, games: int, traps: Any = (), **changes: float) -> float:
    """White's mean score of so many playouts."""
    scratch, parameters = new_scratch(no_tables(), rave=False, traps=traps), group(Leaf, values(changes))
    scratch.rng[0] = 1
    scores = [chess_evaluator(state_of(board), scratch, parameters) for _ in range(games)]
    mean = float(np.mean(scores))
    return mean if board.turn else 1 - mean


def test_a_listed_move_ends_playouts_with_the_chance_of_similarity() -> None:
    """Black has one legal move, and it is on the list: he loses at once, as often as the similarity says."""
    board = chess.Board("k7/8/1K6/8/8/8/8/7R b - - 0 1")
    (move,) = board.legal_moves
    base = white_score(board, 300, greedy=2)
    number = encode(board, move)
    assert white_score(board, 50, trap_list(1, 1.0, (number,)), greedy=2) == 1.0
    assert white_score(board, 300, trap_list(0, 0.0, (number,)), greedy=2) == pytest.approx(base, abs=0.06)
    assert white_score(board, 300, trap_list(0, 1.0, (9999,)), greedy=2) == base, "nobody plays that"
    half = white_score(board, 2000, trap_list(1, 0.5, (number,)), greedy=2)
    assert 0.45 + base / 2 < half < 0.95, (
        "half of the games end at once, and some of the others when it is played again"
    )
    assert trap_list(1, 0.5, (number,)).tolist() == [1, CHANCES // 2, number]
    assert not trap_list(1, 0.5, ()).size


def test_a_mate_that_was_not_forced_is_taken_back() -> None:
    """White mates at once if Black's king goes to the corner. It need not, and playouts that play on see that."""
    board = chess.Board("6k1/8/5K2/8/8/8/8/R7 b - - 0 1")
    plain, forced = white_score(board, 400, decisive=1), white_score(board, 400, decisive=1, play_on=1)
    assert forced < plain - 0.05


def test_a_forced_mate_counts_where_others_are_taken_back_too() -> None:
    board = chess.Board("7k/R7/8/8/8/8/8/KR6 b - - 0 1")  # every move allows mate in one
    for changes in ({"decisive": 1, "play_on": 1}, {"decisive": 1}):
        assert white_score(board, 50, **changes) == 1.0
