"""The trap laboratory: the study's tables, density, visits to refutation, and the positions that are shipped."""

import csv
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import chess
import chess.engine
import chess.pgn
import numpy as np
import pytest
from scipy import stats

from plyout.engine import Engine
from plyout.errors import InputError
from plyout.games import CHESS
from plyout.lab.match.players import find_program
from plyout.lab.traps import density as trap_density
from plyout.lab.traps import positions as trap_positions
from plyout.lab.traps import study as trap_study
from plyout.lab.traps import suite
from plyout.lab.traps import visits as trap_visits
from plyout.lab.traps.expected import accurate
from plyout.lab.traps.tabled import tabled
from plyout.search.similarity import MEASURES, Settings
from tests.search.proof import brute

SMALL = "6k1/5ppp/8/8/8/8/r4PPP/3R2K1 b - - 0 1"


@pytest.fixture(scope="module")
def small() -> trap_study.Study:
    return trap_study.study(trap_study.grandchildren(SMALL), 1, Settings(), quiet=True)


def test_the_grandchildren_are_those_of_python_chess(small: trap_study.Study) -> None:
    board = chess.Board(SMALL)
    expected = []
    for move in board.legal_moves:
        board.push(move)
        expected += [(move.uci(), reply.uci()) for reply in board.legal_moves]
        board.pop()
    assert Counter(pair.labels for pair in small.pairs) == Counter(expected)


def test_a_trap_persists_if_both_positions_have_one(small: trap_study.Study) -> None:
    def traps(board: chess.Board) -> set[chess.Move]:
        found = set()
        for move in list(board.legal_moves):
            board.push(move)
            if brute.mates_within(board, 1):
                found.add(move)
            board.pop()
        return found

    root = chess.Board(SMALL)
    before = traps(root)
    assert before
    for i in range(0, len(small.pairs), 7):
        board = root.copy()
        for text in small.pairs[i].labels:
            board.push_uci(text)
        assert small.persists[i] == bool(traps(board)), board.fen()
    assert small.persists.any() and not small.persists.all()


def test_legals_grandchildren_are_as_alike_as_in_the_thesis() -> None:
    """Tables 5.2, 5.3 and 5.5, 5.6, all five features; of two measures in another way than the thesis tells them."""
    done = trap_study.study(trap_study.grandchildren(trap_study.LEGAL), 3, Settings(), quiet=True)
    as_they_are = {**done.observed, **tabled(done.pairs)}
    tables = trap_study.tables(replace(done, observed=as_they_are))
    for name in ("5.2", "5.3", "5.5", "5.6"):
        for row in tables[name]:
            for feature, paper in row["paper"].items():
                assert row["ours"][feature] == pytest.approx(paper, abs=0.00055), (name, row["measure"], feature)


def test_the_unit_test_of_the_measures_is_on_a_hundred_pairs() -> None:
    """Half of them are two plies apart, the others of other games; the recursive measures as printed lack symmetry."""
    firsts, seconds = (states.reshape(100, -1) for states in suite.pairs())
    assert (firsts[:, 0] == seconds[:, 0]).all(), "the same side is to move"
    for first, second in zip(firsts[:50], seconds[:50], strict=True):
        between = [CHESS.after(first, move) for move in CHESS.moves(first)]
        assert any((CHESS.after(state, move) == second).all() for state in between for move in CHESS.moves(state))
    for measure in MEASURES:
        found = {way: suite.check(measure, Settings(one_to_one=way)) for way in (False, True)}
        assert all(one.normalised and one.microseconds > 0 for one in found.values())
        assert found[True].symmetric
        assert found[False].symmetric == (measure != "recursive-legal-actions"), measure
        assert suite.aheuristic(measure)
    assert accurate("legal-actions", Settings())


def test_features_are_those_of_scipy() -> None:
    values = np.random.default_rng(1).random(40) ** 3
    found = trap_study.features(values)
    assert found is not None
    assert found.skw == pytest.approx(stats.skew(values))
    assert found.std == pytest.approx(stats.tstd(values))
    assert trap_study.features(values[:0]) is None
    assert trap_study.features(np.full(9, 0.3)).skw == 0.0  # type: ignore[union-attr]


def test_tables_and_observations_are_written(small: trap_study.Study, tmp_path: Path) -> None:
    written = trap_study.write(small, tmp_path)
    assert {path.name for path in written} == {"observations.csv"} | {f"table-5.{i}.csv" for i in (1, 2, 3, 5, 6)}
    with (tmp_path / "observations.csv").open(encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    assert list(lines[0]) == ["first", "second", *MEASURES, "trap"]
    assert len(lines) == len(small.pairs)
    assert [bool(int(line["trap"])) for line in lines] == list(small.persists)
    table = trap_study.tables(small)["5.2"]
    ours = next(row["ours"] for row in table if row["measure"] == "legal-actions")
    kept = [float(line["legal-actions"]) for line in lines if line["trap"] == "1"]
    assert ours["avg"] == pytest.approx(np.mean(kept), abs=1e-5)
    assert table[3]["paper"]["avg"] == 0.740


def test_histograms_are_drawn(small: trap_study.Study, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed: pip install plyout[lab]")
    from plyout.lab.traps import plots as trap_plots

    files = trap_plots.histograms(small, tmp_path)
    assert len(files) == 2 * (len(MEASURES) + 1)
    assert all(file.stat().st_size > 1000 for file in files)
    assert (tmp_path / "histogram-pieces.png").read_bytes().startswith(b"\x89PNG")


def test_pairs_come_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "pairs.csv"
    file.write_text(f"first,second\n{SMALL},{SMALL}\n", encoding="utf-8")
    done = trap_study.study(trap_study.pairs_in(file), 1, Settings(), quiet=True)
    assert list(done.persists) == [True]
    assert done.observed["legal-actions"][0] == 1.0
    file.write_text(f"{SMALL},nonsense\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 1: not a FEN"):
        trap_study.pairs_in(file)
    file.write_text(f"{SMALL}\n", encoding="utf-8")
    with pytest.raises(InputError, match="expected two FENs"):
        trap_study.pairs_in(file)


# -- density -----------------------------------------------------------------------------------------------------------


def a_pgn(path: Path, games: int) -> Path:
    rng = random.Random(1)
    texts = []
    for _ in range(games):
        board = chess.Board()
        while len(board.move_stack) < 40 and not board.is_game_over():
            board.push(rng.choice(list(board.legal_moves)))
        texts.append(str(chess.pgn.Game.from_board(board)))
    path.write_text("\n\n".join(texts) + "\n", encoding="utf-8")
    return path


def test_density_counts_the_traps_and_goes_on_where_it_was(tmp_path: Path) -> None:
    chosen = trap_density.sample(a_pgn(tmp_path / "games.pgn", 5), 30, seed=1)
    assert chosen == trap_density.sample(tmp_path / "games.pgn", 30, seed=1)
    store = tmp_path / "counts.csv"
    trap_density.density(chosen[:4], 1, 10**6, store, quiet=True)
    counted = trap_density.density(chosen, 1, 10**6, store, quiet=True)
    assert counted == trap_density.density(chosen, 1, 10**6, store, quiet=True)
    assert len(store.read_text(encoding="utf-8").splitlines()) == 1 + len(chosen)
    for one in counted:
        board = chess.Board(one.fen)
        expected = 0
        for move in list(board.legal_moves):
            board.push(move)
            expected += brute.mates_within(board, 1)
            board.pop()
        assert one.traps[1] == expected
    rows = trap_density.summary(counted, 1)
    assert sum(row["positions"] for row in rows) == len(chosen)


def test_a_level_that_was_cut_short_is_not_counted() -> None:
    counts = trap_density.count_traps(chess.STARTING_FEN, 5, 500)
    assert counts == {1: 0, 3: 0, 5: None}


def test_a_file_without_games_is_said(tmp_path: Path) -> None:
    (tmp_path / "x.pgn").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="has no games of chess"):
        trap_density.sample(tmp_path / "x.pgn", 10, 1)
    with pytest.raises(InputError, match="cannot read"):
        trap_density.sample(tmp_path / "y.pgn", 10, 1)


# -- trap positions ----------------------------------------------------------------------------------------------------


def test_at_least_200_positions_are_shipped_and_no_two_are_the_same() -> None:
    records = trap_positions.shipped()
    assert len({record.board.epd() for record in records}) == len(records) >= 200
    assert {record.level for record in records} == {3, 5}
    for record in records:
        assert record.line[0] in record.traps
        assert len(record.line) == record.level + 1
        board = record.board.copy()
        assert set(record.traps) < set(board.legal_moves)
        for move in record.line:
            assert move in board.legal_moves
            board.push(move)
        assert board.is_checkmate()
        assert trap_positions.read(record.epd, "itself") == [record]


def test_refutations_are_proven_by_python_chess() -> None:
    """Mates in two, every move of both sides tried."""
    records = [record for record in trap_positions.shipped() if record.level == 3]
    for record in records[::4]:
        board = record.board.copy()
        board.push(record.line[0])
        assert brute.mates_within(board, 3), record.epd


def test_refutations_are_wins_to_stockfish() -> None:
    """It sees a mate, too, if not always the shortest."""
    try:
        program = find_program("stockfish")
    except InputError as error:
        pytest.skip(str(error))
    with chess.engine.SimpleEngine.popen_uci(program) as engine:
        for record in trap_positions.shipped()[::3]:
            board = record.board.copy()
            board.push(record.line[0])
            score = engine.analyse(board, chess.engine.Limit(mate=(record.level + 1) // 2, nodes=1_000_000))[
                "score"
            ].relative
            assert (score.mate() or 0) > 0, record.epd


def test_what_is_no_record_is_said() -> None:
    with pytest.raises(InputError, match=r"x\.epd, line 2: not a trap position"):
        trap_positions.read(f"\n{chess.STARTING_FEN[:-4]} am e4;\n", "x.epd")


def test_mining_gives_the_same_again() -> None:
    def first(start: int) -> tuple[int, str]:
        return next((game, record.epd) for game, record in trap_positions.mine(seed=1, first_game=start) if record)

    game, epd = first(2)
    assert first(2) == (game, epd)
    assert first(game) == (game, epd), "a game does not depend on those before it"


def test_visits_count_until_the_trap_is_left_for_good() -> None:
    record = next(r for r in trap_positions.shipped() if r.level == 3)
    asked = trap_visits.steps(100)
    assert asked == [16, 32, 64, 100]
    at_once = trap_visits.measure(["ta-mcc-root"], [record], asked, 1, quiet=True)[0]
    assert at_once.needed == [16]
    assert at_once.curve(asked) == [0.0] * 4
    visits = trap_visits.Visits("x", [16, None, 64])
    assert visits.curve(asked) == [2 / 3, 2 / 3, 1 / 3, 1 / 3]
    assert visits.as_dict()["median"] == 64


def test_a_trap_that_is_returned_to_was_not_left() -> None:
    class Wavering(Engine):
        """Plays the trap at the second question only."""

        def search(self, position, limits, **how):  # type: ignore[no-untyped-def, override]
            self.asked = getattr(self, "asked", 0) + 1
            result = super().search(position, limits, **how)
            trap = (
                record.line[0]
                if self.asked == 2
                else next(m for m in record.board.legal_moves if m not in record.traps)
            )
            return type(result)(**{**result.__dict__, "move": trap})

    record = trap_positions.shipped()[0]
    assert trap_visits.visits_to_refutation(Wavering("mcc", hash_mb=2), record, [16, 32, 64]) == 64


def test_the_study_of_the_thesis_is_of_legals_position() -> None:
    assert CHESS.parse(trap_study.LEGAL)[0] == 1
    with pytest.raises(InputError, match="no grandchildren"):
        trap_study.grandchildren("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
