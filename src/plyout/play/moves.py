"""Moves as people type them: SAN or UCI, however capitalised; and what a beginning may become."""

import chess

from plyout.errors import InputError

_MOST = 6  # moves that a mistake's line names
_LONGEST = 40  # signs of a text that is shown


def read_move(board: chess.Board, text: str) -> chess.Move:
    """The legal move that a text means; an `InputError` says which it might be, or that it is none.

    >>> read_move(chess.Board(), "nf3") == read_move(chess.Board(), "G1F3") == chess.Move.from_uci("g1f3")
    True
    """
    text = text.strip().rstrip("!?")
    for parse in (board.parse_san, board.parse_uci):
        try:
            if move := parse(text):  # "0000" is a move to python-chess
                return move
        except ValueError:
            pass
    moves = {move: board.san(move) for move in board.legal_moves}
    same = [move for move, san in moves.items() if _bare(text) and _bare(text) == _bare(san)]
    meant = _bare(text).lower()
    found = same or [m for m, san in moves.items() if meant and meant in (_bare(san).lower(), m.uci().lower())]
    if len(found) == 1:
        return found[0]
    near = [moves[move] for move in found]
    near = near or [san for move, san in moves.items() if meant and _may_be(board, move, san, meant)]
    shown = repr(text if len(text) <= _LONGEST else text[:_LONGEST] + "…")
    if near:
        raise InputError(f"{shown} may be {_or(sorted(near))}")
    check = ", and there is a check" if board.is_check() else ""
    raise InputError(f"{shown} is no legal move here{check}")


def _bare(text: str) -> str:
    """What is left of a move without the signs that people leave out."""
    return "".join(sign for sign in text if sign not in "x:=+#-()").replace("0", "O")


def _may_be(board: chess.Board, move: chess.Move, san: str, meant: str) -> bool:
    """Whether a text that fits no move is a part of this one: "Nd2" of Nbd2, "e8" of e8=Q, "d5" of exd5."""
    piece = board.piece_at(move.from_square)
    letter = "" if piece is None or piece.piece_type == chess.PAWN else piece.symbol().lower()
    short = letter + chess.square_name(move.to_square)
    return meant == short or (len(meant) > 1 and (_bare(san).lower().startswith(meant) or move.uci().startswith(meant)))


def _or(names: list[str]) -> str:
    if len(names) > _MOST:
        return f"{', '.join(names[:_MOST])} or another"
    return " or ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]


def completions(board: chess.Board, begun: str) -> list[str]:
    """The moves that begin so, in SAN; else in UCI; else in SAN with other capitals.

    >>> completions(chess.Board(), "N"), completions(chess.Board(), "g1")
    (['Na3', 'Nc3', 'Nf3', 'Nh3'], ['g1f3', 'g1h3'])
    """
    names = sorted(board.san(move) for move in board.legal_moves)
    return (
        [name for name in names if name.startswith(begun)]
        or sorted(uci for move in board.legal_moves if (uci := board.uci(move)).startswith(begun))
        or [name for name in names if name.lower().startswith(begun.lower())]
    )
