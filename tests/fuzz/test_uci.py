"""A share of the UCI fuzzer, and what its judge notices: engines that break one rule each."""

import random
import sys
from pathlib import Path

import pytest

from tests.fuzz.uci import Violation
from tests.fuzz.uci.__main__ import COMMAND, escaped, first_options, kind_of, live, unescaped
from tests.fuzz.uci.grammar import Grammar
from tests.fuzz.uci.options import Options
from tests.fuzz.uci.position import learned, read
from tests.fuzz.uci.replay import QUIT, SYNC, WAIT, Replay
from tests.fuzz.uci.shrink import fault, shrink

LINES = 3000

# An engine that plays the first legal move it finds, and breaks the rule whose name it is given.
FAKE = """
import chess, sys
fault = sys.argv[1]
board, waiting = chess.Board(), False

def say(*lines):
    print(*lines, sep="\\n", flush=True)

def answer():
    move = min(board.legal_moves, key=str, default=None)
    if move is None:
        return say("bestmove e1e2" if fault == "a move after the end" else "bestmove 0000")
    line = {"the line is another": "h2h4", "an illegal line": f"{move} e2e5"}.get(fault, str(move))
    score = {"a mate that is none": "mate 1", "a score beyond all": "cp 99999"}.get(fault, "cp 0")
    if fault != "no line":
        say(f"info depth 1 score {score} nodes {0 if fault == 'no nodes' else 9} pv {line}")
    if fault == "a move of another world":
        move = "e2e5"
    if fault != "no move":
        say(f"bestmove {move}" + (" ponder e2e4" if fault == "an illegal answer" else ""))
    if fault == "two moves":
        say(f"bestmove {move}")
    if fault == "a line after the move":
        say(f"info depth 2 score cp 0 nodes 9 pv {move}")
    if fault == "a traceback":
        say("Traceback (most recent call last):")
    if fault == "an error of its own":
        say("info string internal error in the search: IndexError: 7")

for text in sys.stdin:
    words = text.split()
    if words == ["uci"]:
        say("id name fake", "uciok")
        if fault == "two uciok":
            say("uciok")
    elif words == ["isready"]:
        say(*["readyok"] * {"no readyok": 0, "two readyok": 2}.get(fault, 1))
    elif words == ["d"]:
        say("Fen: " + board.fen())
    elif words[:2] == ["position", "startpos"] and not waiting:
        old, board = board, chess.Board()
        try:
            for move in words[3:]:
                board.push_uci(move)
        except ValueError:
            board = board if fault == "half of a refused position" else old
    elif words[:2] == ["position", "fen"]:
        board = chess.Board(" ".join(words[2:]))
    elif words[:1] == ["go"] and not waiting:
        waiting = words[1] in ("infinite", "ponder")
        if not waiting or fault == "a move before stop":
            waiting = False
            answer()
        elif fault == "a crash":
            sys.exit(3)
    elif words[:1] in (["stop"], ["ponderhit"]) and waiting:
        waiting = False
        answer()
    elif words == ["quit"]:
        if fault == "it goes on after quit":
            import time
            time.sleep(60)
        break
    elif fault == "not of the protocol":
        say("what?")
"""

SESSION = [
    b"uci", b"position startpos moves e2e4", b"go nodes 5", WAIT, b"joho", b"go infinite", b"go nodes 3", SYNC,
    b"position startpos", b"stop", b"position startpos moves d2d4 d2d5", b"d", b"go ponder nodes 5", b"ponderhit", WAIT,
    b"position fen R5k1/5ppp/8/8/8/8/8/4K3 b - - 1 1", b"go movetime 5", WAIT, b"position startpos", b"d", QUIT,
]  # fmt: skip

FAULTS = {
    "no move": "mute",
    "no readyok": "mute",
    "two moves": "nobody asked for",
    "two readyok": "one readyok too many",
    "two uciok": "one uciok too many",
    "a move of another world": "is not legal",
    "a move after the end": "where there is no move",
    "a move before stop": "before 'stop'",
    "an illegal answer": "is not legal",
    "the line is another": "not the beginning of the last line",
    "an illegal line": "has an illegal move",
    "a mate that is none": "does not end in mate",
    "a score beyond all": "not a line of a search",
    "no line": "without a line before it",
    "no nodes": "of 0 nodes",
    "a line after the move": "said after the move",
    "a traceback": "an error of the engine's own",
    "an error of its own": "an error of the engine's own",
    "a crash": "has ended",
    "half of a refused position": "should be",
    "it goes on after quit": "after its end",
    "not of the protocol": "not a line of the protocol",
}


@pytest.fixture
def fake(tmp_path: Path) -> Path:
    path = tmp_path / "fake.py"
    path.write_text(FAKE, encoding="utf-8")
    return path


def test_the_judge_has_nothing_against_an_engine_without_fault(fake: Path) -> None:
    assert fault([sys.executable, str(fake), "none"], SESSION, 20) is None


@pytest.mark.parametrize("name", FAULTS)
def test_the_judge_notices(fake: Path, name: str) -> None:
    found = fault([sys.executable, str(fake), name], SESSION, 1 if FAULTS[name] in ("mute", "after its end") else 20)
    assert found is not None
    assert FAULTS[name] in found[0]


LINES_OF_PLAY = {
    "a legal line": ("startpos", "e2e4 e7e5", None, None),
    "an illegal move": ("startpos", "e2e4 e2e4", None, "illegal move"),
    "a mate": ("startpos moves f2f3 e7e5 g2g4", "d8h4", 1, None),
    "moves after a mate": ("startpos moves f2f3 e7e5 g2g4", "d8h4 a2a3", None, "illegal move"),
    "a mate in fewer moves": ("startpos moves f2f3 e7e5", "g2g4 d8h4", -2, "should have 4 plies"),
    "a mate of the mover": ("startpos moves f2f3 e7e5", "g2g4 d8h4", -1, None),
    "a threefold repetition": ("startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1", "f6g8 e2e4", None, "threefold"),
    "up to the repetition": ("startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1", "f6g8", None, None),
    "fifty moves": ("fen 4k3/8/8/8/8/8/8/R3K3 w - - 99 90", "a1a2 e8e7", None, "fifty moves"),
    "a pawn instead of fifty moves": ("fen 4k3/8/8/8/8/8/P7/R3K3 w - - 99 90", "a2a3 e8e7", None, None),
    "too little material": ("fen 4k3/8/8/8/8/8/4p3/4K3 w - - 0 1", "e1e2 e8e7", None, "insufficient"),
    "castling as in chess": ("fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1h1", None, "illegal move"),
}


@pytest.mark.parametrize("name", LINES_OF_PLAY)
def test_lines_are_judged_by_the_rules_of_the_game(name: str) -> None:
    words, line, mate, expected = LINES_OF_PLAY[name]
    position = read(words.split(), "chess", False)
    assert position is not None
    wrong = position.wrong_line(tuple(line.split()), mate)
    assert wrong is None if expected is None else wrong is not None and expected in wrong


@pytest.mark.parametrize("castling", ["e1g1", "e1h1"])
def test_castling_may_be_written_either_way_where_nobody_knows_the_variant(castling: str) -> None:
    position = learned("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "chess")
    assert position is not None
    assert position.wrong_line((castling, "e8e7")) is None


def test_a_session_is_made_as_short_as_it_can_be(fake: Path) -> None:
    command = [sys.executable, str(fake), "the line is another"]

    def fails(steps: list[bytes]) -> bool:
        found = fault(command, steps, 20)
        return found is not None and "last line" in found[0]

    assert shrink(SESSION, fails) in ([b"go nodes 5"], [b"go ponder nodes 5"])
    assert unescaped(escaped([b"\xff\x00 go", b"position startpos"])) == [b"\xff\x00 go", b"position startpos"]
    assert kind_of("bestmove e2e4 is not legal, in 8/8") == kind_of("bestmove a7a8q is not legal, in 7/7")


def test_a_seed_makes_the_same_sessions() -> None:
    options = Options(["option name Hash type spin default 16 min 1 max 1024"], ("plyout",))
    first, second = (Grammar(random.Random(7), options) for _ in range(2))
    assert [first.session() for _ in range(5)] == [second.session() for _ in range(5)]


@pytest.mark.slow
def test_a_share_of_the_fuzzer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """``make fuzz`` speaks a million lines."""
    monkeypatch.chdir(tmp_path)
    presets = ("plyout",)
    options = Options(first_options(COMMAND, 60, presets), presets)
    part = live(COMMAND, "a share", options, LINES, 60)
    assert not part.complaint, f"{part.complaint}\n{escaped(part.steps[-part.last :])}"
    assert part.counts["lines"] >= LINES
    assert part.counts["searches, limited"] > LINES / 50


def test_an_engine_that_ends_is_no_engine(tmp_path: Path) -> None:
    replay = Replay([sys.executable, "-c", "pass"], 20)
    with pytest.raises(Violation, match="has ended"):
        replay.run([b"isready"])
    replay.engine.close()
