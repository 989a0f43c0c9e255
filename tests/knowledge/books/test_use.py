"""What engines do with their books, in whole searches and games."""

from pathlib import Path
from typing import Any

import chess
import pytest

from plyout import Engine, Limits
from plyout.engine.result import Result
from plyout.errors import InputError
from plyout.evaluate.scale import centipawns
from plyout.evaluate.static import centipawns_of
from plyout.knowledge.books.book import own_book
from plyout.presets import presets
from tests.knowledge.books.test_book import GNUCHESS
from tests.knowledge.books.test_openings import after

WEIGHTED: dict[str, Any] = {"book": "own", "book_use": "weighted"}


def line(engine: Engine, nodes: int = 50, plies: int = 60) -> tuple[chess.Board, list[Result]]:
    """The engine plays both sides until it is out of book."""
    board, results = chess.Board(), []
    while len(board.move_stack) < plies:
        results.append(engine.search(board, Limits(nodes=nodes)))
        if not results[-1].book:
            break
        board.push(results[-1].move)
    return board, results


@pytest.mark.parametrize("use", ["best", "weighted"])
def test_book_moves_are_played_at_once_and_search_begins_where_the_book_ends(use: str) -> None:
    board, results = line(Engine("singh-mcts", hash_mb=8, book="own", book_use=use))
    assert len(board.move_stack) >= 3
    assert all(r.nodes == 0 and r.seconds == 0 and len(r.moves) == 1 for r in results[:-1])
    assert results[-1].nodes == 50
    assert not own_book().lookup(board)


def test_other_seeds_play_other_openings_and_the_same_seed_the_same() -> None:
    engines = (Engine("singh-mcts", hash_mb=8, seed=seed, **WEIGHTED) for seed in (1, 1, 2, 3, 4, 5))
    lines = [line(engine)[0].move_stack for engine in engines]
    assert lines[0] == lines[1]
    assert len({tuple(moves) for moves in lines}) >= 4


def test_a_search_without_end_or_for_a_mate_or_of_some_moves_is_a_search() -> None:
    engine = Engine("singh-mcts", hash_mb=8, **WEIGHTED)
    for limits in (Limits(infinite=True, nodes=20), Limits(mate=1, nodes=20)):
        result = engine.search(chess.Board(), limits)
        assert not result.book
        assert result.nodes == 20
    result = engine.search(chess.Board(), Limits(nodes=20), moves=[chess.Move.from_uci("a2a4")])
    assert str(result.move) == "a2a4"


@pytest.mark.parametrize("name", ["mcc", "mcc-combined", "mcc-rave", "mcc-widening", "singh-mcts", "mcts"])
def test_every_use_works_with_any_preset(name: str) -> None:
    board = after("e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3")
    known = {m.move for m in own_book().lookup(board)}
    shares = {}
    for use in (None, "explore", "prune", "bias"):
        changes: dict[str, Any] = {"book": "own", "book_use": use} if use else {}
        result = Engine(name, hash_mb=16, book_bonus=500, **changes).search(board, Limits(nodes=1000))
        shares[use] = sum(m.visits for m in result.moves if m.move in known) / sum(m.visits for m in result.moves)
    assert shares["prune"] == 1
    assert shares["explore"] > shares[None] + 0.2
    assert shares["bias"] > shares[None] + 0.1


def test_pruning_proves_nothing_about_moves_that_it_leaves_out(tmp_path: Path) -> None:
    """The book's only move loses at once, which says nothing about the others."""
    path = tmp_path / "bad.tsv"
    path.write_text("eco\tname\tpgn\nA00\tFool's mate\tf3 e5 g4 Qh4#\n")
    engine = Engine("mcc-solver", hash_mb=8, book=str(path), book_use="prune")
    result = engine.search(after("f3 e5"), Limits(nodes=2000))
    assert result.proof is None
    assert str(result.move) != "g2g4"
    assert next(m.proof for m in result.moves if str(m.move) == "g2g4") == "loss"


def test_the_book_of_gnuchess_is_played_and_searched() -> None:
    if not GNUCHESS.is_file():
        pytest.skip(f"{GNUCHESS} is not there; Debian's package gnuchess-book has it")
    board, results = line(Engine("mcc", hash_mb=8, book=str(GNUCHESS)), plies=12)
    assert len(board.move_stack) == 12
    assert all(r.book for r in results)
    for use in ("prune", "bias", "explore"):
        engine = Engine("mcc", hash_mb=8, book=str(GNUCHESS), book_use=use)
        assert engine.opening is not None
        known = {m.move for m in engine.opening.book.lookup(board)}
        result = engine.search(board, Limits(nodes=300))
        assert result.nodes == 300
        assert use != "prune" or {m.move for m in result.moves if m.visits} <= known


def test_a_wrong_book_is_the_users_mistake(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no book"):
        Engine("mcc", book=str(tmp_path / "none.bin"))
    with pytest.raises(InputError, match="books are for chess only: in tictactoe"):
        Engine("mcc", "tictactoe", book="own")
    with pytest.raises(InputError, match="book_use must be one of best, weighted, explore, prune, bias, not 'often'"):
        Engine("mcc", book="own", book_use="often")


def test_the_presets_of_the_paper_differ_only_in_the_book() -> None:
    plain = presets()["nnue-mcts"]
    for name in ("dm-mcts", "iec-mcts", "prune-mcts", "bias-mcts"):
        found = presets()[name]
        assert found.rules == plain.rules
        assert {k: v for k, v in found.parameters.items() if not k.startswith("book")} == plain.parameters
    own = presets()["singh-mcts"]
    assert own.rules == plain.rules
    assert own.parameters | {"value_net": "stockfish"} == plain.parameters


# -- the leaf rule ----------------------------------------------------------------------------------------------


def leaf_value(fen: str) -> int:
    """The value of one leaf, read back as centipawns of the side to move."""
    result = Engine("singh-mcts", hash_mb=1, squash=400).search(fen, Limits(nodes=1))
    root = result.tree.root
    return centipawns(float(result.tree.graph.nodes["value"][root]))


def test_with_even_material_a_leaf_is_its_evaluation() -> None:
    for fen in (chess.STARTING_FEN, "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"):
        assert leaf_value(fen) == centipawns_of(chess.Board(fen))


def test_with_uneven_material_captures_are_played_out() -> None:
    """A pawn down, but the queen hangs."""
    fen = "4k3/8/8/3q4/4P3/8/8/3QK3 w - - 0 1"
    assert leaf_value(fen) > centipawns_of(chess.Board(fen)) + 500
    quiet = "4k3/8/8/8/4P3/8/8/4K3 w - - 0 1"
    assert leaf_value(quiet) == centipawns_of(chess.Board(quiet))
