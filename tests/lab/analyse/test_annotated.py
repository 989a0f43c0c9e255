"""Annotated PGN, read back: the same moves, legal variations, a value for every ply, marks where mistakes are."""

import shutil
import subprocess
from pathlib import Path

import chess
import chess.pgn
import pytest

from plyout.errors import InputError
from plyout.evaluate.scale import centipawns
from plyout.lab.analyse.analyse import PGN, Report
from plyout.lab.analyse.judge import MARKS, SIGNS
from plyout.lab.analyse.store import FILE
from plyout.lab.match.players import find_program
from tests.lab.analyse.made import (
    BLUNDER,
    LEGAL,
    MISSED,
    REPEATED,
    analysed,
    chess960_game,
    collection,
    crazyhouse_game,
    read_back,
)

GAMES = (LEGAL, BLUNDER, MISSED, REPEATED, chess960_game(), crazyhouse_game())
CHESS = 4  # the first of them are games that every program knows


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("analysed")


@pytest.fixture(scope="module")
def found(folder: Path) -> Report:
    return analysed(collection(folder, *GAMES), folder, nodes=300)


@pytest.fixture(scope="module")
def games(found: Report, folder: Path) -> list[chess.pgn.Game]:
    return read_back((folder / PGN).read_text(encoding="utf-8"))


def test_the_moves_are_the_same(games: list[chess.pgn.Game]) -> None:
    assert len(games) == len(GAMES)
    for game, text in zip(games, GAMES, strict=True):
        (given,) = read_back(text)
        assert list(game.mainline_moves()) == list(given.mainline_moves())
        for tag in given.headers:
            assert game.headers[tag].startswith(given.headers[tag])
        assert "Plyout" in game.headers["Annotator"]
        assert game.board() == given.board() and game.board().chess960 == given.board().chess960


def test_every_ply_has_the_value_that_was_found(found: Report, games: list[chess.pgn.Game]) -> None:
    for game, (_, data) in zip(games, found.games, strict=True):
        nodes = list(game.mainline())
        assert len(nodes) == len(data["moves"]) > 0
        for node, move in zip(nodes, data["moves"], strict=True):
            score = node.eval()
            assert score is not None, node
            assert node.comment.count("[%eval") == 1
            if node.board().is_checkmate():
                assert score.is_mate() and score.relative.mate() == 0
            else:
                assert (score.white().mate(), score.white().score()) == (
                    move["score"].get("mate"), move["score"].get("cp"),
                )  # fmt: skip
            if "cp" in move["score"]:
                assert abs(centipawns(move["value"]) - move["score"]["cp"]) <= 1
            else:
                assert move["value"] == (move["score"]["mate"] > 0 or move["san"].endswith("#"))


def test_marks_are_those_of_the_losses(found: Report, games: list[chess.pgn.Game]) -> None:
    for game, (_, data) in zip(games, found.games, strict=True):
        for node, move in zip(game.mainline(), data["moves"], strict=True):
            by_loss = next((SIGNS[nag] for least, nag in MARKS if move["loss"] >= least), None)
            assert move["mark"] == by_loss or (move["mark"] == "?!" and move["missed"]) or move["mark"] == "!"
            assert {SIGNS.get(nag, nag) for nag in node.nags} == ({move["mark"]} - {None})
            if move["uci"] == move["choice"]:
                assert move["loss"] == 0
                assert move["mark"] in (None, "!")


def test_a_queen_en_prise_is_a_blunder_and_what_was_better_is_shown(games: list[chess.pgn.Game]) -> None:
    node = next(node for node in games[1].mainline() if node.san() == "Qe3")
    assert node.nags == {chess.pgn.NAG_BLUNDER}
    assert "Qe3" not in [beside.san() for beside in node.parent.variations[1:]]
    (better,) = node.parent.variations[1:]
    assert better.comment == "Better." and len(list(better.mainline())) >= 3
    assert f": {better.san()} is better." in node.comment
    assert sum(bool(other.nags & {chess.pgn.NAG_BLUNDER}) for other in games[1].mainline()) == 1


def test_a_mate_that_is_missed_is_told_and_what_the_file_says_is_kept(games: list[chess.pgn.Game]) -> None:
    node = games[2].next()
    assert node is not None and node.san() == "Ra7"
    assert "There was mate in 1: Ra8#." in node.comment
    assert "[%clk 0:01:00] What next?" in node.comment
    assert node.nags & {chess.pgn.NAG_DUBIOUS_MOVE, chess.pgn.NAG_MISTAKE, chess.pgn.NAG_BLUNDER}
    assert chess.pgn.NAG_GOOD_MOVE not in node.nags, "our mark takes the place of the file's"
    assert [beside.san() for beside in games[2].variations] == ["Ra7", "Ra8#"], "the variation is there once"


def test_a_trap_is_set_and_fallen_into(found: Report, games: list[chess.pgn.Game]) -> None:
    by_name = {node.san(): node for node in games[0].mainline()}
    assert "Sets a trap: Bxd1 (" in by_name["Nxe5"].comment
    assert "Falls into a trap: Bxd1 is mated in 2." in by_name["Bxd1"].comment
    assert "After Bxd1 Black is mated in 2: 5...Bxd1 6.Bxf7+ Ke7 7.Nd5# (certificate checked" in by_name["Bxd1"].comment
    data = found.games[0][1]
    assert (data["white"]["traps_set"], data["black"]["traps_fallen_into"]) == (1, 1)
    assert by_name["Bxd1"].nags == {chess.pgn.NAG_BLUNDER}


def test_the_opening_and_the_accuracies_are_tags(found: Report, games: list[chess.pgn.Game]) -> None:
    assert (games[0].headers["ECO"], games[0].headers["Opening"]) == ("C41", "Philidor Defence")
    assert "ECO" not in games[4].headers
    for game, (_, data) in zip(games, found.games, strict=True):
        for side, colour in (("White", 0), ("Black", 1)):
            losses = [m["loss"] for m in data["moves"][colour::2] if not m["forced"]]
            accuracy = sum(100 * 0.5 ** (loss / 0.1) for loss in losses) / len(losses)
            assert data[side.lower()]["accuracy"] == pytest.approx(accuracy)
            assert game.headers[f"{side}Accuracy"] == f"{accuracy:.1f}"


def test_explanations_are_of_the_search_that_is_told(found: Report) -> None:
    told = [(data, move) for _, data in found.games for move in data["moves"] if move["why"]]
    assert told
    for _, move in told:
        assert move["why"]["why"]["move"] == move["choice"]
        assert move["uci"] in [other["move"] for other in move["why"]["why_not"]]
    for _, data in found.games:
        explained = [move["loss"] for move in data["moves"] if move["why"]]
        assert len(explained) <= 2
        rest = [move["loss"] for move in data["moves"] if not move["why"]]
        assert not explained or len(explained) < 2 or min(explained) >= max(rest), "the gravest come first"


def test_a_repetition_that_nobody_claims_is_no_end_and_one_at_the_end_is(found: Report) -> None:
    moves = found.games[3][1]["moves"]
    assert [moves[at]["san"] for at in (7, 17)] == ["Ng8", "Nb8"], "the same position for the third time"
    assert moves[7]["reply"] and not moves[17]["reply"]
    assert (moves[17]["value"], moves[17]["score"]) == (0.5, {"cp": 0})


def test_what_is_annotated_twice_is_said_once(found: Report, folder: Path, tmp_path: Path) -> None:
    shutil.copy(folder / FILE, tmp_path)
    analysed(folder / PGN, tmp_path, nodes=300)
    assert (tmp_path / PGN).read_bytes() == (folder / PGN).read_bytes()


def test_no_line_begins_with_a_percent_sign(found: Report, folder: Path) -> None:
    assert "\n%" not in (folder / PGN).read_text(encoding="utf-8")


def test_pgn_extract_reads_it(found: Report, folder: Path, tmp_path: Path) -> None:
    try:
        program = find_program("pgn-extract")
    except InputError as error:
        pytest.skip(str(error))
    text = (folder / PGN).read_text(encoding="utf-8")
    own = [str(game) for game in read_back(text)[:CHESS]]
    (tmp_path / "chess.pgn").write_text("\n\n".join(own) + "\n", encoding="utf-8")
    run = subprocess.run([program, str(tmp_path / "chess.pgn")], capture_output=True, text=True, timeout=60)
    assert run.returncode == 0
    assert f"{CHESS} games matched out of {CHESS}." in run.stderr
    assert not [line for line in run.stderr.splitlines() if "error" in line.lower() or "unable" in line.lower()]
    for game, given in zip(read_back(run.stdout), GAMES, strict=False):
        (expected,) = read_back(given)
        assert list(game.mainline_moves()) == list(expected.mainline_moves())
