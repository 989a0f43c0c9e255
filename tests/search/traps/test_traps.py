"""Trap lists are those of an exhaustive search with python-chess; refutations mate; soft traps lose material."""

import random
from collections import Counter

import chess
import chess.engine
import pytest

from plyout.errors import InputError
from plyout.games import CHESS, State, state_of
from plyout.games.chess.border import decode
from plyout.lab.traps.listing import trap_list
from plyout.search.proof.mate import Budget
from plyout.search.similarity.scaling import DynamicThreshold
from plyout.search.traps.hard import Trap, hard_traps, refutation
from plyout.search.traps.memory import NO_PREDECESSOR, TrapMemory
from plyout.search.traps.soft import soft_traps
from tests.sampling import positions, set_up
from tests.search.proof import brute

LEGAL = "r2qkbnr/ppp2ppp/2np4/4N2b/2B1P3/2N4P/PPPP1PP1/R1BQK2R b KQkq - 0 6"


def listed(board: chess.Board, level: int) -> dict[chess.Move, int]:
    return {decode(trap.move, board.chess960): trap.level for trap in hard_traps(state_of(board), level)}


def by_brute_force(board: chess.Board, level: int) -> dict[chess.Move, int]:
    found = {}
    for move in list(board.legal_moves):
        board.push(move)
        plies = next((k for k in range(1, level + 1, 2) if brute.mates_within(board, k)), 0)
        board.pop()
        if plies:
            found[move] = plies
    return found


def compare(level: int, count: int, seed: int) -> Counter[int]:
    """Compare the lists of `count` positions, half of them bare and full of mates; how many traps there were."""
    seen = Counter[int]()
    boards = [board.copy() for board in positions(count // 2, seed, every=7)]
    boards += list(set_up(count - len(boards), seed, pieces="QRBNPP"))
    for board in boards:
        if level == 3 and len(boards) > 100 and board.legal_moves.count() > 30:
            board = next(set_up(1, seed + board.ply(), pieces="RBNP"))
        expected = by_brute_force(board, level)
        assert listed(board, level) == expected, board.fen()
        seen.update(expected.values())
    return seen


def test_level_1_lists_are_those_of_python_chess() -> None:
    assert compare(level=1, count=150, seed=1)[1] > 30


def test_level_3_lists_are_those_of_python_chess() -> None:
    seen = compare(level=3, count=24, seed=2)
    assert seen[1] > 20, seen
    assert seen[3] > 5, seen


@pytest.mark.slow
def test_lists_of_many_positions_are_those_of_python_chess() -> None:
    assert compare(level=1, count=1000, seed=3)[1] > 250
    assert compare(level=3, count=100, seed=4)[3] > 10


def test_legals_trap_is_of_level_3_and_refuted_by_bishop_and_knight() -> None:
    board = chess.Board(LEGAL)
    state = state_of(board)
    trap = next(t for t in hard_traps(state, 3) if decode(t.move) == chess.Move.from_uci("h5d1"))
    assert trap.level == 3
    board.push(decode(trap.move))
    assert board.variation_san([decode(m) for m in refutation(state, trap)]) == "7. Bxf7+ Ke7 8. Nd5#"
    assert hard_traps(state, 1) == [], "Algorithm 6 as printed does not see it"


def test_every_refutation_is_a_line_to_mate_of_the_said_length() -> None:
    lengths = Counter[int]()
    for board in [chess.Board(LEGAL), *(b.copy() for b in positions(40, seed=5, every=9))]:
        state = state_of(board)
        for trap in hard_traps(state, 3)[:4]:
            after = board.copy()
            after.push(decode(trap.move, board.chess960))
            line = refutation(state, trap)
            assert len(line) == trap.level
            for move in line:
                legal = decode(move, board.chess960)
                assert legal in after.legal_moves
                after.push(legal)
            assert after.is_checkmate()
            lengths[len(line)] += 1
    assert lengths[1] and lengths[3]


def test_a_budget_that_runs_out_leaves_the_shallow_levels() -> None:
    state = CHESS.parse(LEGAL)
    assert hard_traps(state, 5, Budget(2000)) == hard_traps(state, 3)
    with pytest.raises(InputError, match="one of 1, 3, 5, 7, not 2"):
        hard_traps(state, 2)


def test_a_move_that_hangs_the_queen_is_a_soft_trap() -> None:
    state = CHESS.parse("4k3/8/3p4/8/8/8/3Q4/4K3 w - - 0 1")
    assert soft_traps(state, 1, 300) == [], "the pawn is taken for nothing, and no square is attacked"
    hanging = CHESS.parse("rnb1kbnr/pppp1ppp/8/4p3/6q1/3P4/PPP1PPPP/RNBQKBNR b KQkq - 0 3")
    assert "g4g3" in {CHESS.move_text(hanging, trap.move) for trap in soft_traps(hanging, 1, 300)}


def test_a_piece_that_is_lost_anyway_makes_no_soft_trap() -> None:
    """The bishop is shut in and will be taken: any move may be played."""
    assert soft_traps(CHESS.parse("8/Bkp5/1p6/8/8/8/8/4K3 w - - 0 1"), 1, 300) == []


def test_a_win_that_is_missed_makes_no_soft_trap() -> None:
    state = CHESS.parse("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1")
    losing = {CHESS.move_text(state, trap.move) for trap in soft_traps(state, 1, 300)}
    assert "e4e5" not in losing


def test_soft_traps_are_seen_by_stockfish() -> None:
    """A move that loses a rook's worth by our count loses more than a pawn's by Stockfish's, nearly always."""
    try:
        engine = chess.engine.SimpleEngine.popen_uci("/usr/games/stockfish")
    except FileNotFoundError:
        pytest.skip("Stockfish is not in /usr/games")
    rng, agreed, seen = random.Random(1), 0, 0
    with engine:
        for board in positions(120, seed=6, every=11):
            state = state_of(board)
            traps = soft_traps(state, 1, 450)
            if not traps or len(traps) > 8 or board.chess960:
                continue
            move = decode(rng.choice(traps).move)
            limit = chess.engine.Limit(nodes=5_000)
            best = engine.analyse(board, limit)["score"].relative.score(mate_score=3000)
            played = engine.analyse(board, limit, root_moves=[move])["score"].relative.score(mate_score=3000)
            seen += 1
            agreed += best - played > 100
    assert seen >= 10
    assert agreed >= 0.8 * seen, f"{agreed} of {seen}"


# -- lists from move to move -------------------------------------------------------------------------------------------


def fixed(value: float) -> TrapMemory:
    return TrapMemory(3, 0, lambda *_: value)


def a_turn_later() -> State:
    """Légal's position after ...a6 and a quiet reply: the traps are there still."""
    board = chess.Board(LEGAL)
    board.push_uci("a7a6")
    board.push_uci("a2a3")
    return state_of(board)


def test_a_list_is_kept_with_the_chance_of_similarity() -> None:
    first, second = CHESS.parse(LEGAL), a_turn_later()
    kept = 0
    for seed in range(300):
        memory = TrapMemory(3, 0, lambda *_: 0.7, seed=seed)
        assert memory.traps(first, Budget(10**6), {}).similarity == NO_PREDECESSOR
        kept += memory.traps(second, Budget(10**6), {}).kept
    assert 180 <= kept <= 240


def test_a_kept_list_has_only_moves_that_are_legal() -> None:
    memory = fixed(1.0)
    memory.traps(CHESS.parse(LEGAL), Budget(10**6), {})
    board = chess.Board(LEGAL)
    board.push_uci("h5d1")
    board.push_uci("e5f3")
    now = memory.traps(state_of(board), Budget(10**6), {})
    assert now.kept
    assert {decode(m).uci() for m in now.moves} == {"g7g6"}


def test_an_empty_list_is_never_kept() -> None:
    memory = fixed(1.0)
    memory.traps(CHESS.start(), Budget(10**6), {})
    assert not memory.traps(CHESS.start(), Budget(10**6), {}).kept


def test_each_side_has_a_list_of_its_own() -> None:
    memory = fixed(1.0)
    black = memory.traps(CHESS.parse(LEGAL), Budget(10**6), {})
    white = memory.traps(CHESS.start(), Budget(10**6), {})
    assert black.moves and white.moves == () and not white.kept


def test_what_became_of_traps_is_learnt_where_lists_are_made_anew() -> None:
    scaling = DynamicThreshold()
    memory = TrapMemory(3, 0, lambda *_: 0.3, scaling)
    memory.traps(CHESS.parse(LEGAL), Budget(10**6), {})
    memory.traps(a_turn_later(), Budget(10**6), {})
    assert (scaling.seen_persisted, scaling.seen_vanished) == (1, 0)
    assert scaling.persisted == pytest.approx(0.3)


def test_soft_traps_are_listed_but_not_as_hard_ones() -> None:
    found = TrapMemory(3, 200, lambda *_: 0.5).traps(CHESS.parse(LEGAL), Budget(10**6), {})
    assert set(found.hard) < set(found.moves)
    assert {trap.move for trap in hard_traps(CHESS.parse(LEGAL), 3)} == set(found.hard)


def test_the_list_for_people_names_moves_and_lines() -> None:
    answer = trap_list(chess.Board(LEGAL), 3, 0)
    assert answer["traps"][0] == {
        "move": "h5d1", "san": "Bxd1", "level": 3, "line": ["c4f7", "e8e7", "c3d5"],
        "refutation": "7. Bxf7+ Ke7 8. Nd5#",
    }  # fmt: skip
    assert trap_list(chess.Board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), 3, 100)["traps"] == []
    assert Trap(1, 3) == Trap(1, 3)
