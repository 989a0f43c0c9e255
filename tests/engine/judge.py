"""A judge of lines, with python-chess alone: what stands beside a move must be legal, end with the game, and prove what
is said of it."""

from collections import Counter
from collections.abc import Iterator

import chess

from plyout.engine.result import MoveStatistics, Result
from tests.search.proof import brute


def ends(board: chess.Board) -> str:
    """Why the game is over, as those who run matches see it; nothing while it goes on."""
    if board.is_checkmate():
        return "checkmate"
    if board.is_stalemate():
        return "stalemate"
    if board.is_insufficient_material():
        return "insufficient material"
    if board.halfmove_clock >= 100:
        return "fifty moves"
    return "threefold repetition" if board.is_repetition(3) else ""


def faults(start: chess.Board, m: MoveStatistics) -> Iterator[str]:
    """What is wrong with the line of a move of `start`."""
    board, line = start.copy(), m.pv
    if not line or line[0] != m.move:
        yield "the line does not begin with the move"
    for ply, move in enumerate(line):
        if ply and ends(board):
            yield f"the line continues after {ends(board)}"
            return
        if not board.is_legal(move):
            yield f"{move} is not legal after {ply} plies"
            return
        board.push(move)
    if m.mate is not None:
        plies = 2 * m.mate - 1 if m.mate > 0 else -2 * m.mate
        if len(line) != plies:
            yield f"the line has {len(line)} plies, the mate takes {plies}"
        if not board.is_checkmate():
            yield "the line does not end in mate"
    elif m.proof == "draw" and board.is_checkmate():
        yield "the line of a draw ends in mate"


def is_true(start: chess.Board, m: MoveStatistics) -> bool:
    """Whether a mate within two moves is forced, and every move of the line keeps to it: by trying everything."""
    assert m.mate is not None and abs(m.mate) <= 2
    board, left = start.copy(stack=False), 2 * m.mate - 1 if m.mate > 0 else -2 * m.mate
    for move in m.pv:
        board.push(move)
        left -= 1
        if not (brute.mates_within(board, left) if left % 2 else brute.is_mated_within(board, left)):
            return False
    return True


def judge(start: chess.Board, result: Result, seen: Counter[str], brute_force: bool = True) -> list[str]:
    """All faults of a result, in words; `seen` counts what was looked at."""
    found = []
    seen["positions"] += 1
    for m in result.moves:
        wrong = list(faults(start, m))
        seen["lines"] += 1
        if m.proof:
            known = m.proof if m.mate is None else f"{m.proof} with its distance"
            seen[known] += 1
            seen["proven"] += 1
            seen["proven, wrong"] += bool(wrong)
        if brute_force and not wrong and m.mate is not None and abs(m.mate) <= 2:
            seen["proven by trying everything"] += 1
            if not is_true(start, m):
                wrong.append("the mate is not forced, or the line does not keep to it")
        seen["wrong"] += bool(wrong)
        found += [f"{start.fen()} {m.move} {m.proof} {m.mate}: {text}" for text in wrong]
    if result.moves:
        first = result.moves[0]
        if result.move != first.move or (result.proof in ("win", "loss") and result.mate != first.mate):
            found.append(f"{start.fen()}: {result.mate} is said of the position, {first.mate} of its move")
        if result.ponder is not None:
            after = start.copy()
            after.push(first.move)
            if not after.is_legal(result.ponder):
                found.append(f"{start.fen()}: {result.ponder} is no move to ponder on")
    return found
