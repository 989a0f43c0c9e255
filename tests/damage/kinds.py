"""Every kind of file that is read: how to make one, and how to read it and use what it says.

`read` returns what the file says, to be compared, and raises `InputError` where it cannot. What must hold after damage
is one of three: OF_USE, for a format without a checksum, whose content `read` tries; AS_IT_WAS, where a copy that is
read at all says the same as the original; REFUSED, where none is read.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import chess
import numpy as np

from plyout import Engine, Limits
from plyout.cache import store as kernels
from plyout.engine.tree import Tree
from plyout.errors import InputError
from plyout.evaluate import weighted
from plyout.evaluate.weighted import load_weights, vector
from plyout.folders import data_folder
from plyout.games import CHESS
from plyout.knowledge.books.book import Book, open_book
from plyout.knowledge.books.entries import write_entries
from plyout.knowledge.books.polyglot import write_polyglot
from plyout.knowledge.tables import ending
from plyout.knowledge.tables import shipped as shipped_tables
from plyout.knowledge.tables.files import Unusable, path_of, read, write
from plyout.knowledge.tables.others import OtherTables
from plyout.networks.nnue.evaluate import Evaluator
from plyout.networks.nnue.file import read as read_nnue
from plyout.networks.residual.onnx import Network
from plyout.networks.small.file import read as read_small
from plyout.networks.small.file import write as write_small
from plyout.networks.small.image import image
from plyout.networks.small.quantise import value_network
from tests.damage import laboratory, positions
from tests.damage.making import Make, copied
from tests.lab.match import stores
from tests.networks.nnue import made
from tests.networks.small import reference

GAVIOTA = Path("/usr/share/gaviotatb/gtb4/krk.gtb.cp4")
SYZYGY = data_folder() / "syzygy" / "KRvK.rtbw"  # where `plyout tables fetch-syzygy` puts it
WEIGHTS = Path(weighted.__file__).with_name("weights.toml")
SEARCHED = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"


OF_USE, AS_IT_WAS, REFUSED = "of use", "as it was", "refused"


@dataclass(frozen=True)
class Kind:
    """`make` writes a file into a folder, `read` reads it. What must be after damage: what `holds` of what is read, the
    least share of copies that are `refused`, and the file as it is, unless reading one that is of use `mends` it."""

    name: str
    make: Make
    read: Callable[[Path], Any]
    holds: str = OF_USE
    refused: float = 0.03
    mends: bool = False
    times: int = 1
    """more copies than of other kinds, where they are read fast"""
    there: Callable[[], bool] = lambda: True


# -- kernels ----------------------------------------------------------------------------------------------------------


def _kernel(folder: Path) -> Path:
    """As many bytes as a small kernel has; what they mean is not asked before they are verified."""
    path = folder / f"code{kernels.ENDING}"
    kernels.write(path, np.random.default_rng(7).bytes(20_000))
    return path


def _read_kernel(path: Path) -> Any:
    try:
        return bytes(kernels.read(path))
    except kernels.Unusable as error:  # which a start tells with the name of the folder, and compiles anew
        raise InputError(f"{path}: {error}") from None


# -- trees ------------------------------------------------------------------------------------------------------------


def _tree(folder: Path) -> Path:
    path = folder / "tree.npz"
    Engine("mcc-combined", hash_mb=1).search(SEARCHED, Limits(nodes=300)).tree.save(path)
    return path


def _old_tree(folder: Path) -> Path:
    """As files were before they had a checksum, and not compressed: so that damage gets through."""
    tree = Tree.load(_tree(folder))
    about = f'{{"game": "chess", "preset": "mcc", "parameters": {{}}, "root": {tree.root}}}'
    arrays = {"nodes": tree.graph.nodes, "edges": tree.graph.edges, "rave": tree.graph.rave, "position": tree.state}
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", array)
    np.save(folder / "about.npy", np.array(about))
    path = folder / "parts"
    path.write_bytes(b"".join(_framed(folder / f"{name}.npy") for name in (*arrays, "about")))
    return path


def _framed(path: Path) -> bytes:
    content = path.read_bytes()
    return len(content).to_bytes(8, "little") + content


def _read_tree(path: Path) -> Any:
    return _used(Tree.load(path))


def _read_old_tree(path: Path) -> Any:
    """The parts in an archive whose own checksums fit, as one who forges a file would put them."""
    import zipfile

    content, names = path.read_bytes(), ["nodes", "edges", "rave", "position", "about"]
    whole = path.with_suffix(".npz")
    with zipfile.ZipFile(whole, "w") as archive:
        for name in names:
            length = int.from_bytes(content[:8], "little")
            archive.writestr(f"{name}.npy", content[8 : 8 + length])
            content = content[8 + length :]
    return _used(Tree.load(whole))


def _used(tree: Tree) -> Any:
    walked = list(tree.walk())
    board = chess.Board(SEARCHED) if not tree.state[0] else None
    for move in tree.best_line() if board and board.fen() == CHESS.show(tree.state) else ():
        board.push(chess.Move.from_uci(board.uci(move)))
    return tree.preset, tree.parameters, tree.state.tolist(), walked, tree.top_moves()


# -- endgame tables ---------------------------------------------------------------------------------------------------


def _table(folder: Path) -> Path:
    made = ending("KRKN")
    write(folder, made, np.random.default_rng(1).integers(0, 80, made.entries).astype(np.uint8))
    return path_of(folder, made)


def _read_table(path: Path) -> Any:
    try:
        return np.array(read(path.parent, ending("KRKN"))).tobytes()
    except Unusable as error:  # which `plyout tables` tells, and a search warns of and goes on
        raise InputError(f"{path}: {error}") from None


def _read_shipped_tables(path: Path) -> Any:
    former, shipped_tables.FILE = shipped_tables.FILE, path
    try:
        found = shipped_tables.three_piece_tables.__wrapped__()
        return {name: codes.tobytes() for name, codes in found.items()}
    finally:
        shipped_tables.FILE = former


def _read_gaviota(path: Path) -> Any:
    return _probed(OtherTables(gaviota_path=str(path.parent)))


def _syzygy(suffix: str) -> Make:
    def make(folder: Path) -> Path:
        made = [copied(SYZYGY.with_suffix(each))(folder) for each in (".rtbw", ".rtbz")]
        return made[0].with_suffix(suffix)

    return make


def _read_syzygy(path: Path) -> Any:
    return _probed(OtherTables(syzygy_path=str(path.parent)))


def _probed(tables: OtherTables) -> Any:
    """What kernels are told about some positions; the clock makes Syzygy's be asked for distances, too."""
    ranks, clocks = ("K7", "1K6", "2K5"), (0, 7)
    fens = [f"8/8/8/3k4/8/{rank}/8/R7 {side} - - {clock} 40" for rank in ranks for side in "wb" for clock in clocks]
    try:
        states = [CHESS.parse(fen) for fen in fens]
        codes = [tables._answer(state.ctypes.data) for state in states]
    finally:
        tables.close()
    assert all(-1 <= code < 1 << 18 for code in codes)
    return codes


# -- books ------------------------------------------------------------------------------------------------------------


def _book() -> Book:
    book = open_book("own")
    some = [i for board in positions.boards() for i in book.page(_key(board))]
    keep = np.unique(some)
    return Book("some", book.keys[keep], book.moves[keep], book.weights[keep], book.results[keep])


def _key(board: chess.Board) -> int:
    from plyout.games import state_of
    from plyout.games.contract import KEY

    return int(state_of(board)[KEY])


def _polyglot(folder: Path) -> Path:
    write_polyglot(_book(), folder / "book.bin")
    return folder / "book.bin"


def _entries(folder: Path) -> Path:
    write_entries(_book(), folder / "book.tsv")
    return folder / "book.tsv"


def _named(folder: Path) -> Path:
    rows = ["eco\tname\tpgn"]
    for number, line in enumerate(positions.LINES):
        board = chess.Board()
        sans = [board.san_and_push(chess.Move.from_uci(uci)) for uci in line.split()]
        rows.append(f"A{number:02}\tOpening {number}\t{' '.join(sans)}")
    path = folder / "names.tsv"
    path.write_text("\n".join(rows) + "\n")
    return path


def _read_book(path: Path) -> Any:
    book = open_book(path)
    assert all("\n" not in text for text in book.complaints)
    found = []
    for board in positions.boards():
        moves = book.lookup(board)
        chosen = book.choose(board, weighted=True, seed=1)
        assert all(board.is_legal(m.move) and 0.0 <= m.share <= 1.0 for m in moves)
        found.append((moves, chosen))
    assert len(book.depths) == len(book.shares) == len(book)
    return found


# -- weights and networks ---------------------------------------------------------------------------------------------


def _read_weights(path: Path) -> Any:
    return vector(load_weights(path)).tolist()


def _network(folder: Path) -> Path:
    from examples.own_network import make_model

    make_model(folder / "tiny.onnx")
    return folder / "tiny.onnx"


def _residual(folder: Path) -> Path:
    from tests.networks.residual.tiny import write_tiny

    return write_tiny(folder / "residual.onnx")


def _has_onnx() -> bool:
    return bool(find_spec("onnx") and find_spec("onnxruntime"))


def _has_training() -> bool:
    return _has_onnx() and bool(find_spec("jax"))


def _read_network(path: Path) -> Any:
    result = Engine("mcts", hash_mb=1, evaluator=Network(path)).search(SEARCHED, Limits(nodes=3))
    numbers = [(m.move, m.visits, m.value, m.prior) for m in result.moves]
    assert np.isfinite([row[1:] for row in numbers]).all()
    return numbers


def _small(folder: Path) -> Path:
    network = value_network(reference.made_by_chance()[0], {"by": "chance"})
    write_small(folder / "value.plynet", network)
    return folder / "value.plynet"


def _read_small(path: Path) -> Any:
    network = read_small(path)
    return network.header, image(network, "value").tobytes()


NNUE_BEGIN = 12 + len(made.DESCRIPTION) + 4 + 2 * made.SUMS
NNUE_MIDDLE = made.FEATURES * (2 * made.SUMS + 4 * 8)


def _stockfishs(folder: Path) -> Path:
    """Header and stacks of a network; the 46 MB between them, in which any number will do, are not written."""
    content = made.file_of(made.arrays(seed=1))
    path = folder / "stockfish.parts"
    path.write_bytes(content[:NNUE_BEGIN] + content[NNUE_BEGIN + NNUE_MIDDLE :])
    return path


def _read_stockfishs(path: Path) -> Any:
    parts, whole = path.read_bytes(), path.with_suffix(".nnue")
    with whole.open("wb") as file:
        file.write(parts[:NNUE_BEGIN])
        file.seek(NNUE_MIDDLE, 1)  # zeros that take no time to write
        file.write(parts[NNUE_BEGIN:])
        file.truncate(NNUE_MIDDLE + len(parts))
    evaluator = Evaluator(read_nnue(whole))
    values = [evaluator.value(fen) for fen in (SEARCHED, chess.STARTING_FEN, "8/8/8/3k4/8/2K5/8/R7 w - - 0 40")]
    assert all(abs(value) < 2**60 for value in values)
    return values


KINDS = {
    kind.name: kind
    for kind in (
        Kind("kernel", _kernel, _read_kernel, REFUSED, 1, times=28),
        Kind("tree", _tree, _read_tree, AS_IT_WAS, 0.8),
        Kind("tree without checksum", _old_tree, _read_old_tree),
        Kind("table", _table, _read_table, AS_IT_WAS, 0.8),
        Kind("shipped tables", copied(shipped_tables.FILE), _read_shipped_tables, AS_IT_WAS, 0.8),
        Kind("Gaviota table", copied(GAVIOTA), _read_gaviota, refused=0, there=GAVIOTA.exists),
        Kind("Syzygy results", _syzygy(".rtbw"), _read_syzygy, refused=0, there=SYZYGY.exists),
        Kind("Syzygy distances", _syzygy(".rtbz"), _read_syzygy, refused=0, there=SYZYGY.exists),
        Kind("Polyglot book", _polyglot, _read_book),
        Kind("book of ours", _entries, _read_book),
        Kind("named openings", _named, _read_book),
        Kind("weights", copied(WEIGHTS), _read_weights),
        Kind("network", _network, _read_network, there=_has_onnx),
        Kind("small network", _small, _read_small, AS_IT_WAS, 0.8),
        Kind("residual network", _residual, _read_network, AS_IT_WAS, 0.8, there=_has_training),
        Kind("Stockfish's network", _stockfishs, _read_stockfishs),
        Kind("PGN openings", positions.games, positions.read_openings),
        Kind("PGN games", positions.games, positions.read_rated, times=2),
        Kind("PGN for traps", positions.games, positions.read_for_traps),
        Kind("PGN for a book", positions.games, positions.read_for_a_book, refused=0),
        Kind("interrupted reading", positions.half_read, positions.read_the_rest, AS_IT_WAS, 0.8),
        Kind("EPD openings", positions.positions, positions.read_openings, times=2),
        Kind("EPD puzzles", positions.puzzles, positions.read_asked, times=2),
        Kind("puzzles with solutions", positions.solutions, positions.read_asked, times=2),
        Kind("EPD traps", positions.traps, positions.read_traps, times=2),
        Kind("CSV pairs", positions.pairs, positions.read_pairs, times=2),
        Kind("store of games", stores.sample, laboratory.read_store, AS_IT_WAS, 0.4, times=6),
        Kind("store of version 1", stores.of_version_1, laboratory.read_store, refused=0.4, times=6),
        Kind("trap density", laboratory.counts, laboratory.read_counts, mends=True),
        Kind("labelling", laboratory.labels("about.json"), laboratory.read_labels),
        Kind("labelled positions", laboratory.labels("positions.txt"), laboratory.read_labels),
        Kind("labels", laboratory.labels("labels.tsv"), laboratory.read_labels, mends=True),
        Kind("reproduction", laboratory.reproduction, laboratory.read_reproduction),
        Kind("preset", laboratory.tuned, laboratory.read_preset),
        Kind("skipped experiments", laboratory.skipped, laboratory.read_skipped),
        Kind("answer of a study", laboratory.answer, laboratory.read_answer),
    )
}
