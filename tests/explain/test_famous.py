"""The famous positions of docs/why.md are what they are said to be."""

import chess
import pytest

from tests.conftest import ROOT
from tests.explain.famous import FAMOUS, GAMES

TEXT = (ROOT / "docs/why.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", GAMES)
def test_a_position_comes_up_in_its_game_and_goes_on_as_it_is_known(name: str) -> None:
    moves, known = GAMES[name]
    board = chess.Board()
    for san in moves.split():
        board.push_san(san)
    assert board.fen().split()[:4] == FAMOUS[name][0].split()[:4]
    for san in known.split():
        assert board.san(board.parse_san(san)) == san, "checks and mates are told"
        board.push_san(san)


def test_the_document_has_every_position_once_and_in_order() -> None:
    headings = [line.removeprefix("### ") for line in TEXT.splitlines() if line.startswith("### ")]
    assert headings == list(FAMOUS)
    for name, (fen, named) in FAMOUS.items():
        section = TEXT.partition(f"### {name}\n\n`{fen}`\n")[2].partition("\n### ")[0]
        assert all(f" {san} (named" in section for san in named), name
