"""Openings: legal, distinct, level, named; files are read or refused with a reason."""

from pathlib import Path

import chess
import chess.engine
import chess.variant
import pytest

from plyout.errors import InputError
from plyout.lab.match.openings import built_in, name_of, openings
from plyout.lab.match.players import find_program


@pytest.mark.parametrize(("variant", "least"), [("chess", 500), ("crazyhouse", 200), ("chess960", 960)])
def test_the_built_in_openings_are_legal_many_and_different(variant: str, least: int) -> None:
    found = openings(variant=variant)
    assert len(found) >= least
    boards = [o.board(variant) for o in found]
    assert len({b.epd() for b in boards}) == len(found)
    assert all(b.is_valid() and not b.is_game_over() for b in boards)
    for opening in found:
        board = opening.board(variant).root()
        for move in opening.moves:
            assert move in board.legal_moves
            board.push(move)
    assert variant == "crazyhouse" or all(o.name for o in found)


def test_the_order_is_the_seeds() -> None:
    assert openings(seed=3) == openings(seed=3)
    assert openings(seed=3) != openings(seed=4)
    assert openings(seed=0) == list(built_in("chess"))


@pytest.mark.slow
def test_stockfish_finds_the_openings_level() -> None:
    """Made with 150,000 nodes and a limit of 45 centipawns; other searches may differ somewhat."""
    try:
        program = find_program("stockfish")
    except InputError as error:
        pytest.skip(str(error))
    with chess.engine.SimpleEngine.popen_uci(program) as engine:
        for opening in openings(seed=1)[:40]:
            info = engine.analyse(opening.board(), chess.engine.Limit(nodes=100_000))
            assert abs(info["score"].white().score(mate_score=10_000)) <= 80, opening


def test_openings_have_names() -> None:
    board = chess.Board()
    for san in ("e4", "c5", "Nf3", "d6", "d4", "cxd4", "Nxd4", "Nf6", "Nc3", "a6"):
        board.push_san(san)
    assert name_of(board) == "Sicilian, Najdorf"
    board.push_san("h4")
    assert name_of(board) == "Sicilian, Najdorf", "the last position that has a name"
    assert name_of(chess.Board("rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2")) == "Sicilian"
    assert name_of(chess.Board()) == ""


def test_positions_are_read_from_epd(tmp_path: Path) -> None:
    file = tmp_path / "some.epd"
    file.write_text(
        'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - id "my line";\n'
        "# a remark\n\n"
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n"
        "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - bm Nf3;\n"
    )
    found = openings(str(file), seed=0)
    assert [o.name for o in found] == ["my line", "", "Sicilian"]
    assert found[1].board().fullmove_number == 2


def test_lines_are_read_from_pgn(tmp_path: Path) -> None:
    file = tmp_path / "some.pgn"
    mine = '[Opening "Mine"]\n\n1. e4 c5 2. Nf3 *\n\n1. d4 d5 2. c4 *\n'
    file.write_text(mine + "\n1. f3 e5 2. g4 Qh4# 0-1\n")
    with pytest.raises(InputError, match="game 3: the game is over"):
        openings(str(file))
    file.write_text(mine)
    found = openings(str(file), seed=0)
    assert [(o.name, len(o.moves)) for o in found] == [("Mine", 3), ("", 3)]
    with pytest.raises(InputError, match="it is a game of chess, and not of crazyhouse"):
        openings(str(file), "crazyhouse")


@pytest.mark.parametrize(
    ("text", "problem"),
    [("", "has no openings"), ("not a position", "line 1"), ("8/8/8/8/8/8/8/8 w - -", "line 1"),
     ("7k/5Q2/6K1/8/8/8/8/8 b - -", "line 1: the game is over")],
)  # fmt: skip
def test_a_bad_file_is_refused_with_its_line(tmp_path: Path, text: str, problem: str) -> None:
    (tmp_path / "bad.epd").write_text(text)
    with pytest.raises(InputError, match=problem):
        openings(str(tmp_path / "bad.epd"))


def test_a_file_that_is_not_there_and_a_wrong_variant_are_refused() -> None:
    with pytest.raises(InputError, match=r"no file is called 'nowhere\.pgn': openings are 'built-in', 'start'"):
        openings("nowhere.pgn")
    with pytest.raises(InputError, match="there are chess, chess960, crazyhouse"):
        openings(variant="shogi")
