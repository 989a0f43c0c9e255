"""The types that kernels share: Numba's names for signatures, Python's for readers."""

from typing import Any, TypeAlias

from plyout.kernel.door import INTERPRETED

Ints: TypeAlias = Any
"""A one-dimensional C-contiguous array of int64 (in a kernel, `a[i]` is a plain number)."""

if INTERPRETED:

    class _Anything:
        """Stands for Numba's types where signatures are written but never used."""

        def __call__(self, *parts: Any) -> "_Anything":
            return self

        def __getitem__(self, index: Any) -> "_Anything":
            return self

    i64: Any = _Anything()
    f64: Any = _Anything()
    void: Any = _Anything()
else:
    from numba import types

    i64 = types.int64
    f64 = types.float64
    void = types.void

ints: Any = i64[::1]
floats: Any = f64[::1]
