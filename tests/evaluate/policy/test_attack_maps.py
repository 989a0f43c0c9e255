"""The attack maps are what python-chess finds by looking at every square and every move."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import chess
import numpy as np

from plyout.evaluate.policy.attack_maps import NO_PIECE, attack_maps
from plyout.evaluate.policy.move_features import PARTS, exchange_value, features, gives_check, moving_piece
from plyout.games import CHESS, state_of
from plyout.games.chess.board import castled, load
from plyout.games.chess.border import encode
from plyout.games.chess.move import CASTLE, from_square, promotion_of, to_square
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
ATTACKS = ("once", "twice", "by_pawn", "by_minor", "by_rook", "diagonal", "straight")
WORDS = (
    *(f"attacked {name}" for name in ATTACKS), *(f"defended {name}" for name in ATTACKS), "in check", "hanging",
    "worst", "single defender", "pinned", "loose", "pinned enemies", "passed", "push attacks", "own passer",
    "enemy passer", "flights",
)  # fmt: skip


@kernel
def _maps(state: Any, out: Any) -> None:
    maps = attack_maps(load(state))
    threats, targets, pawns = maps.threats, maps.targets, maps.pawns
    a, d = maps.attacked, maps.defended
    out[:7] = a.once, a.twice, a.by_pawn, a.by_minor, a.by_rook, a.diagonal, a.straight
    out[7:14] = d.once, d.twice, d.by_pawn, d.by_minor, d.by_rook, d.diagonal, d.straight
    out[14:19] = threats.in_check, threats.hanging, threats.worst, threats.single_defender, threats.pinned
    out[19:21] = targets.loose, targets.pinned
    out[21:26] = pawns.passed, pawns.push_attacks, pawns.own_passer, pawns.enemy_passer, maps.checks.flights


@kernel
def _moves(state: Any, moves: Any, checks: Any, wins: Any, places: Any) -> None:
    b = load(state)
    maps = attack_maps(b)
    for i in range(moves.size):
        move = moves[i]
        moving = moving_piece(b, maps, move)
        to, promotion = to_square(move), promotion_of(move)
        if move & CASTLE:
            to = castled(from_square(move), to)[0]
        checks[i] = gives_check(b, maps, move, promotion if promotion else moving.piece, to)
        f = features(b, maps, moving, move)
        for k in range(len(f)):
            places[i, k] = f[k]
        wins[i] = _won(b, maps, moving, move, f[2])


@kernel
def _won(b: Any, maps: Any, moving: Any, move: int, index: int) -> int:
    """The exchange value as `features` finds it; `index` is that of the weight for (…, victim, …, danger)."""
    code = index - FIRST_DANGER
    return exchange_value(b, maps, move, moving, shr(code, 4) % 6, code & 3)


FIRST_DANGER = PARTS["from_square"] + PARTS["to_square"]


def boards(count: int = 400) -> Iterator[chess.Board]:
    yield from (chess.Board(fen, chess960=True) for fen in (*DRAWS.values(), *CASTLING_960.values()))
    for source in (positions(2 * count, seed=11), set_up(count // 4, 12), set_up(count // 4, 13, "QQRRBBNNPPPPPP")):
        yield from source


def maps_of(board: chess.Board) -> dict[str, int]:
    out = np.zeros(len(WORDS), np.int64)
    _maps(state_of(board.copy(stack=False)), out)
    small = ("in check", "worst", "own passer", "enemy passer")
    return {name: int(x) if name in small else int(x) & chess.BB_ALL for name, x in zip(WORDS, out, strict=True)}


def attackers(board: chess.Board, colour: chess.Color, square: int) -> list[int]:
    return [board.piece_type_at(s) or 0 for s in board.attackers(colour, square)]


def line_attack(board: chess.Board, colour: chess.Color, square: int, name: str) -> bool:
    """Whether a slider of `colour` attacks the square along a diagonal, or straight."""
    for s in board.attackers(colour, square):
        diagonal = bool(chess.BB_DIAG_ATTACKS[square][0] & 1 << s)
        if board.piece_type_at(s) in SLIDERS[name] and diagonal == (name == "diagonal"):
            return True
    return False


def attacks_of(board: chess.Board, colour: chess.Color) -> dict[str, int]:
    found = dict.fromkeys(ATTACKS, 0)
    for square in chess.SQUARES:
        kinds = attackers(board, colour, square)
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


def most_advanced(board: chess.Board, colour: chess.Color) -> int:
    """How many ranks the most advanced passed pawn has behind it, or -1."""
    ranks = [chess.square_rank(s) for s in board.pieces(chess.PAWN, colour) if is_passed(board, colour, s)]
    return max((r if colour else 7 - r for r in ranks), default=-1)


def test_attacked_and_defended_squares_have_attackers() -> None:
    for board in boards(60):
        maps = maps_of(board)
        for word, colour in (("attacked", not board.turn), ("defended", board.turn)):
            for name, squares in attacks_of(board, colour).items():
                assert maps[f"{word} {name}"] == squares, f"{word} {name} in {board.fen()}"


def test_pieces_hang_that_a_lesser_piece_attacks_or_none_defends() -> None:
    met = Counter[str]()
    for board in boards():
        maps, hanging, once, loose, pinned, pinned_enemies = maps_of(board), 0, 0, 0, 0, 0
        for square, piece in board.piece_map().items():
            if piece.piece_type == chess.KING:
                continue
            against, defenders = (attackers(board, c, square) for c in (not piece.color, piece.color))
            bit = 1 << square
            if piece.color == board.turn:
                if against and (not defenders or set(against) & set(LESSER[piece.piece_type])):
                    hanging |= bit
                once |= bit if against and len(defenders) == 1 else 0
                pinned |= bit if board.is_pinned(board.turn, square) else 0
            else:
                loose |= bit if not defenders else 0
                pinned_enemies |= bit if board.is_pinned(not board.turn, square) else 0
        kinds = [board.piece_type_at(s) or 0 for s in chess.scan_forward(hanging)]
        worst = max(kinds) - 1 if kinds else NO_PIECE
        expected = {"hanging": hanging, "worst": worst, "single defender": once, "loose": loose}
        expected |= {"pinned": pinned, "pinned enemies": pinned_enemies, "in check": board.is_check()}
        assert {name: maps[name] for name in expected} == expected, board.fen()
        met.update(name for name, x in expected.items() if x and x != NO_PIECE)
    assert min(met.values()) >= 10, met


def test_passed_pawns_are_those_nobody_can_stop() -> None:
    passers = 0
    for board in boards():
        maps = maps_of(board)
        squares = sum(1 << s for s in chess.SQUARES if is_passed(board, board.turn, s))
        assert maps["passed"] == squares, board.fen()
        for name, colour in (("own passer", board.turn), ("enemy passer", not board.turn)):
            square = maps[name]
            rank = -1 if square < 0 else chess.square_rank(square) if colour else 7 - chess.square_rank(square)
            assert rank == most_advanced(board, colour), f"{name} in {board.fen()}"
            if square >= 0:
                assert board.piece_at(square) == chess.Piece(chess.PAWN, colour)
                assert is_passed(board, colour, square)
                passers += 1
    assert passers > 200


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


def test_flights_are_squares_that_the_mover_does_not_attack() -> None:
    for board in boards():
        king = board.king(not board.turn)
        assert king is not None
        free = [s for s in board.attacks(king) if board.color_at(s) in (None, board.turn)]
        expected = sum(1 << s for s in free if not board.is_attacked_by(board.turn, s))
        assert maps_of(board)["flights"] == expected, board.fen()


def test_push_attacks_are_the_attacks_of_pawns_after_one_push() -> None:
    for board in boards():
        expected = 0
        for pawn in board.pieces(chess.PAWN, not board.turn):
            to = pawn - 8 if board.turn else pawn + 8
            if board.piece_at(to) is None:
                expected |= chess.BB_PAWN_ATTACKS[not board.turn][to]
        assert maps_of(board)["push attacks"] == expected, board.fen()


def test_nothing_hangs_at_the_start() -> None:
    maps = maps_of(chess.Board())
    assert maps["hanging"] == 0
    assert maps["worst"] == NO_PIECE
    assert CHESS.start()[0] == 0
