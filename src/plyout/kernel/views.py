"""Arrays of small integers at an address: how kernels read the weights of a network.

An address is a plain number that travels in tuples; what stands there must be kept alive by whoever passes it. A
global array would be baked into every kernel that reads it.

    weights = int16_at(address, 1024)

Numba computes with `int64`, whatever the array holds, where NumPy would wrap around in the array's own type: in a
kernel that is to run interpreted as well, make an item an `np.int64` (or an `np.int32`) before it is multiplied.
"""

import ctypes
from typing import Any

import numpy as np

from plyout.kernel.door import INTERPRETED

if INTERPRETED:

    def _viewer(kind: Any, dtype: Any) -> Any:
        def view(address: int, count: int) -> Any:
            if count == 0:
                return np.empty(0, dtype)
            return np.frombuffer((kind * int(count)).from_address(int(address)), dtype)

        return view

    int8_at = _viewer(ctypes.c_int8, np.int8)
    int16_at = _viewer(ctypes.c_int16, np.int16)
    int32_at = _viewer(ctypes.c_int32, np.int32)
    int64_at = _viewer(ctypes.c_int64, np.int64)

else:
    from numba import types
    from numba.extending import intrinsic
    from numba.np import arrayobj

    def _array_at(kind: Any) -> Any:
        """What an intrinsic for arrays of `kind` returns to Numba: its signature, and how its code is made."""
        array = types.Array(kind, 1, "C")

        def generate(cg: Any, b: Any, sig: Any, args: Any) -> Any:
            view = cg.make_array(array)(cg, b)
            size = cg.get_constant(types.intp, kind.bitwidth // 8)
            arrayobj.populate_array(
                view, data=b.inttoptr(args[0], view.data.type), shape=[args[1]], strides=[size], itemsize=size,
                meminfo=None, parent=None,
            )  # fmt: skip
            return view._getvalue()

        return array(types.int64, types.int64), generate

    @intrinsic
    def int8_at(typing: Any, address: int, count: int) -> Any:
        """The `count` bytes at `address`, signed, as an array that owns nothing."""
        return _array_at(types.int8)

    @intrinsic
    def int16_at(typing: Any, address: int, count: int) -> Any:
        """The `count` 16-bit numbers at `address`, as an array that owns nothing."""
        return _array_at(types.int16)

    @intrinsic
    def int32_at(typing: Any, address: int, count: int) -> Any:
        """The `count` 32-bit numbers at `address`, as an array that owns nothing."""
        return _array_at(types.int32)

    @intrinsic
    def int64_at(typing: Any, address: int, count: int) -> Any:
        """The `count` words at `address`, as an array that owns nothing."""
        return _array_at(types.int64)
