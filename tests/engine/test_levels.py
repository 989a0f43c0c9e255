"""Levels for people: the table is in order, an engine obeys it, and plays like a weaker player, not by dice."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import chess
import numpy as np
import pytest

from plyout.engine import Engine, Limits
from plyout.engine.drawing import drawn
from plyout.engine.system import system_of
from plyout.errors import InputError
from plyout.lab.match.match import match
from plyout.lab.match.players import open_player, parse_spec
from plyout.parameters import TABLE
from plyout.presets import preset
from plyout.presets.levels import HIGHEST, LOWEST, TABLES, Knot, level
from plyout.search.choose import edges_of, mean, proofs_of
from plyout.search.graph import SURE

MIDDLEGAME = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8"
MATE_AND_MORE = "6k1/5ppp/8/8/8/8/q4PPP/1R4K1 w - - 0 1"  # Rb8 is mate


@pytest.fixture(scope="module")
def beginner() -> Engine:
    return Engine(level=LOWEST, hash_mb=8)


@pytest.mark.parametrize("table", TABLES)
def test_a_higher_level_of_a_table_looks_at_more_and_chooses_more_strictly(table: tuple[Knot, ...]) -> None:
    last = min((other[0].elo for other in TABLES if other[0].elo > table[0].elo), default=table[-1].elo + 1)
    for low, high in pairwise(level(elo) for elo in range(int(table[0].elo), int(last), 10)):
        mine, theirs = low.parameters or {}, high.parameters or {}
        assert low.nodes is not None
        assert high.nodes is not None
        assert low.nodes <= high.nodes, f"{high.elo} has fewer nodes"
        assert low.slack >= high.slack, f"{high.elo} is content with worse moves"
        for name, order in (("temperature", 1), ("policy", 1), ("quiet_depth", -1)):
            assert order * mine[name] >= order * theirs[name], f"{name} of {high.elo}"
        assert mine.get("value_net") == theirs.get("value_net")
        same = (low.nodes, low.slack, mine) == (high.nodes, high.slack, theirs)
        assert not same, f"{high.elo} is as strong as {low.elo}"


def test_each_table_goes_on_where_the_one_before_ends() -> None:
    assert TABLES[0][0].elo == LOWEST
    assert TABLES[-1][-1].elo < HIGHEST
    for below, above in pairwise(TABLES):
        assert below[-1].elo == above[0].elo
        assert level(above[0].elo - 1).nodes != level(above[0].elo).nodes == above[0].nodes


def test_a_beginner_knows_no_networks_and_follows_no_exchange(beginner: Engine) -> None:
    assert not beginner.settings["value_net"]
    assert not beginner.settings["policy_net"]
    assert beginner.parameters["quiet_depth"] == 0
    assert Engine(level=2000, hash_mb=8).settings["value_net"]


@pytest.mark.parametrize("elo", [LOWEST, 1500, 2000, HIGHEST - 1])
def test_tuning_the_preset_leaves_levels_below_the_highest_as_they_are(
    elo: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def made(elo: int) -> tuple[Any, ...]:
        system = system_of("plyout", "chess", {"level": elo})
        return system.rules, dict(system.numbers), system.texts

    before, whole = made(elo), made(HIGHEST)
    changed = {p.name: p.high if p.high != whole[1][p.name] else p.low for p in TABLE}
    tuned = replace(preset("plyout"), parameters=changed)
    tuned = replace(tuned, rules=tuned.rules | {"choose": "max", "select": "uct", "prior": "none"})
    monkeypatch.setattr("plyout.engine.system.preset", lambda name: tuned)
    assert made(elo) == before
    assert made(HIGHEST) != whole


def test_the_highest_level_is_the_whole_engine() -> None:
    whole, limited = Engine(hash_mb=8), Engine(level=HIGHEST, hash_mb=8)
    assert limited.parameters == whole.parameters
    assert limited.search(MIDDLEGAME, Limits(nodes=300)).nodes == 300


@pytest.mark.parametrize("wrong", [LOWEST - 1, HIGHEST + 1, 1500.5, "strong", "", float("nan"), float("inf"), [1500]])
def test_what_is_no_level_is_refused(wrong: Any) -> None:
    with pytest.raises(InputError, match=f"^level must be a whole number of Elo from {LOWEST} to {HIGHEST}, not "):
        level(wrong)


@pytest.mark.parametrize(("other", "game"), [("mcc", "chess"), ("alphabeta", "chess"), ("plyout", "crazyhouse")])
def test_what_was_not_measured_has_no_level(other: str, game: str) -> None:
    with pytest.raises(InputError, match=f"a level is for the preset plyout in chess, not for {other} in {game}"):
        Engine(other, game, level=1500)


def test_a_level_limits_the_nodes_and_other_limits_hold() -> None:
    engine = Engine(level=1900, hash_mb=8)
    wanted = level(1900).nodes
    assert wanted is not None
    for limits in (Limits(infinite=True), Limits(movetime=60_000), Limits(nodes=10**6), Limits(clock=600_000)):
        assert engine.search(MIDDLEGAME, limits).nodes == wanted, limits
    assert engine.search(MIDDLEGAME, Limits(nodes=10)).nodes == 10


def test_players_of_a_match_have_levels() -> None:
    player: Any = open_player(parse_spec("plyout?level=1900&hash_mb=8"), "chess")
    assert player._engine.level == level(1900)
    with pytest.raises(InputError, match="level must be a whole number of Elo"):
        open_player(parse_spec("plyout?level=10"), "chess")


def test_players_in_a_process_of_their_own_have_levels_too() -> None:
    player: Any = open_player(parse_spec("plyout?level=1900&process=true"), "chess")
    assert player._settings == {"UCI_Elo": "1900", "UCI_LimitStrength": "true"}


def test_a_change_by_hand_goes_before_the_level() -> None:
    engine = Engine(level="1200", temperature=0, hash_mb=8)
    assert engine.parameters["temperature"] == 0
    assert engine.parameters["tables"] == 0
    assert engine.parameters["policy"] == (level(1200).parameters or {})["policy"]


def test_a_drawn_move_is_no_worse_than_the_level_is_content_with() -> None:
    """What the search has seen to be bad is not played."""
    slack = 0.1
    result = Engine(hash_mb=8, policy=20, puct_init=3).search(MIDDLEGAME, Limits(nodes=400))
    graph, root = result.tree.graph, result.tree.root
    edges = edges_of(graph, root)
    best = max(edges, key=lambda e: graph.edges["visits"][e])
    refused = [e for e in edges if graph.edges["visits"][e] > 0 and mean(graph, e) < mean(graph, best) - slack]
    assert refused, "the position has moves that look bad"
    rng = np.random.default_rng(1)
    found = {drawn(graph, best, root, 5.0, slack, rng) for _ in range(500)}
    assert len(found) > 3
    assert not found & set(refused)
    assert all(proofs_of(graph, np.array([e]))[0] > -SURE for e in found)
    assert {drawn(graph, best, root, 5.0, 0.0, rng) for _ in range(20)} <= {
        e for e in edges if graph.edges["visits"][e] and mean(graph, e) >= mean(graph, best)
    }


def test_the_same_seed_draws_the_same_moves_and_another_others(beginner: Engine) -> None:
    def moves(seed: int) -> list[Any]:
        beginner.new_game(seed)
        return [beginner.search(MIDDLEGAME, Limits(infinite=True)).move for _ in range(8)]

    assert moves(1) == moves(1)
    assert moves(1) != moves(2)


def test_a_beginner_plays_a_mate_that_it_has_seen(beginner: Engine) -> None:
    for seed in range(10):
        beginner.new_game(seed)
        result = beginner.search(MATE_AND_MORE, Limits(infinite=True))
        assert any(m.proof == "win" for m in result.moves), "it looks at all moves, and sees it"
        assert result.move == chess.Move.from_uci("b1b8")


def test_a_beginner_finishes_its_games() -> None:
    results = match("plyout?level=800&hash_mb=8", "plyout?level=1000&hash_mb=8", games=4, nodes=10**6, quiet=True)
    assert sum(results.faults().values()) == 0
    assert all(g.plies > 10 for g in results.games)


def test_a_level_of_1000_loses_to_one_of_1800() -> None:
    results = match(
        "plyout?level=1800&hash_mb=8", "plyout?level=1000&hash_mb=8", games=8, nodes=10**6, seed=1, quiet=True
    )
    assert results.of(results.players[0]).score >= 0.75, str(results)
