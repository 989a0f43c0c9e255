"""What must be there before an experiment begins: each is found or made, or says in an `InputError` what to do."""

from collections.abc import Callable

from plyout.errors import InputError
from plyout.knowledge.books.writing import replaced
from plyout.lab.match.players import find_program
from plyout.lab.reproduce.experiment import Bench
from plyout.networks.library import STOCKFISH, find, networks_folder
from plyout.networks.nnue.extract import extract, find_stockfish

MINIMAX = ("toga2", "glaurung", "gnuchess")
"""Engines by minimax of the years of Arenz' thesis, as Debian has them."""


def _programs(*names: str) -> Callable[[Bench], None]:
    def find_all(bench: Bench) -> None:
        for name in names:
            find_program(name)

    return find_all


def _regression(bench: Bench) -> None:
    try:
        import sklearn  # noqa: F401
    except ImportError:
        raise InputError("the regression needs scikit-learn: pip install 'plyout[lab]'") from None


def _onnx(bench: Bench) -> None:
    try:
        import onnxruntime  # noqa: F401
    except ImportError:
        raise InputError("networks need onnxruntime: pip install 'plyout[network]'") from None


def _tables(bench: Bench) -> None:
    from plyout.knowledge.tables.builder import build

    build(4, threads=bench.concurrency, quiet=bench.quiet)


def _network(bench: Bench) -> None:
    """Stockfish's, taken out of an installed program if it was not yet."""
    try:
        find(STOCKFISH)
    except InputError:
        _, content = extract(find_stockfish())
        networks_folder().mkdir(parents=True, exist_ok=True)
        with replaced(networks_folder() / f"{STOCKFISH}.nnue") as file:
            file.write(content)


NEEDS: dict[str, Callable[[Bench], None]] = {
    "stockfish": _programs("stockfish"), "fairy-stockfish": _programs("fairy-stockfish"),
    "minimax engines": _programs(*MINIMAX), "scikit-learn": _regression, "onnxruntime": _onnx, "tables": _tables,
    "stockfish's network": _network,
}  # fmt: skip
