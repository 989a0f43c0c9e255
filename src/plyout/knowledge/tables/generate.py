"""Generating a table by retrograde analysis.

`initialise` visits every position: which are illegal, who is mated, and what captures and promotions lead to, by
probing the smaller tables. Then distance by distance: `retract` moves from all positions that are lost in n plies, and
their predecessors are won in n + 1; retract moves from those won in n, and their predecessors are candidates for a
loss, which `confirm_losses` decides by probing every move. A win by capture may stand in the table before its distance
comes up; a shorter one replaces it until then.

A double step of a pawn that can be taken en passant leads to a position that no table has. The few positions with
such a move are never reached by retracting moves, but evaluated anew at every distance.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from plyout.games.chess.attacks import KING, KNIGHT, bishop_attacks, rook_attacks
from plyout.games.chess.board import WHITE, B, Board, K, N, P, Q, R, in_check, make
from plyout.games.chess.move import promotion_of
from plyout.games.chess.moves import SETS_SIZE, list_moves
from plyout.games.chess.rules import MOVES
from plyout.kernel import Ints, at, inlined, kernel, low, popcount, put, shr
from plyout.knowledge.tables.endings import Ending
from plyout.knowledge.tables.index import entry_at, entry_parts, squares_of
from plyout.knowledge.tables.probe import (
    DRAW, IMPOSSIBLE, MATED, PIECES, TABLES, for_mover, is_loss, is_win, probe, rank,
)  # fmt: skip

Bytes = npt.NDArray[np.uint8]

NONE, ALL = 0, 254  # the greatest code that is final
_EN_PASSANT_ROUNDS = 128  # more than any capture en passant leads to
_PARTS = 32  # slices of a table: for the threads to share, and for Ctrl-C


@inlined
def board_of(first: int, second: int, second_is_black: int, squares: tuple[int, int, int, int], turn: int) -> Board:
    white, black, a, b = squares
    one, other = 1 << a, (1 << b if second >= 0 else 0)
    return Board(
        (one if first == P else 0) | (other if second == P else 0),
        (one if first == N else 0) | (other if second == N else 0),
        (one if first == B else 0) | (other if second == B else 0),
        (one if first == R else 0) | (other if second == R else 0),
        (one if first == Q else 0) | (other if second == Q else 0),
        1 << white | 1 << black,
        1 << white | one | (0 if second_is_black else other),
        1 << black | (other if second_is_black else 0),
        0, 0, turn, 0,
    )  # fmt: skip


@inlined
def board_at(shape: Ints, entry: int) -> Board:
    placement, turn = entry_parts(shape, entry)
    return board_of(shape[0], shape[1], shape[2], squares_of(shape[0], shape[1], shape[2], placement), turn)


@kernel
def evaluate(b: Board, final: int, directory: Ints, moves: Ints, sets: Ints) -> int:
    """The code of a position by probing where its moves lead; 0 where that is drawn or not known yet.

    Positions of the same ending count only if their code is at most `final`.
    """
    count = list_moves(b, moves, sets)
    if count == 0:
        return MATED if in_check(b) else DRAW
    best = MATED
    for i in range(count):
        move = at(moves, i)
        after = make(b, move)
        code = probe(after, directory)
        same = not promotion_of(move) and popcount(after.white | after.black) == popcount(b.white | b.black)
        if same and code > final:
            code = DRAW  # or whatever it will be
        code = for_mover(code)
        if i == 0 or rank(code) > rank(best):
            best = code
    return best


@inlined
def _is_impossible(shape: Ints, entry: int) -> bool:
    """Whether no legal position has this entry: two pieces stand on one square, the position has another entry, too, or
    the side that is not to move stands in check."""
    placement, turn = entry_parts(shape, entry)
    squares = squares_of(shape[0], shape[1], shape[2], placement)
    white, black, a, b = squares
    opponent_to_move = board_of(shape[0], shape[1], shape[2], squares, 1 - turn)
    return (
        popcount(opponent_to_move.white | opponent_to_move.black) != (3 if shape[1] < 0 else 4)
        or entry_at(shape, white, black, a, b, turn) != entry
        or in_check(opponent_to_move)
    )


@kernel
def initialise(shape: Ints, table: Bytes, start: int, end: int, directory: Ints) -> int:
    """Enter what is known without retracting moves; returns the greatest code entered."""
    moves, sets = np.empty(MOVES, np.int64), np.empty(SETS_SIZE, np.int64)
    greatest = 0
    for entry in range(start, end):
        if _is_impossible(shape, entry):
            table[entry] = IMPOSSIBLE
            continue
        code = evaluate(board_at(shape, entry), NONE, directory, moves, sets)
        table[entry] = code
        greatest = max(greatest, code)
    return greatest


@inlined
def _reach(piece: int, square: int, occupied: int) -> int:
    """Where a piece could have come from."""
    if piece == K:
        return at(KING, square) & ~occupied
    if piece == N:
        return at(KNIGHT, square) & ~occupied
    reach = 0
    if piece != R:
        reach |= bishop_attacks(square, occupied)
    if piece != B:
        reach |= rook_attacks(square, occupied)
    return reach & ~occupied


@inlined
def _pawn_from(square: int, black: bool, occupied: int, enemy: int) -> int:
    """Where a pawn could have come from without a capture, except by a double step that the pawn on `enemy` could
    take en passant; -1 is no enemy pawn."""
    back, third, second = (8, 5, 6) if black else (-8, 2, 1)
    rank = shr(square, 3)
    one = square + back
    if rank == second or occupied & 1 << one:
        return 0
    reach = 1 << one
    if rank == third + (-1 if black else 1) and not occupied & 1 << (one + back):
        beside = enemy >= 0 and shr(enemy, 3) == rank and abs((enemy & 7) - (square & 7)) == 1
        if not beside:
            reach |= 1 << (one + back)
    return reach


@inlined
def _sources(shape: Ints, piece: int, mover: int, squares: tuple[int, int, int, int]) -> int:
    """Where a piece of the side that has just moved could have come from: 0 its king, 1 and 2 the other pieces."""
    white, black, a, b = squares
    first, second, second_is_black = shape[0], shape[1], shape[2]
    occupied = 1 << white | 1 << black | 1 << a | (1 << b if second >= 0 else 0)
    if piece == 0:
        return _reach(K, white if mover == WHITE else black, occupied)
    if piece == 1:
        if mover != WHITE:
            return 0
        if first == P:
            return _pawn_from(a, False, occupied, b if second_is_black else -1)
        return _reach(first, a, occupied)
    if second < 0 or second_is_black != mover:
        return 0
    if second == P:
        return _pawn_from(b, mover != WHITE, occupied, a if first == P and second_is_black else -1)
    return _reach(second, b, occupied)


@inlined
def _predecessor(shape: Ints, piece: int, mover: int, squares: tuple[int, int, int, int], source: int) -> int:
    """The entry of the position before a piece moved here from `source`, or -1."""
    white, black, a, b = squares
    if piece == 1:
        a = source
    elif piece == 2:
        b = source
    elif mover == WHITE:
        white = source
    else:
        black = source
    return entry_at(shape, white, black, a, b, mover)


@kernel
def retract(shape: Ints, table: Bytes, start: int, end: int, marks: Bytes, code: int) -> int:
    """Retract all moves that lead to positions with this code: their predecessors are won, or marked as candidates
    for a loss. Returns how many positions had the code."""
    found = 0
    for entry in range(start, end):
        if table[entry] != code:
            continue
        found += 1
        placement, turn = entry_parts(shape, entry)
        squares = squares_of(shape[0], shape[1], shape[2], placement)
        for piece in range(3):
            sources = _sources(shape, piece, 1 - turn, squares)
            while sources:
                former = _predecessor(shape, piece, 1 - turn, squares, low(sources))
                sources &= sources - 1
                if former < 0 or table[former] == IMPOSSIBLE:
                    continue
                if is_win(code):
                    if table[former] == 0:
                        marks[former] = 1
                elif table[former] == 0 or table[former] > code + 1:
                    table[former] = code + 1
    return found


@kernel
def confirm_losses(shape: Ints, table: Bytes, start: int, end: int, marks: Bytes, code: int, directory: Ints) -> int:
    """Evaluate what was marked, and enter what is lost; returns the greatest code entered."""
    moves, sets = np.empty(MOVES, np.int64), np.empty(SETS_SIZE, np.int64)
    greatest = 0
    for entry in range(start, end):
        if marks[entry]:
            marks[entry] = 0
            answer = evaluate(board_at(shape, entry), code, directory, moves, sets)
            if is_loss(answer):
                table[entry] = answer
                greatest = max(greatest, answer)
    return greatest


@kernel
def en_passant_entries(shape: Ints, table: Bytes, start: int, end: int, found: Ints, count: int) -> int:
    """Append the entries where the side to move has a double step beside an enemy pawn to `found`, which has `count`
    of them; returns how many there are then."""
    for entry in range(start, end):
        if table[entry] == IMPOSSIBLE:
            continue
        placement, turn = entry_parts(shape, entry)
        _, _, a, b = squares_of(shape[0], shape[1], shape[2], placement)
        mine, enemy = (a, b) if turn == WHITE else (b ^ 56, a ^ 56)
        if shr(mine, 3) == 1 and shr(enemy, 3) == 3 and abs((mine & 7) - (enemy & 7)) == 1:
            if count < found.size:
                put(found, count, entry)
            count += 1
    return count


@kernel
def reevaluate(shape: Ints, table: Bytes, entries: Ints, code: int, directory: Ints) -> int:
    """Evaluate positions anew when codes up to `code` are final; returns the greatest code entered."""
    moves, sets = np.empty(MOVES, np.int64), np.empty(SETS_SIZE, np.int64)
    greatest = 0
    for i in range(entries.size):
        entry = entries[i]
        if 0 < table[entry] <= code:
            continue
        answer = evaluate(board_at(shape, entry), code, directory, moves, sets)
        if answer and (table[entry] == 0 or (is_win(answer) and answer < table[entry])):
            table[entry] = answer
            greatest = max(greatest, answer)
    return greatest


@kernel
def inconsistent_entry(shape: Ints, table: Bytes, start: int, end: int, directory: Ints) -> int:
    """The first entry that is not what the moves from it lead to, or -1."""
    moves, sets = np.empty(MOVES, np.int64), np.empty(SETS_SIZE, np.int64)
    for entry in range(start, end):
        impossible = _is_impossible(shape, entry)
        if impossible != (table[entry] == IMPOSSIBLE):
            return entry
        if not impossible and evaluate(board_at(shape, entry), ALL, directory, moves, sets) != table[entry]:
            return entry
    return -1


def slices(entries: int) -> Iterator[tuple[int, int]]:
    """(start, end) of slices of about the same size."""
    size = -(-entries // _PARTS)
    for start in range(0, entries, size):
        yield start, min(start + size, entries)


OnProgress = Callable[[float], None]
"""Called with the share of the work that is done, from 0 to 1."""


def with_table(directory: Any, ending: Ending, table: Bytes) -> Any:
    """The directory with one more table, which must be kept alive."""
    more = directory.copy()
    more[PIECES], more[TABLES + ending.slot] = ending.pieces, table.ctypes.data
    return more


class Workers:
    """Threads that share the slices of a table; an interrupt ends each after the slice that it is at."""

    def __init__(self, threads: int) -> None:
        self._pool = ThreadPoolExecutor(threads)

    def __enter__(self) -> "Workers":
        return self

    def __exit__(self, *error: object) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)

    def round(
        self, kernel: Any, shape: Any, table: Bytes, *more: Any, on_progress: OnProgress | None = None
    ) -> list[int]:  # fmt: skip
        """``kernel(shape, table, start, end, *more)`` for all slices of the table: what they return."""
        futures = [self._pool.submit(kernel, shape, table, *part, *more) for part in slices(table.size)]
        answers = []
        for future in futures:
            answers.append(int(future.result()))
            if on_progress:
                on_progress(len(answers) / len(futures))
        return answers


def generate(ending: Ending, directory: Any, workers: Workers, on_progress: OnProgress) -> Bytes:
    """The table of an ending; `directory` has those that it can lead to."""
    shape = np.array(ending.shape, np.int64)
    table, marks = np.zeros(ending.entries, np.uint8), np.zeros(ending.entries, np.uint8)
    here = with_table(directory, ending, table)
    greatest = max(workers.round(initialise, shape, table, here, on_progress=lambda share: on_progress(share / 2)))
    again = np.empty(0, np.int64)
    if ending.pawns == 2 and ending.even:
        again = np.empty(ending.entries // 16, np.int64)
        again = again[: en_passant_entries(shape, table, 0, ending.entries, again, 0)].copy()
        greatest = max(greatest, _EN_PASSANT_ROUNDS)
    code = MATED
    while code <= greatest:
        if any(workers.round(retract, shape, table, marks, code)):
            if code & 1:
                greatest = max(greatest, code + 1)
            else:
                greatest = max(greatest, *workers.round(confirm_losses, shape, table, marks, code, here))
        if again.size:
            greatest = max(greatest, int(reevaluate(shape, table, again, code, here)))
        code += 1
        on_progress(0.5 + 0.5 * code / (code + 20))  # initialising takes about half of the time
    return table
