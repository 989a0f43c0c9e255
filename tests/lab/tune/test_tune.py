"""Tuning on the runner of matches: the same path whatever happens to the run, and a preset in the end."""

import json
from pathlib import Path

import pytest

from plyout import Engine
from plyout.errors import InputError
from plyout.lab.match.conditions import Conditions
from plyout.lab.match.players import open_player, parse_spec
from plyout.lab.match.store import FILE
from plyout.lab.tune.plan import engine_text
from plyout.lab.tune.result import Tuned, preset_text
from plyout.lab.tune.tune import PRESET, Goal, tune
from plyout.presets import preset

pytestmark = pytest.mark.slow
GOAL = Goal("mcts", ("puct_init=2.5:0.5:5", "quiet_depth"), pairs=6, lag=2, changes={"hash_mb": "2"})
CONDITIONS = Conditions(nodes=12, max_plies=24, resign=(2, 100))  # short games that are not all drawn


class Enough(Exception):
    """Something that ends a run."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Tuned:
    """A run without interruption, one game at a time."""
    return tune(GOAL, CONDITIONS, tmp_path_factory.mktemp("whole"), quiet=True)


def test_all_pairs_are_played_and_move_the_parameters(whole: Tuned) -> None:
    spsa = whole.plan.spsa
    assert spsa.done == GOAL.pairs
    assert len(whole.results.games) == 2 * GOAL.pairs
    assert any(spsa.scores), "some pair was not even"
    assert spsa.path[-1] != spsa.path[0]
    for pair in range(GOAL.pairs):
        first, second = (game for game in whole.results.games if game.pair == pair)
        assert (first.white, first.black) == (second.black, second.white) == ("plus", "minus")
        assert first.opening == second.opening


@pytest.mark.parametrize("games", [1, 4, 9])
def test_a_run_that_was_interrupted_goes_on_to_the_same_end(games: int, whole: Tuned, tmp_path: Path) -> None:
    played = 0

    def interrupt(now: Tuned) -> None:
        nonlocal played
        played += 1
        if played == games:
            raise Enough

    with pytest.raises(Enough):
        tune(GOAL, CONDITIONS, tmp_path, quiet=True, watch=interrupt)
    assert json.loads((tmp_path / "tune.json").read_text())["games"] == games, "they are kept"
    assert preset(str(tmp_path / PRESET)).parameters["hash_mb"] == 2, "a preset is there at any time"
    later: list[int] = []
    tuned = tune(GOAL, CONDITIONS, tmp_path, quiet=True, watch=lambda now: later.append(len(now.results.games)))
    assert later == list(range(games + 1, 13)), "nothing is played twice"
    assert tuned.plan.spsa.path == whole.plan.spsa.path
    assert [g.result for g in tuned.results.games] == [g.result for g in whole.results.games]


@pytest.mark.parametrize("concurrency", [2, 5])
def test_games_side_by_side_lead_to_the_same_end(concurrency: int, whole: Tuned, tmp_path: Path) -> None:
    tuned = tune(GOAL, CONDITIONS, tmp_path, concurrency, quiet=True)
    assert tuned.plan.spsa.path == whole.plan.spsa.path


def test_another_seed_tries_other_things(whole: Tuned) -> None:
    spsa = GOAL.plan(Conditions(nodes=12, seed=2)).spsa
    tries = [(whole.plan.spsa._toss(pair, "puct_init"), spsa._toss(pair, "puct_init")) for pair in range(20)]
    assert any(a[0] != b[0] for a, b in tries)


def test_a_folder_of_another_run_is_refused(whole: Tuned, tmp_path: Path) -> None:
    goal = Goal("mcts", ("puct_init",), pairs=1, changes={"hash_mb": "2"})
    short = Conditions(nodes=2, max_plies=2)
    tune(goal, short, tmp_path, quiet=True)
    for other in (
        Goal("mcts", ("puct_init",), pairs=2, changes={"hash_mb": "2"}),
        Goal("mcts", ("puct_init=3",), pairs=1, changes={"hash_mb": "2"}),
        Goal("mcts", ("puct_init",), pairs=1, lag=1, changes={"hash_mb": "2"}),
        Goal("mcts", ("puct_init",), pairs=1, changes={"hash_mb": "3"}),
    ):
        with pytest.raises(InputError, match="games of other settings"):
            tune(other, short, tmp_path, quiet=True)
    store = tmp_path / FILE
    content = bytearray(store.read_bytes())
    at = content.index(b'"tuned"')
    content[at + 15 : at + 18] = b"xyz"
    store.write_bytes(content)
    with pytest.raises(InputError, match="damaged: its settings are not what they were") as told:
        tune(goal, short, tmp_path, quiet=True)
    assert "\n" not in str(told.value)


def test_a_player_is_ready_before_its_clock_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    monkeypatch.setattr(Engine, "prepare", lambda self: done.append("prepared"))
    open_player(parse_spec("mcts?hash_mb=1"), "chess").new_game(1)
    assert done == ["prepared"], "each pair of a run has new players"


def test_the_preset_plays_what_was_found(whole: Tuned, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    whole.write(path)
    engine = Engine(str(path))
    for axis, value, _ in whole.rows:
        assert engine.parameters[axis.name] == value
    assert engine.parameters["hash_mb"] == 2
    base = preset("mcts")
    assert preset(str(path)).rules == base.rules
    others = set(base.parameters) - {axis.name for axis in whole.plan.spsa.axes}
    assert all(preset(str(path)).parameters[name] == base.parameters[name] for name in others)


def test_the_command_that_confirms_is_one_of_a_match(whole: Tuned) -> None:
    command = whole.confirm(Path("my runs/mine.toml"))
    assert command.startswith("plyout match -e 'my runs/mine.toml' -e 'mcts?hash_mb=2' ")
    assert "--nodes 12" in command
    assert "--sprt" in command
    assert "--seed 2" in command, "other openings first"


def test_texts_in_a_preset_come_back_as_they_were(tmp_path: Path) -> None:
    odd = 'a "b" \\ c\n€'
    path = tmp_path / "odd.toml"
    changes = {"book": odd, "book_use": "weighted", "choose": "max", "c": "0.25", "open_at": "3"}
    path.write_text(preset_text(preset("mcc"), changes, ["two\nlines"]), encoding="utf-8")
    found = preset(str(path))
    assert found.parameters == {
        **preset("mcc").parameters,
        "book": odd,
        "book_use": "weighted",
        "c": 0.25,
        "open_at": 3,
    }
    assert found.rules["choose"] == "max"
    assert engine_text("mcc", {}) == "mcc"
