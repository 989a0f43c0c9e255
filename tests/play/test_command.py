"""``plyout play`` on the command line, with its lines from a pipe."""

from pathlib import Path

import chess.pgn
import pytest

from tests.cli.client import inside, plyout


def test_a_game_from_a_pipe_ends_with_it_and_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "new/games.pgn"
    run = plyout(
        "play", "--level", "500", "--seed", "1", "--side", "black", "--pgn", str(file), standard_input="a6\nh6\n"
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.endswith(f"the game is saved: {file}\n'plyout play --resume {file}' goes on with it\n")
    with file.open() as text:
        game = chess.pgn.read_game(text)
    assert game is not None and len(list(game.mainline_moves())) == 5
    assert (game.headers["White"], game.headers["Black"]) == ("Plyout, level 500", "You")


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("--side", "left"), "a side is white, black or random, not 'left'"),
        (("--clock", "5:3"), "a clock is minutes+seconds a move, as in 5+3 or 40/90+30, not '5:3'"),
        (("--variant", "tictactoe"), "games are of chess, chess960, crazyhouse, not of 'tictactoe'"),
        (("--fen", "nonsense"), "not a FEN"),
        (("--level", "100"), "level must be a whole number of Elo from 500 to 2400"),
        (("--level", "900", "--variant", "crazyhouse"), "a level is for the preset plyout in chess"),
        (("--preset", "mcd"), "no preset is called 'mcd'"),
        (("--set", "speed"), "--set wants name=value"),
        (("--movetime", "0"), "Invalid value for '--movetime'"),
        (("--resume", "no/such.pgn"), "no/such.pgn cannot be read: No such file"),
        (("--pgn", "."), "--pgn: . is a folder, and a file is wanted"),
    ],
)
def test_a_mistake_gets_one_line(arguments: tuple[str, ...], problem: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = inside(("play", *arguments), capsys)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert problem in err
