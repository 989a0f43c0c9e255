"""A page's session without its engines: games, clocks, who is to search what."""

import time
from types import SimpleNamespace
from typing import Any

import chess
import pytest

from plyout.board.commands import OF_THE_PAGE
from plyout.board.session import SIDES, Session
from plyout.errors import InputError
from plyout.presets.levels import HIGHEST, level

MATE_IN_ONE = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"


class Engine:
    """In the place of a `Side`: it notes what it is told."""

    def __init__(self) -> None:
        self.job: Any = None
        self.slow = False
        self.shown: Any = None

    def must_make(self, job: Any) -> bool:
        return self.slow

    def start(self, job: Any) -> None:
        self.job = job

    def halt(self) -> None:
        self.job = None

    @property
    def busy(self) -> bool:
        return self.job is not None

    def redraw(self) -> None:
        pass


class Table:
    """A session, and what it has said."""

    def __init__(self, **settings: Any) -> None:
        self.said: list[dict[str, Any]] = []
        self.session = Session(self.said.append)
        self.engines = [Engine() for _ in range(SIDES)]
        self.session.sides = self.engines  # type: ignore[assignment]
        self.session.change(settings)

    def do(self, kind: str, **content: Any) -> None:
        OF_THE_PAGE[kind](self.session, content)

    def answer(self, uci: str) -> None:
        """The engine has found a move."""
        job, self.engines[0].job = self.engines[0].job, None
        self.session.found(0, job, SimpleNamespace(move=chess.Move.from_uci(uci)))  # type: ignore[arg-type]

    @property
    def state(self) -> dict[str, Any]:
        return [message for message in self.said if message["t"] == "state"][-1]


def test_a_level_is_the_engine_s() -> None:
    table = Table(mode="play", level=800, colour="black")
    job = table.engines[0].job
    assert dict(job.changes)["level"] == 800
    assert job.limits.nodes == level(800).nodes
    assert job.limits.movetime is None, "a level is no weaker on a slow machine"


@pytest.mark.parametrize("other", [{"level": HIGHEST}, {"preset": "mcc", "level": 800}])
def test_without_a_level_it_thinks_for_a_while(other: dict[str, Any]) -> None:
    job = Table(mode="play", colour="black", **other).engines[0].job
    assert "level" not in dict(job.changes)
    assert job.limits.movetime > 0


def test_crazyhouse_has_no_levels() -> None:
    table = Table(mode="play", level=800, colour="black")
    table.do("new", variant="crazyhouse")
    assert "level" not in dict(table.engines[0].job.changes)


def test_every_game_has_another_seed_and_analyses_have_one() -> None:
    table = Table(mode="play", colour="black")
    seeds = set()
    for _ in range(5):
        table.do("new")
        seeds.add(dict(table.engines[0].job.changes)["seed"])
    assert len(seeds) == 5
    table.session.change({"seed": 7})
    assert dict(table.engines[0].job.changes)["seed"] == 7
    table.session.change({"seed": None, "mode": "analyse"})
    table.do("analyse", on=True)
    assert dict(table.engines[0].job.changes)["seed"] == 1


def test_a_search_that_was_given_up_plays_no_move() -> None:
    """Other settings begin another search of the same position: the first one's answer comes, and is not played."""
    table = Table(mode="play", colour="black")
    given_up = table.engines[0].job
    table.session.change({"memory": 32})
    table.session.found(0, given_up, SimpleNamespace(move=chess.Move.from_uci("a2a3")))  # type: ignore[arg-type]
    assert table.state["ply"] == 0
    table.answer("e2e4")
    assert table.state["ply"] == 1


def test_a_finished_game_is_over_wherever_one_looks_and_can_be_analysed() -> None:
    table = Table(mode="play", colour="white")
    table.do("fen", text=MATE_IN_ONE)
    table.do("move", uci="a1a8")
    assert table.state["over"] == ("1-0", "checkmate")
    table.do("goto", id=0)
    assert table.state["over"] == ("1-0", "checkmate")
    with pytest.raises(InputError, match="the game is over"):
        table.do("move", uci="a1a7")
    table.do("analyse", on=True)
    assert table.engines[0].job.limits.infinite
    assert not table.engines[0].job.plays
    table.do("goto", id=1)
    table.do("back")
    assert table.state["over"] is None, "it goes on from there"
    assert not table.state["analysing"]


def test_a_resignation_stands_in_the_pgn() -> None:
    table = Table(mode="play", colour="white", preset="mcc")
    table.do("move", uci="e2e4")
    table.do("resign")
    table.do("export")
    assert '[Result "0-1"]' in table.said[-1]["text"]
    assert not table.engines[0].busy


def test_a_take_back_at_the_start_does_not_stop_the_engine() -> None:
    table = Table(mode="play", colour="black")
    with pytest.raises(InputError, match="no move to take back"):
        table.do("back")
    table.answer("e2e4")
    assert table.state["ply"] == 1


def test_after_a_take_back_the_clock_of_who_is_to_move_runs() -> None:
    table = Table(mode="play", colour="white", minutes=5)
    table.do("new")
    table.do("move", uci="e2e4")
    assert table.state["clock"]["running"] == "black"
    table.do("back")
    assert table.state["clock"]["running"] == "white"


def fallen(fen: str) -> Table:
    table = Table(mode="play", colour="white", minutes=0.0001)
    table.do("fen", text=fen)
    time.sleep(0.01)
    assert table.session.seconds_to_fall == 0.0
    table.session.time_over()
    return table


def test_who_has_nothing_to_mate_with_does_not_win_on_time() -> None:
    assert fallen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").state["over"][0] == "1/2-1/2"
    table = fallen(chess.STARTING_FEN)
    assert table.state["over"] == ("0-1", "time")
    assert table.session.seconds_to_fall is None


def test_what_an_engine_takes_to_get_ready_is_not_on_its_clock() -> None:
    table = Table(mode="play", colour="black", minutes=5)
    given_up = table.engines[0].job
    table.engines[0].slow = True
    table.do("new")
    assert table.state["clock"]["running"] is None
    table.session.ready(given_up)
    assert table.state["clock"]["running"] is None, "that was another search"
    table.session.ready(table.engines[0].job)
    assert table.state["clock"]["running"] == "white"


def test_a_game_is_drawn_by_what_was_on_the_board_three_times() -> None:
    """And not by what somebody could still bring there."""
    table = Table(mode="play", colour="white", preset="mcc")
    for ply, uci in enumerate(["g1f3", "g8f6", "f3g1", "f6g8"] * 2, 1):
        assert table.state["over"] is None, ply
        table.do("move", uci=uci) if ply % 2 else table.answer(uci)
    assert table.state["over"] == ("1/2-1/2", "threefold repetition")


def test_a_click_on_the_move_that_is_shown_does_not_begin_the_search_anew() -> None:
    table = Table()
    table.do("move", uci="e2e4")
    table.do("analyse", on=True)
    number = table.engines[0].job.number
    table.do("goto", id=1)
    table.do("analyse", on=True)
    assert table.engines[0].job.number == number
    table.do("goto", id=0)
    assert table.engines[0].job.number > number


def test_only_where_presets_are_compared_both_search() -> None:
    table = Table(mode="compare", preset="mcts", other="mcgs")
    table.do("analyse", on=True)
    assert [engine.job.preset for engine in table.engines] == ["mcts", "mcgs"]
    table.session.change({"mode": "analyse"})
    assert [engine.busy for engine in table.engines] == [True, False]
