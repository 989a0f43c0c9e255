"""The ladder of ideas: which way the signs go, and how many games the parts get that matter most."""

from pathlib import Path

import pytest

from plyout import Engine
from plyout.lab.match.players import parse_spec
from plyout.lab.match.results import Results
from plyout.lab.record import Game
from plyout.lab.report.page import Table
from plyout.lab.reproduce.catalogue import choose
from plyout.lab.reproduce.experiment import EVENING, Bench, Tournament


def _won_by_base(name: str, base: str, part: str) -> dict[str, Results]:
    """Eight games, of which the base wins six."""
    games = []
    for pair in range(4):
        for white, black in ((base, part), (part, base)):
            best = "1-0" if white == base else "0-1"
            games.append(Game(pair, white, black, best if pair else "1/2-1/2", "checkmate"))
    return {name: Results([base, part], games)}


def test_what_is_taken_out_is_worth_what_the_base_leads_by_and_what_is_put_on_what_it_leads_by() -> None:
    (experiment,) = choose(["ladder-networks"])
    found = _won_by_base("ladder-networks-out-nodes", "plyout", "graph")
    found |= _won_by_base("ladder-networks-on-nodes", "mcts with networks", "graph")
    (table,) = [block for block in experiment.say(found).blocks if isinstance(block, Table)]
    assert table.head[:4] == ["part", "over", "Elo by nodes (95 %)", "games"]
    first, second = table.rows
    assert first[:2] == ["graph", "plyout without it"] and str(first[2]).startswith("+")
    assert second[:2] == ["graph", "mcts with networks"] and str(second[2]).startswith("−")
    assert first[3] == second[3] == "8"


def test_twelve_parts_get_games_enough_for_forty_elo_either_way_in_an_evening() -> None:
    (experiment,) = choose(["ladder-networks"])
    parts = [part for part in experiment.parts if isinstance(part, Tournament)]
    assert sum(len(part.engines) - 1 for part in parts) == 12
    for part in parts:
        evening = Bench(Path(), EVENING).choice(part.scales)
        drawn = 0.25  # of the games, at the least; 695 Elo to a point where both are equal
        assert 1.96 * 695 * 0.5 * ((1 - drawn) / evening["games"]) ** 0.5 < 40


RUNGS = [
    text
    for experiment in choose(["ladder-networks", "ladder-networks-more"])
    for part in experiment.parts
    for text in getattr(part, "engines", ())
]


@pytest.mark.parametrize("text", list(dict.fromkeys(RUNGS)))
def test_every_rung_is_an_engine(text: str) -> None:
    spec = parse_spec(text)
    Engine(spec.preset, hash_mb=1, **dict(spec.settings or {}))
