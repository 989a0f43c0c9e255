"""A position of the model: python-chess's board, and what is needed to judge moves and lines from it."""

from collections import Counter
from collections.abc import Hashable
from functools import cached_property

import chess
import chess.variant

BOARDS: dict[str, type[chess.Board]] = {"chess": chess.Board, "crazyhouse": chess.variant.CrazyhouseBoard}
LONGEST_COUNTER = 10_000  # of moves in a FEN: beyond it an engine may refuse a position


class Position:
    """A position with its game, which is not changed any more."""

    def __init__(self, board: chess.Board, keys: list[Hashable], any_castling: bool = False) -> None:
        self.board = board
        self.fen = board.fen()
        self._keys = keys  # of all positions of the game up to this one
        self._any_castling = any_castling  # the king's step and "king takes rook" are both right

    @cached_property
    def moves(self) -> frozenset[str]:
        """The legal moves as the protocol writes them."""
        return frozenset(map(self.board.uci, self.board.legal_moves))

    @property
    def is_simple(self) -> bool:
        """Whether an engine may know the move without a search: there is only one, or endgame tables tell it."""
        return len(self.moves) == 1 or chess.popcount(self.board.occupied) <= 4

    @cached_property
    def _seen(self) -> Counter[Hashable]:
        return Counter(self._keys)

    @cached_property
    def _copied(self) -> chess.Board:
        return self.board.copy(stack=False)

    def legal(self, board: chess.Board, text: str) -> chess.Move | None:
        """The legal move that a text means, if it is written as it should be."""
        try:
            move = board.parse_uci(text)
        except ValueError:
            return None
        return move if move and (self._any_castling or board.uci(move) == text) else None

    def wrong_line(self, line: tuple[str, ...], mate: int | None = None) -> str | None:
        """What is wrong with a line from here: an illegal move, moves after the end of the game, no mate at the end."""
        board, seen = self._copied.copy(), Counter[Hashable]()
        over = None
        for number, text in enumerate(line):
            if over:
                return f"the line {' '.join(line)} goes on after {over} at move {number}"
            move = self.legal(board, text)
            if move is None:
                return f"the line {' '.join(line)} has an illegal move {text} (move {number + 1})"
            board.push(move)
            key = board._transposition_key()
            seen[key] += 1
            over = _end(board, seen[key] + self._seen[key])
        if mate is None:
            return None
        plies = 2 * mate - 1 if mate > 0 else -2 * mate
        if not board.is_checkmate():
            return f"the line {' '.join(line)} of mate {mate} does not end in mate"
        return None if len(line) == plies else f"the line {' '.join(line)} of mate {mate} should have {plies} plies"

    def wrong_pair(self, move: str, answer: str) -> str | None:
        """What is wrong with a move and the answer that is hoped for."""
        board = self._copied.copy()
        for text in (move, answer):
            found = self.legal(board, text)
            if found is None:
                return f"{text} is not legal in {board.fen()}"
            board.push(found)
        return None


def _end(board: chess.Board, times: int) -> str | None:
    """Why the game is over, if it is by draw; a mate or stalemate has no next move anyway."""
    if times >= 3:
        return "a threefold repetition"
    if board.halfmove_clock >= 100 and board.is_fifty_moves():
        return "fifty moves"
    return "insufficient material" if board.is_insufficient_material() else None


def start(variant: str, chess960: bool) -> Position:
    board = BOARDS[variant](chess960=chess960)
    return Position(board, [board._transposition_key()])


def learned(fen: str, variant: str) -> Position | None:
    """The position that an engine says it has; its game is not known. None if it is not a legal one."""
    try:
        board = BOARDS[variant](fen, chess960=True)
    except (ValueError, IndexError):
        return None
    if board.status() & ~chess.STATUS_IMPOSSIBLE_CHECK:
        return None
    return Position(board, [board._transposition_key()], any_castling=True)


class Unclear(Exception):
    """An engine may read such a position or refuse it."""


def read(words: list[str], variant: str, chess960: bool) -> Position | None:
    """The position that the words after ``position`` set up; None if they must be refused."""
    at = words.index("moves") if "moves" in words else len(words)
    if words[:1] == ["startpos"] and at == 1:
        board = BOARDS[variant](chess960=chess960)
    elif words[:1] == ["fen"] and at > 1:
        found = _board(words[1:at], variant, chess960)
        if found is None:
            return None
        board = found
    elif "startpos" in words or "fen" in words:
        raise Unclear
    else:
        return None
    keys = [board._transposition_key()]
    for text in words[at + 1 :]:
        try:
            if not board.push_uci(text):
                return None
        except ValueError:
            return None
        keys.append(board._transposition_key())
    return Position(board, keys)


def _board(words: list[str], variant: str, chess960: bool) -> chess.Board | None:
    fen = " ".join(words)
    if words[0].count("/") != 7 or len(words) != 6 or (variant == "crazyhouse") != ("[" in words[0]):
        if words[0].count("/") >= 7 or words[0] == "startpos":
            raise Unclear  # parts are missing, or the pocket is
        return None
    try:
        board = BOARDS[variant](fen, chess960=chess960)
    except (ValueError, IndexError):
        if variant == "crazyhouse":
            raise Unclear from None
        return None
    status = board.status()
    if status & ~(chess.STATUS_IMPOSSIBLE_CHECK | chess.STATUS_BAD_CASTLING_RIGHTS):
        return None
    if status or (variant == "crazyhouse" and not _plain(board, words[0])):
        raise Unclear
    if max(board.halfmove_clock, board.fullmove_number) > LONGEST_COUNTER or (not chess960 and board.fen() != fen):
        raise Unclear  # legal, but written unlike anybody would
    return board


def _plain(board: chess.Board, placement: str) -> bool:
    """Whether a crazyhouse position has at most the men of a game, and a pocket without other letters."""
    pocket = placement.partition("[")[2].removesuffix("]")
    return (
        placement.endswith("]")
        and not set(pocket.lower()) - set("pnbrq")
        and chess.popcount(board.occupied) + len(pocket) <= 32
        and not board.promoted & (board.kings | board.pawns)
    )
