"""Losses, marks and accuracies by the rules that the page states, from analyses that are made up."""

from typing import Any

import chess
import chess.pgn
import pytest

from plyout.lab.analyse.analyst import name_of
from plyout.lab.analyse.games import Given, next_key
from plyout.lab.analyse.judge import Judge, summary
from tests.lab.analyse.made import read_back

BLUNDER, MISTAKE, DUBIOUS, GOOD = (
    chess.pgn.NAG_BLUNDER, chess.pgn.NAG_MISTAKE, chess.pgn.NAG_DUBIOUS_MOVE, chess.pgn.NAG_GOOD_MOVE,
)  # fmt: skip
Table = dict[str, dict[str, Any]]


def game(text: str = "1. e4 e5 2. Nf3 *") -> Given:
    (found,) = read_back(text)
    return Given(1, found, tuple(found.mainline_moves()))


def position(value: float, move: str, **more: Any) -> dict[str, Any]:
    """An analysis; the value is that of the side to move."""
    plain = {"cp": 0, "mate": None, "proof": None, "nodes": 100, "line": [move], "prior": 0.5, "rank": 1}
    return {"value": value, "move": move, **plain, "second": 0.1, "legal": 20, "traps": [], **more}


def table(given: Given, *positions: dict[str, Any]) -> Table:
    keys = [key for key, _ in given.boards()]
    return {name_of("position", key): record for key, record in zip(keys, positions, strict=True)}


QUIET = (position(0.5, "e2e4"), position(0.5, "e7e5"), position(0.5, "g1f3"), position(0.5, "b8c6"))


def judged(given: Given, records: Table, why: int = 0) -> Judge:
    judge = Judge(given, records, why)
    assert judge.missing == []
    return judge


def test_positions_that_are_not_there_are_missing_one_by_one() -> None:
    given = game()
    records = table(given, *QUIET)
    gone = list(records)[2]
    del records[gone]
    assert [task.name for task in Judge(given, records, 0).missing] == [gone]


def test_the_choice_of_the_search_loses_nothing_whatever_comes_out() -> None:
    given = game()
    moves = judged(given, table(given, QUIET[0], position(0.9, "e7e5"), *QUIET[2:])).moves
    assert (moves[0].loss, moves[0].nag, moves[0].accuracy) == (0.0, None, 100.0)


@pytest.mark.parametrize(
    ("after", "nag"),
    [(0.54, None), (0.5501, DUBIOUS), (0.6001, MISTAKE), (0.7001, BLUNDER), (1.0, BLUNDER), (0.3, None)],
)
def test_marks_go_by_what_is_lost(after: float, nag: int | None) -> None:
    given = game()
    records = table(given, position(0.5, "d2d4"), position(after, "e7e5"), *QUIET[2:])
    better = next_key(next(given.boards())[0], chess.Move.from_uci("d2d4"))
    if nag:
        assert [task.name for task in Judge(given, records, 0).missing] == [name_of("position", better)]
    records[name_of("position", better)] = position(0.45, "d7d5", line=["d7d5", "c2c4"])
    (move, *_) = judged(given, records).moves
    assert move.loss == pytest.approx(max(0.0, 0.5 - (1 - after)))
    assert move.nag == nag
    if nag:
        assert move.line == ["d2d4", "d7d5", "c2c4"]


def test_a_mistake_must_be_one_in_the_eyes_of_two_searches() -> None:
    given = game()
    records = table(given, position(0.8, "d2d4"), *QUIET[1:])
    better = next_key(next(given.boards())[0], chess.Move.from_uci("d2d4"))
    records[name_of("position", better)] = position(0.48, "d7d5")
    (move, *_) = judged(given, records).moves
    assert (move.loss, move.nag, move.checked) == (pytest.approx(0.02), None, 0.52)


def test_a_mate_let_slip_is_dubious_at_least() -> None:
    given = game()
    won = position(1.0, "d2d4", mate=3, proof="win", cp=None)
    (move, *_) = judged(given, table(given, won, position(0.01, "e7e5"), *QUIET[2:])).moves
    assert (move.missed, move.nag) == (3, DUBIOUS)
    (move, *_) = judged(given, table(given, won, position(0.0, "e7e5", proof="loss"), *QUIET[2:])).moves
    assert (move.missed, move.nag) == (None, None), "another mate will do"
    (move, *_) = judged(given, table(given, won | {"move": "e2e4"}, position(0.01, "e7e5"), *QUIET[2:])).moves
    assert (move.missed, move.nag) == (None, None), "the mating move was played, though the next search is too short"


def test_a_good_move_was_hidden_and_nothing_else_will_do() -> None:
    given = game()
    hidden = position(0.5, "e2e4", prior=0.03, rank=5, second=0.35)
    records = table(given, hidden, *QUIET[1:])
    name = name_of("without", next(given.boards())[0], given.moves[0])
    assert [task.name for task in Judge(given, records, 0).missing] == [name]
    for without, nag in ((0.39, GOOD), (0.41, None)):
        assert judged(given, records | {name: {"value": without}}).moves[0].nag == nag
    for seen in ({"rank": 1}, {"prior": 0.2}, {"second": 0.48}, {"mate": 1}, {"legal": 1}):
        assert judged(given, table(given, hidden | seen, *QUIET[1:])).moves[0].nag is None


def test_the_gravest_mistakes_are_explained() -> None:
    given = game("1. f3 e5 2. g4 Qh4# *")
    records = table(
        given, position(0.5, "e2e4"), position(0.7, "d7d5"), position(0.4, "e2e4"), position(1.0, "d8h4", mate=1), {}
    )
    keys = [key for key, _ in given.boards()]
    for at, move in ((0, "e2e4"), (1, "d7d5"), (2, "e2e4")):
        records[name_of("position", next_key(keys[at], chess.Move.from_uci(move)))] = position(0.2, "a7a6")
    asked = [Judge(given, records, most).missing for most in range(4)]
    wanted = [[(task.kind, str(task.move), task.nodes) for task in tasks] for tasks in asked]
    assert wanted[0] == []
    assert wanted[1] == [("why", "g2g4", 100)]
    assert wanted[2] == wanted[3] == [("why", "f2f3", 100), ("why", "g2g4", 100)]


def test_a_mate_on_the_board_needs_no_search() -> None:
    given = game("1. f3 e5 2. g4 Qh4# *")
    keys = [key for key, _ in given.boards()]
    assert [task.key for task in Judge(given, {}, 0).missing] == keys[:-1]
    first = (position(0.5, "f2f3"), position(0.5, "e7e5"), position(0.4, "g2g4"))
    judge = judged(given, table(given, *first, position(1.0, "d8h4", mate=1, proof="win"), {}))
    assert (judge.positions[-1]["mate"], judge.moves[-1].after, judge.moves[-1].missed) == (0, 1.0, None)


def test_traps_are_set_once_and_fallen_into() -> None:
    given = game("1. e4 e5 2. Nf3 Nc6 3. Bc4 *")
    trap = {"move": "f7f6", "tempting": ["highest prior"], "mate": 2, "line": ["f3e5"]}
    held = position(0.5, "b8c6", traps=[trap])
    records = table(given, *QUIET[:3], held, position(0.5, "f1c4"), position(0.5, "f8c5", traps=[trap]))
    moves = judged(given, records).moves
    assert [len(move.traps) for move in moves] == [0, 0, 1, 0, 0]
    assert [move.fell for move in moves] == [None] * 5
    fallen = game("1. e4 e5 2. Nf3 f6 *")
    records = table(fallen, *QUIET[:3], held, position(0.5, "f3e5"))
    assert judged(fallen, records).moves[3].fell == trap


def test_accuracy_halves_with_each_tenth_of_a_point_and_forced_moves_do_not_count() -> None:
    given = game()
    first = position(0.5, "d2d4", proof="draw")  # proven: the better move is not looked at again
    moves = judged(given, table(given, first, position(0.625, "e7e5"), position(0.5, "g1f3", legal=1), QUIET[3])).moves
    assert moves[0].loss == 0.125
    assert moves[0].accuracy == pytest.approx(100 / 2**1.25)
    white, black = summary(moves, chess.WHITE), summary(moves, chess.BLACK)
    assert (white["accuracy"], black["accuracy"]) == (moves[0].accuracy, 100.0)
    assert white["loss"] == 0.125
    assert (white["moves"], white["marks"]) == (2, {"??": 0, "?": 1, "?!": 0, "!": 0})
    assert summary([], chess.WHITE)["accuracy"] is None
