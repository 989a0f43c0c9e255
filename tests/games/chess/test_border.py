"""FEN, move text and python-chess boards: what is sound goes through unchanged, what is not is refused politely."""

import chess
import chess.variant
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyout.errors import InputError
from plyout.games import CHESS, CRAZYHOUSE, GAMES, Game, state_of
from plyout.games.chess.border import decode, encode, parse_board
from tests.fuzz.differential import compare
from tests.positions import CASTLING_960, CHESS_COUNTS, CRAZYHOUSE_CASES, DRAWS, START

HOUSE = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR{} w KQkq - 0 1"

BAD_CHESS = {
    "": "FEN",
    "   ": "FEN",
    "hello": "FEN",
    "startpos moves e2e4": "FEN",
    "\0": "FEN",
    START.replace("8", "\0"): "FEN",
    "k" * 10_000: "FEN",
    "/" * 10_000: "FEN",
    "9" * 10_000: "FEN",
    "8/8/8/8/8/8/8 w - - 0 1": "row",
    "8/8/8/8/8/8/8/8/8 w - - 0 1": "row",
    "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1": "character",
    "rnbqkbnr/pppppppp/7/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1": "row",
    "rnbqkbnr/pppppppp/44p/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1": "digit",
    "rnbqkbnr/pppppppp/xxxxxxxx/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1": "character",
    START.replace(" w ", " x "): "turn",
    START.replace("KQkq", "KQxy"): "castling",
    START.replace("KQkq", "KQkqKQ"): "castling",
    START.replace(" - ", " e9 "): "en passant",
    START.replace(" - ", " junk "): "en passant",
    START.replace(" 0 1", " zero 1"): "half-move clock",
    START.replace(" 0 1", " -1 1"): "half-move clock",
    START.replace(" 0 1", " 0 one"): "fullmove number",
    START.replace(" 0 1", " 0 99999999999999999999"): "counters",
    START.replace(" 0 1", " 99999999999999999999 1"): "counters",
    START.replace(" 0 1", " 0 " + "9" * 6_000): "fullmove number",
    START + " more": "more",
    "8/8/8/8/8/8/8/8 w - - 0 1": "no king",
    "8/8/8/8/8/8/8/K7 w - - 0 1": "Black has no king",
    "8/8/8/8/8/8/8/k7 w - - 0 1": "White has no king",
    "kk6/8/8/8/8/8/8/K7 w - - 0 1": "more than one king",
    "k7/8/8/8/8/8/8/K3P3 w - - 0 1": "first or last rank",
    "k3p3/8/8/8/8/8/8/K7 w - - 0 1": "first or last rank",
    "k7/8/8/8/8/8/8/R6K w - - 0 1": "not to move stands in check",
    "8/8/8/8/8/8/8/Kk6 w - - 0 1": "not to move stands in check",
    "4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1": "castling rights",
    "4k3/8/8/8/8/8/4K3/R6R w KQ - 0 1": "castling rights",
    "4k3/8/8/8/8/8/8/4K3 w - e6 0 1": "en passant",
    "4k3/8/8/4p3/8/8/8/4K3 b - e6 0 1": "en passant",
    "4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1": "Black has too many pawns",
    "qqqqkqqq/qqqqqqqq/qqq5/8/8/8/8/7K b - - 0 1": "Black has too many pieces",
    "4k3/8/8/8/8/8/8/K~7 w - - 0 1": "king",
}

BAD_HOUSE = {
    "": "FEN",
    HOUSE.format("[K]"): "PNBRQ",
    HOUSE.format("[Qk]"): "PNBRQ",
    HOUSE.format("[X]"): "PNBRQ",
    HOUSE.format("[1]"): "PNBRQ",
    HOUSE.format("[\0]"): "PNBRQ",
    HOUSE.format("[" + "X" * 10_000 + "]"): "PNBRQ",
    HOUSE.format("["): "brackets",
    HOUSE.format("]"): "brackets",
    HOUSE.format("[P"): "brackets",
    HOUSE.format("P]"): "brackets",
    HOUSE.format("[P][P]"): "PNBRQ|brackets",
    HOUSE.format("[[P]]"): "PNBRQ|brackets",
    HOUSE.format("/[P]"): "row|bracket",
    "4k3/8/8/8/8/8/8/4K3[" + "P" * 40 + "] w - - 0 1": "too many",
    "4k3/8/8/8/8/8/8/4K3[" + "N" * 32 + "] w - - 0 1": "too many",
    "4k3/8/8/8/8/8/8/4K3[PP] w KQ - 0 1": "castling rights",
    "4k3/8/8/8/8/8/8/K~7[] w - - 0 1": "king",
}


@pytest.mark.parametrize(
    "game, text, wrong",
    [
        pytest.param(game, text, wrong, id=f"{game.name} {text[:60]!r}")
        for game, table in ((CHESS, BAD_CHESS), (CRAZYHOUSE, BAD_HOUSE))
        for text, wrong in table.items()
    ],
)
def test_nonsense_is_refused_in_one_short_line_that_says_what_is_wrong(game: Game, text: str, wrong: str) -> None:
    with pytest.raises(InputError, match=wrong) as caught:
        game.parse(text)
    message = str(caught.value)
    assert message.isprintable(), "a line break or control character"
    assert len(message) < 250


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
@given(st.text())
def test_any_text_is_read_or_refused(game: Game, text: str) -> None:
    try:
        game.parse(text)
    except InputError as error:
        assert "\n" not in str(error)


def spoilt(fens: list[str]) -> st.SearchStrategy[str]:
    """FENs with a few characters replaced: near enough to the truth to pass many checks."""
    character = st.sampled_from("pnbrqkPNBRQK12345678/ wbKQkqAHah-e36~[]")

    def spoil(fen: str, changes: list[tuple[int, str]]) -> str:
        for place, new in changes:
            place %= len(fen)
            fen = fen[:place] + new + fen[place + 1 :]
        return fen

    changes = st.lists(st.tuples(st.integers(0, 100), character), min_size=1, max_size=3)
    return st.builds(spoil, st.sampled_from(fens), changes)


def assert_refused_or_played_right(game: Game, variant: type[chess.Board], fen: str) -> None:
    try:
        state = game.parse(fen)
    except InputError:
        return
    compare(game, state, parse_board(fen, variant))


@settings(max_examples=300)
@given(spoilt([*CHESS_COUNTS, *CASTLING_960.values(), *DRAWS.values()]))
def test_a_spoilt_fen_is_refused_or_played_like_python_chess_plays_it(fen: str) -> None:
    assert_refused_or_played_right(CHESS, chess.Board, fen)


@settings(max_examples=300)
@given(spoilt([*CRAZYHOUSE_CASES.values(), HOUSE.format("[]"), HOUSE.format("/Pp"), HOUSE.format("")]))
def test_a_spoilt_crazyhouse_fen_is_refused_or_played_like_python_chess_plays_it(fen: str) -> None:
    assert_refused_or_played_right(CRAZYHOUSE, chess.variant.CrazyhouseBoard, fen)


@pytest.mark.parametrize("pocket", ["[Pn]", "/Pn", "[P-n]"])
def test_crazyhouse_pockets_are_read_in_all_customary_spellings(pocket: str) -> None:
    assert CRAZYHOUSE.show(CRAZYHOUSE.parse(HOUSE.format(pocket))) == HOUSE.format("[Pn]")


@pytest.mark.parametrize("spelling", ["", "[]", "[-]", "/"])
def test_an_empty_crazyhouse_pocket_may_be_left_out(spelling: str) -> None:
    assert CRAZYHOUSE.parse(HOUSE.format(spelling)).tolist() == CRAZYHOUSE.start().tolist()


@pytest.mark.parametrize("fen", [*CHESS_COUNTS, *CASTLING_960.values(), *DRAWS.values()])
def test_moves_survive_encoding_decoding_and_their_text(fen: str) -> None:
    board = parse_board(fen)
    state = state_of(board)
    moves = CHESS.moves(state)
    assert moves == [encode(board, decode(move, board.chess960)) for move in moves]
    assert [board.parse_uci(CHESS.move_text(state, move)) for move in moves] == [
        decode(move, board.chess960) for move in moves
    ]


@pytest.mark.parametrize("fen", CRAZYHOUSE_CASES.values(), ids=CRAZYHOUSE_CASES)
def test_drops_survive_encoding_decoding_and_their_text(fen: str) -> None:
    board = parse_board(fen, chess.variant.CrazyhouseBoard)
    state = state_of(board)
    moves = CRAZYHOUSE.moves(state)
    assert moves == [encode(board, decode(move)) for move in moves]
    assert [board.parse_uci(CRAZYHOUSE.move_text(state, move)) for move in moves] == [decode(m) for m in moves]
