"""Puzzles: what is shipped is proven, what is read is understood, and only forced mates count."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import chess
import chess.engine
import pytest

from plyout.engine import Engine, Limits
from plyout.errors import InputError
from plyout.games import state_of
from plyout.games.chess.border import encode
from plyout.lab.match.players import find_program
from plyout.lab.puzzles.mine import is_sacrifice, mates, single_solution
from plyout.lab.puzzles.read import Puzzle, read_puzzles
from plyout.lab.puzzles.solve import attempt, solve
from tests.search.proof import brute

FILES = {"mate-in-2.epd": (219, 2), "mate-in-3.epd": (100, 3)}


@pytest.mark.parametrize("name", FILES)
def test_the_shipped_puzzles_are_as_many_as_they_should_be_and_all_different(name: str) -> None:
    count, moves = FILES[name]
    puzzles = read_puzzles(name)
    assert len(puzzles) == count
    assert len({p.board.epd() for p in puzzles}) == count
    assert all(p.mate == moves and len(p.best) == 1 for p in puzzles)
    assert all(is_sacrifice(state_of(p.board), encode(p.board, p.best[0])) for p in puzzles)


def test_python_chess_agrees_that_they_are_mates_in_two_with_one_solution() -> None:
    for puzzle in read_puzzles("mate-in-2.epd")[::40]:
        assert brute.distance(puzzle.board.copy(), 3) == 3
        for move in puzzle.board.legal_moves:
            after = puzzle.board.copy()
            after.push(move)
            assert brute.is_mated_within(after, 2) == (move == puzzle.best[0]), puzzle.board.fen()


@pytest.mark.parametrize("name", FILES)
def test_stockfish_agrees(name: str) -> None:
    try:
        path = find_program("stockfish")
    except InputError as error:
        pytest.skip(str(error))
    with chess.engine.SimpleEngine.popen_uci(path) as engine:
        for puzzle in read_puzzles(name)[::10]:
            found = engine.analyse(puzzle.board, chess.engine.Limit(mate=puzzle.mate, time=30))
            assert found["score"].relative.mate() == puzzle.mate, puzzle.board.fen()
            assert found["pv"][0] == puzzle.best[0], puzzle.board.fen()


def test_mining_again_gives_the_shipped_puzzles() -> None:
    mined = (epd for epd in mates(2, 1, sacrifice=True) if epd is not None)
    assert next(mined).split(" bm ")[0] == read_puzzles("mate-in-2.epd")[0].board.epd()


def test_a_second_solution_or_a_shorter_mate_is_no_puzzle() -> None:
    assert single_solution(state_of(chess.Board("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1")), 2) is None, "mate in one"
    assert single_solution(state_of(chess.Board("7k/8/5K2/8/8/8/8/Q6Q w - - 0 1")), 2) is None, "many ways"


TEXT = """\
Somebody vs NN, nowhere, 1900
r2qkb1r/pp2nppp/3p4/2pNN1B1/2BnP3/3P4/PPP2PPP/R2bK2R w KQkq - 1 0
1. Nf6+ gxf6 2. Bxf7# *


White wins
7k/8/8/8/8/8/R7/K7 b - - 0 1
1... Kg8
"""


def test_text_with_title_position_and_solution_is_read(tmp_path: Path) -> None:
    (tmp_path / "p.txt").write_text(TEXT)
    first, second = read_puzzles(str(tmp_path / "p.txt"))
    assert (first.name, first.mate, first.best) == (
        "Somebody vs NN, nowhere, 1900", 2, [chess.Move.from_uci("d5f6")]
    )  # fmt: skip
    assert (second.mate, second.best) == (None, [chess.Move.from_uci("h8g8")])


def test_epd_is_read_with_best_moves_moves_to_avoid_and_mates(tmp_path: Path) -> None:
    (tmp_path / "p.epd").write_text(
        '4k3/8/8/8/8/8/8/4K2R w K - bm O-O Rh8+; id "one";\n4k3/8/8/8/8/8/8/4K2R w K - am Rh2;\n'
        "6k1/5ppp/8/8/8/8/8/R3K3 w Q - dm 1;\n"
    )
    one, two, three = read_puzzles(str(tmp_path / "p.epd"))
    assert one.name == "one"
    assert set(one.best) == {chess.Move.from_uci("e1g1"), chess.Move.from_uci("h1h8")}
    assert two.avoid == [chess.Move.from_uci("h1h2")]
    assert three.mate == 1
    assert (one.asked, two.asked, three.asked) == ("O-O or Rh8+", "not Rh2", "mate in 1")


@pytest.mark.parametrize(
    "text", ["", "hello\n", '4k3/8/8/8/8/8/8/4K2R w K - id "nothing asked";\n', "8/8/8/8/8/8/8/K7 w - - 0 1\n1. Ka2\n"]
)
def test_what_is_no_puzzle_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "p").write_text(text)
    with pytest.raises(InputError):
        read_puzzles(str(tmp_path / "p"))
    with pytest.raises(InputError, match=r"mate-in-2\.epd"):
        read_puzzles(str(tmp_path / "missing"))


class Scripted:
    """An engine that plays what it is told."""

    def __init__(self, *moves: str) -> None:
        self._moves = iter(moves)

    def new_game(self) -> None: ...

    def prepare(self) -> None: ...

    def search(self, board: chess.Board, limits: Limits) -> Any:
        return SimpleNamespace(move=board.parse_san(next(self._moves)), nodes=1, seconds=0.0)


def test_a_mate_must_be_forced_to_its_end() -> None:
    board = chess.Board("r1b2k1r/ppp1bppp/8/1B1Q4/5q2/2P5/PPP2PPP/R3R1K1 w - - 1 1")
    puzzle = Puzzle("Zukertort", board, [board.parse_san("Qd8+")], [], 2)

    def solved(*moves: str) -> bool:
        engine: Any = Scripted(*moves)
        return attempt(engine, puzzle, Limits(nodes=1)).solved

    assert solved("Qd8+", "Re8#")
    assert not solved("Qd8+", "Re2"), "right at first, and then not"
    assert not solved("Qd3"), "not forced"


def test_alpha_beta_solves_at_depth_three_and_lists_what_it_does_not_at_depth_one() -> None:
    engine, puzzles = Engine("alphabeta-v1", hash_mb=4), read_puzzles("mate-in-2.epd")[:60]
    seen = []
    assert all(a.solved for a in solve(engine, puzzles, Limits(depth=3), seen.append))
    assert len(seen) == 60
    shallow = solve(engine, puzzles, Limits(depth=1), lambda a: None)
    assert sum(a.solved for a in shallow) < 20
    assert all(a.as_dict()["line"] for a in shallow)


def test_the_set_of_the_paper_is_solved_at_depth_three(data_file: Callable[[str], Path]) -> None:
    puzzles = read_puzzles(str(data_file("mate-in-2.txt")))
    assert len(puzzles) == 221
    engine = Engine("alphabeta-v1", hash_mb=4)
    assert all(a.solved for a in solve(engine, puzzles, Limits(depth=3), lambda a: None))
