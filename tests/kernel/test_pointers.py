"""Kernels called by their address: the right one, with its exceptions, and from the cache in the next process.

The file runs compiled and, started by `test_door.py`, interpreted.
"""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from plyout.kernel import INTERPRETED, Ints, entry, f64, i64, ints, kernel, void
from plyout.kernel.pointers import address, caller
from tests.conftest import ROOT

SIGNATURE = i64(ints, i64)
call = caller(SIGNATURE)


class Pair(NamedTuple):
    """Two kernels with the same signature."""

    first: int
    second: int


PAIR: Any = None
if not INTERPRETED:
    from numba import typeof

    PAIR = typeof(Pair(1, 2))


@kernel
def plus(a: Ints, x: int) -> int:
    return a[0] + x


@kernel
def times(a: Ints, x: int) -> int:
    a[1] += 1
    return a[0] * x


@kernel
def refuses(a: Ints, x: int) -> int:
    if x < 0:
        raise ValueError("less than nothing")
    return x


@entry(i64(PAIR, ints, i64))
def both(pair: Pair, a: Ints, x: int) -> int:
    return call(pair.first, a, x) * 1000 + call(pair.second, a, x)  # type: ignore[no-any-return]


@kernel
def in_the_middle(pair: Pair, a: Ints, x: int) -> int:
    """A kernel between the one that fails and Python."""
    return call(pair.second, a, x) + 1  # type: ignore[no-any-return]


def pair_of(first: Any, second: Any) -> Pair:
    return Pair(address(first, SIGNATURE), address(second, SIGNATURE))


def test_the_kernel_at_an_address_is_called_with_its_arguments() -> None:
    a = np.array([7, 0])
    assert both(pair_of(plus, times), a, 5) == 12_035
    assert both(pair_of(times, plus), a, 5) == 35_012
    assert both(pair_of(times, times), a, -1) == -7007
    assert a.tolist() == [7, 4], "what a kernel writes is written"


@pytest.mark.skipif(INTERPRETED, reason="interpreted, a kernel stands for its own address")
def test_an_address_is_a_plain_number_and_always_the_same() -> None:
    assert address(plus, SIGNATURE) == address(plus, SIGNATURE) != address(times, SIGNATURE)
    assert isinstance(address(plus, SIGNATURE), int)


_call_half, _call_fill = caller(f64(i64)), caller(void(ints, i64))


@kernel
def half(x: int) -> float:
    return x / 2


@kernel
def fill(a: Ints, x: int) -> None:
    for i in range(a.size):
        a[i] = x


@kernel
def other_kinds(half_at: int, fill_at: int, a: Ints) -> float:
    _call_fill(fill_at, a, 3)
    return _call_half(half_at, a[0]) + _call_half(half_at, a[1] + 1)  # type: ignore[no-any-return]


def test_other_signatures_work_as_well() -> None:
    a = np.zeros(4, np.int64)
    assert other_kinds(address(half, f64(i64)), address(fill, void(ints, i64)), a) == 3.5
    assert a.tolist() == [3] * 4


@pytest.mark.parametrize("through", [both, in_the_middle])
def test_an_exception_in_the_called_kernel_reaches_the_caller(through: Any) -> None:
    pair, a = pair_of(plus, refuses), np.array([7, 0])
    assert through(pair, a, 2) in (9002, 3)
    for _ in range(3):
        with pytest.raises(ValueError, match="less than nothing"):
            through(pair, a, -1)
    assert through(pair, a, 2) in (9002, 3), "and it can be called again"


# A module of the package's name: what lies outside of it is not kept on disk.
MODULE = """
from plyout.kernel import entry, i64, ints, kernel
from plyout.kernel.pointers import address, caller

SIGNATURE = i64(ints, i64)
call = caller(SIGNATURE)

@kernel
def plus(a, x):
    return a[0] + x

@kernel
def times(a, x):
    return a[0] * x

@entry(i64(i64, ints, i64))
def called(rule, a, x):
    return call(rule, a, x)
"""
PROGRAM = """
import importlib.util, sys
import numpy as np
from plyout.kernel import report_compiling_to

spec = importlib.util.spec_from_file_location("plyout.pointed", sys.argv[1])
module = sys.modules["plyout.pointed"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
compiled = []
report_compiling_to(compiled.append)
rule = getattr(module, sys.argv[2])
print(module.called(module.address(rule, module.SIGNATURE), np.array([7]), 5), sum(map(bool, compiled)))
"""


@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
def test_the_caller_and_the_called_are_kept_for_the_next_process(tmp_path: Path) -> None:
    """Whatever is called: the caller's machine code knows nothing of it."""
    (tmp_path / "pointed.py").write_text(MODULE)
    environment = os.environ | {"PLYOUT_CACHE": str(tmp_path / "cache")}

    def run(rule: str) -> tuple[int, int]:
        """(the answer, how many kernels were compiled for it)"""
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, str(tmp_path / "pointed.py"), rule],
            env=environment, cwd=ROOT, capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        answer, compiled = done.stdout.split()
        return int(answer), int(compiled)

    assert run("plus") == (12, 2)
    assert run("plus") == (12, 0)
    assert run("times") == (35, 1), "the caller is kept, the other kernel is new"
    assert run("times") == (35, 0)
