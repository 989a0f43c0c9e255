"""Lines of anything: the engine answers what it must, and keeps its position."""

import random
import re
import time
from collections.abc import Iterator

import pytest

from plyout.uci import Uci
from plyout.uci.parse import from_the_command_on
from tests.positions import KIWIPETE
from tests.uci.client import Heard, Talk, is_legal, without_compiling
from tests.uci.test_malformed import MISTAKES, ODD_SEARCHES, PARTLY_UNDERSTOOD

_SEEDS = [
    *(line for line in (MISTAKES | PARTLY_UNDERSTOOD).values() if len(line) < 300),
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
        words = from_the_command_on(words_of(line))
        slow = words[:1] in (["go"], ["isready"])  # milliseconds
        if _LEFT_OUT.match(" ".join(words)) or (slow and rng.random() < 0.6):
            continue
        count -= 1
        yield line


@pytest.mark.slow
def test_forty_thousand_lines_of_anything_do_no_harm() -> None:
    """In this process, for speed. After every line the board is shown: after a mistake it is the same."""
    heard = Heard()
    searches = 0

    def lines() -> Iterator[bytes]:
        nonlocal searches
        yield b"setoption name Hash value 2\n"
        yield b"isready\n"
        yield b"d\n"
        fen = heard.lines[-1]
        for line in fuzzed_lines(1, 40_000):
            heard.lines.clear()
            yield line + b"\n"
            words = from_the_command_on(words_of(line))
            news = [text for text in without_compiling(heard.lines) if not text.startswith("info string opening ")]
            mistaken = any(text.startswith("info string") for text in news)
            searched = words[:1] == ["go"] and words[1:2] != ["perft"]
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
            if mistaken and words[0] not in ("help", "eval", "tree", "isready"):
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
        if from_the_command_on(words_of(line))[:1] == ["go"]:
            talk.write(b"stop\n")
    talk.send("setoption name Hash value 3", "isready", "the-last-line")
    answer = without_compiling(talk.until(lambda line: "unknown command 'the-last-line'" in line, 120))
    assert all(is_legal(line) for line in answer), [line for line in answer if not is_legal(line)]
    assert not any("internal error" in line for line in answer)
    assert talk.close() == 0
