"""The protocol: every command, and what may and may not be said after it."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.engine
import chess.variant
import pytest

from plyout.games.chess.border import parse_board
from plyout.presets import presets
from tests.positions import CHESS_COUNTS, CRAZYHOUSE_START, KIWIPETE, START
from tests.uci.client import Talk, is_legal, moves_of, ready_latencies, stop_latencies, without_compiling

GOLDEN = Path(__file__).with_name("golden.txt")
MATE_IN_1 = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1"
MATED = "R5k1/5ppp/8/8/8/8/8/4K3 b - - 1 1"
STALEMATE = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
CASTLES = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"


def piped(text: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A whole conversation at once."""
    return subprocess.run(
        [sys.executable, "-m", "plyout", *arguments],
        input=text, capture_output=True, text=True, timeout=120, env=os.environ | environment,
    )  # fmt: skip


def ranks(lines: list[str]) -> list[tuple[int, str]]:
    """Rank and first move of the last report."""
    found: list[tuple[int, str]] = []
    for line in lines:
        if m := re.search(r" multipv (\d+) .* pv (\S+)", line):
            if m[1] == "1":
                found.clear()
            found.append((int(m[1]), m[2]))
    return found


# -- hello ------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_uci_is_answered_before_anything_is_compiled(tmp_path: Path) -> None:
    """Chess programs give up on an engine that is silent for seconds; ``isready`` may take as long as it takes."""
    talk = Talk("uci", environment=os.environ | {"PLYOUT_CACHE": str(tmp_path)})
    talk.send("uci", "isready")
    hello = talk.timed_until("uciok")
    ready = talk.timed_until("readyok", 180)
    assert hello[-1][0] - talk.began < 5
    assert hello[0][1].startswith("id name Plyout")
    assert not any("compiling" in line for _, line in hello)
    compiling = [line for _, line in ready if line.startswith("info string compiling")]
    assert len(compiling) > 20
    assert without_compiling([line for _, line in ready]) == ["readyok"]
    assert ready[-1][0] - hello[-1][0] > 1, "isready waits for compiling"
    began = time.perf_counter()
    talk.go("nodes 50")
    assert time.perf_counter() - began < 2, "nothing is left to be compiled"
    assert talk.close() == 0


def test_uci_gives_its_name_and_well_formed_options(talk: Talk) -> None:
    lines = talk.ask("uci")
    assert re.fullmatch(r"id name Plyout \d+\.\d+\S*", lines[0])
    assert re.fullmatch(r"id author \S.*", lines[1])
    assert lines[-1] == "uciok"
    names = []
    for line in lines[2:-1]:
        found = re.fullmatch(
            r"option name (\S+(?: \S+)*) type "
            r"(?:check default (?:true|false)"
            r"|spin default (-?\d+) min (-?\d+) max (-?\d+)"
            r"|combo default (\S+)((?: var \S+)+)"
            r"|string default (\S+))",
            line,
        )
        assert found, line
        names.append(found[1].lower())
        if found[2]:
            assert int(found[3]) <= int(found[2]) <= int(found[4])
        if found[5]:
            assert found[5] in found[6].split(" var ")
    assert len(names) == len(set(names)), "UCI does not tell capitals from small letters"
    assert {"hash", "threads", "multipv", "ponder", "uci_chess960", "uci_variant", "move overhead"} <= set(names)


def test_python_chess_understands_every_option() -> None:
    with chess.engine.SimpleEngine.popen_uci([sys.executable, "-m", "plyout", "uci"]) as engine:
        options = engine.options
        assert list(options["Preset"].var or ()) == list(presets())
        assert (options["Hash"].type, options["Hash"].default, options["Hash"].min) == ("spin", 256, 1)
        assert options["Debug Log File"].default in ("", "<empty>")
        for name, option in options.items():
            if not option.is_managed():
                engine.configure({name: option.default})
        engine.ping()


def test_isready_waits_for_compiling_and_answers_during_a_search(talk: Talk) -> None:
    talk.send("go infinite", "isready")
    assert not any(line.startswith("bestmove") for line in talk.until("readyok"))
    talk.send("stop")
    talk.until("bestmove")


# -- options ----------------------------------------------------------------------------------------------------


def test_options_are_set_and_reset(talk: Talk) -> None:
    talk.ask("position startpos", "setoption name explore value 0.2", "setoption name Seed value 1")
    first = moves_and_counts(talk.go("nodes 300"))
    talk.ask("ucinewgame", "setoption name seed value 99")  # in any case of letters
    other = moves_and_counts(talk.go("nodes 300"))
    talk.ask("ucinewgame", "setoption name Seed value 1")
    assert moves_and_counts(talk.go("nodes 300")) == first != other


def moves_and_counts(lines: list[str]) -> list[str]:
    """A search without what differs from one run to the next."""
    return [re.sub(r"(nps|time) \d+", r"\1 *", line) for line in lines]


def test_names_with_blanks_and_choices_in_any_case_are_understood(talk: Talk) -> None:
    assert talk.ask("setoption name  Move  Overhead value 25", "setoption name Preset value MCC-Solver") == []
    talk.changed.add("Move Overhead")
    talk.changed.discard(" Move  Overhead")


def test_wdl_is_shown_on_request_only(talk: Talk) -> None:
    assert not any(" wdl " in line for line in talk.go("nodes 50"))
    talk.ask("setoption name UCI_ShowWDL value true")
    found = re.search(r" wdl (\d+) (\d+) (\d+) ", talk.go("nodes 50")[-2])
    assert found
    assert abs(sum(map(int, found.groups())) - 1000) <= 1


def test_the_log_holds_both_sides(talk: Talk, tmp_path: Path) -> None:
    log = tmp_path / "a log.txt"
    talk.ask(f"setoption name Debug Log File value {log}")
    talk.ask("fly", "setoption name Debug Log File value <empty>")
    lines = log.read_text(encoding="utf-8").splitlines()
    assert "> fly" in lines
    assert any(line.startswith("< info string unknown command") for line in lines)


def test_debug_says_more(talk: Talk) -> None:
    talk.ask("debug on")
    assert any(line.startswith("info currmove ") for line in talk.go("nodes 50"))
    talk.ask("debug off")
    assert not any(line.startswith("info currmove ") for line in talk.go("nodes 50"))


# -- searches ---------------------------------------------------------------------------------------------------

LIMITS = {
    "nodes": "nodes 100",
    "depth": "depth 2",
    "movetime": "movetime 60",
    "clocks": "wtime 400 btime 400 winc 10 binc 10",
    "clocks and moves to go": "wtime 200 btime 200 movestogo 5",
    "searchmoves": "nodes 100 searchmoves a2a3 h7h6",
}


@pytest.mark.parametrize("fen", [KIWIPETE, "r3k2r/p1pNqpb1/bn2pnp1/3P4/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1"])
@pytest.mark.parametrize("name", ["nodes", "depth", "movetime", "clocks", "clocks and moves to go"])
def test_a_search_with_a_limit_tells_one_legal_move(talk: Talk, name: str, fen: str) -> None:
    talk.ask(f"position fen {fen}")
    answer = talk.go(LIMITS[name])
    assert all(is_legal(line) for line in answer)
    board = chess.Board(fen)
    words = answer[-1].split()
    board.push_uci(words[1])
    if len(words) > 2:
        board.push_uci(words[3])
    pv = answer[-2].split(" pv ")[1].split()
    assert pv[0] == words[1]
    line = chess.Board(fen)
    for move in pv:
        line.push_uci(move)


def test_nodes_are_counted_exactly(talk: Talk) -> None:
    assert " nodes 123 " in talk.go("nodes 123")[-2]


def test_a_ply_deeper_takes_twice_the_nodes(talk: Talk) -> None:
    reported = []
    for depth in (1, 2, 3):
        talk.ask("ucinewgame")
        found = re.search(r"info depth (\d+) .* nodes (\d+)", talk.go(f"depth {depth}")[-2])
        assert found
        reported.append((int(found[1]), int(found[2])))
    assert [depth for depth, _ in reported] == [1, 2, 3]
    assert reported[2][1] == 2 * reported[1][1] == 4 * reported[0][1]


@pytest.mark.parametrize("milliseconds", [20, 100, 400])
def test_movetime_is_kept(talk: Talk, milliseconds: int) -> None:
    began = time.perf_counter()
    talk.go(f"movetime {milliseconds}")
    spent = 1000 * (time.perf_counter() - began)
    assert milliseconds / 2 - 10 < spent < milliseconds + 250


def test_the_clock_of_the_side_to_move_counts(talk: Talk) -> None:
    for position, clocks in (("startpos", "wtime 100 btime 900000"), ("startpos moves e2e4", "wtime 900000 btime 100")):
        talk.ask(f"position {position}")
        began = time.perf_counter()
        talk.go(clocks)
        assert time.perf_counter() - began < 2.0, "a twentieth of the other clock would be 45 s"


def test_only_searchmoves_are_searched(talk: Talk) -> None:
    talk.ask("position startpos", "setoption name MultiPV value 5")
    answer = talk.go("searchmoves a2a3 h2h3 b1a3 nodes 200")
    assert {move for _, move in ranks(answer)} == {"a2a3", "h2h3", "b1a3"}
    assert moves_of(answer) in {"a2a3", "h2h3", "b1a3"}
    assert len(ranks(talk.go("nodes 200"))) == 5, "and all moves in the next search"


@pytest.mark.parametrize("count", [1, 3, 20, 500])
def test_multipv_ranks_distinct_moves(talk: Talk, count: int) -> None:
    talk.ask("position startpos", f"setoption name MultiPV value {count}")
    answer = talk.go("nodes 500")
    found = ranks(answer)
    assert [rank for rank, _ in found] == list(range(1, min(count, 20) + 1))
    assert len({move for _, move in found}) == len(found)
    assert found[0][1] == moves_of(answer)


@pytest.mark.parametrize("limit", ["mate 1", "mate 3", "nodes 3000"])
def test_a_mate_is_found_and_said(talk: Talk, limit: str) -> None:
    talk.ask(f"position fen {MATE_IN_1}")
    answer = talk.go(limit)
    assert " score mate 1 " in answer[-2]
    assert answer[-1] == "bestmove a1a8"


def test_being_mated_is_said_with_a_minus(talk: Talk) -> None:
    talk.ask("position fen 7k/5K2/8/8/8/8/8/6R1 b - - 0 1")
    answer = talk.go("nodes 5000")
    assert " score mate -1 " in answer[-2]
    assert moves_of(answer) == "h8h7"


# -- infinite and ponder ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "go", ["go infinite", "go", "go ponder wtime 50 btime 50", "go infinite nodes 10", "go ponder"]
)
@pytest.mark.parametrize("fen", [START, MATE_IN_1, MATED, STALEMATE])
def test_no_move_is_told_before_it_is_asked_for(talk: Talk, go: str, fen: str) -> None:
    """Not even when all is known: the root is proven, or the game is over."""
    talk.ask(f"position fen {fen}")
    talk.send(go)
    said = talk.heard_within(0.25)
    assert not any(line.startswith("bestmove") for line in said)
    talk.send("stop")
    answer = talk.until("bestmove")
    move = moves_of(answer)
    board = chess.Board(fen)
    assert move == "(none)" if board.is_game_over() else chess.Move.from_uci(move) in board.legal_moves
    assert talk.ask() == [], "one move, and nothing after it"


@pytest.mark.parametrize("fen", [START, MATE_IN_1, MATED])
def test_ponderhit_lets_the_clock_run(talk: Talk, fen: str) -> None:
    talk.ask(f"position fen {fen}")
    talk.send("go ponder wtime 2000 btime 2000")
    assert not any(line.startswith("bestmove") for line in talk.heard_within(0.3))
    began = time.perf_counter()
    talk.send("ponderhit")
    when, _ = talk.timed_until("bestmove")[-1]
    assert when - began < 0.1 + 0.25
    assert talk.ask() == []


@pytest.mark.parametrize(
    "limits", ["nodes 50", "depth 1", "movetime 50", "wtime 100 btime 100", "nodes 50 movetime 50"]
)
def test_every_limit_holds_after_ponderhit(talk: Talk, limits: str) -> None:
    talk.ask("position startpos")
    talk.send(f"go ponder {limits}")
    talk.heard_within(0.1)
    talk.send("ponderhit")
    talk.until("bestmove", 5)
    assert talk.ask() == []


def test_ponderhit_at_once_is_not_lost(talk: Talk) -> None:
    talk.send("go ponder movetime 50", "ponderhit")
    talk.until("bestmove", 5)


def test_ponderhit_of_an_infinite_search_waits_for_stop(talk: Talk) -> None:
    talk.send("go ponder infinite", "ponderhit")
    assert not any(line.startswith("bestmove") for line in talk.heard_within(0.2))
    talk.send("stop")
    talk.until("bestmove")


def test_stop_at_once_gives_a_legal_move(talk: Talk) -> None:
    for _ in range(20):
        talk.send(f"position fen {KIWIPETE}", "go infinite", "stop")
        move = moves_of(talk.until("bestmove"))
        assert chess.Move.from_uci(move) in chess.Board(KIWIPETE).legal_moves


@pytest.mark.slow
def test_stop_and_isready_are_answered_at_once(talk: Talk) -> None:
    """The worst of a hundred; the bound is for busy machines, tests/soak measures."""
    talk.ask("position startpos")
    assert max(stop_latencies(talk, 100)) < 0.25
    assert max(ready_latencies(talk, 100)) < 0.25


# -- positions --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("fen", "score"), [(MATED, "mate 0"), (STALEMATE, "cp 0")])
@pytest.mark.parametrize("go", ["nodes 100", "movetime 50", "wtime 1000 btime 1000", "depth 3", "mate 2"])
def test_a_finished_game_has_no_move(talk: Talk, fen: str, score: str, go: str) -> None:
    talk.ask(f"position fen {fen}")
    assert talk.go(go) == [f"info depth 0 score {score}", "bestmove (none)"]


DRAWN_BUT_GOING_ON = {
    "fifty moves": "fen 8/8/8/4k3/8/4K3/4R3/8 w - - 100 90",
    "threefold repetition": "startpos moves " + "g1f3 g8f6 f3g1 f6g8 " * 2,
    "insufficient material": "fen 8/8/8/4k3/8/4K3/8/8 w - - 0 1",
}


@pytest.mark.parametrize("name", DRAWN_BUT_GOING_ON)
def test_a_draw_that_nobody_has_claimed_is_played_on(talk: Talk, name: str) -> None:
    """Where there are legal moves the chess program decides whether the game is over, and wants a move."""
    talk.ask(f"position {DRAWN_BUT_GOING_ON[name]}")
    board = chess.Board(talk.fen())
    assert chess.Move.from_uci(moves_of(talk.go("nodes 100"))) in board.legal_moves


def test_a_position_is_set_with_moves(talk: Talk) -> None:
    board = chess.Board()
    for move in "e2e4 c7c5 e4e5 d7d5 e5d6 e8d7".split():  # noqa: SIM905
        board.push_uci(move)
    talk.ask("position startpos moves e2e4 c7c5 e4e5 d7d5 e5d6 e8d7")
    assert talk.fen() == board.fen()
    talk.ask(f"position fen {KIWIPETE} moves e1c1 h8h4")
    assert talk.fen().startswith("r3k3/p1ppqpb1/bn2pnp1/3PN3/1p2P2r/2N2Q1p/PPPBBPPP/2KR3R w q ")


def test_a_fen_may_lack_its_counters(talk: Talk) -> None:
    assert talk.ask("position fen 4k3/8/8/8/8/8/8/R3K3 w Q -") == []
    assert talk.fen() == "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"


def test_a_new_game_is_searched_as_the_first(talk: Talk) -> None:
    """Everything learnt is forgotten, and the streams of random numbers begin anew."""
    talk.ask("ucinewgame", "position startpos")
    first = moves_and_counts(talk.go("nodes 400"))
    talk.go("nodes 400")
    talk.ask("ucinewgame")
    assert talk.fen() == START
    assert moves_and_counts(talk.go("nodes 400")) == first


def test_there_is_a_position_before_any_was_set() -> None:
    run = piped("go nodes 20\n", "uci")
    assert chess.Move.from_uci(moves_of(run.stdout.splitlines())) in chess.Board().legal_moves


# -- variants ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("chess960", "position", "castling"),
    [
        ("false", f"fen {CASTLES}", "e1g1"),
        ("true", f"fen {CASTLES}", "e1h1"),
        ("true", "startpos moves g1f3 g8f6 g2g3 g7g6 f1g2 f8g7", "e1h1"),
        ("true", "fen 4k3/8/8/8/8/8/8/1K4RR w H - 0 1", None),
        ("false", "fen 4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1"),
        ("true", "fen 4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1"),
    ],
)
def test_castling_is_written_as_the_mode_wants_it(
    talk: Talk, chess960: str, position: str, castling: str | None
) -> None:
    """In Chess960 the king takes his own rook, from the ordinary start position, too."""
    talk.ask(f"setoption name UCI_Chess960 value {chess960}", f"position {position}")
    if castling is None:
        return
    answer = talk.go(f"nodes 50 searchmoves {castling}")
    assert moves_of(answer) == castling
    assert f" pv {castling}" in answer[-2]


def test_both_ways_to_write_castling_are_understood(talk: Talk) -> None:
    for chess960 in ("false", "true"):
        talk.ask(f"setoption name UCI_Chess960 value {chess960}")
        found = set()
        for move in ("e1h1", "e1g1"):
            talk.ask(f"position fen {CASTLES} moves {move}")
            found.add(talk.fen())
        assert found == {"4k3/8/8/8/8/8/8/5RK1 b - - 1 1"}


def test_chess960_is_recognised_by_its_rights(talk: Talk) -> None:
    fen = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"
    assert talk.ask(f"position fen {fen}") == []
    move = moves_of(talk.go("nodes 100"))
    assert chess.Board(fen, chess960=True).is_legal(chess.Move.from_uci(move))


def test_a_new_game_of_chess960_is_one_of_chess960(talk: Talk) -> None:
    talk.ask("setoption name UCI_Chess960 value true", "ucinewgame")
    talk.ask("position startpos moves g1f3 g8f6 g2g3 g7g6 f1g2 f8g7")
    assert moves_of(talk.go("nodes 20 searchmoves e1g1")) == "e1h1"


def test_crazyhouse_is_played(talk: Talk) -> None:
    talk.ask("setoption name Preset value mcc", "setoption name UCI_Variant value crazyhouse")
    assert talk.fen() == CRAZYHOUSE_START
    fen = "2k5/8/8/8/8/8/8/4K3[Qn] w - - 0 1"
    talk.ask(f"position fen {fen} moves Q@c5")
    assert talk.fen() == "2k5/8/8/2Q5/8/8/8/4K3[n] b - - 1 1"
    talk.ask(f"position fen {fen}", "setoption name MultiPV value 500")
    answer = talk.go("nodes 500")
    board = chess.variant.CrazyhouseBoard(fen)
    assert {move for _, move in ranks(answer)} == {move.uci() for move in board.legal_moves}
    assert talk.ask("perft 1")[-1] == "Nodes searched: 67"
    assert [line[:17] for line in talk.ask("eval")] == ["info string eval:"]


# -- commands for people ----------------------------------------------------------------------------------------


def test_d_shows_the_board(talk: Talk) -> None:
    talk.ask(f"position fen {KIWIPETE}")
    lines = talk.ask("d")
    assert lines == [*str(chess.Board(KIWIPETE)).splitlines(), "", f"Fen: {KIWIPETE}"]


def test_d_shows_the_board_during_a_search(talk: Talk) -> None:
    talk.send("go infinite", "d")
    talk.until(lambda line: line == f"Fen: {START}")
    talk.send("stop")
    talk.until("bestmove")


def test_eval_is_white_s_and_the_same_for_both_sides_to_move(talk: Talk) -> None:
    values = []
    for fen in ("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", "4k3/8/8/8/8/8/8/Q3K3 b - - 0 1", "q3k3/8/8/8/8/8/8/4K3 w - - 0 1"):
        talk.ask(f"position fen {fen}")
        found = re.fullmatch(r"info string static evaluation ([+-]\d+\.\d\d) pawns for White", talk.ask("eval")[0])
        assert found
        values.append(float(found[1]))
    assert values[0] == pytest.approx(values[1], abs=0.015)  # whole centipawns
    assert values[0] > 5
    assert values[2] < -5


def test_tree_shows_the_moves_of_the_last_search(talk: Talk) -> None:
    talk.ask("position startpos")
    best = moves_of(talk.go("nodes 300"))
    lines = talk.ask("tree")
    assert len(lines) == 10
    assert len(talk.ask("tree 3")) == 3
    assert lines[0].startswith(f"info string {best} visits ")
    assert len(talk.ask("tree 100")) == 20


@pytest.mark.parametrize("command", ["perft", "go perft"])
@pytest.mark.parametrize("fen", [START, KIWIPETE, "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"])
def test_perft_counts(talk: Talk, command: str, fen: str) -> None:
    talk.ask(f"position fen {fen}")
    for depth, count in enumerate(CHESS_COUNTS[fen][:3], 1):
        lines = talk.ask(f"{command} {depth}")
        assert lines[-1] == f"Nodes searched: {count}"
        parts = dict(line.split(": ") for line in lines[:-2])
        assert sum(map(int, parts.values())) == count
        board = parse_board(fen)
        assert {board.parse_uci(move) for move in parts} == set(board.legal_moves)
    assert talk.ask(f"{command} 0")[-1] == "Nodes searched: 1"


@pytest.mark.slow
def test_bench_shows_nodes_and_speed(talk: Talk) -> None:
    lines = talk.ask("bench")
    assert [line.split(":")[0] for line in lines] == ["Nodes searched", "Nodes/second"]
    assert lines[0] == "Nodes searched: 20000"


def test_help_names_every_command(talk: Talk) -> None:
    (line,) = talk.ask("help")
    commands = line.removeprefix("info string commands: ").split(", ")
    for name in "uci isready setoption position go stop ponderhit quit d eval tree perft bench help".split():  # noqa: SIM905
        assert name in commands


# -- the end ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("go", ["", "go infinite", "go ponder wtime 1000 btime 1000", "go nodes 100", "go movetime 50"])
@pytest.mark.parametrize("end", ["quit\n", ""])
def test_the_process_ends_with_its_input(go: str, end: str) -> None:
    """At ``quit`` or without it; a search with a limit is finished, so that a pipe gets its answer."""
    began = time.perf_counter()
    run = piped(f"isready\n{go}\n{end}", "uci")
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.count("bestmove") == (1 if go else 0)
    assert time.perf_counter() - began < 15
    if go == "go nodes 100" and not end:
        assert " nodes 100 " in run.stdout


def test_quit_while_compiling_ends_at_once(tmp_path: Path) -> None:
    began = time.perf_counter()
    run = piped("uci\nquit\n", "uci", PLYOUT_CACHE=str(tmp_path))
    assert (run.returncode, run.stderr) == (0, "")
    assert time.perf_counter() - began < 8


def test_plyout_alone_speaks_uci_into_a_pipe() -> None:
    run = piped("uci\nposition startpos\ngo nodes 50\n")
    assert (run.returncode, run.stderr) == (0, "")
    lines = without_compiling(run.stdout.splitlines())
    assert "uciok" in lines
    assert lines[-1].startswith("bestmove ")


# -- the golden transcript --------------------------------------------------------------------------------------

SESSION = f"""\
uci
setoption name Hash value 16
setoption name Seed value 7
isready
position startpos
go nodes 500
position startpos moves e2e4 e7e5
go nodes 500
ucinewgame
setoption name MultiPV value 3
setoption name UCI_ShowWDL value true
position fen {KIWIPETE}
go nodes 1000
tree 4
go nodes 200 searchmoves e1g1 e1c1
setoption name UCI_Chess960 value true
position fen {KIWIPETE}
go nodes 200 searchmoves e1h1 e1a1
setoption name UCI_Chess960 value false
position fen {MATE_IN_1}
go nodes 2000
d
eval
perft 1
position fen {MATED}
go nodes 10
setoption name MultiPV value 1
setoption name Preset value mcc
setoption name UCI_Variant value crazyhouse
position fen 2k5/8/8/8/8/8/8/4K3[QRBNPqrbnp] w - - 0 1
go nodes 500
position startpos moves e2e5
go nodes many
fly
"""


def transcript() -> str:
    """The session, each line with its answers; times are masked, news of compiling left out."""
    talk = Talk("uci")
    heard: list[str] = []
    for line in SESSION.splitlines():
        heard.append(f"> {line}")
        if line.startswith("go nodes") and "many" not in line:
            heard += moves_and_counts(talk.go(line.removeprefix("go "), 180))
        else:
            talk.send(line, "isready")
            said = without_compiling(talk.until("readyok", 180))[:-1]
            heard += said
    assert talk.close() == 0
    return "\n".join(heard) + "\n"


@pytest.fixture(scope="module")
def transcripts() -> Iterator[tuple[str, str]]:
    yield transcript(), transcript()


def test_the_same_session_gives_the_same_answers(transcripts: tuple[str, str]) -> None:
    assert transcripts[0] == transcripts[1]


def test_the_session_is_the_one_on_record(transcripts: tuple[str, str]) -> None:
    """Names of presets and the version may change; a search may not, but on purpose: then write the file anew.

    python -m tests.uci.test_protocol
    """
    assert _without_hello(transcripts[0]) == _without_hello(GOLDEN.read_text(encoding="utf-8"))


def _without_hello(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if not line.startswith(("id ", "option ")))


if __name__ == "__main__":
    GOLDEN.write_text(transcript(), encoding="utf-8")
