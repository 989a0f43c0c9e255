"""Bit tricks and raw array access: machine instructions, each with a Python twin.

Every twin takes and returns NumPy's ``int64`` so that plain Python wraps around
exactly where the machine does.
"""

import ctypes
from typing import Any

import numpy as np

from plyout.kernel.door import BOUNDS_CHECKED, INTERPRETED, inlined

MASK = (1 << 64) - 1

CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)
"""A Python function of one number as machine code: it takes the GIL while it runs, whoever calls it."""


def signed(x: int) -> int:
    """The signed 64-bit number with the bits of `x`.

    >>> signed(0xFFFF_FFFF_FFFF_FFFF)
    -1
    """
    x &= MASK
    return x - (1 << 64) if x >> 63 else x


if INTERPRETED:

    def popcount(x: int) -> int:
        return np.int64((int(x) & MASK).bit_count())

    def low(x: int) -> int:
        return np.int64((int(x) & -int(x)).bit_length() - 1)

    def shr(x: int, k: int) -> int:
        return np.int64(signed((int(x) & MASK) >> int(k)))

    def rotl(x: int, k: int) -> int:
        bits = int(x) & MASK
        return np.int64(signed(bits << int(k) | bits >> 64 - int(k)))

    def bswap(x: int) -> int:
        return np.int64(int.from_bytes((int(x) & MASK).to_bytes(8, "little"), "big", signed=True))

    def nth(x: int, r: int) -> int:
        bits = int(x) & MASK
        for _ in range(int(r)):
            bits &= bits - 1
        return low(bits)

    def at(a: Any, i: int) -> int:
        return a[i]

    def put(a: Any, i: int, v: int) -> None:
        a[i] = v

    def tail(a: Any, i: int) -> Any:
        return a[i:]

    def borrowed(x: Any) -> Any:
        return x

    def keep(x: Any) -> None:
        pass

    def byte_at(address: int) -> int:
        return np.int64(ctypes.c_uint8.from_address(int(address)).value)

    def address_of(a: Any) -> int:
        return np.int64(a.ctypes.data)

    def call_at(address: int, argument: int) -> int:
        return np.int64(CALLBACK(int(address))(int(argument)))

    def atomic_add(a: Any, i: int | str, v: Any) -> Any:
        old = a[i]
        a[i] = old + v
        return old

    def add_to(record: Any, field: str, amount: float, shared: bool) -> None:
        record[field] += amount

    def atomic_load(a: Any, i: int | str) -> int:
        return a[i]

    def atomic_swap(a: Any, i: int | str, old: int, new: int) -> bool:
        if a[i] != old:
            return False
        a[i] = new
        return True

else:
    import llvmlite.binding
    from llvmlite import ir
    from numba import config, types
    from numba.core import cgutils
    from numba.extending import intrinsic
    from numba.np import arrayobj

    _I = types.int64
    _WORD = ir.IntType(64)
    _YES = ir.Constant(ir.IntType(1), 1)

    @intrinsic
    def popcount(typing: Any, x: int) -> Any:
        """How many bits of `x` are set."""
        return _I(_I), lambda cg, b, sig, a: b.ctpop(a[0])

    @intrinsic
    def low(typing: Any, x: int) -> Any:
        """The place of the lowest set bit of `x`, which must not be 0."""
        return _I(_I), lambda cg, b, sig, a: b.cttz(a[0], _YES)

    @intrinsic
    def shr(typing: Any, x: int, k: int) -> Any:
        """The bits of `x` moved right by `k`, zeros coming in from the left."""
        return _I(_I, _I), lambda cg, b, sig, a: b.lshr(*a)

    @intrinsic
    def rotl(typing: Any, x: int, k: int) -> Any:
        """The bits of `x` turned left by `k`, 0 < k < 64."""

        def generate(cg: Any, b: Any, sig: Any, a: Any) -> Any:
            signature = ir.FunctionType(_WORD, (_WORD, _WORD, _WORD))
            turn = cgutils.get_or_insert_function(b.module, signature, "llvm.fshl.i64")
            return b.call(turn, (a[0], a[0], a[1]))

        return _I(_I, _I), generate

    @intrinsic
    def bswap(typing: Any, x: int) -> Any:
        """The bytes of `x` in reverse: a bitboard with its ranks turned over."""
        return _I(_I), lambda cg, b, sig, a: b.bswap(a[0])

    def _has_pdep() -> bool:
        if config.CPU_NAME or config.CPU_FEATURES:  # a user compiles for another processor than this one
            return False
        return bool(llvmlite.binding.get_host_cpu_features().get("bmi2", False))

    if _has_pdep():

        @intrinsic
        def nth(typing: Any, x: int, r: int) -> Any:
            """The place of the r-th set bit of `x`, counted from 0."""

            def generate(cg: Any, b: Any, sig: Any, a: Any) -> Any:
                signature = ir.FunctionType(_WORD, (_WORD, _WORD))
                pdep = cgutils.get_or_insert_function(b.module, signature, "llvm.x86.bmi.pdep.64")
                bit = b.call(pdep, (b.shl(ir.Constant(_WORD, 1), a[1]), a[0]))
                return b.cttz(bit, _YES)

            return _I(_I, _I), generate
    else:

        @inlined
        def nth(x: int, r: int) -> int:
            """The place of the r-th set bit of `x`, counted from 0."""
            while r > 0:
                x &= x - 1
                r -= 1
            return low(x)

    def _pointer(cg: Any, b: Any, sig: Any, args: Any) -> Any:
        """Where an item of an array, or a field of a record, stands in memory."""
        kind = sig.args[0]
        if isinstance(kind, types.Record):
            field = sig.args[1].literal_value
            data = cg.get_data_type(kind.typeof(field))
            return cgutils.get_record_member(b, args[0], kind.offset(field), data)
        array = cg.make_array(kind)(cg, b, args[0])
        return cgutils.get_item_pointer(cg, b, kind, array, [args[1]], wraparound=False)

    def _item(a: Any, i: Any) -> tuple[Any, Any]:
        """The types of a[i] and of `i`: `a` is an array, or a record and `i` the name of a field."""
        return (a.typeof(i.literal_value), i) if isinstance(a, types.Record) else (a.dtype, _I)

    if BOUNDS_CHECKED:

        @inlined
        def at(a: Any, i: int) -> int:
            """a[i], checked, and never counted from the end."""
            if i < 0:
                raise IndexError("negative index")
            return a[i]

        @inlined
        def put(a: Any, i: int, v: int) -> None:
            """a[i] = v, checked, and never counted from the end."""
            if i < 0:
                raise IndexError("negative index")
            a[i] = v
    else:

        @intrinsic
        def at(typing: Any, a: Any, i: int) -> Any:
            """a[i] without Numba's test for an index counted from the end; of an array of records the record itself."""

            def generate(cg: Any, b: Any, sig: Any, args: Any) -> Any:
                place = _pointer(cg, b, sig, args)
                return place if isinstance(sig.return_type, types.Record) else b.load(place)

            return a.dtype(a, _I), generate

        @intrinsic
        def put(typing: Any, a: Any, i: int, v: int) -> Any:
            """a[i] = v without Numba's test for an index counted from the end."""

            def generate(cg: Any, b: Any, sig: Any, args: Any) -> Any:
                b.store(args[2], _pointer(cg, b, sig, args))
                return cg.get_dummy_value()

            return types.void(a, _I, a.dtype), generate

    @intrinsic
    def tail(typing: Any, a: Any, i: int) -> Any:
        """a[i:], borrowed: no reference is counted, so the caller must keep `a` alive."""

        def generate(cg: Any, b: Any, sig: Any, args: Any) -> Any:
            array = cg.make_array(sig.args[0])(cg, b, args[0])
            view = cg.make_array(sig.return_type)(cg, b)
            length = b.sub(cgutils.unpack_tuple(b, array.shape, 1)[0], args[1])
            arrayobj.populate_array(
                view, data=_pointer(cg, b, sig, args), shape=[length], strides=[array.itemsize],
                itemsize=array.itemsize, meminfo=None, parent=None,
            )  # fmt: skip
            return view._getvalue()

        return a(a, _I), generate

    def _without_owner(cg: Any, b: Any, kind: Any, value: Any) -> Any:
        """`value`, an array or a tuple of arrays, but nobody knows whose memory it is."""
        if isinstance(kind, types.Array):
            array = cg.make_array(kind)(cg, b, value)
            array.meminfo = cgutils.get_null_value(array.meminfo.type)
            array.parent = cgutils.get_null_value(array.parent.type)
            return array._getvalue()
        if isinstance(kind, types.BaseTuple):
            for place, part in enumerate(kind):
                ownerless = _without_owner(cg, b, part, b.extract_value(value, place))
                value = b.insert_value(value, ownerless, place)
        return value

    @intrinsic
    def borrowed(typing: Any, x: Any) -> Any:
        """The same array, or tuple with arrays in it, borrowed: the caller must keep it alive.

        Numba counts references to arrays, by locked instructions at every call of a function: in a search that took a
        third of the time.
        """
        return x(x), lambda cg, b, sig, args: _without_owner(cg, b, sig.args[0], args[0])

    @intrinsic
    def keep(typing: Any, x: Any) -> Any:
        """Do nothing, but hold a reference to `x` until here: arrays that were borrowed from it stay valid."""
        return types.void(x), lambda cg, b, sig, args: cg.get_dummy_value()

    @intrinsic
    def byte_at(typing: Any, address: int) -> Any:
        """The byte that stands at `address` in memory: of a file that is mapped there, say."""

        def generate(cg: Any, b: Any, sig: Any, args: Any) -> Any:
            byte = b.load(b.inttoptr(args[0], ir.IntType(8).as_pointer()))
            return b.zext(byte, _WORD)

        return _I(_I), generate

    @intrinsic
    def address_of(typing: Any, a: Any) -> Any:
        """Where an array begins in memory."""

        def generate(cg: Any, b: Any, sig: Any, args: Any) -> Any:
            return b.ptrtoint(cg.make_array(sig.args[0])(cg, b, args[0]).data, _WORD)

        return _I(a), generate

    @intrinsic
    def call_at(typing: Any, address: int, argument: int) -> Any:
        """What the `CALLBACK` at `address` answers."""

        def generate(cg: Any, b: Any, sig: Any, args: Any) -> Any:
            function = ir.FunctionType(_WORD, (_WORD,)).as_pointer()
            return b.call(b.inttoptr(args[0], function), (args[1],))

        return _I(_I, _I), generate

    # In what follows `a` is an array and `i` an index, or `a` is a record and `i` the name of a field.

    @intrinsic(prefer_literal=True)
    def atomic_add(typing: Any, a: Any, i: Any, v: Any) -> Any:
        """Add `v` to a[i] in one step that no other thread can split; the old value is returned."""
        item, i = _item(a, i)

        def generate(cg: Any, b: Any, sig: Any, args: Any) -> Any:
            op = "add" if isinstance(item, types.Integer) else "fadd"
            return b.atomic_rmw(op, _pointer(cg, b, sig, args), args[2], "monotonic")

        return item(a, i, item), generate

    @intrinsic(prefer_literal=True)
    def add_to(typing: Any, record: Any, field: Any, amount: Any, shared: Any) -> Any:
        """Add to a field of a record; atomically, if the record is `shared` with other threads."""
        item, field = _item(record, field)
        integer = isinstance(item, types.Integer)

        def generate(cg: Any, b: Any, sig: Any, args: Any) -> Any:
            place = _pointer(cg, b, sig, args)
            with b.if_else(args[3]) as (atomically, plainly):
                with atomically:
                    b.atomic_rmw("add" if integer else "fadd", place, args[2], "monotonic")
                with plainly:
                    before = b.load(place)
                    b.store(b.add(before, args[2]) if integer else b.fadd(before, args[2]), place)
            return cg.get_dummy_value()

        return types.void(record, field, item, types.boolean), generate

    @intrinsic(prefer_literal=True)
    def atomic_load(typing: Any, a: Any, i: Any) -> Any:
        """a[i], with everything that was written before it was."""
        item, i = _item(a, i)

        def generate(cg: Any, b: Any, sig: Any, args: Any) -> Any:
            return b.load_atomic(_pointer(cg, b, sig, args), "acquire", item.bitwidth // 8)

        return item(a, i), generate

    @intrinsic(prefer_literal=True)
    def atomic_swap(typing: Any, a: Any, i: Any, old: Any, new: Any) -> Any:
        """Put `new` into a[i] if it holds `old`, in one step; whether it did."""
        item, i = _item(a, i)

        def generate(cg: Any, b: Any, sig: Any, args: Any) -> Any:
            swap = b.cmpxchg(_pointer(cg, b, sig, args), args[2], args[3], "acq_rel", "acquire")
            return b.extract_value(swap, 1)

        return types.boolean(a, i, item, item), generate


record_at: Any = at
"""`at` for an array of records: the record itself, whose fields can be read and written."""
