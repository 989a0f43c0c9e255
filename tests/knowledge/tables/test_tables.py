"""What the tables say is what Gaviota, Syzygy and published statistics say; `make tables` compares all of it."""

import random
from pathlib import Path

import chess
import numpy as np
import pytest

from plyout.errors import InputError
from plyout.games.chess.border import from_board
from plyout.knowledge.tables import ENDINGS, Answer, Library, ending, endings, open_tables
from plyout.knowledge.tables.builder import check
from plyout.knowledge.tables.endings import KINGS, KINGS_WITH_PAWNS, SLOTS, needed
from plyout.knowledge.tables.generate import Workers
from plyout.knowledge.tables.library import BUILT, Table, position
from plyout.knowledge.tables.probe import IMPOSSIBLE
from tests.knowledge.conftest import SOME
from tests.knowledge.tables import oracle

THREE = [e for e in ENDINGS.values() if e.pieces == 3]
FOUR = [e for e in ENDINGS.values() if e.pieces == 4]


# -- endings and entries ---------------------------------------------------------------------------------------------


def test_there_are_five_endings_of_three_pieces_and_thirty_of_four() -> None:
    assert (len(THREE), len(FOUR)) == (5, 30)
    assert sorted(e.slot for e in ENDINGS.values()) == list(range(SLOTS))
    assert set(oracle.LONGEST) == set(ENDINGS)


def test_an_ending_comes_after_all_that_it_leads_to() -> None:
    order = list(ENDINGS.values())
    for e in order:
        assert all(order.index(after) < order.index(e) for after in e.leads_to()), e.name
    assert [e.name for e in needed([ending("KQKR")])] == ["KRK", "KQK", "KQKR"]
    assert {e.name for e in ENDINGS["KPKP"].leads_to()} >= {"KPK", "KQKP", "KNKP", "KQK"}


def test_an_ending_is_found_by_either_sides_name() -> None:
    assert ending("KRKQ") is ending("kqkr") is ENDINGS["KQKR"]
    assert ending("KKNB") is ENDINGS["KBNK"]
    for wrong in ("KQ", "KQQQK", "", "KXK", "QKKR", "KK"):
        with pytest.raises(InputError, match="no ending of three or four pieces"):
            ending(wrong)


def test_all_tables_together_take_less_than_160_megabytes() -> None:
    assert sum(e.entries for e in endings(4)) < 160e6
    assert ENDINGS["KBNK"].entries == 2 * KINGS * 64 * 64
    assert ENDINGS["KPKP"].entries == KINGS_WITH_PAWNS * 48 * 48


def test_symmetric_positions_and_changed_colours_are_the_same_entry() -> None:
    """All images of an entry's position have the same entry."""
    rng, library = random.Random(1), open_tables(3)
    for e in THREE:
        numbers = (np.arange(e.entries) % 251).astype(np.uint8)
        fake = Library([Table(e, BUILT, Path(), numbers)])
        for board in oracle.all_positions(e, library.tables[e.name], 0.01, rng):
            codes = {fake.code(from_board(oracle.image(board, rng))) for _ in range(6)}
            assert len(codes) == 1, board.fen()


# -- against others -----------------------------------------------------------------------------------------------


def test_a_share_of_all_3_piece_positions_has_gaviotas_distance() -> None:
    library, theirs, rng = open_tables(3), oracle.open_gaviota(), random.Random(2)
    for e in THREE:
        boards = oracle.all_positions(e, library.tables[e.name], 0.01, rng)
        assert oracle.compare_distances(library, theirs, boards) > 300


def test_a_share_of_all_3_piece_positions_has_syzygys_result() -> None:
    library, theirs, rng = open_tables(3), oracle.open_syzygy(), random.Random(3)
    for e in THREE:
        boards = oracle.all_positions(e, library.tables[e.name], 0.005, rng)
        assert oracle.compare_results(library, theirs, boards) > 150


@pytest.mark.parametrize("name", [e.name for e in THREE])
def test_the_longest_3_piece_mate_is_the_published_one(name: str) -> None:
    assert oracle.longest_mates(ENDINGS[name], open_tables(3).tables[name]) == oracle.LONGEST[name]


@pytest.mark.slow
def test_the_longest_4_piece_mate_is_the_published_one(four: Library) -> None:
    for name in SOME:
        assert oracle.longest_mates(ENDINGS[name], four.tables[name]) == oracle.LONGEST[name], name


@pytest.mark.slow
def test_random_4_piece_positions_have_syzygys_result(four: Library) -> None:
    theirs, rng = oracle.open_syzygy(), random.Random(4)
    for name in SOME:
        boards = (oracle.random_position(ENDINGS[name], rng) for _ in range(1000))
        assert oracle.compare_results(four, theirs, boards) == 1000


@pytest.mark.slow
def test_every_entry_is_what_its_moves_lead_to(four: Library) -> None:
    with Workers(2) as workers:
        for name in ("KPK", "KRK", "KBNK"):
            table = Table(ENDINGS[name], BUILT, Path(), four.tables[name])
            assert check(table, four, workers) is None
            wrong = np.array(table.codes)
            entry = int(np.flatnonzero(wrong == 7)[10])
            wrong[entry] = 5
            assert check(table._replace(codes=wrong), four, workers) == position(table.ending, entry)


@pytest.mark.parametrize("name", ["KRK", "KPK", "KQK"])
def test_entries_without_a_position_that_claim_one_are_found_and_do_no_harm(name: str) -> None:
    """Pieces on one square, kings side by side: the rules must never see such a board."""
    library, made = open_tables(3), ending(name)
    codes = np.array(library.tables[name])
    for before, after in ((IMPOSSIBLE, 0), (IMPOSSIBLE, 6), (0, IMPOSSIBLE)):
        altered = np.where(codes == before, after, codes).astype(np.uint8)
        with Workers(2) as workers:
            wrong = check(Table(made, BUILT, Path("table"), altered), library, workers)
        assert wrong is not None, f"{before} was changed to {after}"


def test_en_passant_counts_where_it_is_legal() -> None:
    library, theirs, rng = full_set(), oracle.open_syzygy(), random.Random(5)
    boards = [oracle.en_passant_position(rng) for _ in range(1500)]
    assert oracle.compare_results(library, theirs, boards) == 1500
    without = []
    for board in boards:
        board.ep_square = None
        without.append(library.probe(board))
    assert len({answer.result for answer in without if answer}) == 3


def full_set() -> Library:
    """All tables, where `make tables` or the user has built them."""
    from plyout.folders import data_folder

    folder = data_folder() / "tables"
    if not (folder / "KPKP.dtm").is_file():
        pytest.skip(f"the 4-piece tables are not in {folder}: 'plyout tables build' puts them there")
    return open_tables(4, folder)


# -- probing --------------------------------------------------------------------------------------------------------


def test_probing_answers_for_the_side_to_move() -> None:
    library = open_tables(3)
    assert library.probe(chess.Board("8/8/8/8/8/2k5/8/KQ6 w - - 0 1")) == Answer("win", 11)
    assert library.probe(chess.Board("8/8/8/8/8/5k2/6q1/7K w - - 0 1")) == Answer("loss", 0)
    assert library.probe(chess.Board("8/8/8/8/8/8/5k2/7K b - - 0 1")) == Answer("draw", None)


def test_what_no_table_can_know_is_unknown() -> None:
    library = open_tables(3)
    assert library.probe(chess.Board()) is None
    assert library.probe(chess.Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1")) is None
    assert library.probe(chess.Board("4k3/8/8/8/8/8/8/4K2R w - - 0 1")) is not None
    assert library.probe(chess.Board("4k3/8/8/8/8/8/3R4/4K2R w - - 0 1")) is None


def test_the_line_mates_in_the_distance() -> None:
    library, rng = open_tables(3), random.Random(6)
    for name in ("KQK", "KRK", "KPK"):
        for _ in range(5):
            board = oracle.random_position(ENDINGS[name], rng)
            answer = library.probe(board)
            assert answer is not None
            line = library.line(board)
            assert len(line) == (answer.plies or 0)
            for move in line:
                assert move in board.legal_moves
                board.push(move)
            assert board.is_checkmate() == (answer.plies is not None)


def test_the_longest_mates_position_is_what_the_list_says() -> None:
    table = open_tables(3).tables["KQK"]
    entry = int(np.argmax(np.where((np.array(table) & 1) | (table == 255), 0, table)))
    assert position(ENDINGS["KQK"], entry).fen().startswith("8/8/8/5k2/8/8/1Q6/K7 w")
