"""Books by position: python-chess reads what we write and finds what we find; damage costs only what is damaged."""

import random
from collections import Counter
from pathlib import Path

import chess
import chess.polyglot
import chess.variant
import pytest

from plyout.errors import InputError
from plyout.games import CHESS, state_of
from plyout.games.chess.move import MOVE_BITS
from plyout.games.contract import KEY
from plyout.kernel import signed
from plyout.knowledge.books.book import Book, decoded, encoded, from_openings, open_book, own_book
from plyout.knowledge.books.entries import HEAD, read_entries, write_entries
from plyout.knowledge.books.openings import Openings
from plyout.knowledge.books.polyglot import read_polyglot, write_polyglot
from tests.knowledge.books.test_openings import after

GNUCHESS = Path("/usr/share/games/gnuchess/book.bin")


def table(*lines: str) -> Book:
    """A book of lines."""
    openings = Openings()
    openings.read("\n".join(f"A00\tline {i}\t{line}" for i, line in enumerate(lines)), "lines")
    assert not openings.complaints
    return from_openings("lines", openings)


def found(book: Book, moves: str) -> dict[str, tuple[float, int | None]]:
    board = after(moves)
    return {board.san(m.move): (m.weight, m.depth) for m in book.lookup(board)}


@pytest.fixture
def gnuchess() -> Path:
    if not GNUCHESS.is_file():
        pytest.skip(f"{GNUCHESS} is not there; Debian's package gnuchess-book has it")
    return GNUCHESS


# -- lines ------------------------------------------------------------------------------------------------------


def test_a_move_weighs_the_lines_through_it_and_knows_the_longest() -> None:
    book = table("e4 e5 Nf3", "e4 e5", "e4 c5", "d4")
    assert found(book, "") == {"e4": (3, 3), "d4": (1, 1)}
    assert found(book, "e4") == {"e5": (2, 3), "c5": (1, 2)}
    assert found(book, "e4 e5") == {"Nf3": (1, 3)}
    assert found(book, "e4 e5 Nf3") == {}


def test_transpositions_are_found() -> None:
    book = table("d4 Nf6 c4 e6 Nc3", "c4 Nf6 d4 g6", "c4 Nf6 Nc3 e6 d4 Bb4 e3")
    assert found(book, "d4 Nf6 c4") == found(book, "c4 Nf6 d4") == {"e6": (1, 5), "g6": (1, 4)}
    assert found(book, "d4 Nf6 c4 e6 Nc3") == {"Bb4": (1, 7)}


def test_moves_that_castle_promote_and_take_en_passant_come_back_as_they_were() -> None:
    for fen in (
        "r3k2r/1P6/8/2Pp4/8/8/8/R3K2R w KQkq d6 0 1",
        "r3k2r/8/8/8/3pP3/8/6p1/R3K2R b KQkq e3 0 1",
        "4k3/8/8/8/8/8/8/4RK1R w H - 0 1",
    ):
        board = chess.Board(fen, chess960=" H " in fen)
        numbers = {n & MOVE_BITS for n in CHESS.moves(state_of(board))}
        assert {encoded(board, move) for move in board.legal_moves} == numbers
        assert [decoded(board, encoded(board, move)) for move in board.legal_moves] == list(board.legal_moves)


def test_keys_are_those_of_the_search() -> None:
    board, book = chess.Board(), own_book()
    rng = random.Random(4)
    seen = 0
    for _ in range(200):
        moves = book.lookup(board)
        if not moves:
            board.reset()
            continue
        assert book.page(int(state_of(board)[KEY])) == book.page(signed(chess.polyglot.zobrist_hash(board)))
        board.push(rng.choice(moves).move)
        seen += 1
    assert seen > 100


def test_other_variants_are_not_in_the_book() -> None:
    assert own_book().lookup(chess.variant.CrazyhouseBoard()) == []


def test_the_best_move_is_the_heaviest_and_others_are_drawn_by_weight() -> None:
    book, board = table(*["e4 e5", "e4 c5", "e4 e6", "d4 d5"]), chess.Board()
    best = book.choose(board, weighted=False, seed=1)
    assert best is not None
    assert board.san(best.move) == "e4"
    drawn = Counter(board.san(m.move) for seed in range(1000) if (m := book.choose(board, True, seed)))
    assert set(drawn) == {"e4", "d4"}
    assert 690 < drawn["e4"] < 810  # 750 ± 4.4 deviations
    assert book.choose(board, True, 7) == book.choose(board, True, 7)
    assert book.choose(after("h4"), True, 7) is None


# -- Polyglot ---------------------------------------------------------------------------------------------------


def test_python_chess_finds_in_our_polyglot_file_what_we_find(tmp_path: Path) -> None:
    book = own_book()
    path = tmp_path / "own.bin"
    assert write_polyglot(book, path) == len(book)
    again = read_polyglot(path)
    board, positions = chess.Board(), 0
    with chess.polyglot.open_reader(path) as reader:
        for line in ("", "e4 c5 Nf3 d6", "d4 Nf6 c4 g6 Nc3 d5", "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6"):
            board = after(line)
            theirs = {entry.move: entry.weight for entry in reader.find_all(board)}
            assert (
                theirs
                == {m.move: m.weight for m in book.lookup(board)}
                == {m.move: m.weight for m in again.lookup(board)}
            )
            positions += bool(theirs)
        assert len(reader) == len(book)
        keys = [entry.key for entry in reader]
        assert keys == sorted(keys)
    assert positions == 4


def test_castling_is_written_as_other_programs_expect(tmp_path: Path) -> None:
    write_polyglot(table("e4 e5 Nf3 Nc6 Bb5 Nf6 O-O"), tmp_path / "b.bin")
    board = after("e4 e5 Nf3 Nc6 Bb5 Nf6")
    with chess.polyglot.open_reader(tmp_path / "b.bin") as reader:
        assert [board.san(entry.move) for entry in reader.find_all(board)] == ["O-O"]


def test_the_book_of_gnuchess_is_read_as_python_chess_reads_it(gnuchess: Path) -> None:
    book = open_book(gnuchess)
    assert len(book) > 100_000
    assert not book.complaints
    rng, checked = random.Random(1), 0
    with chess.polyglot.open_reader(gnuchess) as reader:
        for _ in range(30):
            board = chess.Board()
            while moves := book.lookup(board):
                theirs = {e.move: e.weight for e in reader.find_all(board) if e.move in board.legal_moves}
                assert {m.move: m.weight for m in moves} == theirs, board.fen()
                checked += 1
                board.push(rng.choices(moves, [m.weight + 1 for m in moves])[0].move)
                if board.is_game_over() or len(board.move_stack) > 40:
                    break
    assert checked > 200


def test_a_polyglot_file_cut_short_loads_up_to_the_cut(tmp_path: Path) -> None:
    path = tmp_path / "own.bin"
    write_polyglot(own_book(), path)
    content = path.read_bytes()
    path.write_bytes(content[: 16 * 50 + 7])
    book = open_book(path)
    assert len(book) == 50
    assert book.complaints == [f"{path}: entry 51 has 7 of its 16 bytes: the file is cut short"]
    path.write_bytes(content[16 * 50 : 16 * 60] + content[:160])
    book = open_book(path)
    assert len(book) == 20
    assert "entry 11 is out of order" in book.complaints[0]


@pytest.mark.parametrize(
    "name, content", [("a.bin", b""), ("b.bin", b"x" * 15), ("c.tsv", b"eco\tname\tpgn\n"), ("d.tsv", b"\0")]
)
def test_a_book_without_a_single_move_is_refused(name: str, content: bytes, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match="there is not one move in the book"):
        open_book(tmp_path / name)


def test_the_depth_of_a_book_without_lines_is_its_longest_path_from_the_start(tmp_path: Path) -> None:
    write_polyglot(table("e4 e5 Nf3 Nc6 Bb5", "e4 c5", "d4", "Nf3 Nf6 Ng1 Ng8 e4 e6 d4"), tmp_path / "b.bin")
    book = open_book(tmp_path / "b.bin")
    assert set(found(book, "")) == {"e4", "d4", "Nf3"}
    assert found(book, "e4")["c5"][1] is None, "not computed yet"
    assert book.depths.max() >= 5
    depths = {san: depth for san, (_, depth) in found(book, "").items()}
    assert depths["e4"] == 5
    assert found(book, "e4")["c5"][1] == 2
    assert found(book, "e4 e5 Nf3 Nc6")["Bb5"][1] == 5


# -- our own files ----------------------------------------------------------------------------------------------


def test_entries_come_back_as_they_were_written(tmp_path: Path) -> None:
    book = own_book()
    write_entries(book, tmp_path / "own.tsv")
    again = open_book(tmp_path / "own.tsv")
    assert (again.keys == book.keys).all()
    assert (again.moves == book.moves).all()
    assert (again.weights == book.weights).all()
    assert not again.complaints


def test_damaged_entries_are_named_with_their_line_and_the_rest_loads(tmp_path: Path) -> None:
    good = "463b96181691fc9c\te2e4\t5\t1\t2\t3"
    lines = [
        HEAD, good, "", "463b96181691fc9c\td2d4\t1\t0\t0", "zz\td2d4\t1\t0\t0\t0", "463b96181691fc9c\td2d9\t1\t0\t0\t0",
        "463b96181691fc9c\td2d4\theavy\t0\t0\t0", "463b96181691fc9c\td2d4\tnan\t0\t0\t0",
        "463b96181691fc9c\td2d4\t1\t-1\t0\t0", good, "463b96181691fc9c\tc2c4\t2\t0\t0\t0",
        "463b96181691fc9c\tg1f3\t2\t0\t0\t1",
    ]  # fmt: skip
    path = tmp_path / "damaged.tsv"
    path.write_text("\n".join(lines))
    book = read_entries(path)
    assert [int(text.removeprefix(f"{path}:").split(":")[0]) for text in book.complaints] == [4, 5, 6, 7, 8, 9, 10, 12]
    assert "the file is cut short" in book.complaints[-1]
    assert {m.move.uci(): m.results for m in book.lookup(chess.Board())} == {"e2e4": (1, 2, 3), "c2c4": (0, 0, 0)}


def test_a_file_that_cannot_be_written_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "b.tsv"
    write_entries(table("e4 e5"), path)
    before = path.read_bytes()

    def fails(*_: object) -> str:
        raise OSError("no room")

    monkeypatch.setattr("plyout.knowledge.books.entries.move_text", fails)
    with pytest.raises(OSError, match="no room"):
        write_entries(own_book(), path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_what_is_no_book_is_the_users_mistake(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no book"):
        open_book(tmp_path / "none.bin")
    (tmp_path / "x.txt").write_text("hello")
    with pytest.raises(InputError, match=r"is no book: Polyglot's end in \.bin"):
        open_book(tmp_path / "x.txt")
