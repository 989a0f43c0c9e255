"""What Numba asks for machine code of earlier, and hands the new to: our files in the place of Numba's.

Numba has an index for each function, read, changed and written again by every process, and trusts what it finds.
"""

import hashlib
import pickle
import re
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import FunctionCache
from numba.core.compiler import CompileResult
from numba.core.dispatcher import Dispatcher
from numba.core.serialize import dumps

from plyout.cache.place import fingerprint, open_folder, switch
from plyout.cache.store import Store


_FOLDER_NAME = fingerprint(numba.__version__, switch("NUMBA_BOUNDSCHECK"))  # now: sources may change under a long run


@cache
def files() -> Store:
    """The files for the present sources. They are looked for when the first kernel is wanted: whoever is to be told
    that something is wrong with them is known by then."""
    return Store(open_folder(_FOLDER_NAME))


@cache
def _hash_of(source: str) -> str:
    """Of a file that may be none of those that the folder is named by; empty where it cannot be read."""
    try:
        return hashlib.sha256(Path(source).read_bytes()).hexdigest()
    except OSError:
        return ""


class Kept(FunctionCache):
    """The cache of one kernel."""

    def __init__(self, function: Any) -> None:
        self._py_func = function
        self._name = f"{function.__module__}.{function.__qualname__}"
        self._source = _hash_of(function.__code__.co_filename)
        self.enable()

    @property
    def cache_path(self) -> str:
        return str(files().folder)

    def flush(self) -> None:
        """Numba is about to compile anew, and wants no code of earlier."""
        self.disable()

    def load_overload(self, signature: Any, target: Any) -> Any:
        """What the kernel was compiled to for `signature`; None if it has to be compiled."""
        target.refresh()
        if not self._can_be_kept():
            return None
        name, key = self._name_and_key(signature, target.codegen())
        contents = files().load(name)
        if contents is None:
            return None
        try:
            kept, reduced = pickle.loads(contents)
            return CompileResult._rebuild(target, *reduced) if kept == key else None
        except MemoryError:
            raise
        except Exception as error:  # what pickle and LLVM may raise cannot be listed
            files().report({files().path(name): f"it means nothing to Numba ({type(error).__name__})"})
            return None

    def save_overload(self, signature: Any, made: Any) -> None:
        """Keep what the kernel was compiled to, unless it refers to addresses of this process."""
        if self._can_be_kept() and not made.library.has_dynamic_globals:
            name, key = self._name_and_key(signature, made.codegen)
            files().save(name, dumps((key, made._reduce())))

    def _can_be_kept(self) -> bool:
        """Not without the source, as a change would go unnoticed; and not if it closes over kernels, which Numba
        numbers anew in each process."""
        parts = [cell.cell_contents for cell in self._py_func.__closure__ or ()]
        return self._enabled and bool(self._source) and not any(isinstance(part, Dispatcher) for part in parts)

    def _name_and_key(self, signature: Any, codegen: Any) -> tuple[str, Any]:
        """The file's name, and what must be found in it: types that differ can be written alike."""
        key = self._index_key(signature, codegen)
        line = self._py_func.__code__.co_firstlineno
        whole = repr((self._name, line, self._source, str(signature), key[1:], numba.__version__))
        short = re.sub(r"[^\w.]", "", self._name.removeprefix("plyout."))[-100:]
        return f"{short}-{hashlib.sha256(whole.encode()).hexdigest()[:32]}", key
