"""Which moves may tempt: those that the user names, that the prior likes most, that led, captures that win, checks."""

import chess

from plyout.engine.result import Result
from plyout.explain.counted import takes, worths
from plyout.games import CHESS

NAMED, PRIOR, LED, CAPTURE, CHECK = "named", "highest prior", "had led", "wins by exchanges", "check"
_ENOUGH = 32  # visits of a move that led


def tempting(
    result: Result, board: chess.Board, named: list[chess.Move], most: int
) -> list[tuple[chess.Move, tuple[str, ...]]]:
    """The moves other than the best that tempt, with the reasons: all that are named, and `most` of the others."""
    reasons: dict[chess.Move, list[str]] = {}

    def add(move: chess.Move | None, reason: str) -> None:
        if move is not None and move != result.move and reason not in reasons.setdefault(move, []):
            reasons[move].append(reason)

    for move in named:
        add(move, NAMED)
    if len({m.prior for m in result.moves}) > 1:
        add(max(result.moves, key=lambda m: m.prior).move, PRIOR)
    for move in _leaders(result):
        add(move, LED)
    for move in _winning_captures(result, board):
        add(move, CAPTURE)
    for move in _checks(result, board):
        add(move, CHECK)
    rest = [move for move in reasons if move not in named]
    chosen = [*(move for move in dict.fromkeys(named) if move in reasons), *rest[:most]]
    return [(move, tuple(reasons[move])) for move in chosen]


def _leaders(result: Result) -> list[chess.Move]:
    """Moves that led with visits enough, the last first."""
    history, found = result.history, list[chess.Move]()
    if result.plies is not None:
        return found  # alpha-beta has no visits
    for k in reversed(range(len(history))):
        column = int(history.leaders[k])
        if column >= 0 and history.visits[k, column] >= _ENOUGH:
            found.append(history.moves[column])
    return list(dict.fromkeys(found))


def _winning_captures(result: Result, board: chess.Board) -> list[chess.Move]:
    """Captures that win by exchanges on their squares, the greatest first."""
    if result.tree.game is not CHESS:
        return []
    moves = [move for move in board.legal_moves if takes(board, move)]
    worth = dict(zip(moves, worths(board, result.tree.state, moves), strict=True)) if moves else {}
    return sorted((m for m in moves if worth[m] > 0), key=lambda m: -worth[m])


def _checks(result: Result, board: chess.Board) -> list[chess.Move]:
    """Checks, the most visited first."""
    visits = {m.move: m.visits for m in result.moves}
    return sorted((m for m in board.legal_moves if board.gives_check(m)), key=lambda m: -visits.get(m, 0.0))
