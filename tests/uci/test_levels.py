"""UCI_LimitStrength and UCI_Elo: the engine plays at that level, and says what is no level."""

import re

from plyout.presets import preset
from plyout.presets.levels import HIGHEST, LOWEST, level
from plyout.uci.options import Settings
from tests.uci.client import Talk


def nodes(lines: list[str]) -> int:
    """The nodes that the last report tells."""
    return int(re.findall(r" nodes (\d+)", "\n".join(lines))[-1])


def test_the_strength_is_limited_on_request_only(talk: Talk) -> None:
    talk.ask("setoption name UCI_Elo value 1850")
    assert nodes(talk.go("nodes 2000")) == 2000
    talk.ask("setoption name UCI_LimitStrength value true")
    assert nodes(talk.go("nodes 2000")) == level(1850).nodes
    talk.ask(f"setoption name UCI_Elo value {LOWEST}")
    assert nodes(talk.go("movetime 60000")) == level(LOWEST).nodes
    talk.ask("setoption name UCI_LimitStrength value false")
    assert nodes(talk.go("nodes 2000")) == 2000


def test_an_endless_search_of_a_level_waits_for_stop(talk: Talk) -> None:
    talk.ask("setoption name UCI_LimitStrength value true", "setoption name UCI_Elo value 1500")
    talk.send("go infinite")
    heard = talk.until(lambda line: f" nodes {level(1500).nodes} " in line)
    assert not any(line.startswith("bestmove") for line in [*heard, *talk.heard_within(0.2)])
    talk.send("stop")
    talk.until("bestmove")
    assert talk.ask() == [], "the move is told once"


def test_an_elo_out_of_range_gets_one_line_and_changes_nothing(talk: Talk) -> None:
    talk.ask("setoption name UCI_LimitStrength value true", "setoption name UCI_Elo value 1500")
    for wrong in (LOWEST - 1, HIGHEST + 1):
        said = talk.ask(f"setoption name UCI_Elo value {wrong}")
        assert said == [f"info string UCI_Elo must lie between {LOWEST} and {HIGHEST}, not '{wrong}'"]
    assert talk.ask("setoption name UCI_Elo value strong") == ["info string UCI_Elo must be a number, not 'strong'"]
    said = talk.ask("setoption name UCI_LimitStrength value often")
    assert said == ["info string UCI_LimitStrength must be true or false, not 'often'"]
    assert nodes(talk.go("nodes 2000")) == level(1500).nodes


def test_a_preset_without_levels_plays_as_strong_as_it_can_and_says_so(talk: Talk) -> None:
    said = talk.ask("setoption name Preset value mcc", "setoption name UCI_LimitStrength value true")
    assert said == ["info string UCI_Elo: a level is for the preset plyout in chess, not for mcc in chess: left out"]
    assert nodes(talk.go("nodes 2000")) == 2000


def test_people_get_another_game_each_time_unless_they_ask_for_the_same() -> None:
    settings = Settings(preset("plyout"))
    assert settings.another_seed() is None, "the whole engine repeats itself"
    settings.limit_strength(1500)
    assert settings.changes()["level"] == "1500"
    assert len({settings.another_seed() for _ in range(5)}) > 1
    assert settings.changes()["seed"] != settings.changes()["seed"]
    settings.set("Seed", "1")
    assert settings.another_seed() is None
    assert "seed" not in settings.changes()
