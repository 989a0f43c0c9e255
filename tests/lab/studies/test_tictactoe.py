"""The study of tic-tac-toe: perfect play with time to think, the paper's figures beside ours, a plot."""

from pathlib import Path

import pytest

from plyout.engine import Engine, Limits
from plyout.errors import InputError
from plyout.games import TICTACTOE
from plyout.lab.studies import tictactoe
from plyout.lab.studies.tictactoe import PAPER, SYSTEMS, Row, play


def test_with_a_second_a_move_every_game_is_drawn_and_the_solver_knows_why() -> None:
    """A second is many times 60,000 iterations on any machine; the count makes the test the same everywhere."""
    for seed in range(3):
        engine = Engine("mcc-solver", TICTACTOE, hash_mb=64, draw_floor=1, seed=seed)
        score, iterations, moves, proven = play(engine, Limits(nodes=150_000))
        assert (score, moves, proven) == (0.5, 9, True)
        assert iterations < 300_000, "a proven search ends"


def test_plain_uct_with_the_papers_iterations_draws() -> None:
    for seed in range(3):
        score, iterations, moves, proven = play(Engine("mcc", TICTACTOE, hash_mb=64, seed=seed), Limits(nodes=78_530))
        assert (score, moves, proven) == (0.5, 9, False)
        assert iterations == 9 * 78_530


def test_with_one_iteration_the_first_player_wins_as_in_the_paper() -> None:
    assert PAPER[0.0001][:2] == (1, 100.0)
    assert play(Engine("mcc", TICTACTOE, hash_mb=1), Limits(nodes=1))[0] == 1.0


def test_the_interval_of_draws_is_wilsons() -> None:
    """Newcombe 1998: 81 of 263 gives 25.53 to 36.62 %, 0 of 20 gives 0 to 16.11 %, 20 of 20 83.89 to 100 %."""
    for drawn, games, low, high in ((81, 263, 25.53, 36.62), (0, 20, 0, 16.11), (20, 20, 83.89, 100)):
        row = Row("UCT", "1 s", 1, games, games - drawn, drawn, 0, 0, PAPER[1.0])
        assert row.drawn_interval == pytest.approx((low, high), abs=0.01)


def test_the_study_answers_shows_and_draws(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed: pip install plyout[lab]")
    row = Row("UCT", "1 s", 300_000, 20, 1, 18, 1, 0, PAPER[1.0])
    rows = [row.__dict__ | {"system": s, "percent": row.percent, "drawn_interval": (70, 97)} for s in SYSTEMS]
    answer = {"study": "tictactoe", "games": 20, "seed": 1, "rows": rows}
    tictactoe.show(answer)
    assert "78,530" in capsys.readouterr().out
    for name in ("a.png", "a.svg"):
        tictactoe.plot(answer, tmp_path / name)
        assert (tmp_path / name).stat().st_size > 5000
    with pytest.raises(InputError, match="the plot cannot be written"):
        tictactoe.plot(answer, tmp_path / "a.xyz")
