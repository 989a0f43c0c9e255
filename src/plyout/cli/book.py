"""``plyout book``: opening books inspected, built from games, converted."""

from pathlib import Path
from typing import Annotated, Any

import typer

from plyout.cli.common import ChessFen, Json, Moves, complain, parse_position, print_json
from plyout.cli.output import output_file
from plyout.errors import InputError

app = typer.Typer(help="Opening books: inspect them, build them from games, convert them.", rich_markup_mode=None)

_KINDS = "own, a Polyglot .bin, a table of openings .tsv (eco, name, pgn), a folder of those, or a book built here"
Which = Annotated[str, typer.Argument(metavar="BOOK", help=_KINDS + ".")]
Out = Annotated[Path, typer.Option(help="The file to write: .bin is Polyglot's form, .tsv is text.")]


@app.command()
def info(book: Which = "own", as_json: Json = False) -> None:
    """What is in a book: positions, moves, lines, and what could not be read."""
    from plyout.knowledge.books.book import open_book

    found = open_book(book)
    results = [int(n) for n in found.results.sum(axis=0)]
    longest = int(found.depths.max(initial=0))
    answer = {
        "book": book, "positions": found.positions, "moves": len(found), "longest_line": longest,
        "results": {"won": results[0], "drawn": results[1], "lost": results[2]} if any(results) else None,
        "left_out": found.complaints,
    }  # fmt: skip
    if as_json:
        print_json(answer)
        return
    complain("left out", found.complaints)
    print(f"{book}: {found.positions:,} positions, {len(found):,} moves, the longest line has {longest} plies")
    if any(results):
        total = sum(results)
        print("moves won {:.1f} %, drawn {:.1f} %, lost {:.1f} %".format(*(100 * n / total for n in results)))


@app.command()
def lookup(
    book: Which = "own",
    fen: ChessFen = "startpos",
    moves: Moves = "",
    as_json: Json = False,
) -> None:
    """The moves that a book knows in a position, and what the opening is called."""
    from plyout.knowledge.books.book import open_book
    from plyout.knowledge.books.openings import opening_name

    board, found = parse_position("chess", fen, moves), open_book(book)
    name, known = opening_name(board), found.lookup(board)
    if as_json:
        rows = [m.as_dict() | {"san": board.san(m.move)} for m in known]
        print_json(
            {"fen": board.fen(), "opening": {"eco": name[0], "name": name[1]} if name else None}
            | {"moves": rows, "left_out": found.complaints}
        )
        return
    complain("left out", found.complaints)
    if name:
        print(f"{name[0]} {name[1]}")
    if not known:
        print("the book does not know this position")
    for m in known:
        played = "  won {}, drawn {}, lost {}".format(*m.results) if any(m.results) else ""
        deep = f"  line of {m.depth} plies" if m.depth else ""
        print(f"{board.san(m.move):8} {100 * m.share:5.1f} %  weight {m.weight:g}{deep}{played}")


@app.command()
def build(
    games: Annotated[list[Path], typer.Argument(help="PGN files.")],
    out: Out,
    plies: Annotated[int, typer.Option(min=1, max=200, help="How many plies of each game to count.")] = 24,
    min_games: Annotated[int, typer.Option(min=1, help="Leave out moves that were played less often.")] = 2,
    as_json: Json = False,
) -> None:
    """Build a book from games. Ctrl-C keeps what has been counted; the same command continues from there.

    Takes about a minute for 30,000 games.
    """
    from plyout.knowledge.books.games import count_games

    _must_be_a_form(out)
    counts = count_games(games, out.with_name(out.name + ".part"), plies, quiet=as_json)
    book = counts.book(str(out), min_games)
    if not len(book):
        why = (
            f"no move was played {min_games} times: lower --min-games" if counts.games else "there are no games in PGN"
        )
        raise InputError(f"nothing is written: {why}")
    _write(book, out)
    answer = {"book": str(out), "games": counts.games, "positions": book.positions, "moves": len(book)}
    if as_json:
        print_json(answer | {"left_out": counts.complaints})
        return
    complain("left out", counts.complaints)
    print(f"{out}: {counts.games:,} games, {book.positions:,} positions, {len(book):,} moves")


@app.command()
def export(book: Which, out: Out, as_json: Json = False) -> None:
    """Write a book in another form: Polyglot's for other programs, or text."""
    from plyout.knowledge.books.book import open_book

    _must_be_a_form(out)
    found = open_book(book)
    _write(found, out)
    answer = {"book": str(out), "positions": found.positions, "moves": len(found), "left_out": found.complaints}
    if as_json:
        print_json(answer)
        return
    complain("left out", found.complaints)
    print(f"{out}: {found.positions:,} positions, {len(found):,} moves")


def _must_be_a_form(out: Path) -> None:
    if out.suffix not in (".bin", ".tsv"):
        raise InputError(f"--out must end in .bin (Polyglot) or .tsv (text), not {out.name!r}")
    output_file(out)


def _write(book: Any, out: Path) -> None:
    from plyout.knowledge.books.entries import write_entries
    from plyout.knowledge.books.polyglot import write_polyglot

    (write_polyglot if out.suffix == ".bin" else write_entries)(book, out)
