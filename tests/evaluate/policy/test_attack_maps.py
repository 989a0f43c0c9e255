"""What a position shows at a glance is what python-chess finds by looking at every square and every move."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import chess
import numpy as np

from plyout.evaluate.policy.attack_maps import NOTHING, look
from plyout.evaluate.policy.move_features import PARTS, check, features, man_of, win_of
from plyout.games import CHESS, state_of
from plyout.games.chess.board import castled, load
from plyout.games.chess.border import encode
from plyout.games.chess.move import CASTLE
from plyout.kernel import kernel, shr
from tests.evaluate import oracle
from tests.positions import CASTLING_960, DRAWS
from tests.sampling import positions, set_up

LESSER = {
    chess.PAWN: (),
    chess.KNIGHT: (chess.PAWN,),
    chess.BISHOP: (chess.PAWN,),
    chess.ROOK: (chess.PAWN, chess.KNIGHT, chess.BISHOP),
    chess.QUEEN: (chess.PAWN, chess.KNIGHT, chess.BISHOP, chess.ROOK),
}
SLIDERS = {"diagonal": (chess.BISHOP, chess.QUEEN), "straight": (chess.ROOK, chess.QUEEN)}
STRIKES = ("once", "twice", "by_pawn", "by_minor", "by_rook", "diagonal", "straight")
WORDS = (
    *(f"struck {name}" for name in STRIKES), *(f"guarded {name}" for name in STRIKES), "checked", "hanging", "worst",
    "needy", "pinned", "loose", "held", "passed", "steps", "runner", "quarry", "flights",
)  # fmt: skip


@kernel
def _look(state: Any, out: Any) -> None:
    s = look(load(state))
    g, p, t, w = s.struck, s.plight, s.targets, s.pawns
    out[:7] = g.once, g.twice, g.by_pawn, g.by_minor, g.by_rook, g.diagonal, g.straight
    g = s.guarded
    out[7:14] = g.once, g.twice, g.by_pawn, g.by_minor, g.by_rook, g.diagonal, g.straight
    out[14:21] = p.checked, p.hanging, p.worst, p.needy, p.pinned, t.loose, t.held
    out[21:26] = w.passed, w.steps, w.runner, w.quarry, s.checks.flights


@kernel
def _moves(state: Any, moves: Any, checks: Any, wins: Any, places: Any) -> None:
    b = load(state)
    s = look(b)
    for i in range(moves.size):
        move = moves[i]
        man = man_of(b, s, move)
        to, promotion = shr(move, 6) & 63, shr(move, 15) & 7
        if move & CASTLE:
            to = castled(move & 63, to)[0]
        checks[i] = check(b, s, move, promotion if promotion else man.piece, to)
        f = features(b, s, man, move)
        for k in range(len(f)):
            places[i, k] = f[k]
        wins[i] = _win(b, s, man, move, f[2])


@kernel
def _win(b: Any, s: Any, man: Any, move: int, place: int) -> int:
    """The exchange value as `features` finds it; `place` tells victim and danger."""
    code = place - FIRST_DANGER
    return win_of(b, s, move, man, shr(code, 4) % 6, code & 3)


FIRST_DANGER = PARTS["start"] + PARTS["target"]


def boards(count: int = 400) -> Iterator[chess.Board]:
    yield from (chess.Board(fen, chess960=True) for fen in (*DRAWS.values(), *CASTLING_960.values()))
    for source in (positions(2 * count, seed=11), set_up(count // 4, 12), set_up(count // 4, 13, "QQRRBBNNPPPPPP")):
        yield from source


def seen(board: chess.Board) -> dict[str, int]:
    out = np.zeros(len(WORDS), np.int64)
    _look(state_of(board.copy(stack=False)), out)
    small = ("checked", "worst", "runner", "quarry")
    return {name: int(x) if name in small else int(x) & chess.BB_ALL for name, x in zip(WORDS, out, strict=True)}


def strikers(board: chess.Board, colour: chess.Color, square: int) -> list[int]:
    return [board.piece_type_at(s) or 0 for s in board.attackers(colour, square)]


def line_attack(board: chess.Board, colour: chess.Color, square: int, name: str) -> bool:
    """Whether a slider of `colour` strikes the square along a diagonal, or straight."""
    for s in board.attackers(colour, square):
        diagonal = bool(chess.BB_DIAG_ATTACKS[square][0] & 1 << s)
        if board.piece_type_at(s) in SLIDERS[name] and diagonal == (name == "diagonal"):
            return True
    return False


def strikes(board: chess.Board, colour: chess.Color) -> dict[str, int]:
    found = dict.fromkeys(STRIKES, 0)
    for square in chess.SQUARES:
        kinds = strikers(board, colour, square)
        bit = 1 << square
        found["once"] |= bit if kinds else 0
        found["twice"] |= bit if len(kinds) > 1 else 0
        found["by_pawn"] |= bit if chess.PAWN in kinds else 0
        found["by_minor"] |= bit if {chess.PAWN, chess.KNIGHT, chess.BISHOP} & set(kinds) else 0
        found["by_rook"] |= bit if set(kinds) - {chess.QUEEN, chess.KING} else 0
        for name in SLIDERS:
            found[name] |= bit if line_attack(board, colour, square, name) else 0
    return found


def is_passed(board: chess.Board, colour: chess.Color, square: int) -> bool:
    """No enemy pawn on this or a neighbouring file can stop or take a pawn that stands here."""
    file, rank = chess.square_file(square), chess.square_rank(square)
    for pawn in board.pieces(chess.PAWN, not colour):
        f, r = chess.square_file(pawn), chess.square_rank(pawn)
        ahead = r - rank if colour else rank - r
        if (f == file and ahead >= 0) or (abs(f - file) == 1 and ahead > 0):
            return False
    return True


def foremost(board: chess.Board, colour: chess.Color) -> int:
    """How many ranks the foremost passed pawn has behind it, or -1."""
    ranks = [chess.square_rank(s) for s in board.pieces(chess.PAWN, colour) if is_passed(board, colour, s)]
    return max((r if colour else 7 - r for r in ranks), default=-1)


def test_strikes_are_attackers() -> None:
    for board in boards(60):
        sight = seen(board)
        for word, colour in (("struck", not board.turn), ("guarded", board.turn)):
            for name, squares in strikes(board, colour).items():
                assert sight[f"{word} {name}"] == squares, f"{word} {name} in {board.fen()}"


def test_men_hang_that_lesser_men_strike_or_nobody_guards() -> None:
    met = Counter[str]()
    for board in boards():
        sight, hanging, needy, loose, pinned, held = seen(board), 0, 0, 0, 0, 0
        for square, piece in board.piece_map().items():
            if piece.piece_type == chess.KING:
                continue
            against, guards = (strikers(board, c, square) for c in (not piece.color, piece.color))
            bit = 1 << square
            if piece.color == board.turn:
                if against and (not guards or set(against) & set(LESSER[piece.piece_type])):
                    hanging |= bit
                needy |= bit if against and len(guards) == 1 else 0
                pinned |= bit if board.is_pinned(board.turn, square) else 0
            else:
                loose |= bit if not guards else 0
                held |= bit if board.is_pinned(not board.turn, square) else 0
        kinds = [board.piece_type_at(s) or 0 for s in chess.scan_forward(hanging)]
        worst = max(kinds) - 1 if kinds else NOTHING
        expected = {"hanging": hanging, "needy": needy, "loose": loose, "pinned": pinned, "held": held, "worst": worst}
        expected["checked"] = board.is_check()
        assert {name: sight[name] for name in expected} == expected, board.fen()
        met.update(name for name, x in expected.items() if x and x != NOTHING)
    assert min(met.values()) >= 10, met


def test_passed_pawns_are_those_nobody_can_stop() -> None:
    runners = 0
    for board in boards():
        sight = seen(board)
        squares = sum(1 << s for s in chess.SQUARES if is_passed(board, board.turn, s))
        assert sight["passed"] == squares, board.fen()
        for name, colour in (("runner", board.turn), ("quarry", not board.turn)):
            square = sight[name]
            rank = -1 if square < 0 else chess.square_rank(square) if colour else 7 - chess.square_rank(square)
            assert rank == foremost(board, colour), f"{name} in {board.fen()}"
            if square >= 0:
                assert board.piece_at(square) == chess.Piece(chess.PAWN, colour)
                assert is_passed(board, colour, square)
                runners += 1
    assert runners > 200


def test_checks_and_exchanges_of_moves_are_python_chess_s() -> None:
    met = Counter[str]()
    for board in boards(600):
        moves = list(board.legal_moves)
        numbers = np.array([encode(board, m) for m in moves], np.int64)
        checks, wins = np.zeros(len(moves), np.int64), np.zeros(len(moves), np.int64)
        places = np.zeros((len(moves), len(PARTS)), np.int64)
        _moves(state_of(board.copy(stack=False)), numbers, checks, wins, places)
        for i, move in enumerate(moves):
            assert bool(checks[i]) == board.gives_check(move), f"check by {move} in {board.fen()}"
            if board.is_castling(move) or board.piece_type_at(move.from_square) != chess.KING:
                assert wins[i] == oracle.exchange(board, move), f"{move} in {board.fen()}"
            met["direct"] += checks[i] == 1
            met["discovered"] += checks[i] == 2
            met["en passant"] += board.is_en_passant(move)
            met["castling"] += board.is_castling(move)
            met["promotion"] += bool(move.promotion)
        ends = np.cumsum(list(PARTS.values()))
        assert (places < ends).all(), board.fen()
        assert (places >= ends - list(PARTS.values())).all(), board.fen()
    assert min(met.values()) >= 10, met


def test_flights_are_squares_that_nobody_of_the_mover_strikes() -> None:
    for board in boards():
        king = board.king(not board.turn)
        assert king is not None
        free = [s for s in board.attacks(king) if board.color_at(s) in (None, board.turn)]
        expected = sum(1 << s for s in free if not board.is_attacked_by(board.turn, s))
        assert seen(board)["flights"] == expected, board.fen()


def test_steps_are_struck_after_one_step_of_a_pawn() -> None:
    for board in boards():
        expected = 0
        for pawn in board.pieces(chess.PAWN, not board.turn):
            to = pawn - 8 if board.turn else pawn + 8
            if board.piece_at(to) is None:
                expected |= chess.BB_PAWN_ATTACKS[not board.turn][to]
        assert seen(board)["steps"] == expected, board.fen()


def test_the_start_shows_nothing_hanging() -> None:
    sight = seen(chess.Board())
    assert sight["hanging"] == 0
    assert sight["worst"] == NOTHING
    assert CHESS.start()[0] == 0
