"""Forced mates by trying everything, with python-chess alone."""

import chess


def mates_within(board: chess.Board, plies: int) -> bool:
    """Whether the side to move can force mate within `plies`."""
    for move in list(board.legal_moves):
        if plies == 1 and not board.gives_check(move):
            continue
        board.push(move)
        mated = is_mated_within(board, plies - 1)
        board.pop()
        if mated:
            return True
    return False


def is_mated_within(board: chess.Board, plies: int) -> bool:
    """Whether the side to move is mated within `plies` whatever it does."""
    replies = list(board.legal_moves)
    if not replies:
        return board.is_check()
    if plies < 2:
        return False
    for reply in replies:
        board.push(reply)
        mates = mates_within(board, plies - 1)
        board.pop()
        if not mates:
            return False
    return True


def distance(board: chess.Board, longest: int) -> int:
    """Plies to the forced mate of or by the side to move: positive for a win, negative for a loss, 0 if there is none.

    Mated already is also 0: ask python-chess.
    """
    for plies in range(1, longest + 1):
        if plies % 2 and mates_within(board, plies):
            return plies
        if plies % 2 == 0 and is_mated_within(board, plies):
            return -plies
    return 0
