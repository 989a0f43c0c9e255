"""The one door to Numba: `kernel`, `inlined`, `entry`, and the interpreted mode.

A *kernel* is a Python function that is compiled when it is first needed and
kept on disk. An *inlined* function becomes part of every kernel that calls it.
An *entry* is a kernel that Python calls with an explicit signature. With
``PLYOUT_INTERPRET=1`` nothing is compiled and the same source runs as plain
Python: hundreds of times slower, to the last bit equal, and open to a debugger.

Rules for the body of a kernel: numbers are ``int64`` and ``float64``, nothing
else; integers wrap around; bitboards are signed ``int64`` and go to the right
only by ``shr``; arrays are one-dimensional and C-contiguous.
"""

import importlib
import importlib.util
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from plyout.cache.place import switch
from plyout.cache.store import Store

F = TypeVar("F", bound=Callable[..., Any])

INTERPRETED = switch("PLYOUT_INTERPRET")
BOUNDS_CHECKED = switch("NUMBA_BOUNDSCHECK")

if INTERPRETED:
    # Machine integers wrap silently; NumPy's scalars do too, once told not to warn.
    np.seterr(all="ignore")

    def kernel(function: F) -> F:
        return function

    def own_kernel(function: F, checked: bool) -> F:
        return function

    def inlined(function: F) -> F:
        return function

    def entry(signature: Any) -> Callable[[F], F]:
        def wrap(function: F) -> F:
            def quiet(*arguments: Any) -> Any:
                words = [np.int64(a) if type(a) is int else a for a in arguments]
                with np.errstate(all="ignore"):  # the setting above holds for its thread only
                    return function(*words)

            return quiet  # type: ignore[return-value]

        return wrap

    def pointer(signature: Any) -> Any:
        return None

    def kept_files() -> Store:
        return Store(None)

else:
    import numba
    from numba import types
    from numba.core import typeinfer
    from numba.core.codegen import JITCodeLibrary
    from numba.core.compiler import Compiler
    from numba.core.compiler_machinery import AnalysisPass, register_pass
    from numba.core.typed_passes import NopythonTypeInference
    from numba.core.registry import CPUDispatcher

    from plyout.kernel import kept, progress

    # Numba promises LLVM that signed integers never overflow, and LLVM may then put anything in the place of
    # `x & x - 1` of the square h8, or of a product of random bits. Ours must wrap around.
    for _module in ("numba.cpython.numbers", "numba.np.math.numbers"):
        setattr(importlib.import_module(_module), "_int_arith_flags", lambda rettype: [])  # noqa: B010

    if importlib.util.find_spec("scipy"):
        # Numba loads SciPy, which takes as long as all of ours, only to learn that it is there. It asks again whenever
        # a function needs it.
        from numba.np import linalg

        _ensure_blas, linalg.ensure_blas = linalg.ensure_blas, lambda: None
        try:
            importlib.import_module("numba.np.arraymath")
        finally:
            linalg.ensure_blas = _ensure_blas

    progress.watch()

    _OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}

    def _is_ours(function: Any) -> bool:
        return (function.__module__ or "").startswith("plyout.")

    def _bounds_checked(function: Any) -> bool:
        """Whether every index is checked: ours are only by tests, a user's always (unless NUMBA_BOUNDSCHECK is 0)."""
        return BOUNDS_CHECKED or not _is_ours(function)

    def _compile(function: Any, *signature: Any, keep: bool, checked: bool) -> Any:
        made = numba.njit(boundscheck=checked, forceinline=False, _nrt=True, **_OPTIONS)(function)
        if keep:
            made._cache = kept.Kept(function)
        if signature:
            with typeinfer.register_dispatcher(made):  # it may call itself
                made.compile(*signature)
            made.disable_compile()
        return made

    class _Part(JITCodeLibrary):
        """The code of an inlined function, which is only ever linked into that of others.

        Numba would optimise it and make machine code of it by itself, and then once more in every caller: ten of
        forty-five seconds of the first start.
        """

        def _optimize_final_module(self) -> None:
            pass

        def _finalize_final_module(self) -> None:
            self._finalize_dynamic_globals()
            self._finalized = True

        def get_pointer_to_function(self, name: str) -> int:
            return 0

        @property
        def codegen(self) -> Any:
            return self

        def set_env(self, name: str, env: Any) -> None:
            """There is no function whose environment could be set."""

    def _holds_arrays(kind: Any) -> bool:
        return isinstance(kind, types.Array) or (isinstance(kind, types.BaseTuple) and any(map(_holds_arrays, kind)))

    @register_pass(mutates_CFG=False, analysis_only=True)
    class _CountReturned(AnalysisPass):
        """What an inlined function returns belongs to its caller, so one that returns arrays must count references."""

        _name = "count_returned"

        def __init__(self) -> None:
            AnalysisPass.__init__(self)

        def run_pass(self, state: Any) -> bool:
            if _holds_arrays(state.return_type):
                state.targetctx = state.targetctx.subtarget(enable_nrt=True)
            return False

    class _PartCompiler(Compiler):
        def __init__(self, typing: Any, target: Any, library: Any, *rest: Any) -> None:
            super().__init__(typing, target, library or _Part(target.codegen(), "part"), *rest)

        def define_pipelines(self) -> Any:
            pipelines = super().define_pipelines()
            pipelines[0].add_pass_after(_CountReturned, NopythonTypeInference)
            pipelines[0].finalize()
            return pipelines

    class _Inlined(CPUDispatcher):
        """What `inlined` makes of a function. There is no machine code that Python could jump to."""

        def __call__(self, *arguments: Any, **named: Any) -> Any:
            name = self.py_func.__name__
            raise TypeError(f"{name} is inlined into kernels and cannot be called from Python: wrap it in a kernel")

    def kernel(function: F) -> F:
        """Compile `function` for whatever argument types it meets, on demand.

        What lies outside this package is not kept on disk: a change in a file it imports would go unnoticed.
        """
        return _remember_results(_compile(function, keep=_is_ours(function), checked=_bounds_checked(function)))

    def own_kernel(function: F, checked: bool) -> F:
        """A kernel of a user's function, or of one that closes over it; `checked`: every index is."""
        return _remember_results(_compile(function, keep=False, checked=checked or BOUNDS_CHECKED))

    def inlined(function: F) -> F:
        """Make `function` a part of every kernel that calls it; called from Python it raises a `TypeError`.

        Left to itself LLVM keeps functions of this size apart and hands a position over through memory at
        every call: forced inlining made perft 1.7 and random games 1.5 times as fast, and it compiles
        faster, because no wrappers are made.
        """
        # It does not count references to the arrays that it is handed, because its kernel holds them.
        options = {"pipeline_class": _PartCompiler, "no_cpython_wrapper": True, "no_cfunc_wrapper": True, "_nrt": False}
        made = numba.njit(forceinline=True, boundscheck=_bounds_checked(function), **options, **_OPTIONS)(function)
        made.__class__ = _Inlined
        return made

    def _remember_results(made: Any) -> Any:
        """Let a kernel remember what it was compiled to: Numba asks at every call that passes it by pointer, and takes
        long to compare signatures."""
        look_up, known = made.get_compile_result, {}

        def get_compile_result(signature: Any) -> Any:
            if id(signature) not in known:
                known[id(signature)] = (signature, look_up(signature))  # kept, so that its id is nobody else's
            return known[id(signature)][1]

        made.get_compile_result = get_compile_result
        return made

    def entry(signature: Any) -> Callable[[F], F]:
        """A kernel that Python calls with arguments of fixed types.

        It is compiled on the first call and not when its module is imported. Only with an explicit signature does a
        function that is passed in travel as a pointer.
        """

        def wrap(function: F) -> F:
            made: list[Any] = []

            def call(*arguments: Any) -> Any:
                if not made:
                    ours = _is_ours(function)
                    made.append(_compile(function, signature, keep=ours, checked=_bounds_checked(function)))
                return made[0](*arguments)

            call.__name__, call.__doc__ = function.__name__, function.__doc__
            return call  # type: ignore[return-value]

        return wrap

    def kept_files() -> Store:
        """The compiled kernels of this state of the sources."""
        return kept.files()

    def pointer(signature: Any) -> Any:
        """The type of a pointer to a kernel with this signature."""
        return types.FunctionType(signature)
