"""The talk at the board, with an opponent that plays by a script and with the engine."""

import io
import signal
import sys
import time
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import chess.variant
import pytest
from rich.console import Console

from plyout.engine import Limits
from plyout.errors import InputError
from plyout.play.engines import Adviser, Opponent
from plyout.play.game import Game, minutes
from plyout.play.keeping import Keeper
from plyout.play.resume import read_left
from plyout.play.screen import Screen
from plyout.play.session import COMMANDS, HELP, Session, Setup
from plyout.play.start import starts
from tests.explain.test_truth import LEGAL
from tests.play.scripted import Scripted


class Talk:
    """A session whose lines are given, and what it says."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._patch, self.file = monkeypatch, folder / "games.pgn"
        self.code = -1

    def __call__(self, lines: str, opponent: Any = None, adviser: Any = None, **setup: Any) -> str:
        """The lines, of which each may hold several between semicolons."""
        self._patch.setattr(sys, "stdin", io.StringIO("".join(f"{line.strip()}\n" for line in lines.split(";"))))
        said = io.StringIO()
        screen = Screen(letters=True, console=Console(file=said, width=160, markup=False, highlight=False))
        setting = Setup(**{"start": chess.Board} | setup)
        session = Session(setting, opponent or Scripted(), adviser or Adviser("chess"), screen, Keeper(self.file))
        self.code = session.run()
        return said.getvalue()

    def games(self) -> list[chess.pgn.Game]:
        found = []
        with self.file.open(encoding="utf-8") as file:
            while (game := chess.pgn.read_game(file)) is not None:
                found.append(game)
        return found

    def moves(self) -> list[str]:
        """Of the only game that was kept, in SAN."""
        (game,) = self.games()
        return [node.san() for node in game.mainline()]


@pytest.fixture
def talk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Talk:
    return Talk(tmp_path, monkeypatch)


def test_a_game_is_played_to_mate_and_kept(talk: Talk) -> None:
    said = talk("e4; Bc4; qh5; h5f7", Scripted(["e5", "Nc6", "Nf6"]))
    assert "Script plays 1...e5" in said
    assert "checkmate: White wins (1-0)." in said
    assert said.rstrip().endswith(f"the game is saved: {talk.file}")
    (game,) = talk.games()
    assert game.headers["Result"] == "1-0"
    assert (game.headers["White"], game.headers["Black"]) == ("You", "Script")
    assert talk.moves() == ["e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7#"]
    assert talk.code == 0


@pytest.mark.parametrize(
    ("fen", "lines", "answers", "told"),
    [
        ("7k/8/8/8/5Q2/8/8/K7 w - - 0 1", "Qf7", [], "stalemate: a draw (1/2-1/2)."),
        (chess.STARTING_FEN, "Nf3; Ng1; Nf3; Ng1", ["Nf6", "Ng8"] * 2, "for the third time: a draw (1/2-1/2)."),
        ("k7/8/8/8/8/8/8/R6K w - - 99 80", "Ra2", [], "fifty moves without a capture or a pawn's move: a draw"),
        ("7k/8/8/8/8/8/r7/K7 w - - 0 1", "Kxa2", [], "neither side has enough to mate with: a draw (1/2-1/2)."),
        (chess.STARTING_FEN, "f3; g4", ["e5", "Qh4"], "checkmate: Black wins (0-1)."),
        (chess.STARTING_FEN, "e4; resign", ["e5"], "White resigns: Black wins (0-1)."),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "e4", [], "stalemate: a draw (1/2-1/2)."),
    ],
)
def test_the_end_is_told_once_with_its_reason(talk: Talk, fen: str, lines: str, answers: list[str], told: str) -> None:
    said = talk(f"{lines}; a3; moves", Scripted(answers), start=lambda: chess.Board(fen))
    assert said.count(told) == 1
    assert "the game is over: 'new' begins another, 'back' takes back" in said


def test_a_flag_falls_while_the_user_thinks(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    class Slow(io.StringIO):
        def readline(self, size: int | None = -1, /) -> str:
            line = super().readline()
            time.sleep(20 if line == "e4\n" else 0)
            return line

    monkeypatch.setattr(io, "StringIO", Slow)
    began = time.monotonic()
    said = talk("e4; d4", control=minutes("0.002+3"))
    assert time.monotonic() - began < 19, "nobody waited for the move"
    assert said.startswith("Script; you are White, 0.002 minutes each and 3 seconds a move.")
    assert "White's flag has fallen: Black wins (0-1)." in said


def test_a_flag_falls_while_the_opponent_thinks(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    now, opponent = [100.0], Scripted()
    monkeypatch.setattr("plyout.play.session.Game", lambda board, control: Game(board, control, lambda: now[0]))

    def think() -> None:
        now[0] += 61.0

    opponent.on_move = think
    said = talk("e4; d4", opponent, control=minutes("1"))
    assert "Black's flag has fallen: White wins (1-0)." in said
    assert "Script plays" not in said
    assert talk.moves() == ["e4"]


def test_who_plays_black_waits_for_the_first_move_and_sees_the_board_from_there(talk: Talk) -> None:
    said = talk("e5", Scripted(["e4", "Nf3"]), side="black")
    assert said.index("Script plays 1.e4") < said.index(" 1 R N B K Q B N R   Script"), "the board is turned"
    assert talk.moves() == ["e4", "e5", "Nf3"]
    assert talk.games()[0].headers["Black"] == "You"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("xyzzy", "'xyzzy' is neither a move nor a command: 'help' lists what there is"),
        ("e5", "'e5' is no legal move here"),
        ("e4 e5", "'e4' is no command: 'help' lists them; moves come one by one"),
        ("why", "there is nothing to explain yet: '?' gives a hint"),
        ("why not e9", "'e9' is no legal move here"),
        ("why me", "'why', 'why not' or 'why not Nf3' can be asked"),
        ("back", "there is no move of yours to take back"),
        ("save", "no move has been played: there is nothing to save"),
        ("level high", "level must be a number, not 'high'"),
        ("level 1 2", "'level 1500' sets the level, 'level' tells it"),
        ("new green", "a side is white, black or random, not 'green'"),
        ("\x00\ufffd" + "x" * 300, "' is neither a move nor a command: 'help' lists what there is"),
    ],
)
def test_a_mistake_gets_one_line(talk: Talk, line: str, told: str) -> None:
    before = talk("")
    said = talk(line).removeprefix(before)
    assert said.endswith(told + "\n")
    assert said.count("\n") == 1 and len(said) < 120
    assert not talk.file.exists(), "no move was played"


def test_moves_are_taken_back(talk: Talk) -> None:
    said = talk("e4; Nf3; back; back; d4", Scripted(["e5", "Nc6", "d5"]))
    assert talk.moves() == ["d4", "d5"]
    assert said.count("Script plays") == 3
    assert "checkmate" in talk("f3; g4; back; moves", Scripted(["e5", "Qh4"]))
    assert talk.games()[-1].headers["Result"] == "*", "the mate was taken back"


def test_what_can_be_asked_is_answered(talk: Talk) -> None:
    said = talk("moves; e4; moves; fen; flip; pgn; help; level; level 900", Scripted(["e5"]))
    assert "no move has been played" in said
    assert "1.e4 e5\n" in said
    assert "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n" in said
    assert "\n 1 R N B K Q B N R   You\n" in said, "the board was turned"
    assert '[Event "Plyout in the terminal"]\n' in said
    assert "you play against Script\nyou play against Script 900\n" in said
    for name in HELP:
        assert f"  {name} " in said


def test_every_command_is_in_the_help() -> None:
    told = " ".join(HELP).replace(",", "").split()
    assert set(COMMANDS) - {"help"} <= set(told)
    assert all(hasattr(Session, f"_do_{name}") for name in COMMANDS)


def test_another_game_keeps_the_one_before(talk: Talk) -> None:
    opponent = Scripted(["e5", "c4", "Nf3"])
    said = talk("e4; new black; c5; quit; e4", opponent)
    first, second = talk.games()
    assert [node.san() for node in first.mainline()] == ["e4", "e5"]
    assert [node.san() for node in second.mainline()] == ["c4", "c5", "Nf3"]
    assert opponent.games == 2
    assert said.count("the game is saved: ") == 2


def test_a_game_that_was_left_goes_on_with_its_clocks(talk: Talk) -> None:
    talk("e4; Nf3", Scripted(["e5", "Nc6"]), control=minutes("5+3"))
    left = read_left(talk.file)
    assert (left.variant, left.side, str(left.control)) == ("chess", "white", "300+3")
    assert set(left.clocks) == {chess.WHITE, chess.BLACK} and all(200 < t <= 306 for t in left.clocks.values())
    said = talk("back; Bc4; moves", Scripted(["Nf6"]), control=left.control, left=left, side=left.side)
    assert "1.e4 e5  2.Nf3 Nc6\n" in said.partition("a b c d e f g h")[0], "what was played is shown"
    assert "\n1.e4 e5  2.Bc4 Nf6\n" in said, "and can be taken back"
    assert [[node.san() for node in game.mainline()] for game in talk.games()] == [
        ["e4", "e5", "Nf3", "Nc6"], ["e4", "e5", "Bc4", "Nf6"],
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (None, "cannot be read: No such file"),
        ("", "has no game to go on with"),
        ('[White "You"]\n\n*\n', "has no game to go on with"),
        ("1. e4 Ke4 *\n", "cannot be read: "),
        ('[Variant "Atomic"]\n\n1. e4 *\n', "is one of atomic: chess and crazyhouse can be played"),
    ],
)
def test_what_cannot_be_gone_on_with_gets_one_line(tmp_path: Path, text: str | None, told: str) -> None:
    if text is not None:
        (tmp_path / "x.pgn").write_text(text)
    with pytest.raises(InputError, match=told):
        read_left(tmp_path / "x.pgn")


def test_a_game_of_others_is_gone_on_with_by_who_is_to_move(tmp_path: Path) -> None:
    (tmp_path / "x.pgn").write_text('[White "A"]\n[Black "B"]\n[Variant "Crazyhouse"]\n\n1. e4 d5 2. exd5 *\n')
    left = read_left(tmp_path / "x.pgn")
    assert (left.variant, left.side, left.control, left.clocks) == ("crazyhouse", "black", None, {})
    assert left.board.fullmove_number == 2 and len(left.board.move_stack) == 3


def test_saving_goes_where_it_is_told(talk: Talk, tmp_path: Path) -> None:
    said = talk(f"e4; save {tmp_path}/my games.pgn; save {tmp_path}/no/x.pgn", Scripted(["e5"]))
    assert f"saved: {tmp_path}/my games.pgn\n" in said
    assert f"{tmp_path}/no/x.pgn cannot be written: " in said
    assert (tmp_path / "my games.pgn").read_text() == talk.file.read_text()


def test_an_interrupt_while_it_thinks_hastens_it(talk: Talk) -> None:
    class Slow(Scripted):
        def think(self, game: Any, stop: Any) -> Any:
            signal.raise_signal(signal.SIGINT)
            assert stop, "it is to move at once"
            return super().think(game, stop)

    talk("e4; d4", Slow(["e5", "d5"]))
    assert talk.moves() == ["e4", "e5", "d4", "d5"]
    assert talk.code == 0


def test_whoever_presses_again_while_the_game_is_saved_does_no_harm(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Impatient(io.StringIO):
        def readline(self, size: int | None = -1, /) -> str:
            line = super().readline()
            if line == "d4\n":
                signal.raise_signal(signal.SIGINT)
            return line

    def pressed(*words: Any) -> bool:
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        return False

    monkeypatch.setattr(io, "StringIO", Impatient)
    monkeypatch.setattr("plyout.play.keeping.Path.is_dir", pressed)
    said = talk("e4; d4; d5", Scripted(["e5"]))
    assert talk.code == 130
    assert f"the game is saved: {talk.file}" in said
    assert talk.moves() == ["e4", "e5"]


def test_a_fault_of_ours_does_not_cost_the_game(talk: Talk) -> None:
    opponent = Scripted(["e5"])

    def fail() -> None:
        if not opponent.moves:
            raise ZeroDivisionError

    opponent.on_move = fail
    with pytest.raises(ZeroDivisionError):
        talk("e4; d4", opponent)
    assert talk.moves() == ["e4", "e5", "d4"]


def test_words_are_completed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    session = Session(Setup(chess.Board), Scripted(), Adviser("chess"), Screen(), Keeper())
    assert session._completions("", "Nf") == ["Nf3"]
    assert session._completions("", "b") == ["b3", "b4", "back", "board"]
    assert session._completions("why ", "") == ["not"]
    assert session._completions("why not ", "e4") == ["e4"]
    assert session._completions("new ", "b") == ["black"]
    assert len(session._completions("", "")) == 20


# -- with the engine ------------------------------------------------------------------------------------------------


def quick(variant: str = "chess", **changes: Any) -> Opponent:
    return Opponent("plyout", variant, Limits(nodes=60), {"hash_mb": 8, "seed": 1} | changes)


def adviser(variant: str = "chess", nodes: int = 300) -> Adviser:
    return Adviser(variant, Limits(nodes=nodes), second_look=100)


def test_a_hint_has_a_reason_and_other_moves_have_theirs(talk: Talk) -> None:
    said = talk(
        "?; why; why not bxd1; why not; why not e9", quick(), adviser(), start=lambda: chess.Board(LEGAL), side="black"
    )
    hint = said.partition("hint: ")[2].partition(",")[0]
    assert f"\nwhy {hint}\n  " in said
    mated = "After Bxd1 Black is mated in 2: 1...Bxd1 2.Bxf7+ Ke7 3.Nd5# (certificate checked, 1 line)."
    assert f"\nwhy not Bxd1 (named, highest prior, wins by exchanges)\n  certain  {mated}\n" in said
    assert said.count("search: what this search saw") == 1, "the kinds are explained once"
    assert said.endswith("'e9' is no legal move here\n")


def test_the_answer_is_explained_and_what_was_not_answered(talk: Talk) -> None:
    said = talk("f3; g4; why; back; e4; why not h6; why not Nc3", quick(), adviser())
    assert "Script" not in said
    assert "\nwhy Qh4#\n  certain  Qh4# is checkmate.\n" in said
    assert "\nwhy not h6 (named" in said, "a move that it might have played"
    of_the_user = "\nwhy not Nc3 (named", "\nwhy Nc3 (named, and the search's choice)"
    assert any(text in said for text in of_the_user)


def test_a_level_is_set_while_playing(talk: Talk) -> None:
    opponent = quick(level=700)
    assert opponent.name == "Plyout, level 700"
    said = talk("e4; level 800; level 99; d4", opponent, adviser())
    assert "you play against Plyout, level 800\n" in said
    assert "level must be a whole number of Elo from 500 to 2400, not '99'\n" in said
    assert opponent.engine.level is not None and opponent.engine.level.elo == 800
    assert talk.games()[0].headers["Black"] == "Plyout, level 800"


@pytest.mark.parametrize("variant", ["chess960", "crazyhouse"])
def test_variants_are_played_and_explained(talk: Talk, variant: str) -> None:
    import random

    game = variant.removesuffix("960")
    first = starts(variant, "startpos", random.Random(2))
    move = next(iter(starts(variant, "startpos", random.Random(2))().legal_moves)).uci()
    said = talk(f"{move}; ?; why", quick(game), adviser(game, 60), start=first)
    assert "Plyout plays 1..." in said
    assert "\nwhy " in said
    (kept,) = talk.games()
    assert kept.headers["Variant"].lower() == variant
    assert len(list(kept.mainline_moves())) == 2 and not kept.errors


def test_crazyhouse_pieces_are_dropped(talk: Talk) -> None:
    fen = "rnb1kbnr/ppp1pppp/8/3q4/8/8/PPPP1PPP/RNBQKBNR[Pp] w KQkq - 0 3"
    said = talk("p@e4", Scripted(["Qxe4+"]), adviser("crazyhouse"), start=lambda: chess.variant.CrazyhouseBoard(fen))
    assert "You   in hand: 1P" in said and "Script   in hand: 1p" in said
    assert "Script   in hand: 2p" in said
    assert [move.uci() for move in talk.games()[0].mainline_moves()] == ["P@e4", "d5e4"]


def test_without_a_seed_each_game_is_another(monkeypatch: pytest.MonkeyPatch) -> None:
    seeds = iter([5, 6])
    monkeypatch.setattr("plyout.play.engines.randbelow", lambda most: next(seeds))
    opponent = Opponent("plyout", "chess", Limits(nodes=10), {"hash_mb": 8})
    assert opponent.engine.parameters["seed"] == 5
    opponent.new_game()
    assert opponent.engine.parameters["seed"] == 6
    known = quick(seed=7)
    known.new_game()
    assert known.engine.parameters["seed"] == 7
