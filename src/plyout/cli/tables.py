"""``plyout tables …``: endgame tables listed, built, verified, probed and fetched."""

import time
from typing import Annotated, Any

import typer

from plyout.cli.common import Json, print_json
from plyout.errors import InputError

app = typer.Typer(help="Endgame tables: list, build, verify, probe.", rich_markup_mode=None, no_args_is_help=True)

Pieces = Annotated[int, typer.Option(min=3, max=4, help="Endings of up to so many pieces, kings included.")]


@app.command("list")
def list_tables(pieces: Pieces = 4, as_json: Json = False) -> None:
    """Show every ending: whether its table is there, its size, and the longest mate in it."""
    from plyout.knowledge.tables.files import tables_folder
    from plyout.knowledge.tables.library import longest, look_through

    rows = []
    for about in look_through(tables_folder(), pieces):
        row: dict[str, Any] = {"ending": about.ending.name, "state": about.state, "bytes": about.ending.entries + 64}
        if about.built:
            row["longest_mate"] = {
                side: {"moves": moves, "fen": fen} for side, (moves, fen) in longest(about.ending, about.table).items()
            }
        rows.append(row)
    total = sum(row["bytes"] for row in rows if row["state"] == "built")
    if as_json:
        print_json({"folder": str(tables_folder()), "bytes": total, "tables": rows})
        return
    print(f"{tables_folder()}\n\nending       bytes  longest mate, in moves of the winner")
    for row in rows:
        mates = [f"{side} {mate['moves']}: {mate['fen'][:-8]}" for side, mate in row.get("longest_mate", {}).items()]
        last = "; ".join(mates) or "-" if row["state"] == "built" else row["state"]
        print(f"{row['ending']:6} {row['bytes']:>11,}  {last}")
    built = sum(row["state"] == "built" for row in rows)
    print(f"\n{built} of {len(rows)} tables, {total / 1e6:.1f} MB")


@app.command("build")
def build_tables(
    pieces: Pieces = 4,
    ending: Annotated[
        list[str] | None, typer.Option(help="Only this ending, and those it leads to; may be repeated.")
    ] = None,
    threads: Annotated[int | None, typer.Option(min=1, max=256, help="Threads.  [default: all cores]")] = None,
    as_json: Json = False,
) -> None:
    """Build the tables that are missing or damaged. Ctrl-C loses only the table that is being made."""
    from plyout.knowledge.tables.endings import ending as ending_named
    from plyout.knowledge.tables.files import tables_folder
    from plyout.knowledge.tables.library import build

    began = time.perf_counter()
    names = [ending_named(name) for name in ending] if ending else None
    built = build(pieces, names=names, threads=threads, quiet=as_json)
    seconds, size = time.perf_counter() - began, sum(e.entries + 64 for e in built)
    if as_json:
        answer = {"folder": str(tables_folder()), "built": [e.name for e in built], "bytes": size, "seconds": seconds}
        print_json(answer)
    elif built:
        print(f"built {len(built)} tables, {size / 1e6:.1f} MB, in {seconds:.1f} s: {tables_folder()}")
    else:
        print(f"nothing to build: all tables are there, and whole: {tables_folder()}")


@app.command("verify")
def verify_tables(pieces: Pieces = 4, as_json: Json = False) -> None:
    """Check the tables that are there: file and checksum, and every entry against what the moves from it lead to."""
    import os

    from plyout.knowledge.tables.files import path_of, tables_folder
    from plyout.knowledge.tables.generate import Workers
    from plyout.knowledge.tables.library import Library, check, look_through
    from plyout.progress import Progress

    found = look_through(tables_folder(), pieces)
    library = Library(found)
    wrong = {a.ending.name: a.state for a in found if not a.built and a.state != "missing"}
    whole = [about for about in found if about.built]
    there = [about for about in whole if all(after.name in library.tables for after in about.ending.leads_to())]
    unchecked = [about.ending.name for about in whole if about not in there]  # for want of the tables they lead to
    size = sum(about.ending.entries for about in there)
    with Workers(os.cpu_count() or 1) as workers, Progress("verify", size / 1e6, quiet=as_json) as progress:
        for about in there:
            progress.describe(f"{about.ending.name:5} (MB)")
            bad = check(about, library, workers)
            if bad:
                wrong[about.ending.name] = f"wrong in {bad.fen()}"
            progress.step(about.ending.entries / 1e6)
    if as_json:
        print_json({"folder": str(tables_folder()), "verified": len(there), "wrong": wrong, "unchecked": unchecked})
    else:
        for name, what in wrong.items():
            print(f"{path_of(tables_folder(), next(a.ending for a in found if a.ending.name == name))}: {what}")
        if unchecked:
            print(f"not checked, because tables that they lead to are missing: {', '.join(unchecked)}")
        missing = sum(about.state == "missing" for about in found)
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
    """Fetch the Syzygy tables of three and four pieces out of PyPI's source archive of 'chess', with pip."""
    from plyout.knowledge.tables.fetch import fetch

    folder, count = fetch()
    if as_json:
        print_json({"folder": str(folder), "files": count})
        return
    print(f"{count} Syzygy tables, checked: {folder}")
    print(f"use them with: plyout search --set syzygy_path={folder}  (UCI: option SyzygyPath)")
