"""Find bare ``>>`` in kernels: on a signed bitboard it drags the sign along; ``shr`` does not.

usage: python tools/check_shifts.py FOLDER …

Where a number is to be halved, and its sign to be kept, the line says so: ``# arithmetic``.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

DOORS = {"kernel", "inlined", "entry"}


def is_kernel(function: ast.FunctionDef) -> bool:
    """Whether a decorator of the function is one of Plyout's doors to Numba."""
    for decorator in function.decorator_list:
        target = decorator.func if isinstance(decorator, ast.Call) else decorator
        name = target.attr if isinstance(target, ast.Attribute) else getattr(target, "id", "")
        if name in DOORS:
            return True
    return False


def bare_shifts(source: str) -> Iterator[int]:
    """The lines of bare right shifts inside the kernels of a source text."""
    lines = source.splitlines()
    for function in ast.walk(ast.parse(source)):
        if isinstance(function, ast.FunctionDef) and is_kernel(function):
            for node in ast.walk(function):
                if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.RShift):
                    said = "# arithmetic" in lines[node.lineno - 1]
                    yield from () if said else (node.lineno,)


def main(folders: list[str]) -> int:
    found = 0
    for folder in folders:
        for path in sorted(Path(folder).rglob("*.py")):
            for line in bare_shifts(path.read_text(encoding="utf-8")):
                print(f"{path}:{line}: bare >> in a kernel: use shr, which brings in zeros")
                found += 1
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
