"""Books from games count what was played, survive damage, and go on where they were interrupted."""

import random
from collections import Counter
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import pytest

from plyout.errors import InputError
from plyout.knowledge.books import games as module
from plyout.knowledge.books.book import open_book
from plyout.knowledge.books.entries import write_entries
from plyout.knowledge.books.games import count_games
from tests.knowledge.books.test_openings import after

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")


def write_games(path: Path, count: int, seed: int) -> list[tuple[list[chess.Move], str]]:
    """Random games, as python-chess writes them, with comments and variations that do not count."""
    rng, games = random.Random(seed), []
    with path.open("w") as file:
        for _ in range(count):
            board, game = chess.Board(), chess.pgn.Game()
            node: Any = game
            for _ in range(rng.randrange(1, 12)):
                moves = list(board.legal_moves)
                move = rng.choice(moves[:3])
                if rng.random() < 0.2:
                    node.add_variation(moves[-1], comment="not played")
                    node.variations.reverse()
                node = node.add_main_variation(move, comment="a remark" if rng.random() < 0.3 else "")
                board.push(move)
            game.headers["Result"] = rng.choice(RESULTS)
            games.append((list(board.move_stack), game.headers["Result"]))
            print(game, end="\n\n", file=file)
    return games


def tally(games: list[tuple[list[chess.Move], str]], plies: int) -> Counter[tuple[str, str, str]]:
    """(position, move, how it ended for the mover) counted plainly."""
    counts = Counter[tuple[str, str, str]]()
    for moves, result in games:
        board = chess.Board()
        for move in moves[:plies]:
            own = {"1-0": "won", "0-1": "lost"}.get(result, result)
            if not board.turn:
                own = {"won": "lost", "lost": "won"}.get(own, own)
            counts[board.epd(), move.uci(), own] += 1
            board.push(move)
    return counts


@pytest.mark.parametrize("plies", [1, 4, 24])
def test_counts_are_those_of_the_games(tmp_path: Path, plies: int) -> None:
    played = write_games(tmp_path / "a.pgn", 60, 1) + write_games(tmp_path / "b.pgn", 40, 2)
    counts = count_games([tmp_path / "a.pgn", tmp_path / "b.pgn"], tmp_path / "part", plies)
    assert counts.games == 100
    assert not counts.complaints
    for min_games in (1, 3):
        book = counts.book("test", min_games)
        expected = tally(played, plies)
        seen, boards = 0, {}
        for moves, _ in played:
            board = chess.Board()
            for move in moves[:plies]:
                boards[board.epd()] = board.copy()
                board.push(move)
        for epd, board in boards.items():
            for m in book.lookup(board):
                won, drawn, lost, open_ = (expected[epd, m.move.uci(), end] for end in ("won", "1/2-1/2", "lost", "*"))
                assert m.results == (won, drawn, lost), epd
                assert m.weight == 2 * won + drawn + open_
                assert won + drawn + lost + open_ >= min_games
                seen += 1
        often = Counter[tuple[str, str]]()
        for (epd, move, _), n in expected.items():
            often[epd, move] += n
        assert seen == sum(n >= min_games for n in often.values())


def test_results_survive_the_way_to_disk(tmp_path: Path) -> None:
    write_games(tmp_path / "a.pgn", 50, 3)
    book = count_games([tmp_path / "a.pgn"], tmp_path / "part").book("x", 1)
    write_entries(book, tmp_path / "book.tsv")
    again = open_book(tmp_path / "book.tsv")
    assert again.lookup(chess.Board()) == book.lookup(chess.Board())
    assert (again.results == book.results).all()


def test_damage_is_named_with_its_line_and_the_rest_counts(tmp_path: Path) -> None:
    path = tmp_path / "damaged.pgn"
    path.write_bytes(
        b'[Result "1-0"]\n\n1. e4 e5 2. Nf3 1-0\n\n'
        b'[Result "0-1"]\n\n1. e4 e5 2. Ke5 Nc6 0-1\n\n'
        b'[Result "1-0"]\n[Variant "Atomic"]\n\n1. d4 d5 1-0\n\n'
        b'[Result "1-0"]\n[FEN "not a position"]\n\n1. d4 d5 1-0\n\n'
        b'[Event "\xff\xfe\x00"]\n[Result "1/2-1/2"]\n\n1. e4 c5 1/2-1/2\n\n'
        b'[Result "1-0"]\n\n1. e4 e5 2. N'
    )
    counts = count_games([path], tmp_path / "part")
    book = counts.book("x", 1)
    assert counts.games == 4
    moves = {m.move.uci(): m.results for m in book.lookup(chess.Board())}
    assert moves == {"e2e4": (2, 1, 1)}
    assert {after("e4").san(m.move) for m in book.lookup(after("e4"))} == {"e5", "c5"}
    assert len(counts.complaints) >= 2
    assert counts.complaints[0].startswith(f"{path}:7: illegal san: 'Ke5'"), counts.complaints
    assert counts.complaints[1].startswith(f"{path}:1"), counts.complaints


def test_an_interrupted_reading_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files, part = [tmp_path / "a.pgn", tmp_path / "b.pgn"], tmp_path / "book.tsv.part"
    for seed, file in enumerate(files):
        write_games(file, 30, seed)
    whole = count_games(files, part)
    read_game, left = chess.pgn.read_game, [0]

    def interrupted(*arguments: Any, **more: Any) -> Any:
        if left[0] == 0:
            raise KeyboardInterrupt
        left[0] -= 1
        return read_game(*arguments, **more)

    monkeypatch.setattr(module.chess.pgn, "read_game", interrupted)
    for games in (7, 0, 31, 1):
        left[0] = games
        with pytest.raises(KeyboardInterrupt):
            count_games(files, part)
        assert part.exists()
    left[0] = 25
    again = count_games(files, part)
    assert left[0] > 0, "what had been read was read once more"
    assert (again.games, again.found) == (whole.games, whole.found)
    assert not part.exists()


def test_what_is_left_of_another_job_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    part = tmp_path / "part"
    for name in ("a.pgn", "b.pgn"):
        write_games(tmp_path / name, 5, len(name))

    def interrupted(*_: Any, **__: Any) -> Any:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(module.chess.pgn, "read_game", interrupted)
        with pytest.raises(KeyboardInterrupt):
            count_games([tmp_path / "a.pgn"], part)
    for other in ({"paths": [tmp_path / "b.pgn"]}, {"paths": [tmp_path / "a.pgn"], "plies": 3}):
        with pytest.raises(InputError, match="belongs to another build"):
            count_games(**other, part=part)  # type: ignore[arg-type]
    part.write_text('{"half')
    with pytest.raises(InputError, match="cannot be read: remove it"):
        count_games([tmp_path / "a.pgn"], part)
    with pytest.raises(InputError, match="there is no file"):
        count_games([tmp_path / "c.pgn"], part)
