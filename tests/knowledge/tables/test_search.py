"""The search uses endgame tables: in playouts, as proofs of new nodes, and at the root."""

import random
from pathlib import Path

import chess
import pytest

from plyout import Engine, Limits
from plyout.errors import InputError
from plyout.games.chess.border import from_board
from plyout.knowledge.tables import ENDINGS, Library, open_tables
from plyout.knowledge.tables.probe import HITS
from plyout.parameters import Leaf, group, values
from plyout.playout.playouts import chess_evaluator
from plyout.playout.scratch import new_scratch
from plyout.presets import preset
from tests.knowledge.tables import oracle
from tests.uci.client import Talk

QUEEN = "8/8/8/8/8/2k5/8/KQ6 w - - 0 1"
TAKES_A_ROOK = "8/8/4k3/8/8/8/Kr6/R7 w - - 0 1"  # KRK after Kxb2
EIGHT_PIECES = "4k3/pp6/8/8/8/8/PP4R1/4K1r1 w - - 0 1"


def won(library: Library, name: str, rng: random.Random) -> chess.Board:
    while True:
        board = oracle.random_position(ENDINGS[name], rng)
        answer = library.probe(board)
        if answer and answer.result == "win" and answer.plies and answer.plies > 1:
            return board


def best_defence(library: Library, board: chess.Board, rng: random.Random) -> chess.Move:
    """One of the moves of a lost position that put the mate off longest."""
    plies = {}
    for move in list(board.legal_moves):
        board.push(move)
        answer = library.probe(board)
        board.pop()
        assert answer and answer.plies, board.fen()
        plies[move] = answer.plies
    return rng.choice([move for move in plies if plies[move] == max(plies.values())])


def moves_to_mate(engine: Engine, library: Library, board: chess.Board, rng: random.Random) -> int:
    """Plies that the engine needs to mate against the table's best defence."""
    winner, plies = board.turn, 0
    while not board.is_game_over(claim_draw=True):
        if board.turn == winner:
            move = engine.search(board, Limits(nodes=100)).move
        else:
            move = best_defence(library, board, rng)
        board.push(move)
        plies += 1
    assert board.is_checkmate() and board.turn != winner, board.fen()
    return plies


@pytest.mark.slow
def test_the_engine_mates_in_exactly_the_tables_distance(four: Library) -> None:
    rng, engine = random.Random(1), Engine("mcc-combined", hash_mb=1)
    for name in ("KBNK", "KQKR", "KRKN"):
        for _ in range(2):
            board = won(four, name, rng)
            answer = four.probe(board)
            assert answer is not None
            assert moves_to_mate(engine, four, board.copy(), rng) == answer.plies, board.fen()


def test_a_root_that_tables_know_is_answered_without_search() -> None:
    result = Engine("mcc-combined", hash_mb=1).search(QUEEN, Limits(nodes=100))
    assert (result.proof, result.mate, result.mate_is_shortest, result.nodes) == ("win", 6, True, 0)
    board = chess.Board(QUEEN)
    for move in result.pv:
        board.push(move)
    assert board.is_checkmate() and len(result.pv) == 11
    assert result.tbhits > 20
    lost = Engine("mcc-combined", hash_mb=1).search("8/8/8/8/8/2k5/8/KQ6 b - - 0 1", Limits(nodes=100))
    answer = open_tables(3).probe(chess.Board("8/8/8/8/8/2k5/8/KQ6 b - - 0 1"))
    assert answer and (lost.proof, lost.mate) == ("loss", -(answer.plies or 0) // 2)


def test_a_drawn_root_is_drawn() -> None:
    board = chess.Board("8/8/8/8/4k3/8/4P3/4K3 w - - 0 1")
    assert open_tables(3).probe(board) == ("draw", None)
    result = Engine("mcc-combined", hash_mb=1).search(board, Limits(nodes=100))
    assert result.proof == "draw"
    board.push(result.move)
    assert open_tables(3).probe(board) == ("draw", None)


def test_only_the_moves_asked_for_are_proven() -> None:
    slow = chess.Move.from_uci("b1b2")
    result = Engine("mcc-combined", hash_mb=1).search(QUEEN, Limits(nodes=100), moves=[slow])
    assert (result.move, result.mate, len(result.moves)) == (slow, 7, 1)


def test_a_new_node_that_tables_know_is_proven() -> None:
    result = Engine("mcc-combined", hash_mb=1, decisive=0).search(TAKES_A_ROOK, Limits(nodes=3000))
    assert (str(result.move), result.proof) == ("a2b2", "win")
    answer = open_tables(3).probe(chess.Board("8/8/4k3/8/8/8/1K6/R7 b - - 0 1"))
    assert answer and result.mate == (answer.plies + 2) // 2  # type: ignore[operator]
    without = Engine("mcc-combined", hash_mb=1, tables=0).search(TAKES_A_ROOK, Limits(nodes=3000))
    assert (without.proof, without.tbhits) == (None, 0)


def test_a_proof_by_tables_has_no_certificate() -> None:
    result = Engine("mcc-combined", hash_mb=1).search(TAKES_A_ROOK, Limits(nodes=3000))
    with pytest.raises(InputError, match="rests on endgame tables"):
        result.certificate()
    with pytest.raises(InputError, match="rests on endgame tables"):
        Engine("mcc-combined", hash_mb=1).search(QUEEN, Limits(nodes=3000)).certificate()


def test_a_mate_that_the_fifty_move_rule_forestalls_is_not_claimed() -> None:
    """Mate in 16, or 31 plies: with 69 on the clock there is time, with 70 there is not."""
    for clock, proof in ((69, "win"), (70, None)):
        fen = f"8/8/8/8/8/2k5/1R6/K7 w - - {clock} 90"
        assert Engine("mcc-combined", hash_mb=1).search(fen, Limits(nodes=50)).proof == proof


def test_a_position_with_castling_rights_is_searched() -> None:
    result = Engine("mcc-combined", hash_mb=1).search("4k3/8/8/8/8/8/8/4K2R w K - 0 1", Limits(nodes=50))
    assert result.nodes > 0


def test_tables_are_ignored_while_the_root_has_fewer_pieces_than_required() -> None:
    few = "4k3/8/8/8/8/8/PP4R1/4K1r1 w - - 0 1"
    for name in ("mcc-gtb3", "mcc-gtb4"):
        assert Engine(name, hash_mb=1).search(EIGHT_PIECES, Limits(nodes=300)).tbhits > 0
        assert Engine(name, hash_mb=1).search(few, Limits(nodes=300)).tbhits == 0
        assert Engine(name, hash_mb=1, tables_from=6).search(few, Limits(nodes=300)).tbhits > 0
        same = [Engine(n, hash_mb=1).search(few, Limits(nodes=300)).moves[0].value for n in (name, "mcc")]
        assert same[0] == same[1]


@pytest.mark.parametrize("name", ["mcc", "mcc-combined", "mcc-hp-eval", "mcc-rave"])
def test_a_playout_ends_at_once_where_tables_know(name: str) -> None:
    library, rng = open_tables(3), random.Random(8)
    numbers = values(preset(name).parameters)
    scratch, leaf = new_scratch(library.directory, numbers["rave"] > 0), group(Leaf, numbers)
    score = {"win": 1.0, "draw": 0.5, "loss": 0.0}
    seen = set()
    for _ in range(60):
        board = oracle.random_position(ENDINGS[rng.choice(["KQK", "KRK", "KPK"])], rng)
        scratch.rng[0], answer = 7, library.probe(board)
        assert answer is not None
        assert chess_evaluator(from_board(board), scratch, leaf) == score[answer.result]
        assert scratch.rng[0] == 7, "no random number was drawn"
        seen.add(answer.result)
    assert seen == set(score)
    assert scratch.directory[HITS] == 60


def test_threads_share_the_tables() -> None:
    result = Engine("mcc-gtb3", hash_mb=4, threads=2).search(EIGHT_PIECES, Limits(nodes=2000))
    assert result.nodes == 2000 and result.tbhits > 0


def test_tables_are_for_chess_only() -> None:
    for change in ({"tables": 3}, {"syzygy_path": "x"}):
        with pytest.raises(InputError, match="for chess only"):
            Engine("mcc", "crazyhouse", **change)
    for pieces in (1, 2):
        with pytest.raises(InputError, match="tables for 3 and for 4 pieces"):
            Engine("mcc", tables=pieces).search(QUEEN, Limits(nodes=1))


# -- the user's own tables ------------------------------------------------------------------------------------------


def test_gaviotas_tables_prove_the_root_with_its_distance() -> None:
    oracle.open_gaviota()
    result = Engine("mcc", hash_mb=1, gaviota_path=str(oracle.GAVIOTA)).search(QUEEN, Limits(nodes=100))
    assert (result.proof, result.mate, result.nodes) == ("win", 6, 0)
    result = Engine("mcc-solver", hash_mb=1, gaviota_path=str(oracle.GAVIOTA)).search(TAKES_A_ROOK, Limits(nodes=3000))
    assert (str(result.move), result.proof) == ("a2b2", "win")
    assert result.mate == Engine("mcc-solver", hash_mb=1, tables=3).search(TAKES_A_ROOK, Limits(nodes=3000)).mate


def test_syzygys_tables_prove_who_wins_but_not_when() -> None:
    path = str(oracle.syzygy_path())
    result = Engine("mcc", hash_mb=1, syzygy_path=path).search(QUEEN, Limits(nodes=100))
    assert (result.proof, result.mate, result.mate_is_shortest, result.value) == ("win", None, False, 1.0)
    assert result.score == {"cp": 1600}
    result = Engine("mcc-solver", hash_mb=1, syzygy_path=path).search(
        "8/8/4k3/8/8/8/Kr5n/R7 w - - 0 1", Limits(nodes=3000)
    )  # five pieces: the tables come in at expansion
    assert result.tbhits > 0 and result.nodes > 0


def test_syzygys_tables_win_within_the_fifty_move_rule() -> None:
    engine, theirs = Engine("mcc", hash_mb=1, syzygy_path=str(oracle.syzygy_path())), oracle.open_syzygy()
    for fen in (QUEEN, "8/8/8/8/8/2k5/1R6/K7 w - - 0 1", "8/8/8/1k6/8/8/K5P1/8 w - - 0 1"):
        board = chess.Board(fen)
        assert theirs.probe_wdl(board) == 2
        moves_to_mate(engine, open_tables(3), board, random.Random(9))


def test_our_own_tables_come_before_the_users() -> None:
    result = Engine("mcc-combined", hash_mb=1, syzygy_path=str(oracle.syzygy_path())).search(QUEEN, Limits(nodes=10))
    assert result.mate == 6


def test_a_folder_without_tables_is_the_users_mistake(tmp_path: Path) -> None:
    for name in ("syzygy_path", "gaviota_path"):
        with pytest.raises(InputError, match=f"{name}: there are no .* tables in"):
            Engine("mcc", **{name: str(tmp_path)})
        with pytest.raises(InputError, match=f"{name}: there is no folder"):
            Engine("mcc", **{name: str(tmp_path / "none")})


def test_uci_programs_set_the_users_folders_and_count_hits() -> None:
    talk = Talk("uci", "--preset", "mcc")
    talk.send(f"setoption name SyzygyPath value {oracle.syzygy_path()}", f"position fen {QUEEN}")
    lines = talk.go("nodes 100")
    assert "score cp 1600 " in lines[-2] and int(lines[-2].split(" tbhits ")[1].split()[0]) > 20
    assert chess.Move.from_uci(lines[-1].split()[1]) in chess.Board(QUEEN).legal_moves
    assert talk.ask("setoption name SyzygyPath value /no/such/folder")[0].startswith(
        "info string syzygy_path: there is no folder"
    )
    assert talk.close() == 0
