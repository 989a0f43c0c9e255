"""Whatever the input: one line that says why, the position kept, and on with the game."""

import os
import random
import re
import subprocess
import sys
import time
from collections.abc import Iterator

import chess
import pytest

from plyout.uci import Uci
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
    "invalid UTF-8": b"\xff\xfe\x80 go",
    "letters of other alphabets": "ｇｏ nodes 10".encode(),
    "a control character inside": b"po\x07sition startpos",
    "a terminal's escape sequence": b"\x1b[2J",
    "a line of a megabyte": b"x" * MEGABYTE,
    "a megabyte of words": b"go " * (MEGABYTE // 3),
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
    "go with a word unheard of": b"go fast",
    "go with a number alone": b"go 5",
    "go nodes without number": b"go nodes",
    "go nodes with a word": b"go nodes many",
    "go nodes with a fraction": b"go nodes 1.5",
    "go nodes with infinity": b"go nodes inf",
    "go nodes beyond all numbers": b"go nodes " + b"9" * 400,
    "go nodes of a megabyte": b"go nodes " + b"9" * MEGABYTE,
    "go depth without number": b"go depth",
    "go movetime with a word": b"go movetime soon",
    "go with half a clock": b"go wtime 1000 btime",
    "go with words for clocks": b"go wtime one btime two",
    "go with a limit between": b"go nodes movetime 100",
    "go perft without number": b"go perft",
    "go perft with a word": b"go perft deep",
    "go perft that takes years": b"go perft 1000",
    "go perft below zero": b"go perft -3",
    "go searchmoves without moves": b"go searchmoves",
    "go searchmoves without moves but a limit": b"go searchmoves nodes 10",
    "go searchmoves with an illegal move": b"go nodes 10 searchmoves e2e5",
    "go searchmoves with one illegal move of two": b"go nodes 10 searchmoves e2a6 e2e5",
    "go searchmoves with nonsense": b"go searchmoves banana nodes 10",
    "go searchmoves with a null move": b"go nodes 10 searchmoves 0000",
    "go with a NUL": b"go nodes 1\x000",
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


def test_there_is_no_tree_before_a_search() -> None:
    lines = without_compiling(piped("tree\n", "uci").stdout.splitlines())
    assert lines == ["info string tree: nothing has been searched yet"]


# Unusual, but to be understood: each is a search that ends, in a legal move.
ODD_SEARCHES = {
    "nodes of zero": "nodes 0",
    "nodes below zero": "nodes -5",
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
    assert all(is_legal(line) and "info string" not in line for line in answer), answer
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
    """The preset plays by knowledge of chess. A chess program that waits for ``readyok`` must get it."""
    talk.send("setoption name Preset value mcc-decisive", "setoption name UCI_Variant value crazyhouse")
    first = talk.ask()
    assert [line[:12] for line in first] == ["info string "]
    talk.send("go nodes 10", "isready")
    answer = talk.until("readyok")
    assert not any("internal error" in line for line in answer), answer


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


# -- fuzzing ----------------------------------------------------------------------------------------------------

_SEEDS = [
    *(line for line in MISTAKES.values() if len(line) < 300),
    *(f"go {what}".encode() for what in ODD_SEARCHES.values()),
    b"uci", b"isready", b"ucinewgame", b"debug on", b"debug off", b"d", b"eval", b"help", b"tree", b"perft 1",
    b"register later", b"position startpos", b"position startpos moves e2e4 e7e5 g1f3 b8c6 f1c4",
    b"position fen " + KIWIPETE.encode(), b"position fen " + KIWIPETE.encode() + b" moves e1c1 e8g8",
    b"position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", b"position fen 8/8/8/8/8/8/8/K1k5 w - - 0 1",
    b"position fen bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    b"position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[Qp] w KQkq - 0 1 moves Q@e4",
    b"go nodes 20", b"go infinite", b"go ponder wtime 50 btime 50", b"go depth 1", b"go mate 1", b"go movetime 5",
    b"go nodes 20 searchmoves a2a3", b"setoption name MultiPV value 3", b"setoption name UCI_ShowWDL value true",
    b"setoption name UCI_Chess960 value true", b"setoption name UCI_Chess960 value false",
    b"setoption name UCI_Variant value crazyhouse", b"setoption name UCI_Variant value chess",
    b"setoption name c value 0.5", b"setoption name solver value true", b"setoption name Seed value 77",
    b"setoption name Preset value mcc", b"setoption name Preset value mcc-solver", b"stop", b"ponderhit",
    b"setoption name Preset value mcc-combined",
]  # fmt: skip
_WORDS = sorted({word for line in _SEEDS for word in line.split()})
# Too slow, too big, or on the disk of whoever runs the tests: a file for the log, a bench, deep counts, much memory.
_LEFT_OUT = re.compile(
    r"(?i)(?:bench|quit|.*debug log|(?:go )?perft [+\d_]|setoption name (?:hash|threads) value \+?\d)", re.ASCII
)


def words_of(line: bytes) -> list[str]:
    """The words as the engine sees them: there are more kinds of blanks than bytes know."""
    return line.decode("utf-8", "replace").split()


def fuzzed_lines(seed: int, count: int) -> Iterator[bytes]:
    """Random lines: noise, words of the protocol at random, and lines of the protocol with a few changes."""
    rng = random.Random(seed)
    while count > 0:
        kind = rng.random()
        if kind < 0.1:
            line = rng.randbytes(rng.randrange(60))
        elif kind < 0.3:
            line = b" ".join(rng.choices(_WORDS, k=rng.randrange(1, 9)))
        else:
            line = rng.choice(_SEEDS)
            for _ in range(rng.choice((0, 1, 1, 2, 3, 8))):
                at, to = sorted((rng.randrange(len(line) + 1), rng.randrange(len(line) + 1)))
                change = rng.randrange(6)
                if change == 0:  # a byte of noise
                    line = line[:at] + rng.randbytes(1) + line[at + 1 :]
                elif change == 1:
                    line = line[:at] + line[at + 1 :]
                elif change == 2:
                    line = line[:at] + line[to:]
                elif change == 3:
                    line = line[:to] + line[at:]
                elif change == 4:
                    line = line[:at] + b" " + rng.choice(_WORDS) + b" " + line[at:]
                else:
                    line = line[:at] + rng.choice((b"0", b"-1", b"9" * 25, b"e2e4", b" ", b"\0")) + line[at:]
        line = line.replace(b"\n", b" ")
        words = words_of(line)
        slow = words[:1] in (["go"], ["isready"])  # milliseconds
        if _LEFT_OUT.match(" ".join(words)) or (slow and rng.random() < 0.6):
            continue
        count -= 1
        yield line


class _Heard:
    """Standard output, as lines."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._begun = ""

    def write(self, text: str) -> int:
        *whole, self._begun = (self._begun + text).split("\n")
        self.lines += whole
        return len(text)

    def flush(self) -> None:
        pass


@pytest.mark.slow
def test_a_hundred_thousand_lines_of_anything_do_no_harm() -> None:
    """In this process, for speed. After every line the board is shown: after a mistake it is the same."""
    heard = _Heard()
    searches = 0

    def lines() -> Iterator[bytes]:
        nonlocal searches
        yield b"setoption name Hash value 2\n"
        yield b"isready\n"
        yield b"d\n"
        fen = heard.lines[-1]
        for line in fuzzed_lines(1, 100_000):
            heard.lines.clear()
            yield line + b"\n"
            news = [text for text in without_compiling(heard.lines) if not text.startswith("info string opening ")]
            mistaken = any(text.startswith("info string") for text in news)
            searched = words_of(line)[:1] == ["go"] and not mistaken
            if searched:
                yield b"stop\n"  # it may have ended by itself, and be about to tell its move
                for _ in range(5000):
                    if any(text.startswith("bestmove") for text in heard.lines):
                        break
                    time.sleep(0.001)
            yield b"d\n"
            said = without_compiling(heard.lines)
            assert all(is_legal(text) for text in said), (line, [text for text in said if not is_legal(text)])
            assert not any("internal error" in text for text in said), (line, said, fen)
            moves = sum(text.startswith("bestmove") for text in said)
            assert moves == searched, (line, said)
            searches += moves
            assert said[-1].startswith("Fen: ")
            if mistaken and words_of(line)[0] not in ("help", "eval", "tree"):
                assert said[-1] == fen, line
            fen = said[-1]

    Uci("mcc", output=heard).run(lines())  # type: ignore[arg-type]
    assert searches > 300


@pytest.mark.slow
def test_two_thousand_lines_of_anything_do_the_process_no_harm() -> None:
    talk = Talk("uci", "--preset", "mcc")
    talk.ready()
    talk.send("setoption name Hash value 2")
    for line in fuzzed_lines(2, 2000):
        talk.write(line + b"\n")
        if words_of(line)[:1] == ["go"]:
            talk.write(b"stop\n")
    talk.send("setoption name Hash value 3", "isready", "fly")
    answer = without_compiling(
        talk.until(lambda line: line.endswith("command 'fly': 'help' lists those there are"), 60)
    )
    assert all(is_legal(line) for line in answer), [line for line in answer if not is_legal(line)]
    assert not any("internal error" in line for line in answer)
    assert talk.close() == 0
