"""Opening tables: ours is sound, lichess' loads whole and fast, and damage costs only the damaged lines."""

import csv
from collections import Counter
from collections.abc import Callable
from importlib import resources
from pathlib import Path

import chess
import chess.polyglot
import chess.variant
import pytest

from plyout.errors import InputError
from plyout.knowledge.books.openings import opening_name, own_openings, read_openings
from plyout.knowledge.books.trie import Trie

OWN = resources.files("plyout.knowledge.books") / "openings.tsv"


def own_rows() -> list[dict[str, str]]:
    return list(csv.DictReader(OWN.read_text(encoding="utf-8").splitlines(), delimiter="\t"))


def after(moves: str, board: chess.Board | None = None) -> chess.Board:
    board = board or chess.Board()
    for san in moves.split():
        board.push_san(san)
    return board


# -- our own table ----------------------------------------------------------------------------------------------


def test_our_table_is_legal_and_written_as_python_chess_writes_it() -> None:
    for row in own_rows():
        board = chess.Board()
        for san in row["pgn"].split():
            move = board.parse_san(san)
            assert board.san(move) == san, row
            board.push(move)


def test_our_table_names_four_hundred_lines_of_all_five_volumes() -> None:
    rows = own_rows()
    assert len(rows) >= 400
    volumes = Counter(row["eco"][0] for row in rows)
    assert min(volumes[letter] for letter in "ABCDE") >= 50
    assert [row["eco"] for row in rows] == sorted(row["eco"] for row in rows)
    openings = own_openings()
    assert openings.lines == len(rows)
    assert not openings.complaints


def test_no_name_and_no_position_stands_twice_in_our_table() -> None:
    rows = own_rows()
    assert len({row["name"] for row in rows}) == len(rows)
    assert len({chess.polyglot.zobrist_hash(after(row["pgn"])) for row in rows}) == len(rows)


def test_first_moves_fit_the_volume() -> None:
    """ECO: B and C begin with 1.e4 (C with e5 or e6 in reply), D and E with 1.d4, D with d5 sooner or later."""
    for row in own_rows():
        moves = row["pgn"].split()
        if row["eco"][0] in "BC":
            assert moves[0] == "e4", row
            assert len(moves) < 2 or (row["eco"][0] == "C") == (moves[1] in ("e5", "e6")), row
        if row["eco"][0] in "DE":
            assert moves[0] == "d4", row
            assert row["eco"][0] == "E" or "d5" in moves[1::2], row
        if row["eco"][0] == "A":
            assert moves[0] != "e4", row


def test_eco_codes_agree_with_lichess_nearly_always(data_file: Callable[[str], Path]) -> None:
    theirs: dict[int, str] = {}
    for letter in "abcde":
        openings = read_openings([data_file(f"openings/{letter}.tsv")])
        theirs |= {child.key: child.name[0] for _, _, child in openings.trie.walk() if child.name}
    shared = [(row["eco"], theirs[key]) for row in own_rows() if (key := _key(row["pgn"])) in theirs]
    assert len(shared) > 400
    assert sum(a == b for a, b in shared) > 0.97 * len(shared)


def _key(moves: str) -> int:
    return chess.polyglot.zobrist_hash(after(moves))


# -- names ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "moves, name",
    [
        ("e4", ("B00", "King's Pawn Opening")),
        ("e4 e5 Nf3 Nc6 Bb5", ("C60", "Ruy Lopez")),
        ("Nf3 Nc6 e4 e5 Bb5", ("C60", "Ruy Lopez")),  # a transposition
        ("e4 e5 Nf3 Nc6 Bb5 h5 h4 Rh6", ("C60", "Ruy Lopez")),  # the last name that the game had
        ("e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6", ("B90", "Sicilian Defence, Najdorf Variation")),
        ("c4 e6 Nc3 d5 d4 Nf6 Bg5", ("D50", "Queen's Gambit Declined, Modern Variation")),
    ],
)
def test_a_game_has_the_name_of_its_last_named_position(moves: str, name: tuple[str, str]) -> None:
    board = after(moves)
    assert opening_name(board) == name
    assert board == after(moves), "the board is not changed"


def test_a_long_game_keeps_its_opening() -> None:
    board = after("e4 e6 d4 d5 e5" + " Nc6 Nf3 Nb8 Ng1" * 40)
    assert opening_name(board) == ("C02", "French Defence, Advance Variation")


def test_what_is_no_opening_has_no_name() -> None:
    assert opening_name(chess.Board()) is None
    assert opening_name(chess.Board("8/8/8/4k3/8/4K3/4P3/8 w - - 0 1")) is None
    assert opening_name(after("e4", chess.variant.CrazyhouseBoard())) is None


def test_a_position_without_its_game_has_a_name_too() -> None:
    assert opening_name(chess.Board(after("d4 d5 c4").fen())) == ("D06", "Queen's Gambit")


# -- the trie ---------------------------------------------------------------------------------------------------


def test_depths_are_those_of_the_longest_line_through_a_node() -> None:
    trie = Trie()
    for line in ("e4 e5 Nf3 Nc6 Bb5", "e4 e5 Nf3", "e4 c5", "d4", "e4 e5 Bc4 Nf6"):
        trie.insert(line.split(), ("A00", line))
    depths = {"e4": 5, "e4 e5": 5, "e4 e5 Nf3": 5, "e4 e5 Nf3 Nc6": 5, "e4 e5 Nf3 Nc6 Bb5": 5, "e4 c5": 2, "d4": 1}
    depths |= {"e4 e5 Bc4": 4, "e4 e5 Bc4 Nf6": 4, "": 5}
    for line, depth in depths.items():
        node = trie.find(line.split())
        assert node is not None
        assert node.depth == depth, line
        assert node.ends == (line in ("e4 e5 Nf3 Nc6 Bb5", "e4 e5 Nf3", "e4 c5", "d4", "e4 e5 Bc4 Nf6")), line
    assert trie.find(["e4", "e5", "Nc3"]) is None
    assert trie.find([chess.Move.from_uci("e2e4")]) is trie.find(["e4"])


def test_an_illegal_line_leaves_no_trace() -> None:
    trie = Trie()
    trie.insert(["e4", "e5"], ("C20", "Open Game"))
    with pytest.raises(InputError, match="'Nf6' is not a legal move after 2 plies"):
        trie.insert(["e4", "e5", "Nf6", "d5", "d4", "d6"], ("C20", "nonsense"))
    node = trie.find(["e4", "e5"])
    assert node is not None
    assert node.depth == 2
    assert not node.children
    trie.insert(["e4", "e5", "Nf3"], ("C40", "as before"))
    assert trie.root.depth == 3


# -- files ------------------------------------------------------------------------------------------------------


def test_all_lichess_lines_load(data_file: Callable[[str], Path]) -> None:
    folder = data_file("openings/a.tsv").parent
    openings = read_openings([folder])
    assert openings.lines == 3807
    assert not openings.complaints


DAMAGED = (
    b"eco\tname\tpgn\r\n"
    b"C20\tOpen Game\t1. e4 e5\r\n"
    b"\r\n"
    b"C99\tIllegal\t1. e4 e5 2. Ke3\r\n"
    b"X10\tNo such code\t1. e4\r\n"
    b"B20\tno moves\t\r\n"
    b"B20\tSicilian\xff\xfe\t1. e4 c5\r\n"
    b"B20\tSicilian Defence\t1.e4 c5!?\r\n"
    b"two\tcolumns\r\n"
    b"C00\tFrench Defence\t1. e4 e6\textra\r\n"
    b"C02\tHalf-writ"
)


def test_damage_is_named_with_its_line_and_the_rest_loads(tmp_path: Path) -> None:
    path = tmp_path / "damaged.tsv"
    path.write_bytes(DAMAGED)
    openings = read_openings([path])
    assert openings.lines == 3
    assert [int(text.split(":")[1]) for text in openings.complaints] == [4, 5, 6, 7, 9, 11]
    assert all(text.startswith(str(path)) for text in openings.complaints)
    assert "'Ke3' is not a legal move after 2 plies" in openings.complaints[0]
    assert openings.trie.find(["e4", "e6"]) is not None
    assert openings.trie.find(["e4", "c5"]) is not None


def test_a_missing_file_is_the_users_mistake(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no file"):
        read_openings([tmp_path / "none.tsv"])
    with pytest.raises(InputError, match=r"has no \.tsv files"):
        read_openings([tmp_path])
