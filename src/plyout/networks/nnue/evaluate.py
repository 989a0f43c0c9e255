"""Stockfish's evaluation by its network, in integers: what its `eval` command calls the NNUE evaluation.

Values are in Stockfish's own units, 361 of which are a pawn as it prints them.
"""

from typing import Any, NamedTuple

import numpy as np

from plyout.games import state_of
from plyout.games.chess.board import Board, load
from plyout.games.chess.border import parse_board
from plyout.kernel import (
    Ints, address_of, at, entry, i64, inlined, int16_at, int32_at, ints, kernel, popcount, put, void,
)  # fmt: skip
from plyout.networks.nnue.accumulate import ACCUMULATORS, accumulate, material_address, sums_address
from plyout.networks.nnue.file import Network
from plyout.networks.nnue.shape import (
    BUCKETS, FIRST, FIRST_BIASES, FIRST_WEIGHTS, LAST_BIAS, LAST_WEIGHTS, PAIRS, SECOND, SECOND_BIASES, SECOND_INPUTS,
    SECOND_WEIGHTS, STACK, STACKS, SUMS,
)  # fmt: skip

PAWN = 361
"""A pawn in Stockfish's units: NormalizeToPawnValue of version 15.1."""
_OUTPUT_SCALE = 16  # the layers' output in these units
_SHIFT = 6  # a weight of the stacks is a 64th
_ONE = 127  # the largest output of a layer

_PRODUCTS = ACCUMULATORS
_BETWEEN = _PRODUCTS + SUMS // 4
ROOM = _BETWEEN + SECOND_INPUTS // 4
"""Words of room that a thread needs: zeros at first."""


@inlined
def bucket_of(b: Board) -> int:
    """Which stack evaluates a position: by the number of its pieces, of which some set-up may have more than 32."""
    return min((popcount(b.white | b.black) - 1) // 4, BUCKETS - 1)


@inlined
def _multiply(room: Ints, place: int, products: Any) -> None:
    """The products of the two halves of a side's sums, each between 0 and 1."""
    sums = int16_at(sums_address(room, place), SUMS)
    nothing, one = np.int16(0), np.int16(_ONE)
    for j in range(PAIRS):
        a, b = min(max(at(sums, j), nothing), one), min(max(at(sums, j + PAIRS), nothing), one)
        put(products, j, np.int16(np.int32(a) * np.int32(b) >> 7))  # arithmetic


@inlined
def _dot(inputs: Any, weights: Any, first: int, count: int) -> int:
    """In 32 bits, so that the machine can add up pairs of products."""
    total = np.int32(0)
    for j in range(count):
        total = np.int32(total + np.int32(at(inputs, j)) * np.int32(at(weights, first + j)))
    return int(total)


@inlined
def _positional(room: Ints, stack: int) -> int:
    """What a stack makes of the products."""
    products = int16_at(address_of(room) + 8 * _PRODUCTS, SUMS)
    between = int16_at(address_of(room) + 8 * _BETWEEN, SECOND_INPUTS)
    weights, biases = int16_at(stack + FIRST_WEIGHTS, FIRST * SUMS), int32_at(stack + FIRST_BIASES, FIRST)
    for i in range(FIRST - 1):
        x = np.int64(at(biases, i)) + _dot(products, weights, i * SUMS, SUMS)
        put(between, i, np.int16(min(x * x >> 2 * _SHIFT + 7, _ONE)))  # arithmetic
        put(between, FIRST - 1 + i, np.int16(min(max(x >> _SHIFT, 0), _ONE)))  # arithmetic
    past = np.int64(at(biases, FIRST - 1)) + _dot(products, weights, (FIRST - 1) * SUMS, SUMS)
    weights, biases = int16_at(stack + SECOND_WEIGHTS, SECOND * SECOND_INPUTS), int32_at(stack + SECOND_BIASES, SECOND)
    last = int16_at(stack + LAST_WEIGHTS, SECOND)
    result = np.int64(at(int32_at(stack + LAST_BIAS, 1), 0))
    for i in range(SECOND):
        x = np.int64(at(biases, i)) + _dot(between, weights, i * SECOND_INPUTS, SECOND_INPUTS)
        result += min(max(x >> _SHIFT, 0), _ONE) * np.int64(at(last, i))  # arithmetic
    return int(result + quotient(past * (600 * _OUTPUT_SCALE), _ONE << _SHIFT))


@inlined
def quotient(a: int, b: int) -> int:
    """a / b, rounded towards 0 as C does."""
    return a // b if a >= 0 else -(-a // b)


class Parts(NamedTuple):
    """The two parts of an evaluation, for the side to move."""

    material: int
    positional: int


@inlined
def _parts(b: Board, bucket: int, network: int, room: Ints) -> Parts:
    own, other = accumulate(b, b.turn, network, room), accumulate(b, 1 - b.turn, network, room)
    products = address_of(room) + 8 * _PRODUCTS
    _multiply(room, own, int16_at(products, PAIRS))
    _multiply(room, other, int16_at(products + 2 * PAIRS, PAIRS))
    mine, theirs = int32_at(material_address(room, own), BUCKETS), int32_at(material_address(room, other), BUCKETS)
    material = np.int64(at(mine, bucket)) - np.int64(at(theirs, bucket))
    return Parts(quotient(material, 2), _positional(room, network + STACKS + STACK * bucket))


@kernel
def nnue(b: Board, network: int, room: Ints) -> int:
    """The value for the side to move, in Stockfish's units; `room` is the thread's own, of ROOM words."""
    parts = _parts(b, bucket_of(b), network, room)
    return quotient(parts.material + parts.positional, _OUTPUT_SCALE)


@entry(i64(ints, i64, ints))
def _value(state: Ints, network: int, room: Ints) -> int:
    return nnue(load(state), network, room)


@entry(void(ints, i64, ints, ints))
def _trace(state: Ints, network: int, room: Ints, out: Ints) -> None:
    b = load(state)
    for bucket in range(BUCKETS):
        parts = _parts(b, bucket, network, room)
        out[2 * bucket] = quotient(parts.material, _OUTPUT_SCALE)
        out[2 * bucket + 1] = quotient(parts.positional, _OUTPUT_SCALE)
    out[2 * BUCKETS] = bucket_of(b)


class Trace(NamedTuple):
    """An evaluation by all eight stacks, for the side to move, in Stockfish's units."""

    buckets: list[Parts]
    used: int


class Evaluator:
    """Positions evaluated one by one from Python.

    ``Evaluator(read("stockfish.nnue")).value(fen)``
    """

    def __init__(self, network: Network) -> None:
        self._network = network
        self._room = np.zeros(ROOM, np.int64)

    def value(self, fen: str) -> int:
        """In Stockfish's units, for the side to move."""
        return int(_value(state_of(parse_board(fen)), self._network.address, self._room))

    def trace(self, fen: str) -> Trace:
        """The parts of the value that each stack would give."""
        out = np.zeros(2 * BUCKETS + 1, np.int64)
        _trace(state_of(parse_board(fen)), self._network.address, self._room, out)
        *parts, used = out.tolist()
        return Trace([Parts(*parts[2 * i : 2 * i + 2]) for i in range(BUCKETS)], used)
