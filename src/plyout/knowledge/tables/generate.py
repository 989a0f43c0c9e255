"""Making a table by retrograde analysis.

*Begin* with every position: which are impossible, who is mated, and what captures and promotions lead to, which the
smaller tables know. Then distance by distance: take back moves from all positions that are lost in n plies, and what
they came from is won in n + 1; take back moves from those won in n, and what they came from is lost if no move helps,
which is looked up move by move. A win by capture may stand in the table before its distance comes up; a shorter one
replaces it until then.

A double step of a pawn that can be taken en passant leads to a position that no table has. The few positions with
such a move are never reached by taking moves back, but looked at anew in every round.
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
from plyout.knowledge.tables.index import place_of, squares_of
from plyout.knowledge.tables.probe import (
    DRAW, IMPOSSIBLE, MATED, MEN, TABLES, for_mover, is_loss, is_win, probe, rank,
)  # fmt: skip

Bytes = npt.NDArray[np.uint8]

NOT_YET, ALL = 0, 254  # the greatest code that counts as settled
_EN_PASSANT_ROUNDS = 128  # more than any capture en passant leads to
_PARTS = 32  # that a round is cut into: for the threads to share, and for Ctrl-C


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
def entry_parts(shape: Ints, entry: int) -> tuple[int, int]:
    """(place, side to move) of an entry."""
    if shape[0] == shape[1] and shape[2]:
        return entry, WHITE
    return shr(entry, 1), entry & 1


@inlined
def entry_at(shape: Ints, white: int, black: int, a: int, b: int, turn: int) -> int:
    """The entry of men on squares, or -1 if the kings touch."""
    if shape[0] == shape[1] and shape[2]:
        if turn != WHITE:
            return place_of(shape[0], shape[1], 1, black ^ 56, white ^ 56, b ^ 56, a ^ 56)
        return place_of(shape[0], shape[1], 1, white, black, a, b)
    place = place_of(shape[0], shape[1], shape[2], white, black, a, b)
    return 2 * place + turn if place >= 0 else -1


@inlined
def board_at(shape: Ints, entry: int) -> Board:
    place, turn = entry_parts(shape, entry)
    return board_of(shape[0], shape[1], shape[2], squares_of(shape[0], shape[1], shape[2], place), turn)


@kernel
def stand(shape: Ints, entry: int, out: Ints) -> None:
    """Write how the men of an entry stand: white king, black king, first man, second man or -1, side to move."""
    place, turn = entry_parts(shape, entry)
    out[0], out[1], out[2], out[3] = squares_of(shape[0], shape[1], shape[2], place)
    out[4] = turn


@kernel
def evaluate(b: Board, settled: int, directory: Ints, moves: Ints, sets: Ints) -> int:
    """The code of a position by looking up where its moves lead; 0 where that is drawn or not clear yet.

    What a move leads to in the same ending counts as far as its code is not above `settled`.
    """
    count = list_moves(b, moves, sets)
    if count == 0:
        return MATED if in_check(b) else DRAW
    men = b.white | b.black
    best = MATED
    for i in range(count):
        move = at(moves, i)
        after = make(b, move)
        code = probe(after, directory)
        same = not promotion_of(move) and popcount(after.white | after.black) == popcount(men)
        if same and code > settled:
            code = DRAW  # or whatever it will be
        code = for_mover(code)
        if i == 0 or rank(code) > rank(best):
            best = code
    return best


@kernel
def begin(shape: Ints, table: Bytes, start: int, end: int, directory: Ints) -> int:
    """Enter what is known without taking back moves; the greatest code entered."""
    moves, sets = np.empty(MOVES, np.int64), np.empty(SETS_SIZE, np.int64)
    greatest = 0
    for entry in range(start, end):
        place, turn = entry_parts(shape, entry)
        squares = squares_of(shape[0], shape[1], shape[2], place)
        white, black, a, b = squares
        board = board_of(shape[0], shape[1], shape[2], squares, turn)
        men = 3 if shape[1] < 0 else 4
        waiting = board_of(shape[0], shape[1], shape[2], squares, 1 - turn)
        if (
            popcount(board.white | board.black) != men
            or entry_at(shape, white, black, a, b, turn) != entry
            or in_check(waiting)
        ):
            table[entry] = IMPOSSIBLE
            continue
        code = evaluate(board, NOT_YET, directory, moves, sets)
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
    """Where a pawn could have come from without capture, a step that `enemy`, a pawn, could answer en passant left
    out; -1 is no enemy pawn."""
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
def _sources(shape: Ints, man: int, mover: int, squares: tuple[int, int, int, int]) -> int:
    """Where a man of the side that has just moved could have come from: 0 its king, 1 and 2 the other men."""
    white, black, a, b = squares
    first, second, second_is_black = shape[0], shape[1], shape[2]
    occupied = 1 << white | 1 << black | 1 << a | (1 << b if second >= 0 else 0)
    if man == 0:
        return _reach(K, white if mover == WHITE else black, occupied)
    if man == 1:
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
def _take_back(shape: Ints, man: int, mover: int, squares: tuple[int, int, int, int], source: int) -> int:
    """The entry of the position before a man moved here from `source`, or -1."""
    white, black, a, b = squares
    if man == 1:
        a = source
    elif man == 2:
        b = source
    elif mover == WHITE:
        white = source
    else:
        black = source
    return entry_at(shape, white, black, a, b, mover)


@kernel
def spread(shape: Ints, table: Bytes, start: int, end: int, marks: Bytes, code: int) -> int:
    """Take back all moves that lead to positions with this code: what they came from is won, or marked to be looked
    at; how many positions there were."""
    found = 0
    for entry in range(start, end):
        if table[entry] != code:
            continue
        found += 1
        place, turn = entry_parts(shape, entry)
        squares = squares_of(shape[0], shape[1], shape[2], place)
        for man in range(3):
            sources = _sources(shape, man, 1 - turn, squares)
            while sources:
                former = _take_back(shape, man, 1 - turn, squares, low(sources))
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
def settle(shape: Ints, table: Bytes, start: int, end: int, marks: Bytes, code: int, directory: Ints) -> int:
    """Look at what was marked: is it lost? The greatest code entered."""
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
def can_be_taken_in_passing(shape: Ints, table: Bytes, start: int, end: int, found: Ints, count: int) -> int:
    """Note the entries where the side to move has a double step beside an enemy pawn; how many there are then."""
    for entry in range(start, end):
        if table[entry] == IMPOSSIBLE:
            continue
        place, turn = entry_parts(shape, entry)
        _, _, a, b = squares_of(shape[0], shape[1], shape[2], place)
        mine, enemy = (a, b) if turn == WHITE else (b ^ 56, a ^ 56)
        if shr(mine, 3) == 1 and shr(enemy, 3) == 3 and abs((mine & 7) - (enemy & 7)) == 1:
            if count < found.size:
                put(found, count, entry)
            count += 1
    return count


@kernel
def look_again(shape: Ints, table: Bytes, entries: Ints, code: int, directory: Ints) -> int:
    """Evaluate positions anew, as far as codes up to `code` are settled; the greatest code entered."""
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
def disagreement(shape: Ints, table: Bytes, start: int, end: int, directory: Ints) -> int:
    """The first entry that is not what the moves from it lead to, or -1."""
    moves, sets = np.empty(MOVES, np.int64), np.empty(SETS_SIZE, np.int64)
    for entry in range(start, end):
        if table[entry] == IMPOSSIBLE:
            continue
        if evaluate(board_at(shape, entry), ALL, directory, moves, sets) != table[entry]:
            return entry
    return -1


def parts(entries: int) -> Iterator[tuple[int, int]]:
    """The entries cut into slices of about the same size."""
    size = -(-entries // _PARTS)
    for start in range(0, entries, size):
        yield start, min(start + size, entries)


Tell = Callable[[float], None]
"""Is told how far the work is, from 0 to 1."""


def with_table(directory: Any, ending: Ending, table: Bytes) -> Any:
    """The directory with one more table, which must be kept alive."""
    more = directory.copy()
    more[MEN], more[TABLES + ending.slot] = ending.men, table.ctypes.data
    return more


class Workers:
    """Threads that share the parts of a round; an interrupt ends them after the part that each is at."""

    def __init__(self, threads: int) -> None:
        self._pool = ThreadPoolExecutor(threads)

    def __enter__(self) -> "Workers":
        return self

    def __exit__(self, *error: object) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)

    def round(self, kernel: Any, shape: Any, table: Bytes, *more: Any, tell: Tell | None = None) -> list[int]:
        """``kernel(shape, table, start, end, *more)`` for all parts of the table: their answers."""
        futures = [self._pool.submit(kernel, shape, table, *part, *more) for part in parts(table.size)]
        answers = []
        for future in futures:
            answers.append(int(future.result()))
            if tell:
                tell(len(answers) / len(futures))
        return answers


def generate(ending: Ending, directory: Any, workers: Workers, tell: Tell) -> Bytes:
    """The table of an ending; `directory` has those that it can lead to."""
    shape = np.array(ending.shape, np.int64)
    table, marks = np.zeros(ending.entries, np.uint8), np.zeros(ending.entries, np.uint8)
    here = with_table(directory, ending, table)
    greatest = max(workers.round(begin, shape, table, here, tell=lambda share: tell(share / 2)))
    again = np.empty(0, np.int64)
    if ending.pawns == 2 and ending.even:
        again = np.empty(ending.entries // 16, np.int64)
        again = again[: can_be_taken_in_passing(shape, table, 0, ending.entries, again, 0)].copy()
        greatest = max(greatest, _EN_PASSANT_ROUNDS)
    code = MATED
    while code <= greatest:
        if any(workers.round(spread, shape, table, marks, code)):
            if code & 1:
                greatest = max(greatest, code + 1)
            else:
                greatest = max(greatest, *workers.round(settle, shape, table, marks, code, here))
        if again.size:
            greatest = max(greatest, int(look_again(shape, table, again, code, here)))
        code += 1
        tell(0.5 + 0.5 * code / (code + 20))  # about half of the time goes into the beginning
    return table
