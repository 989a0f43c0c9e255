"""Kernels by address: how the search calls a rule that it does not know.

``call = caller(i64(ints, ints))`` makes what calls a kernel of that signature: ``call(address, state, moves)``, where
`address` is what ``address(kernel, signature)`` found, a plain number that travels in tuples and arrays. A dispatcher
or closure as an argument would be compiled into the caller, once for each; this costs 10 ns a call and is cached. An
exception in the kernel reaches whoever called the caller.
"""

from typing import Any

from plyout.errors import InputError
from plyout.kernel.door import INTERPRETED

if INTERPRETED:

    def caller(signature: Any) -> Any:
        return lambda function, *arguments: function(*arguments)

    def address(kernel: Any, signature: Any) -> Any:
        return kernel

else:
    from numba import types
    from numba.core import cgutils
    from numba.core.errors import TypingError
    from numba.extending import intrinsic

    def caller(signature: Any) -> Any:
        """What calls the kernel at an address, which has this signature."""
        result, kinds = signature.return_type, signature.args

        @intrinsic
        def call(typing: Any, address: int, *arguments: Any) -> Any:
            def generate(cg: Any, b: Any, sig: Any, args: Any) -> Any:
                kind = cg.call_conv.get_function_type(result, kinds).as_pointer()
                function = b.inttoptr(args[0], kind)
                values = cgutils.unpack_tuple(b, args[1], len(kinds))
                status, answer = cg.call_conv.call_function(b, function, result, kinds, values)
                with cgutils.if_unlikely(b, status.is_error):
                    cg.call_conv.return_status_propagate(b, status)
                return answer

            return result(types.int64, types.StarArgTuple.from_types(kinds)), generate

        return call

    def address(kernel: Any, signature: Any) -> Any:
        """Where the machine code of a kernel stands; it is compiled now, if it was not. `kernel` must be kept."""
        try:
            made = kernel.get_compile_result(signature)
        except TypingError as error:
            reason = " ".join(str(error).split())[:300]
            raise InputError(f"the kernel {kernel.py_func.__name__!r} must be {signature}: {reason}") from None
        return made.library.get_pointer_to_function(made.fndesc.llvm_func_name)
