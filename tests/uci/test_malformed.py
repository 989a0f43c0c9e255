"""Whatever the input: one line that says why, the position kept, and on with the game."""

import os
import subprocess
import sys

import chess
import pytest

from tests.positions import KIWIPETE
from tests.uci.client import Talk, is_legal, piped, without_compiling

MEGABYTE = 1 << 20

# Each gets exactly one `info string`, and the position stays.
MISTAKES: dict[str, bytes] = {
    "an unknown command": b"fly me to the moon",
    "a command in capitals": b"GO nodes 10",
    "no letters": b"?!",
    "a private name": b"_obey",
    "an attribute that is no command": b"__class__",
    "NUL bytes": b"\0\0go\0",
    "letters of other alphabets": "ｇｏ nodes 10".encode(),
    "a control character inside": b"po\x07sition startpos",
    "a terminal's escape sequence": b"\x1b[2J",
    "a line of a megabyte": b"x" * MEGABYTE,
    "a megabyte of brackets": b"position fen " + b"[" * MEGABYTE,
    "a FEN of a megabyte of digits": b"position fen " + b"8" * MEGABYTE,
    "a clock of a megabyte of digits in a FEN": b"position fen 8/8/8/4k3/8/4K3/4R3/8 w - - " + b"9" * MEGABYTE + b" 1",
    "position without anything": b"position",
    "position with neither startpos nor fen": b"position e2e4",
    "position with moves only": b"position moves e2e4",
    "fen without anything": b"position fen",
    "fen and moves at once": b"position fen moves e2e4",
    "a FEN of nonsense": b"position fen nonsense",
    "a FEN with seven ranks": b"position fen 8/8/8/8/8/8/K6k w - - 0 1",
    "a FEN with nine files": b"position fen 9/8/8/8/8/8/8/K6k w - - 0 1",
    "a FEN without kings": b"position fen 8/8/8/8/8/8/8/8 w - - 0 1",
    "a FEN with a king too many": b"position fen 8/8/8/8/8/8/8/KK5k w - - 0 1",
    "a FEN with a side that is not to move in check": b"position fen 4k3/8/8/8/8/8/4R3/4K3 w - - 0 1",
    "a FEN with a pawn on the last rank": b"position fen P3k3/8/8/8/8/8/8/4K3 w - - 0 1",
    "a FEN with a side unheard of": b"position fen 4k3/8/8/8/8/8/8/4K3 x - - 0 1",
    "a FEN with castling rights unheard of": b"position fen 4k3/8/8/8/8/8/8/4K3 w XYZ - 0 1",
    "a FEN with rights and no rooks": b"position fen 4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1",
    "a FEN with a square unheard of": b"position fen 4k3/8/8/8/8/8/8/4K3 w - j9 0 1",
    "a FEN with words for numbers": b"position fen 4k3/8/8/8/8/8/8/4K3 w - - zero one",
    "a FEN with an absurd clock": b"position fen 4k3/8/8/8/8/8/8/4K3 w - - 99999999999999999999 1",
    "a FEN with a NUL": b"position fen 4k3/8/8/8/8/8/8/4K3\0 w - - 0 1",
    "a FEN with invalid UTF-8": b"position fen 4k3/8/8/8/8/8/8/4K3\xff w - - 0 1",
    "a pocket in chess": b"position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[Q] w KQkq - 0 1",
    "an illegal move": b"position startpos moves e2e5",
    "an illegal move after legal ones": b"position startpos moves e2e4 e7e5 e4e5 g1f3",
    "a move that is none": b"position startpos moves e2e4 banana",
    "a move in the notation of players": b"position startpos moves e4",
    "a drop in chess": b"position startpos moves P@e4",
    "a null move": b"position startpos moves 0000",
    "a null move out of check": b"position fen 4k3/8/8/8/8/8/4r3/4K3 w - - 0 1 moves 0000",
    "a promotion to king": b"position fen 8/P6k/8/8/8/8/8/K7 w - - 0 1 moves a7a8k",
    "a promotion to nothing": b"position fen 8/P6k/8/8/8/8/8/K7 w - - 0 1 moves a7a8",
    "a megabyte of moves": b"position startpos moves " + b"e2e5 " * (MEGABYTE // 5),
    "moves without their word": b"position startpos e2e4",
    "go perft without number": b"go perft",
    "go perft with a word": b"go perft deep",
    "go perft that takes years": b"go perft 1000",
    "go perft below zero": b"go perft -3",
    "stop without go": b"stop",
    "ponderhit without go": b"ponderhit",
    "setoption alone": b"setoption",
    "setoption without 'name'": b"setoption Hash 16",
    "setoption without a name": b"setoption name",
    "setoption without a name but a value": b"setoption name value 16",
    "setoption of an unknown name": b"setoption name Contempt value 5",
    "setoption of a megabyte": b"setoption name " + b"x" * MEGABYTE + b" value 5",
    "setoption without value": b"setoption name Hash",
    "setoption with an empty value": b"setoption name Hash value",
    "setoption with a word for a number": b"setoption name Hash value big",
    "setoption below range": b"setoption name Hash value 0",
    "setoption above range": b"setoption name Threads value 100000",
    "setoption beyond all numbers": b"setoption name Seed value 1" + b"0" * 400,
    "setoption not a number": b"setoption name c value nan",
    "setoption infinite": b"setoption name c value inf",
    "setoption with a fraction": b"setoption name MultiPV value 1.5",
    "setoption neither true nor false": b"setoption name Ponder value maybe",
    "setoption neither true nor false for a parameter": b"setoption name solver value maybe",
    "setoption with a choice unheard of": b"setoption name Preset value stockfish",
    "setoption with a choice of a megabyte": b"setoption name Preset value " + b"x" * MEGABYTE,
    "setoption with a number of a megabyte": b"setoption name Hash value " + b"1" * MEGABYTE,
    "setoption with a number of a megabyte of letters": b"setoption name c value " + b"x" * MEGABYTE,
    "setoption with a variant unheard of": b"setoption name UCI_Variant value atomic",
    "setoption with a NUL": b"setoption name Hash value 1\x006",
    "a log in a folder that is none": b"setoption name Debug Log File value /nowhere/at/all/log.txt",
    "a log with a NUL in its name": b"setoption name Debug Log File value log\0.txt",
    "a log with a name of a megabyte": b"setoption name Debug Log File value " + b"x" * MEGABYTE,
    "debug without anything": b"debug",
    "debug with another word": b"debug maybe",
    "tree with a word": b"tree deep",
    "tree below zero": b"tree -1",
    "perft without number": b"perft",
    "perft with a word": b"perft deep",
    "perft that takes years": b"perft 13",
    "perft below zero": b"perft -1",
}


# Each gets one `info string` that says what is left out, and a legal move all the same.
PARTLY_UNDERSTOOD: dict[str, bytes] = {
    "a megabyte of words": b"go " * (MEGABYTE // 3),
    "go with a word unheard of": b"go fast",
    "go with a number alone": b"go 5",
    "go nodes without number": b"go nodes",
    "go nodes with a word": b"go nodes many",
    "go nodes with infinity": b"go nodes inf",
    "go nodes beyond all numbers": b"go nodes " + b"9" * 400,
    "go nodes of a megabyte": b"go nodes " + b"9" * MEGABYTE,
    "go depth without number": b"go depth",
    "go movetime with a word": b"go movetime soon",
    "go with words for clocks": b"go wtime one btime two",
    "go with a limit between": b"go nodes movetime 100",
    "go searchmoves without moves but a limit": b"go searchmoves nodes 10",
    "go searchmoves with an illegal move": b"go nodes 10 searchmoves e2e5",
    "go searchmoves with one illegal move of two": b"go nodes 10 searchmoves e2a6 e2e5",
    "go searchmoves with nonsense": b"go searchmoves banana nodes 10",
    "go searchmoves with a null move": b"go nodes 10 searchmoves 0000",
    "go with a NUL": b"go nodes 1\x000",
    "go with a word among numbers": b"go movetime 20 foo",
    "go with two words unheard of": b"go nodes 20 foo 17 bar",
}


@pytest.fixture
def midgame(talk: Talk) -> Talk:
    """An engine with a position that is not the start position."""
    assert talk.ask(f"position fen {KIWIPETE} moves e1g1") == []
    return talk


AFTER_CASTLING = chess.Board(KIWIPETE)
AFTER_CASTLING.push_uci("e1g1")


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_gets_one_line_and_the_position_stays(midgame: Talk, name: str) -> None:
    midgame.write(MISTAKES[name] + b"\n")
    answer = midgame.ask()
    assert [line[:12] for line in answer] == ["info string "], [line[:200] for line in answer]
    assert is_legal(answer[0]), "one line, not too long"
    assert "internal error" not in answer[0]
    assert midgame.fen() == AFTER_CASTLING.fen()


@pytest.mark.parametrize("name", PARTLY_UNDERSTOOD)
def test_what_cannot_be_understood_of_a_go_is_left_out(midgame: Talk, name: str) -> None:
    midgame.write(PARTLY_UNDERSTOOD[name] + b"\n")
    answer = midgame.until("bestmove")
    said = [line for line in answer if line.startswith("info string") and " opening " not in line]
    assert len(said) == 1, answer
    assert said[0].startswith("info string go: ")
    assert all(is_legal(line) for line in answer), answer
    assert chess.Move.from_uci(answer[-1].split()[1]) in AFTER_CASTLING.legal_moves
    assert midgame.ask() == []


def test_what_stands_before_a_command_is_skipped(talk: Talk) -> None:
    """As the protocol wants it; what is beyond the protocol must come first."""
    assert talk.ask("joho debug on") == []
    assert any(line.startswith("info currmove ") for line in talk.go("nodes 20"))
    talk.write(b"\xff\xfe\x80 debug off\n\xef\xbb\xbfisready\n")
    talk.until("readyok")
    assert not any(line.startswith("info currmove ") for line in talk.go("nodes 20"))
    assert [line[:27] for line in talk.ask("please d")] == ["info string unknown command"]


def test_there_is_no_tree_before_a_search() -> None:
    lines = without_compiling(piped("tree\n", "uci").stdout.splitlines())
    assert lines == ["info string tree: nothing has been searched yet"]


# Unusual, but to be understood: each is a search that ends, in a legal move.
ODD_SEARCHES = {
    "nodes of zero": "nodes 0",
    "nodes below zero": "nodes -5",
    "nodes with a fraction": "nodes 20.5",
    "depth of zero": "depth 0",
    "movetime of zero": "movetime 0",
    "movetime below zero": "movetime -100",
    "no time left": "wtime 0 btime 0",
    "less than no time left": "wtime -500 btime -500 winc -5 binc -5",
    "no moves to go": "wtime 20 btime 20 movestogo 0",
    "an absurd number of moves to go": "wtime 20 btime 20 movestogo 999999999999",
    "absurd numbers and one that is not": "nodes 20 wtime 99999999999999999999 btime 99999999999999999999",
    "an absurd depth with nodes": "depth 9999999 nodes 20",
    "a limit twice": "nodes 50 nodes 20",
    "a move twice": "nodes 20 searchmoves a2a3 a2a3",
    "limits after the moves": "searchmoves a2a3 b2b3 nodes 20",
    "an absurd mate and nodes": "mate 99999999999 nodes 20",
}


@pytest.mark.parametrize("name", ODD_SEARCHES)
def test_absurd_numbers_are_brought_into_range(talk: Talk, name: str) -> None:
    talk.send("position startpos")
    answer = talk.go(ODD_SEARCHES[name])
    said = [line for line in answer if "info string" in line and "no mate in " not in line]
    assert not said
    assert all(is_legal(line) for line in answer), answer
    assert chess.Move.from_uci(answer[-1].split()[1]) in chess.Board().legal_moves


IN_A_SEARCH = (
    "go nodes 10", "go infinite", "go perft 1", "position startpos", "ucinewgame", "setoption name Hash value 16",
    "perft 1", "bench", "tree", "ponderhit", "fly",
)  # fmt: skip


@pytest.mark.parametrize("line", IN_A_SEARCH)
def test_what_cannot_be_done_during_a_search_gets_one_line(midgame: Talk, line: str) -> None:
    """And the search goes on: it tells one move, when it is stopped."""
    midgame.send("go infinite", line, "isready")
    answer = [text for text in without_compiling(midgame.until("readyok")) if not text.startswith("info depth")]
    assert [text[:12] for text in answer] == ["info string ", "readyok"], answer
    midgame.send("stop")
    last = midgame.until("bestmove")[-1]
    assert chess.Move.from_uci(last.split()[1]) in AFTER_CASTLING.legal_moves
    assert midgame.fen() == AFTER_CASTLING.fen()


def test_empty_lines_and_blanks_are_nothing(midgame: Talk) -> None:
    midgame.write(b"\n   \n\t\n\r\n\v\f\n")
    assert midgame.ask() == []
    midgame.write(b"  \t isready \r\n")
    midgame.until("readyok")


def test_a_million_moves_that_are_legal_are_no_trouble(talk: Talk) -> None:
    talk.send("position startpos moves " + "g1f3 g8f6 f3g1 f6g8 " * 500)
    assert talk.fen().startswith(chess.STARTING_BOARD_FEN)


def test_a_log_that_cannot_be_written_does_not_cost_the_game(midgame: Talk) -> None:
    """/dev/full is a disk without room."""
    if sys.platform != "linux":
        pytest.skip("there is no /dev/full")
    midgame.send("setoption name Debug Log File value /dev/full", "d")
    assert all(is_legal(line) for line in midgame.ask())
    assert midgame.fen() == AFTER_CASTLING.fen()


def test_a_preset_that_cannot_play_the_variant_is_said_and_the_engine_still_answers(talk: Talk) -> None:
    """The preset plays by knowledge of chess: another one plays."""
    talk.send("setoption name Preset value mcc-decisive", "setoption name UCI_Variant value crazyhouse")
    first = talk.ask()
    assert [line[:38] for line in first] == ["info string decisive is for chess only"]
    assert first[0].endswith("playing with the preset plyout")
    assert chess.Move.from_uci(talk.go("nodes 10")[-1].split()[1]) in chess.Board().legal_moves


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_an_output_that_cannot_show_every_letter_is_no_trouble(encoding: str) -> None:
    """As on Windows, where a pipe is not UTF-8."""
    run = subprocess.run(
        [sys.executable, "-m", "plyout", "uci"], input="日本 …\nsetoption name Hash value 日本\nd\n".encode(),
        capture_output=True, timeout=60, env=os.environ | {"PYTHONIOENCODING": encoding},
    )  # fmt: skip
    assert (run.returncode, run.stderr) == (0, b"")
    assert run.stdout.count(b"info string") == 2
    assert b"Fen: " in run.stdout
