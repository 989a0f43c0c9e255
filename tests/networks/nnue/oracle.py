"""What Stockfish 15.1 itself says of a position by its network, and positions to ask about."""

import argparse
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import chess

from plyout.networks.nnue.evaluate import PAWN, Evaluator
from plyout.networks.nnue.extract import extract
from plyout.networks.nnue.file import read
from tests import sampling
from tests.positions import CHESS_COUNTS, DRAWS

STOCKFISH = Path("/usr/games/stockfish")
_CELL = r"\|\s*([-+ ])\s*(\d+\.\d\d)\s*"
_ROW = re.compile(rf"^\|  (\d)\s+{_CELL}{_CELL}{_CELL}\|(.*)$")
_VALUE = re.compile(r"^NNUE evaluation\s+([-+])?(\d+\.\d\d) \(white side\)$")


class Printed(NamedTuple):
    """The texts of the table, sign and digits: (material, positional, total) of each stack; the used one; the value
    for White."""

    buckets: list[tuple[str, str, str]]
    used: int
    value: str


def is_stockfish_15_1() -> bool:
    if not STOCKFISH.is_file():
        return False
    asked = subprocess.run([STOCKFISH], input="quit\n", capture_output=True, text=True, timeout=60)
    return "Stockfish 15.1" in asked.stdout


def printed(fens: Iterable[str]) -> Iterator[Printed]:
    """What `eval` prints for each position, none of which may be in check."""
    lines = ["setoption name UCI_Chess960 value true"]
    for fen in fens:
        lines += [f"position fen {fen}", "eval"]
    asked = subprocess.run(
        [STOCKFISH], input="\n".join([*lines, "quit", ""]), capture_output=True, text=True, timeout=600, check=True
    )
    buckets: list[tuple[str, str, str]] = []
    used = -1
    for line in asked.stdout.splitlines():
        if row := _ROW.match(line):
            cells = row.groups()
            buckets.append((cells[1] + cells[2], cells[3] + cells[4], cells[5] + cells[6]))
            used = int(cells[0]) if "this bucket is used" in cells[7] else used
        elif value := _VALUE.match(line):
            yield Printed(buckets, used, (value[1] or " ") + value[2])
            buckets, used = [], -1


def positions(count: int, seed: int) -> list[str]:
    """So many different positions, none in check: known ones, of random games, and few pieces set up at random."""
    boards = [chess.Board(fen, chess960=True) for fen in (*CHESS_COUNTS, *DRAWS.values())]
    boards += [board.copy(stack=False) for board in sampling.positions(count, seed, every=5)]
    boards += [board.copy(stack=False) for board in sampling.set_up(count // 4, seed)]
    fens = dict.fromkeys(board.shredder_fen() for board in boards if not board.is_check())
    return random.Random(seed).sample(list(fens), count)


def differences(network: Path, fens: list[str]) -> list[str]:
    """Where our evaluation, printed as Stockfish does, is not what it prints: one line each."""
    evaluator = Evaluator(read(network))
    found = []
    answers = list(printed(fens))
    assert len(answers) == len(fens), "Stockfish evaluates no position in check"
    for fen, theirs in zip(fens, answers, strict=True):
        trace, value = evaluator.trace(fen), evaluator.value(fen)
        buckets = [(_sign(m) + _pawns(m), _sign(p) + _pawns(p), _sign(m + p) + _pawns(m + p)) for m, p in trace.buckets]
        white = value if fen.split()[1] == "w" else -value
        ours = Printed(buckets, trace.used, ("-" if white < 0 else "+") + _pawns(white))
        if ours != theirs:
            found.append(f"{fen}: {ours}, and Stockfish says {theirs}")
    return found


def _sign(value: int) -> str:
    return "-" if value < 0 else "+" if value > 0 else " "


def _pawns(value: int) -> str:
    return f"{abs(value) / PAWN:.2f}"


def main() -> int:
    """``python -m tests.networks.nnue.oracle --positions 1000``"""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if not is_stockfish_15_1():
        print("Debian 12's package stockfish is not installed: nothing to compare with")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "stockfish.nnue"
        path.write_bytes(extract(STOCKFISH)[1])
        found = differences(path, positions(arguments.positions, arguments.seed))
    for line in found[:10]:
        print(line)
    print(f"{arguments.positions} positions, 8 stacks each: {len(found)} differ from what Stockfish prints")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
