"""A whole session, compared with the one on record.

``python -m tests.uci.test_transcript`` (``make transcript``) writes the record, golden.txt, anew.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.positions import KIWIPETE, MATE_IN_1, MATED
from tests.uci.client import Talk, moves_and_counts, without_compiling

GOLDEN = Path(__file__).with_name("golden.txt")
SESSION = f"""\
uci
setoption name Hash value 16
setoption name Seed value 7
isready
position startpos
go nodes 500
position startpos moves e2e4 e7e5
go nodes 500
ucinewgame
setoption name MultiPV value 3
setoption name UCI_ShowWDL value true
position fen {KIWIPETE}
go nodes 1000
tree 4
go nodes 200 searchmoves e1g1 e1c1
setoption name UCI_Chess960 value true
position fen {KIWIPETE}
go nodes 200 searchmoves e1h1 e1a1
setoption name UCI_Chess960 value false
position fen {MATE_IN_1}
go nodes 2000
d
eval
perft 1
position fen {MATED}
go nodes 10
setoption name MultiPV value 1
setoption name Preset value mcc
setoption name UCI_Variant value crazyhouse
position fen 2k5/8/8/8/8/8/8/4K3[QRBNPqrbnp] w - - 0 1
go nodes 500
position startpos moves e2e5
go nodes 100 fast
fly
"""


def transcript() -> str:
    """The session, each line with its answers; times are masked, news of compiling left out."""
    talk = Talk("uci")
    heard: list[str] = []
    for line in SESSION.splitlines():
        heard.append(f"> {line}")
        if line.startswith("go nodes"):
            heard += moves_and_counts(talk.go(line.removeprefix("go "), 180))
        else:
            talk.send(line, "isready")
            said = without_compiling(talk.until("readyok", 180))[:-1]
            heard += said
    assert talk.close() == 0
    return "\n".join(heard) + "\n"


@pytest.fixture(scope="module")
def transcripts() -> Iterator[tuple[str, str]]:
    yield transcript(), transcript()


def test_the_same_session_gives_the_same_answers(transcripts: tuple[str, str]) -> None:
    assert transcripts[0] == transcripts[1]


def test_the_session_is_the_one_on_record(transcripts: tuple[str, str]) -> None:
    """Names of presets and the version may change; a search may not, but on purpose."""
    on_record = _without_hello(GOLDEN.read_text(encoding="utf-8"))
    assert _without_hello(transcripts[0]) == on_record, "if a search was changed on purpose: make transcript"


def _without_hello(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if not line.startswith(("id ", "option ")))


if __name__ == "__main__":
    GOLDEN.write_text(transcript(), encoding="utf-8")
