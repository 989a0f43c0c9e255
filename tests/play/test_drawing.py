"""The board on the terminal."""

import io

import chess
import chess.variant
import pytest
from rich.console import Console

from plyout.play.drawing import Look, drawn, in_hand, look_of
from plyout.play.screen import Screen, clock_text

PLAIN, LETTERS = Look(), Look(letters=True)


def terminal(colours: str | None, encoding: str = "utf-8") -> Console:
    file = io.TextIOWrapper(io.BytesIO(), encoding=encoding, errors="replace", newline="")
    return Console(file=file, force_terminal=True, color_system=colours, markup=False, highlight=False)  # type: ignore


def texts(board: chess.Board, bottom: chess.Color, look: Look) -> list[str]:
    return [row.plain for row in drawn(board, bottom, look)]


def test_the_board_has_its_coordinates_from_either_side() -> None:
    white, black = (texts(chess.Board(), colour, LETTERS) for colour in (chess.WHITE, chess.BLACK))
    assert white[0] == " 8 r n b q k b n r"
    assert white[4] == " 4 . . . . . . . ."
    assert white[7:] == [" 1 R N B Q K B N R", "   a b c d e f g h"]
    assert black[0] == " 1 R N B K Q B N R"
    assert black[7:] == [" 8 r n b k q b n r", "   h g f e d c b a"]
    assert texts(chess.Board(), chess.WHITE, PLAIN)[0] == " 8 ♜ ♞ ♝ ♛ ♚ ♝ ♞ ♜"


def test_columns_stand_under_each_other_in_colours_too() -> None:
    look = look_of(terminal("256"))
    assert look.palette is not None
    rows = texts(chess.Board(), chess.WHITE, look)
    assert {len(row) for row in rows[:8]} == {3 + 8 * 3}
    for column, file in enumerate("abcdefgh"):
        assert rows[8][3 + 3 * column + 1] == file
        assert rows[6][3 + 3 * column + 1] == "♟"


@pytest.mark.parametrize("colours", ["standard", "256", "truecolor"])
def test_pieces_stand_out_and_marks_are_seen(colours: str) -> None:
    board = chess.Board()
    for san in ("e4", "f6", "d4", "g5", "Qh5"):
        board.push_san(san)
    look = look_of(terminal(colours))
    styles = {}
    for rank, row in zip(range(7, -1, -1), drawn(board, chess.WHITE, look)[:8], strict=True):
        cells = [span for span in row.spans if span.end - span.start == 3]
        assert len(cells) == 8
        for file, span in enumerate(sorted(cells)):
            styles[chess.square(file, rank)] = str(span.style)
    assert look.palette is not None
    background = {square: style.partition("on ")[2] for square, style in styles.items()}
    assert background[chess.E8] == look.palette.check
    assert {background[chess.D1], background[chess.H5]} <= set(look.palette.moved)
    assert background[chess.A1] != background[chess.B1]
    assert styles[chess.A2].split(" on ")[0] != styles[chess.A7].split(" on ")[0]


def test_letters_where_the_encoding_lacks_the_pictures() -> None:
    assert look_of(terminal("256", "latin-1")).letters
    assert not look_of(terminal("256")).letters
    assert look_of(terminal("256"), letters=True).letters


def test_without_colours_squares_are_plain() -> None:
    assert look_of(terminal(None)).palette is None
    assert look_of(Console(file=io.StringIO())).palette is None


def test_pieces_in_hand_are_counted() -> None:
    board = chess.variant.CrazyhouseBoard("rnbqkb1r/pppp1ppp/8/8/8/8/PPPP1PPP/RNBQKBNR[Qpnp] w KQkq - 0 1")
    assert in_hand(board, chess.WHITE, LETTERS) == "in hand: 1Q"
    assert in_hand(board, chess.BLACK, LETTERS) == "in hand: 1n 2p"
    assert in_hand(chess.variant.CrazyhouseBoard(), chess.WHITE, PLAIN) == "in hand: -"
    assert in_hand(chess.Board(), chess.WHITE, PLAIN) == ""


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0:00.0"), (9.99, "0:09.9"), (10, "0:10"), (59.9, "0:59"), (60, "1:00"), (3600, "1:00:00")],
)
def test_a_clock_never_shows_more_than_is_left(seconds: float, text: str) -> None:
    assert clock_text(seconds) == text


def test_a_note_keeps_the_line_of_who_waits() -> None:
    console = terminal("256")
    screen = Screen(console=console)
    with screen.waiting("looking …"):
        screen.note("a table is missing")
    screen.note("nobody waits")
    console.file.seek(0)
    assert console.file.read() == (
        "\r\x1b[Klooking …\r\x1b[Ka table is missing\n\r\x1b[Klooking …\r\x1b[Knobody waits\n"
    )
