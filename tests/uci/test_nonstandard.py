"""Commands that UCI does not have: d, eval, tree, perft, bench and help."""

import re

import chess
import pytest

from plyout.games.chess.border import parse_board
from tests.positions import CHESS_COUNTS, KIWIPETE, START
from tests.uci.client import Talk, moves_of


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
