"""The game by itself: endings with their reasons, clocks, moves taken back, PGN."""

import io

import chess
import chess.pgn
import chess.variant
import pytest

from plyout.errors import InputError
from plyout.play.game import Game, minutes
from plyout.play.start import starts


class Time:
    """A clock on the wall that a test moves."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def played(*moves: str, fen: str = chess.STARTING_FEN, control: str = "") -> tuple[Game, Time]:
    """A game after some moves, each of which took a second."""
    time = Time()
    game = Game(chess.Board(fen), minutes(control) if control else None, time)
    for san in moves:
        time.now += 1.0
        game.play(game.board.parse_san(san))
    return game, time


def read(pgn: str) -> chess.pgn.Game:
    game = chess.pgn.read_game(io.StringIO(pgn))
    assert game is not None and not game.errors
    return game


BACK_AND_FORTH = ("Nf3", "Nf6", "Ng1", "Ng8") * 2


@pytest.mark.parametrize(
    ("moves", "fen", "result", "reason", "told"),
    [
        (("f3", "e5", "g4", "Qh4"), chess.STARTING_FEN, "0-1", "checkmate", "checkmate"),
        (("Qf7",), "7k/8/8/8/5Q2/8/8/K7 w - - 0 1", "1/2-1/2", "stalemate", "stalemate"),
        (BACK_AND_FORTH, chess.STARTING_FEN, "1/2-1/2", "repetition", "the third time"),
        (("Ra2",), "k7/8/8/8/8/8/8/R6K w - - 99 80", "1/2-1/2", "fifty moves", "fifty moves"),
        (("Kxa2",), "7k/8/8/8/8/8/r7/K7 w - - 0 1", "1/2-1/2", "material", "enough to mate"),
    ],
)
def test_a_game_that_the_rules_end_has_its_reason(
    moves: tuple[str, ...], fen: str, result: str, reason: str, told: str
) -> None:
    game, _ = played(*moves[:-1], fen=fen)
    assert game.ending is None
    game.play(game.board.parse_san(moves[-1]))
    assert game.ending is not None
    assert (game.ending.result, game.ending.reason) == (result, reason)
    assert told in game.ending.text
    with pytest.raises(InputError, match="the game is over"):
        game.play(chess.Move.from_uci("a1a2"))
    headers = read(game.pgn("a", "b", "2026.01.01")).headers
    assert (headers["Result"], headers["Termination"]) == (result, "normal")


def test_clocks_run_for_the_side_to_move_and_get_their_increment() -> None:
    game, time = played("e4", "e5", "Nf3", control="5+3")
    time.now += 10.0
    assert game.left(chess.WHITE) == 300.0 - 2 + 6
    assert game.left(chess.BLACK) == 300.0 - 1 + 3 - 10
    assert not game.flag_has_fallen()
    clocks = [node.clock() for node in read(game.pgn("a", "b", "2026.01.01")).mainline()]
    assert clocks == [302.0, 302.0, 304.0]


def test_a_period_brings_more_time() -> None:
    game, _ = played("e4", "e5", "Nf3", "Nc6", control="2/1")
    assert game.left(chess.WHITE) == game.left(chess.BLACK) == 60.0 - 2 + 60.0
    assert game.moves_to_go == 2


@pytest.mark.parametrize(
    ("fen", "result", "told"),
    [
        (chess.STARTING_FEN, "0-1", "White's flag has fallen"),
        ("k7/8/8/8/8/8/7R/K7 w - - 0 1", "1/2-1/2", "and Black has not enough to mate with"),
    ],
)
def test_a_move_after_the_flag_is_not_played(fen: str, result: str, told: str) -> None:
    game, time = played(fen=fen, control="1")
    time.now += 60.5
    assert game.play(next(iter(game.board.legal_moves))) is False
    assert game.board.fen() == fen
    assert game.ending is not None
    assert (game.ending.result, game.ending.reason) == (result, "time")
    assert told in game.ending.text
    assert game.left(chess.WHITE) == 0.0
    assert game.left(chess.BLACK) == 60.0, "it does not run any more"
    assert read(game.pgn("a", "b", "2026.01.01")).headers["Termination"] == "time forfeit"


def test_taking_back_gives_both_moves_and_the_time_back() -> None:
    game, time = played("e4", "e5", "Nf3", "Nc6", control="5+3")
    time.now += 100.0
    assert [move.uci() for move in game.take_back(chess.WHITE)] == ["b8c6", "g1f3"]
    assert game.board.turn == chess.WHITE
    assert game.left(chess.WHITE) == 300.0 - 1 + 3
    game.take_back(chess.WHITE)
    assert game.board.fen() == chess.STARTING_FEN
    with pytest.raises(InputError, match="no move of yours"):
        game.take_back(chess.WHITE)


def test_only_ones_own_moves_are_taken_back() -> None:
    game, _ = played("e4")
    with pytest.raises(InputError, match="no move of yours"):
        game.take_back(chess.BLACK)
    assert game.board.ply() == 1


def test_a_mate_and_a_flag_can_be_taken_back() -> None:
    game, _ = played("f3", "e5", "g4", "Qh4")
    assert game.ending is not None
    game.take_back(chess.BLACK)
    assert game.ending is None and game.board.ply() == 3
    late, time = played("e4", "e5", control="1")
    time.now += 100.0
    assert late.flag_has_fallen()
    late.take_back(chess.WHITE)
    assert late.ending is None and late.left(chess.WHITE) == 60.0


def test_who_resigns_has_lost() -> None:
    game, _ = played("e4")
    game.resign(chess.WHITE)
    assert game.ending is not None
    assert (game.ending.result, game.ending.text) == ("0-1", "White resigns")
    with pytest.raises(InputError, match="over already"):
        game.resign(chess.WHITE)


def test_a_game_of_any_kind_is_read_back_from_its_pgn() -> None:
    crazy = Game(chess.variant.CrazyhouseBoard())
    for san in ("e4", "d5", "exd5", "Qxd5", "P@e4"):
        crazy.play(crazy.board.parse_san(san))
    shuffled = Game(chess.Board("rk2r3/pppppppp/8/8/8/8/PPPPPPPP/RK2R3 w EAea - 0 1", chess960=True))
    for san in ("O-O", "e5", "d4", "O-O"):
        shuffled.play(shuffled.board.parse_san(san))
    later, _ = played("Ke3", "Ke5", fen="8/8/8/3k4/8/3K4/3P4/8 w - - 3 50")
    for game in (crazy, shuffled, later):
        found = read(game.pgn("a", "b", "2026.01.01"))
        assert found.end().board().fen() == game.board.fen()
        assert found.headers["Result"] == "*"
        assert found.headers["Termination"] == "unterminated"


def test_the_score_sheet_begins_where_the_game_does() -> None:
    assert played("e4", "e5", "Nf3")[0].score_sheet() == ["1.e4 e5", "2.Nf3"]
    black_first = played("Kd6", "Kd4", fen="8/8/8/3k4/8/3K4/3P4/8 b - - 3 50")[0]
    assert black_first.score_sheet() == ["50...Kd6", "51.Kd4"]
    assert black_first.number == "51..."


@pytest.mark.parametrize("text", ["", "5:3", "0+3", "-1", "five", "1e9", "5+3+1", "9" * 400])
def test_a_clock_that_is_none_gets_one_line(text: str) -> None:
    with pytest.raises(InputError, match=r"as in 5\+3"):
        minutes(text)


def test_chess960_draws_its_start_by_the_seed() -> None:
    import random

    first, second = (starts("chess960", "startpos", random.Random(4)) for _ in range(2))
    boards = [first() for _ in range(5)]
    assert [board.fen() for board in boards] == [second().fen() for _ in range(5)]
    assert len({board.fen() for board in boards}) > 1 and all(board.chess960 for board in boards)
    given = starts("chess960", chess.STARTING_FEN, random.Random(1))()
    assert given.chess960 and given.fen() == chess.STARTING_FEN
    with pytest.raises(InputError, match="chess, chess960, crazyhouse"):
        starts("checkers", "startpos", random.Random(1))
