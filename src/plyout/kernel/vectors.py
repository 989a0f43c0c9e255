"""Sums and products of many small integers at once, for networks: vector instructions, each with a twin in NumPy.

They are written as LLVM's vectors, not as loops that LLVM may or may not make vectors of, and in integers, so that all
processors find the same. What they read and write is told by
address: weights of millions of numbers travel as one word, and nobody counts references.
"""

import ctypes
from typing import Any

import numpy as np

from plyout.kernel.door import INTERPRETED
from plyout.kernel.views import int8_at, int16_at

LANES = 128
"""The width of a layer is a multiple of this."""
ONE = 127
"""An activation of 1."""

if INTERPRETED:

    def word_at(address: int, i: int) -> int:
        return np.int64(ctypes.c_int64.from_address(int(address) + 8 * int(i)).value)

    def activate(out: int, biases: int, table: int, rows: int, count: int, width: int) -> None:
        sums = int16_at(biases, width).copy()
        for i in range(count):
            sums += int8_at(table + word_at(rows, i) * width, width)
        int16_at(out, width)[:] = np.clip(sums, 0, ONE)

    def add(out: int, a: int, b: int, width: int) -> None:
        int16_at(out, width)[:] = int16_at(a, width) + int16_at(b, width)

    def change(sums: int, table: int, added: int, count: int, removed: int, gone: int, width: int) -> None:
        found = int16_at(sums, width)
        for i in range(count):
            found += int8_at(table + word_at(added, i) * width, width)
        for i in range(gone):
            found -= int8_at(table + word_at(removed, i) * width, width)

    def squares_times(activations: int, weights: int, width: int) -> int:
        a = int16_at(activations, width).astype(np.int64)
        return np.int64((a * a * int8_at(weights, width)).sum())

else:
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    _I = types.int64
    _WORD, _BYTE, _SHORT, _LONG = (ir.IntType(bits) for bits in (64, 8, 16, 32))
    _REGISTER = 32  # lanes of 16 bits that are handled together: one register of 512 bits, two of 256, four of 128

    def _vector(kind: Any, lanes: int = _REGISTER) -> Any:
        return ir.VectorType(kind, lanes)

    def _constant(kind: Any, value: int, lanes: int = _REGISTER) -> Any:
        return ir.Constant(_vector(kind, lanes), [value] * lanes)

    def _at(b: Any, address: Any, kind: Any, lanes: int = _REGISTER) -> Any:
        """A vector in memory, aligned or not."""
        return b.inttoptr(address, _vector(kind, lanes).as_pointer())

    def _div(b: Any, width: Any, size: int) -> Any:
        return b.udiv(width, ir.Constant(_WORD, size))

    def _plus(b: Any, address: Any, count: Any, size: int) -> Any:
        return b.add(address, b.mul(count, ir.Constant(_WORD, size)))

    @intrinsic
    def word_at(typing: Any, address: int, i: int) -> Any:
        """The i-th of the words that stand at `address`."""

        def generate(cg: Any, b: Any, sig: Any, args: Any) -> Any:
            return b.load(b.inttoptr(_plus(b, args[0], args[1], 8), _WORD.as_pointer()), align=8)

        return _I(_I, _I), generate

    @intrinsic
    def activate(typing: Any, out: int, biases: int, table: int, rows: int, count: int, width: int) -> Any:
        """A layer whose inputs are zeros and ones: biases plus the rows of the `table` that are on, clamped to 0 … ONE.

        `out` and `biases` are int16, the table int8, `rows` int64; the sums must fit int16.
        """
        parts = LANES // _REGISTER

        def generate(cg: Any, b: Any, sig: Any, args: Any) -> Any:
            out, biases, table, rows, count, width = args
            sums = [cgutils.alloca_once(b, _vector(_SHORT)) for _ in range(parts)]
            with cgutils.for_range(b, _div(b, width, LANES), intp=_WORD) as block:
                first = b.mul(block.index, ir.Constant(_WORD, LANES))
                starts = [b.add(first, ir.Constant(_WORD, i * _REGISTER)) for i in range(parts)]
                for start, total in zip(starts, sums, strict=True):
                    b.store(b.load(_at(b, _plus(b, biases, start, 2), _SHORT), align=2), total)
                with cgutils.for_range(b, count, intp=_WORD) as step:
                    row = b.load(b.inttoptr(_plus(b, rows, step.index, 8), _WORD.as_pointer()), align=8)
                    here = b.add(table, b.mul(row, width))
                    for start, total in zip(starts, sums, strict=True):
                        weights = b.load(_at(b, b.add(here, start), _BYTE), align=1)
                        b.store(b.add(b.load(total), b.sext(weights, _vector(_SHORT))), total)
                for start, total in zip(starts, sums, strict=True):
                    low, high = _constant(_SHORT, 0), _constant(_SHORT, ONE)
                    found = b.load(total)
                    found = b.select(b.icmp_signed(">", found, low), found, low)
                    found = b.select(b.icmp_signed("<", found, high), found, high)
                    b.store(found, _at(b, _plus(b, out, start, 2), _SHORT), align=2)
            return cg.get_dummy_value()

        return types.void(*[_I] * 6), generate

    @intrinsic
    def add(typing: Any, out: int, a: int, b: int, width: int) -> Any:
        """Sums of int16, one by one."""

        def generate(cg: Any, builder: Any, sig: Any, args: Any) -> Any:
            out, *terms, width = args
            with cgutils.for_range(builder, _div(builder, width, _REGISTER), intp=_WORD) as step:
                start = builder.mul(step.index, ir.Constant(_WORD, _REGISTER))
                here = [_at(builder, _plus(builder, each, start, 2), _SHORT) for each in (*terms, out)]
                one, other = (builder.load(each, align=2) for each in here[:2])
                builder.store(builder.add(one, other), here[2], align=2)
            return cg.get_dummy_value()

        return types.void(*[_I] * 4), generate

    @intrinsic
    def change(typing: Any, sums: int, table: int, added: int, count: int, removed: int, gone: int, width: int) -> Any:
        """Add the rows of the `table` that `count` words at `added` name to the sums, and take `gone` others away.

        Types are those of `activate`.
        """
        parts = LANES // _REGISTER

        def generate(cg: Any, b: Any, sig: Any, args: Any) -> Any:
            sums, table, added, count, removed, gone, width = args
            totals = [cgutils.alloca_once(b, _vector(_SHORT)) for _ in range(parts)]
            with cgutils.for_range(b, _div(b, width, LANES), intp=_WORD) as block:
                first = b.mul(block.index, ir.Constant(_WORD, LANES))
                starts = [b.add(first, ir.Constant(_WORD, i * _REGISTER)) for i in range(parts)]
                places = [_at(b, _plus(b, sums, start, 2), _SHORT) for start in starts]
                for place, total in zip(places, totals, strict=True):
                    b.store(b.load(place, align=2), total)
                for rows, so_many, join in ((added, count, b.add), (removed, gone, b.sub)):
                    with cgutils.for_range(b, so_many, intp=_WORD) as step:
                        row = b.load(b.inttoptr(_plus(b, rows, step.index, 8), _WORD.as_pointer()), align=8)
                        here = b.add(table, b.mul(row, width))
                        for start, total in zip(starts, totals, strict=True):
                            weights = b.load(_at(b, b.add(here, start), _BYTE), align=1)
                            b.store(join(b.load(total), b.sext(weights, _vector(_SHORT))), total)
                for place, total in zip(places, totals, strict=True):
                    b.store(b.load(total), place, align=2)
            return cg.get_dummy_value()

        return types.void(*[_I] * 7), generate

    @intrinsic
    def squares_times(typing: Any, activations: int, weights: int, width: int) -> Any:
        """The sum of the activations' squares, each times a weight: int16 times int8, and the sum must fit int32."""
        even, odd = (
            ir.Constant(_vector(_LONG, _REGISTER // 2), list(range(k, _REGISTER, 2))) for k in (0, 1)
        )  # fmt: skip

        def generate(cg: Any, b: Any, sig: Any, args: Any) -> Any:
            activations, weights, width = args
            total = cgutils.alloca_once(b, _vector(_LONG, _REGISTER // 2))
            b.store(_constant(_LONG, 0, _REGISTER // 2), total)
            with cgutils.for_range(b, _div(b, width, _REGISTER), intp=_WORD) as step:
                start = b.mul(step.index, ir.Constant(_WORD, _REGISTER))
                a = b.load(_at(b, _plus(b, activations, start, 2), _SHORT), align=2)
                w = b.sext(b.load(_at(b, b.add(weights, start), _BYTE), align=1), _vector(_SHORT))
                times = b.mul(a, w)  # at most 127 * 128: fits
                wide = b.mul(b.sext(a, _vector(_LONG)), b.sext(times, _vector(_LONG)))
                pairs = b.add(b.shuffle_vector(wide, wide, even), b.shuffle_vector(wide, wide, odd))
                b.store(b.add(b.load(total), pairs), total)  # one instruction, since 1997
            lanes = b.load(total)
            found = b.extract_element(lanes, ir.Constant(_LONG, 0))
            for i in range(1, _REGISTER // 2):
                found = b.add(found, b.extract_element(lanes, ir.Constant(_LONG, i)))
            return b.sext(found, _WORD)

        return _I(_I, _I, _I), generate
