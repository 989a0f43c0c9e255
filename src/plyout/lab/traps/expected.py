"""The measures of similarity once more, by python-chess and sets, as the thesis prints them: what pairs of positions
should give (Topolewski 2019, section 5.3), for the fourth column of Table 5.1."""

from collections import Counter
from collections.abc import Callable, Hashable

import chess

from plyout.games import CHESS
from plyout.lab.traps.suite import pairs
from plyout.search.similarity import Settings, similarities

Reached = dict[Hashable, chess.Board]
"""What two positions are compared by, and the positions it leads to."""


def accurate(measure: str, settings: Settings) -> bool:
    """Whether a measure gives what is expected for every pair."""
    firsts, seconds = pairs()
    boards = [[chess.Board(CHESS.show(state)) for state in states.reshape(-1, CHESS.size)] for states in pairs()]
    ours = similarities(CHESS, firsts, seconds, measure, settings)
    return all(
        abs(value - expected(measure, before, now, settings)) < 1e-9
        for before, now, value in zip(*boards, ours, strict=True)
    )


def expected(measure: str, before: chess.Board, now: chess.Board, settings: Settings) -> float:
    """The similarity of two positions, the recursive ones as the appendix prints them."""
    if measure == "constant":
        return settings.constant
    if measure == "depth-breadth":
        depth, breadth = _close(before.ply(), now.ply()), _close(_moves(before), _moves(now))
        total = settings.depth_weight + settings.breadth_weight
        return (settings.depth_weight * depth + settings.breadth_weight * breadth) / total
    if measure == "pieces":
        old, new = (Counter(map(str, board.piece_map().values())) for board in (before, now))
        return (old & new).total() / (old | new).total()
    reach = _states if measure.endswith("states") else _actions
    if measure.startswith("recursive"):
        return _recursive(before, now, reach, settings.threshold)
    return _share(set(reach(before)), set(reach(now)))


def _moves(board: chess.Board) -> int:
    return board.legal_moves.count()


def _close(one: float, other: float) -> float:
    return 1 - abs(one - other) / (one + other) if one + other else 1.0


def _share(one: set[Hashable], other: set[Hashable]) -> float:
    return len(one & other) / len(one | other) if one | other else 1.0


def _actions(board: chess.Board) -> Reached:
    """By the legal moves: one of another piece between the same squares is another."""
    return {
        (move, board.piece_type_at(move.from_square), board.is_en_passant(move)): _after(board, move)
        for move in board.legal_moves
    }


def _states(board: chess.Board) -> Reached:
    """By the positions that the legal moves lead to; clocks do not count."""
    reached = (_after(board, move) for move in board.legal_moves)
    return {after.epd(): after for after in reached}


def _after(board: chess.Board, move: chess.Move) -> chess.Board:
    after = board.copy(stack=False)
    after.push(move)
    return after


def _recursive(
    before: chess.Board, now: chess.Board, reach: Callable[[chess.Board], Reached], threshold: float
) -> float:
    """What only `now` has counts whole where it leads to a position like one that only `before` leads to."""
    old, new = reach(before), reach(now)
    shared = old.keys() & new.keys()
    others, follow = ([_seen(side[key], reach) for key in side.keys() - shared] for side in (old, new))
    matched = sum(any(a == b or _share(c, d) > threshold for b, d in others) for a, c in follow)
    union = len(old.keys() | new.keys())
    return (len(shared) + matched) / union if union else 1.0


def _seen(board: chess.Board, reach: Callable[[chess.Board], Reached]) -> tuple[str, set[Hashable]]:
    return board.epd(), set(reach(board))
