"""Matches: whatever a player does costs it the game, not the run, and the result says who did it."""

import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import pytest

from plyout.engine import Engine, Limits
from plyout.errors import InputError
from plyout.lab import children
from plyout.lab.match.conditions import Conditions
from plyout.lab.match.match import match, tournament
from plyout.lab.match.players import find_program, open_player, specs_of
from plyout.lab.match.results import Results
from plyout.lab.match.store import Store
from plyout.lab.match.tournament import Plan, Run
from plyout.lab.record import Game
from tests.lab.match import killing

pytestmark = pytest.mark.slow  # processes and clocks: checking array indices once more would tell nothing
ROGUE = Path(__file__).with_name("rogue.py")
GOOD = f"uci:{sys.executable} {ROGUE}?name=good"
FAST: dict[str, Any] = {"games": 4, "nodes": 1, "max_plies": 60, "quiet": True}


def rogue(*faults: str) -> str:
    return f"uci:{sys.executable} {ROGUE} {' '.join(faults)}?name=rogue"


def program(name: str) -> str:
    try:
        return find_program(name)
    except InputError as error:
        pytest.skip(str(error))


def lost_by(results: Results, reason: str) -> int:
    """Games that the rogue lost so; it must be the rogue."""
    games = [g for g in results.games if g.reason == reason]
    assert all(g.loser == "rogue" for g in games)
    return len(games)


def test_an_engine_that_hangs_loses_by_a_stall_and_is_started_again() -> None:
    results = match(rogue("--hang", "10"), GOOD, **FAST | {"games": 2}, patience=1.5)
    assert lost_by(results, "stall") == 2
    assert results.as_dict()["stalls"] == 2
    assert str(results).endswith("rogue: 2 stalls")
    assert all(g.plies >= 18 for g in results.games), "it played nine moves in every game"


def test_an_engine_that_hangs_on_the_clock_stalls_too() -> None:
    results = match(rogue("--hang", "3"), GOOD, games=2, tc="1.5+0.5", quiet=True, patience=0.5)
    assert results.faults("rogue") == {"time_losses": 0, "crashes": 0, "stalls": 2, "illegal": 0}


def test_an_engine_that_crashes_loses_and_is_started_again() -> None:
    results = match(rogue("--crash", "10"), GOOD, **FAST)
    assert lost_by(results, "crash") == 4
    assert results.faults("good") == {"time_losses": 0, "crashes": 0, "stalls": 0, "illegal": 0}
    assert all('[Termination "abandoned"]' in g.pgn for g in results.games)
    assert all("ended with status 3: something is very wrong" in " ".join(g.pgn.split()) for g in results.games)


def test_an_illegal_move_loses_and_the_engine_plays_on() -> None:
    results = match(rogue("--illegal", "12"), GOOD, **FAST)
    assert lost_by(results, "illegal") == 4
    assert {g.plies for g in results.games if g.white == "rogue"} == {g.plies for g in results.games[:1]}
    assert "'a1a1' in " in " ".join(results.games[0].pgn.split())


def test_a_late_move_loses_on_time_and_the_engine_lives() -> None:
    timed: dict[str, Any] = {"games": 2, "movetime": 400, "quiet": True}  # its fifth move takes a second longer
    results = match(rogue("--late", "5"), GOOD, margin=500, max_plies=60, **timed)
    assert results.faults("rogue") == {"time_losses": 2, "crashes": 0, "stalls": 0, "illegal": 0}
    within = match(rogue("--late", "5"), GOOD, margin=5000, max_plies=30, **timed)
    assert within.faults() == {"time_losses": 0, "crashes": 0, "stalls": 0, "illegal": 0}


def test_a_second_move_that_nobody_asked_for_is_not_heard() -> None:
    results = match(rogue("--twice"), GOOD, games=2, nodes=1, max_plies=40, quiet=True)
    assert results.endings() == {"adjudication: length": 2}


def test_a_program_that_starts_only_once_costs_its_games_and_not_the_run(tmp_path: Path) -> None:
    script = tmp_path / "once.sh"
    script.write_text(f"[ -e {tmp_path}/started ] && exit 7\ntouch {tmp_path}/started\nexec {sys.executable} {ROGUE}\n")
    results = match(f"uci:sh {script}?name=rogue", GOOD, **FAST)
    assert lost_by(results, "crash") == 4
    assert "ended with status 7" in results.games[0].pgn


def test_a_rule_of_ones_own_that_fails_costs_the_game() -> None:
    engine = Engine("mcc", hash_mb=8)
    broken = Engine("mcc", hash_mb=8)
    broken.search = lambda *a, **k: 1 // 0  # type: ignore[method-assign, assignment]
    results = match(broken, engine, **FAST)
    assert results.players == ["mcc", "mcc #2"]
    assert results.faults("mcc")["crashes"] == 4


def test_an_engine_that_does_not_start_is_told_before_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as impatient:
        impatient.setattr("plyout.lab.match.uci_program.FIRST_WORD", 0.5)
        with pytest.raises(InputError, match="does not start as a UCI engine: no answer to 'uci' within"):
            match(rogue("--mute"), GOOD, **FAST)
        with pytest.raises(InputError, match=r"no answer to 'uci' within 0\.5 s; it said 'uci'"):
            match("uci:cat", GOOD, **FAST)
    with pytest.raises(InputError, match="does not start as a UCI engine: ended with status 0"):
        match("uci:true", GOOD, **FAST)
    with pytest.raises(InputError, match="has no option 'Elo': it has UCI_Chess960, UCI_Variant, Level"):
        match(rogue() + "&Elo=3", GOOD, **FAST)
    with pytest.raises(InputError, match="Level must be a whole number between 0 and 9, not '10'"):
        match(rogue() + "&Level=10", GOOD, **FAST)
    with pytest.raises(InputError, match=r"no program is called 'nosuchengine': install it .*apt install"):
        match("uci:nosuchengine", GOOD, **FAST)


def test_the_same_seed_gives_the_same_games_whatever_the_concurrency() -> None:
    specs = ("mcc?hash_mb=8&nodes=15", "mcc-decisive?hash_mb=8&nodes=15")

    def moves(**options: Any) -> list[list[chess.Move]]:
        results = match(*specs, games=4, max_plies=30, quiet=True, **options)
        games = sorted(results.games, key=lambda g: (g.pair, g.white != specs[0]))
        return [list(chess.pgn.read_game(io.StringIO(g.pgn)).mainline_moves()) for g in games]  # type: ignore[union-attr]

    first = moves(seed=5)
    assert first == moves(seed=5, concurrency=2)
    assert first != moves(seed=6)


def test_engines_of_ones_own_are_given_back_as_they_were() -> None:
    engines = [Engine("mcc", hash_mb=8, seed=7) for _ in range(2)]
    first, second = (match(*engines, games=4, nodes=15, max_plies=24, quiet=True) for _ in range(2))
    assert [engine.parameters["seed"] for engine in engines] == [7, 7]
    strip = [[g.pgn.split("%emt")[0] for g in results.games] for results in (first, second)]
    assert strip[0] == strip[1]


def test_closing_a_player_leaves_a_callers_engine_with_the_seed_it_had() -> None:
    def visits(engine: Engine) -> list[tuple[str, float]]:
        return [(str(m.move), m.visits) for m in engine.search(chess.STARTING_FEN, Limits(nodes=200)).moves]

    engine = Engine("mcc", hash_mb=8, seed=7)
    before = visits(engine)
    player = open_player(specs_of([engine])[0], "chess")
    player.new_game(5)
    assert visits(engine) != before, "the game has a seed of its own"
    player.close()
    assert engine.parameters["seed"] == 7
    assert visits(engine) == before


def test_random_priors_differ_from_round_to_round() -> None:
    """All games begin at the same position: nothing but the seed of the pair can tell one round from another."""
    engines = [f"alphaone?hash_mb=8&name={name}" for name in "ab"]
    results = match(*engines, games=6, nodes=12, book="start", max_plies=16, quiet=True)
    assert len({_line(game) for game in results.games if game.white == "a"}) == 3


def _line(game: Game) -> str:
    read = chess.pgn.read_game(io.StringIO(game.pgn))
    assert read is not None
    return " ".join(move.uci() for move in read.mainline_moves())


def test_an_option_that_does_not_exist_gets_one_line_that_names_the_likely_one() -> None:
    with pytest.raises(InputError, match=r"^a match has no option 'node': did you mean 'nodes'\?$"):
        match("mcc", "mcc", node=5)
    with pytest.raises(InputError, match=r"^a match has no option 'concurency': did you mean 'concurrency'\?$"):
        match("mcc", "mcc", concurency=5)
    with pytest.raises(InputError, match="a match has no option 'x': there are games, kind, tc"):
        match("mcc", "mcc", x=5)
    for wrong, said in (({"games": 3}, "must be even"), ({"kind": "cup"}, "round-robin, gauntlet"),
                        ({"variant": "shogi"}, "no variant is called"), ({"tc": "x"}, "a clock is")):  # fmt: skip
        with pytest.raises(InputError, match=said):
            match("mcc", "mcc", **wrong)


def test_a_preset_plays_alike_in_process_and_in_a_process_of_its_own() -> None:
    one, other = (
        match(f"mcc?hash_mb=8&seed=3&name=a{more}", GOOD, games=2, nodes=20, max_plies=24, quiet=True)
        for more in ("", "&process=true")
    )
    for a, b in zip(one.games, other.games, strict=True):
        texts = [chess.pgn.read_game(io.StringIO(g.pgn)) for g in (a, b)]
        assert list(texts[0].mainline_moves()) == list(texts[1].mainline_moves())  # type: ignore[union-attr]


@pytest.mark.parametrize("variant", ["chess960", "crazyhouse"])
def test_variants_are_played_by_presets_and_programs(variant: str) -> None:
    results = match("mcc?hash_mb=8", GOOD, games=4, nodes=10, max_plies=60, variant=variant, quiet=True)
    assert results.faults() == {"time_losses": 0, "crashes": 0, "stalls": 0, "illegal": 0}
    assert len(results.games) == 4
    for game in results.games:
        read = chess.pgn.read_game(io.StringIO(game.pgn))
        assert read is not None
        assert not read.errors
        assert read.headers["Variant"].lower() == variant
        assert read.end().ply() == game.plies


def test_a_tournament_lets_everybody_meet_with_both_colours_and_the_same_openings() -> None:
    names = ["a", "b", "c"]
    engines = [f"uci:{sys.executable} {ROGUE}?name={name}" for name in names]
    for kind, pairings in (("round-robin", ["ab", "ac", "bc"]), ("gauntlet", ["ab", "ac"])):
        results = tournament(engines, kind=kind, games=4, nodes=1, max_plies=20, quiet=True, concurrency=2)
        played = sorted((g.white, g.black) for g in results.games)
        assert played == sorted(2 * [(p[0], p[1]) for p in pairings] + 2 * [(p[1], p[0]) for p in pairings])
        by_pairing = [{g.opening for g in results.games if {g.white, g.black} == set(p)} for p in pairings]
        assert all(found == by_pairing[0] for found in by_pairing)


def test_a_sequential_test_ends_the_match() -> None:
    results = match(GOOD, rogue("--illegal", "2"), games=1000, nodes=1, sprt=(0, 50), quiet=True, concurrency=2)
    assert 8 < len(results.games) < 200
    assert len(results.games) == 2 * sum(results.of("good").pentanomial), "pairs are finished"
    assert results.of("good").score == 1


def test_a_match_that_is_killed_goes_on(tmp_path: Path) -> None:
    killing.kill_and_go_on(tmp_path / "match", games=12, kills=2, seed=1)
    killing.check(tmp_path / "match", games=12)


def test_stockfish_and_toga_play_clean_games(tmp_path: Path) -> None:
    for name in ("stockfish", "toga2"):
        program(name)
    results = match(
        "uci:stockfish?UCI_Elo=1350", "uci:toga2", games=4, tc="2+0.02", margin=1000, out=tmp_path, quiet=True
    )
    assert results.faults() == {"time_losses": 0, "crashes": 0, "stalls": 0, "illegal": 0}
    answer = json.loads((tmp_path / "results.json").read_text())
    assert answer["settings"]["time control"] == "2+0.02"
    assert answer["wins"] + answer["draws"] + answer["losses"] == 4
    with open(tmp_path / "games.pgn") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            assert not game.errors
            assert game.headers["Opening"]
            assert game.headers["ECO"][0] in "ABCDE"
            last = game.end()
            assert isinstance(last, chess.pgn.ChildNode)
            assert None not in (last.eval(), last.clock(), last.emt(), last.eval_depth())


def test_pgn_extract_reads_the_games(tmp_path: Path) -> None:
    extract = program("pgn-extract")
    match(rogue("--crash", "10"), GOOD, out=tmp_path, **FAST)
    run = subprocess.run([extract, "-r", tmp_path / "games.pgn"], capture_output=True, text=True)
    assert run.returncode == 0
    assert run.stderr.splitlines()[-1] == "4 games matched out of 4."


def test_an_engine_that_is_killed_costs_its_game_and_the_run_goes_on() -> None:
    killed: list[int] = []

    def kill_once(game: Game, results: Results) -> None:
        if not killed:
            (process,) = [p for p in children.alive() if "--late" in p.args]  # type: ignore[operator]
            killed.append(process.pid)
            os.kill(process.pid, signal.SIGKILL)

    plan = Plan.of([rogue("--late", "1000000"), GOOD], Conditions(games=6, nodes=1, max_plies=30))
    with Store(None, plan.settings()) as store:
        run = Run(plan, store)
        run.on_game = kill_once
        results = run.run()
    assert killed
    assert len(results.games) == 6
    assert results.faults("rogue")["crashes"] <= 1
    assert results.faults("good") == {"time_losses": 0, "crashes": 0, "stalls": 0, "illegal": 0}


def test_no_engine_outlives_a_match() -> None:
    match(rogue("--hang", "3"), GOOD, **FAST | {"games": 2}, patience=0.5)
    assert children.alive() == ()


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -1.0, 0.0, 1e300])
def test_times_that_are_none_are_refused(value: float) -> None:
    with pytest.raises(InputError, match="movetime must be a number above 0"):
        Conditions(movetime=value)
    for name in ("margin", "patience"):
        if value != 0:
            with pytest.raises(InputError, match=f"{name} must be a number from 0 on"):
                Conditions(nodes=1, **{name: value})
    with pytest.raises(InputError, match="must be a number"):
        Conditions(tc="9" * 400)
    with pytest.raises(InputError, match="fewer moves"):
        Conditions(tc="9" * 5000 + "/40")


@pytest.mark.parametrize("text", ['uci:"unbalanced', "uci:a'b", "uci:stockfish\\"])
def test_a_command_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="cannot be read as a command"):
        specs_of([text, "mcc"])


def test_a_name_that_cannot_be_printed_is_refused() -> None:
    for name in ("a\udcff", "a\x1b[31m", 'a"', "a\nb"):
        with pytest.raises(InputError, match="a name is printable"):
            specs_of([f"mcc?name={name}", "mcc"])


def test_evaluations_limit_both_players_alike_though_one_makes_more_iterations(monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[tuple[int, int]] = []
    search = Engine.search

    def watched(engine: Engine, *given: Any, **options: Any) -> Any:
        found = search(engine, *given, **options)
        searched.append((found.playouts, found.nodes))
        return found

    monkeypatch.setattr(Engine, "search", watched)
    options: dict[str, Any] = {"games": 2, "evaluations": 300, "max_plies": 8, "book": "start", "quiet": True}
    match("mcgs?hash_mb=16", "mcts?hash_mb=16", **options)
    assert {evaluated for evaluated, _ in searched} == {300}
    assert max(nodes for _, nodes in searched) > 300


@pytest.mark.parametrize("other", ["alphabeta", GOOD, "mcc?process=true"])
def test_a_player_that_cannot_count_evaluations_needs_a_limit_of_its_own(other: str) -> None:
    with pytest.raises(InputError, match=r"limit of its own, as in .*nodes=10000"):
        match("mcc", other, **FAST | {"nodes": None, "evaluations": 10})
    conditions = Conditions(evaluations=10)
    assert str(conditions.control) == "10 evaluations a move"
    Plan.of(["mcc", f"{other}{'&' if '?' in other else '?'}nodes=100"], conditions)
