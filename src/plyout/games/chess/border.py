"""The border between chess states and python-chess boards, FEN and move text."""

import re
from collections.abc import Callable

import chess
import chess.variant
import numpy as np

from plyout.errors import InputError
from plyout.games.chess.board import (
    BISHOPS, BLACKS, CLOCK, EP, HISTORY, KEY, KINGS, KNIGHTS, MEMORY, NUMBER, P, PAST, PAWNS, POCKET_BITS, POCKETS,
    PROMOTED, QUEENS, RIGHTS, ROOKS, SIZE, TURN, WHITES,
)  # fmt: skip
from plyout.games.chess.keys import key_from_scratch
from plyout.games.chess.move import CASTLE, DOUBLE, DROP, EN_PASSANT, fields
from plyout.games.chess.rules import play as chess_play
from plyout.games.contract import State
from plyout.kernel import Ints, signed
from plyout.kernel.bits import MASK

LONGEST_CLOCK = 1 << 30

_WHAT_IS_WRONG = {
    chess.STATUS_NO_WHITE_KING: "White has no king",
    chess.STATUS_NO_BLACK_KING: "Black has no king",
    chess.STATUS_TOO_MANY_KINGS: "a side has more than one king",
    chess.STATUS_TOO_MANY_WHITE_PAWNS: "White has too many pawns",
    chess.STATUS_TOO_MANY_BLACK_PAWNS: "Black has too many pawns",
    chess.STATUS_PAWNS_ON_BACKRANK: "a pawn stands on the first or last rank",
    chess.STATUS_TOO_MANY_WHITE_PIECES: "White has too many pieces",
    chess.STATUS_TOO_MANY_BLACK_PIECES: "Black has too many pieces",
    chess.STATUS_BAD_CASTLING_RIGHTS: "the castling rights do not fit the places of kings and rooks",
    chess.STATUS_INVALID_EP_SQUARE: "no pawn can just have passed the en passant square",
    chess.STATUS_OPPOSITE_CHECK: "the side that is not to move stands in check",
    chess.STATUS_EMPTY: "the board is empty",
    chess.STATUS_RACE_CHECK: "there is a check",
    chess.STATUS_RACE_OVER: "the game is over",
    chess.STATUS_RACE_MATERIAL: "the material is wrong",
    chess.STATUS_TOO_MANY_CHECKERS: "more than two pieces give check",
}


def parse_board(fen: str, variant: type[chess.Board] = chess.Board) -> chess.Board:
    """The legal position that a FEN describes, or an `InputError` that says what is wrong.

    Chess960 is recognised by its castling rights.

    >>> parse_board("8/8/8/8/8/8/8/K7 w - - 0 1")
    Traceback (most recent call last):
    plyout.errors.InputError: illegal position: Black has no king: '8/8/8/8/8/8/8/K7 w - - 0 1'
    """
    fen = fen.strip()
    if fen == "startpos":
        return variant()
    shown = fen if len(fen) <= 100 else fen[:100] + "…"
    if variant is chess.variant.CrazyhouseBoard:
        fen = _with_pocket(fen)
    try:
        board = variant(fen)
        if board.status() & chess.STATUS_BAD_CASTLING_RIGHTS:
            board = variant(fen, chess960=True)
    except (ValueError, IndexError) as error:
        reason = str(error).partition(": ")[0] or "it cannot be read"
        raise InputError(f"not a FEN: {reason}: {shown!r}") from None
    check_board(board, shown)
    return board


def check_board(board: chess.Board, shown: str) -> None:
    """An `InputError` that says what is wrong with a board, if anything is."""
    # A check that no move can have given is no trouble to the rules, and test suites have such positions.
    status = board.status() & ~chess.STATUS_IMPOSSIBLE_CHECK
    if status != chess.STATUS_VALID:
        wrong = next(text for flag, text in _WHAT_IS_WRONG.items() if status & flag)
        raise InputError(f"illegal position: {wrong}: {shown!r}")
    if board.promoted & (board.kings | board.pawns):
        raise InputError(f"illegal position: a king or pawn is marked as promoted: {shown!r}")
    if isinstance(board, chess.variant.CrazyhouseBoard):
        for piece in range(chess.PAWN, chess.KING):  # in a pocket there is room for 31 of a kind
            count = sum(pocket.count(piece) for pocket in board.pockets)
            count += chess.popcount(board.pieces_mask(piece, True) | board.pieces_mask(piece, False) | board.promoted)
            if count >= 1 << POCKET_BITS:
                raise InputError(f"illegal position: there are too many pieces of one kind: {shown!r}")
    if board.halfmove_clock > LONGEST_CLOCK or board.fullmove_number > LONGEST_CLOCK:
        raise InputError(f"not a FEN: move counters above {LONGEST_CLOCK:,}: {shown!r}")


def _with_pocket(fen: str) -> str:
    """The FEN of a crazyhouse position with its pocket in brackets, empty if there was none."""
    position, rest = [*fen.split(None, 1), "", ""][:2]
    if position.count("/") == 8 and "[" not in position:
        position = "[".join(position.rsplit("/", 1)) + "]"
    match = re.fullmatch(r"([^\[\]]*)(?:\[(.*)\])?", position)
    if not match:
        raise InputError(f"not a FEN: the pocket should stand in one pair of brackets: {fen[:100]!r}")
    pocket = (match[2] or "").replace("-", "")
    if set(pocket.lower()) - set("pnbrq"):
        raise InputError(f"not a FEN: a pocket holds only the letters PNBRQ and pnbrq, not {pocket[:100]!r}")
    return f"{match[1]}[{pocket}] {rest or 'w - - 0 1'}"


def from_board(board: chess.Board, play: Callable[[Ints, int], None] = chess_play) -> State:
    """The state of a board, with as much of its history as can matter for repetition.

    `play` is the rule that the variant moves by.
    """
    keeps_all = isinstance(board, chess.variant.CrazyhouseBoard)  # a captured piece may come back there
    past = board.copy(stack=MEMORY)
    moves: list[chess.Move] = []
    while past.move_stack and past.peek():  # up to a null move, if there is one
        moves.append(past.pop())
        if past.is_zeroing(moves[-1]) and not keeps_all:
            break
    past = past.copy(stack=False)  # python-chess shares a popped pocket with the board it was copied from
    state = _without_history(past)
    for move in reversed(moves):
        play(state, np.int64(encode(past, move)))
        past.push(move)
    return state


def _without_history(board: chess.Board) -> State:
    state = np.zeros(SIZE, np.int64)
    kinds = (board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings)
    state[PAWNS : KINGS + 1] = [signed(squares) for squares in kinds]
    state[WHITES], state[BLACKS] = signed(board.occupied_co[chess.WHITE]), signed(board.occupied_co[chess.BLACK])
    state[RIGHTS] = signed(board.clean_castling_rights())
    if board.ep_square is not None and board.has_pseudo_legal_en_passant():
        state[EP] = signed(1 << board.ep_square)
    state[TURN] = 0 if board.turn else 1
    state[CLOCK], state[NUMBER] = board.halfmove_clock, board.fullmove_number
    if isinstance(board, chess.variant.CrazyhouseBoard):
        for colour in (0, 1):
            for piece in range(5):
                count = board.pockets[1 - colour].count(piece + 1)
                state[POCKETS] |= count << POCKET_BITS * (5 * colour + piece)
        state[PROMOTED] = signed(board.promoted)
    state[KEY] = key_from_scratch(state)
    return state


def to_board(state: State, variant: type[chess.Board] = chess.Board) -> chess.Board:
    """A python-chess board of the state, without move history."""
    word = [int(x) & MASK for x in state[: PROMOTED + 1]]
    board = variant(None, chess960=_is_chess960(state))
    board.pawns, board.knights, board.bishops = word[PAWNS], word[KNIGHTS], word[BISHOPS]
    board.rooks, board.queens, board.kings = word[ROOKS], word[QUEENS], word[KINGS]
    board.occupied_co = [word[BLACKS], word[WHITES]]
    board.occupied = word[WHITES] | word[BLACKS]
    board.castling_rights = word[RIGHTS]
    board.ep_square = word[EP].bit_length() - 1 if word[EP] else None
    board.turn = word[TURN] == 0
    board.halfmove_clock, board.fullmove_number = word[CLOCK], word[NUMBER]
    board.promoted = word[PROMOTED]
    if isinstance(board, chess.variant.CrazyhouseBoard):
        for colour in (0, 1):
            for piece in range(5):
                for _ in range(word[POCKETS] >> POCKET_BITS * (5 * colour + piece) & (1 << POCKET_BITS) - 1):
                    board.pockets[1 - colour].add(piece + 1)
    return board


def check_state(state: State, variant: type[chess.Board] = chess.Board) -> None:
    """An `InputError` if a state that came from elsewhere is no position, or its words contradict each other."""
    board = to_board(state, variant)
    name = board.uci_variant or "chess"
    check_board(board, f"a state of {name}")
    wrong = np.flatnonzero(_without_history(board)[:HISTORY] != state[:HISTORY])
    if not 0 <= state[PAST] < MEMORY or (wrong != PAST).any():
        raise InputError(f"not a state of {name}: word {wrong[0] if len(wrong) else PAST} does not fit the others")


def same_game(a: State, b: State) -> bool:
    """Whether two states are the same position with the same past as far as it can repeat."""
    past = int(a[PAST])
    if past != b[PAST] or not np.array_equal(np.delete(a[:HISTORY], PAST), np.delete(b[:HISTORY], PAST)):
        return False
    plies = HISTORY + (2 * int(a[NUMBER]) + int(a[TURN]) - np.arange(1, past + 1)) % MEMORY
    return np.array_equal(a[plies], b[plies])


def _is_chess960(state: State) -> bool:
    """Whether castling starts from other squares than in ordinary chess."""
    for side, rank in ((WHITES, 0), (BLACKS, 56)):
        rooks = int(state[RIGHTS]) & int(state[side]) & MASK
        king = int(state[KINGS]) & int(state[side]) & MASK
        if rooks and (rooks & ~(0x81 << rank) or king != 0x10 << rank):
            return True
    return False


def encode(board: chess.Board, move: chess.Move) -> int:
    """The number that stands for a python-chess move on `board` (see `plyout.games.chess.move`)."""
    start, to = move.from_square, move.to_square
    if move.drop:
        return to | to << 6 | move.drop - 1 << 12 | DROP
    piece = (board.piece_type_at(start) or 0) - 1
    if board.is_castling(move):
        rooks = board.clean_castling_rights() & chess.BB_RANKS[chess.square_rank(start)]
        to = chess.msb(rooks) if board.is_kingside_castling(move) else chess.lsb(rooks)
        return start | to << 6 | piece << 12 | CASTLE
    code = start | to << 6 | piece << 12
    if piece != P:
        return code
    if board.is_en_passant(move):
        return code | EN_PASSANT
    if abs(to - start) == 16:
        return code | DOUBLE
    return code | (move.promotion - 1 << 15 if move.promotion else 0)


def decode(move: int, chess960: bool = False) -> chess.Move:
    """The python-chess move with that number; castling is the king's step, in Chess960 "king takes rook"."""
    start, to, piece, promotion = fields(move)
    if move & DROP:
        return chess.Move(to, to, drop=piece + 1)
    if move & CASTLE and not chess960:
        to = (start & 56) + (6 if to > start else 2)
    return chess.Move(start, to, promotion + 1 if promotion else None)


def move_text(state: State, move: int) -> str:
    return decode(move, _is_chess960(state)).uci()
