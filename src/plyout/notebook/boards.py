"""A board with arrows, as a picture of its own: the names inside it cannot meet those of another."""

from base64 import b64encode
from collections.abc import Iterable, Sequence

import chess
import chess.svg
import chess.variant

from plyout.errors import InputError
from plyout.explain.subject import move_named
from plyout.notebook.picture import escape

SIZE = 300
BEST, OTHER = "#15781bd9", "#003088"
_POCKETS = "QRBNP"


class Board:
    """The picture of a board."""

    def __init__(self, html: str, svg: str) -> None:
        self._html, self.svg = html, svg

    def _repr_html_(self) -> str:
        return self._html


def draw_board(
    position: chess.Board | str,
    moves: Sequence[chess.Move | str] = (),
    size: int = SIZE,
    orientation: chess.Color = chess.WHITE,
) -> Board:
    """A board, or a FEN, with arrows for some moves ("Bxd1" or "h5d1"), the best first."""
    board = board_of(position)
    arrows = [(move_named(board, move), 1.0 / (1 + i)) for i, move in enumerate(moves)]
    svg = _svg(board, arrows, size, orientation)
    return Board(board_html(board, arrows, size, orientation), svg)


def board_of(position: chess.Board | str) -> chess.Board:
    """The board that is meant; pockets make it one of crazyhouse."""
    if isinstance(position, chess.Board):
        return position
    try:
        return chess.variant.CrazyhouseBoard(position) if "[" in position else chess.Board(position)
    except ValueError as error:
        raise InputError(f"{position!r} is no FEN: {error}") from None


def board_html(
    board: chess.Board,
    arrows: Iterable[tuple[chess.Move, float]] = (),
    size: int = SIZE,
    orientation: chess.Color = chess.WHITE,
) -> str:
    """A board with arrows, each with its weight from 0 to 1, the best first; pockets, if there are any, beside it."""
    data = b64encode(_svg(board, arrows, size, orientation).encode()).decode()
    picture = (
        f'<img src="data:image/svg+xml;base64,{data}" width="{size}" height="{size}" alt="{escape(board.fen())}" '
        'style="max-width:none;display:block">'
    )
    if not isinstance(board, chess.variant.CrazyhouseBoard):
        return picture
    above, below = (_pocket(board, colour) for colour in (not orientation, orientation))
    return f"{above}{picture}{below}"


def _svg(
    board: chess.Board, arrows: Iterable[tuple[chess.Move, float]], size: int, orientation: chess.Color
) -> str:  # fmt: skip
    drawn = [_arrow(move, weight, best=not i) for i, (move, weight) in enumerate(arrows)]
    check = board.king(board.turn) if board.is_check() else None
    # the best lies on top
    return str(chess.svg.board(board, arrows=drawn[::-1], check=check, size=size, orientation=orientation))


def _arrow(move: chess.Move, weight: float, best: bool) -> chess.svg.Arrow:
    colour = BEST if best else f"{OTHER}{round(255 * (0.25 + 0.45 * min(max(weight, 0.0), 1.0))):02x}"
    tail = move.to_square if move.drop else move.from_square
    return chess.svg.Arrow(tail, move.to_square, color=colour)


def _pocket(board: chess.variant.CrazyhouseBoard, colour: chess.Color) -> str:
    pocket = board.pockets[colour]
    held = [(chess.Piece.from_symbol(s), pocket.count(chess.Piece.from_symbol(s).piece_type)) for s in _POCKETS]
    words = " ".join(f"{chess.Piece(p.piece_type, colour).unicode_symbol()}{n}" for p, n in held if n)
    return f'<div style="font-size:18px;min-height:24px">{words}</div>'
