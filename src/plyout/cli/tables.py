"""``plyout tables …``: endgame tables listed, built, verified, probed and fetched."""

import time
from typing import Annotated, Any

import typer

from plyout.cli.common import Json, print_json
from plyout.cli.output import output_folder
from plyout.errors import InputError

app = typer.Typer(help="Endgame tables: list, build, verify, probe.", rich_markup_mode=None)

Pieces = Annotated[int, typer.Option(min=3, max=4, help="Endings of up to so many pieces, kings included.")]


@app.command("list")
def list_tables(pieces: Pieces = 4, as_json: Json = False) -> None:
    """Show every ending: whether its table is there, its size, and the longest mate in it."""
    from plyout.knowledge.tables.files import HEADER, tables_folder
    from plyout.knowledge.tables.library import SHIPPED, longest, read_tables

    rows, built, total = [], 0, 0
    for table in read_tables(tables_folder(), pieces):
        size = table.ending.entries + (0 if table.state == SHIPPED else HEADER)
        row: dict[str, Any] = {"ending": table.ending.name, "state": table.state, "bytes": size}
        if table.usable:
            mates = longest(table.ending, table.codes)
            row["longest_mate"] = {side: {"moves": moves, "fen": fen} for side, (moves, fen) in mates.items()}
            built, total = built + 1, total + size
        rows.append(row)
    if as_json:
        print_json({"folder": str(tables_folder()), "bytes": total, "tables": rows})
        return
    print(f"{tables_folder()}\n\nending       bytes  longest mate, in moves of the winner")
    for row in rows:
        last = row["state"]
        if "longest_mate" in row:
            texts = [f"{side} {mate['moves']}: {mate['fen'][:-8]}" for side, mate in row["longest_mate"].items()]
            last = "; ".join(texts) or "-"
        print(f"{row['ending']:6} {row['bytes']:>11,}  {last}")
    print(f"\n{built} of {len(rows)} tables, {total / 1e6:.1f} MB (those of three pieces come with plyout)")


@app.command("build")
def build_tables(
    pieces: Pieces = 4,
    ending: Annotated[
        list[str] | None, typer.Option(help="Only this ending, and those it leads to; may be repeated.")
    ] = None,
    threads: Annotated[int | None, typer.Option(min=1, max=256, help="Threads.  [default: all cores]")] = None,
    as_json: Json = False,
) -> None:
    """Build the tables that are missing or damaged. Ctrl-C loses only the table that is being made.

    The five of three pieces come with plyout and need not be built. Takes about a minute on two cores.
    """
    from plyout.knowledge.tables.builder import build
    from plyout.knowledge.tables.endings import ending as ending_named
    from plyout.knowledge.tables.files import HEADER, tables_folder

    began = time.perf_counter()
    names = [ending_named(name) for name in ending] if ending else None
    built = build(pieces, only=names, threads=threads, quiet=as_json)
    seconds, size = time.perf_counter() - began, sum(e.entries + HEADER for e in built)
    if as_json:
        answer = {"folder": str(tables_folder()), "built": [e.name for e in built], "bytes": size, "seconds": seconds}
        print_json(answer)
    elif built:
        print(f"built {len(built)} tables, {size / 1e6:.1f} MB, in {seconds:.1f} s: {tables_folder()}")
    else:
        print(f"nothing to build: all tables are there, and whole: {tables_folder()}")


@app.command("verify")
def verify_tables(pieces: Pieces = 4, as_json: Json = False) -> None:
    """Check the tables that are there: file and checksum, and every entry against what the moves from it lead to.

    Takes about a minute for all of them.
    """
    import os

    from plyout.knowledge.tables.builder import check
    from plyout.knowledge.tables.files import tables_folder
    from plyout.knowledge.tables.generate import Workers
    from plyout.knowledge.tables.library import MISSING, Library, read_tables
    from plyout.progress import Progress

    found = {table.ending.name: table for table in read_tables(tables_folder(), pieces)}
    library = Library(list(found.values()))
    wrong = {name: table.state for name, table in found.items() if table.damaged}
    whole = {name: found[name] for name in library.tables}
    there = [t for t in whole.values() if all(after.name in library.tables for after in t.ending.leads_to())]
    unchecked = [name for name, table in whole.items() if table not in there]  # for want of the tables they lead to
    size = sum(table.ending.entries for table in there)
    with Workers(os.cpu_count() or 1) as workers, Progress("verify", size / 1e6, quiet=as_json) as progress:
        for table in there:
            progress.describe(f"{table.ending.name:5} (MB)")
            bad = check(table, library, workers)
            if bad:
                wrong[table.ending.name] = f"wrong in {bad.fen()}"
            progress.step(table.ending.entries / 1e6)
    if as_json:
        print_json({"folder": str(tables_folder()), "verified": len(there), "wrong": wrong, "unchecked": unchecked})
    else:
        for name, what in wrong.items():
            print(f"{found[name].path}: {what}")
        if unchecked:
            print(f"not checked, because tables that they lead to are missing: {', '.join(unchecked)}")
        missing = sum(table.state == MISSING for table in found.values())
        print(f"{len(there)} tables verified, {size:,} entries; {len(wrong)} wrong, {missing} not built")
    if wrong:
        raise typer.Exit(1)


@app.command("probe")
def probe_tables(
    fen: Annotated[str, typer.Option("--fen", help="A position of three or four pieces.")],
    as_json: Json = False,
) -> None:
    """Probe the tables: the result of a position, its distance to mate, and best play."""
    from plyout.games.chess.border import parse_board
    from plyout.knowledge.tables.library import open_tables

    board = parse_board(fen)
    pieces = board.occupied.bit_count()
    if pieces > 4:
        raise InputError(f"the tables hold positions of up to four pieces, and this one has {pieces}: {fen!r}")
    if board.castling_rights:
        raise InputError(f"the tables hold no positions with castling rights: {fen!r}")
    tables = open_tables(max(pieces, 3))
    answer = tables.probe(board)
    if answer is None:
        raise InputError("the table of this ending is not there: 'plyout tables build' makes it")
    line, plies = tables.line(board), answer.plies
    moves = None if plies is None else (plies + 1) // 2
    in_time = plies is None or board.halfmove_clock + plies <= 100
    if as_json:
        known = {"fen": board.fen(), "result": answer.result, "plies": plies, "moves": moves}
        print_json(known | {"before_fifty_moves": in_time, "line": [move.uci() for move in line]})
        return
    side = "White" if board.turn else "Black"
    if plies is None:
        print("drawn")
    else:
        verb = "mates" if answer.result == "win" else "is mated"
        print(f"{side} {verb} in {moves} move{'s' * (moves != 1)} ({plies} plies)" if plies else f"{side} is mated")
        print(board.variation_san(line))
        if not in_time:
            print("the fifty-move rule comes first, unless a capture or pawn move does")


@app.command("fetch-syzygy")
def fetch_syzygy(as_json: Json = False) -> None:
    """Fetch the 3- and 4-piece Syzygy tables out of PyPI's source archive of 'chess', with pip."""
    from plyout.knowledge.tables.fetch import fetch, syzygy_folder

    folder, count = fetch(output_folder(syzygy_folder(), "XDG_DATA_HOME"))
    if as_json:
        print_json({"folder": str(folder), "files": count})
        return
    print(f"{count} Syzygy tables, checked: {folder}")
    print(f"use them with: plyout search --set syzygy_path={folder}  (UCI: option SyzygyPath)")
