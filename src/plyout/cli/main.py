"""The command line: ``plyout …``.

Commands import what they need when they run, so that ``--help`` answers at once.
"""

import json
import os
import sys
import time
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from plyout import __version__
from plyout.cli import fit as cli_fit
from plyout.cli import graph as cli_graph
from plyout.cli import match as cli_match
from plyout.cli import puzzles as cli_puzzles
from plyout.cli import rate as cli_rate
from plyout.cli import report as cli_report
from plyout.cli import reproduce as cli_reproduce
from plyout.cli import traps as cli_traps
from plyout.cli.book import app as book_app
from plyout.cli.tables import tables_app
from plyout.errors import InputError

app = typer.Typer(
    name="plyout",
    help="A Monte-Carlo chess engine and a laboratory for such engines.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

Fen = Annotated[str, typer.Option("--fen", help="The position; in tic-tac-toe rows like 'xo./.x./...'.")]
Variant = Annotated[str, typer.Option(help="chess (Chess960 too), crazyhouse or tictactoe.")]
Json = Annotated[bool, typer.Option("--json", help="Answer with one JSON object on standard output.")]
Seed = Annotated[int, typer.Option(min=-(2**63), max=2**63 - 1, help="Same seed, same games.")]


def main() -> NoReturn:
    """Run the command line; a mistake of the user's gets one line on standard error and exit code 2."""
    usage_error: Any = typer.BadParameter.__bases__[0]  # of click, or of the copy that newer Typers carry
    try:
        status = app(prog_name="plyout", standalone_mode=False)
    except InputError as error:
        _fail(str(error))
    except usage_error as error:
        context = getattr(error, "ctx", None)
        command = context.command_path if context else "plyout"
        text = str(getattr(error, "format_message", error.__str__)()).strip().rstrip(".")
        _fail(f"{text} (see '{command} --help')")
    except (KeyboardInterrupt, typer.Abort):
        print("interrupted", file=sys.stderr)
        sys.exit(130)
    except BrokenPipeError:
        _leave_quietly()
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _leave_quietly()
    sys.exit(status if isinstance(status, int) else 0)


def _leave_quietly() -> NoReturn:
    """Whoever read our output has closed it, as ``head`` does: nothing more is to be said."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(141)


def _fail(text: str) -> NoReturn:
    print("plyout: " + " ".join(text.split("\n")), file=sys.stderr)
    sys.exit(2)


def _print_json(answer: dict[str, Any]) -> None:
    print(json.dumps(answer, ensure_ascii=False))


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"plyout {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show it.")] = False,
) -> None:
    if context.invoked_subcommand is None:
        if sys.stdin.isatty():
            print(context.get_help())
        else:  # a chess program has started us
            uci()


@app.command()
def search(
    preset: Annotated[
        str | None,
        typer.Option(help="The system that searches; see 'plyout presets'.  [default: plyout; mcc in tic-tac-toe]"),
    ] = None,
    fen: Fen = "startpos",
    moves: Annotated[str, typer.Option(help="Moves from there on, as in 'e2e4 e7e5' or 'e4 e5'.")] = "",
    nodes: Annotated[int | None, typer.Option(min=1, help="Stop after so many iterations.")] = None,
    movetime: Annotated[float | None, typer.Option(min=0.0, help="Stop after so many milliseconds.")] = None,
    depth: Annotated[
        int | None, typer.Option(min=1, help="Stop at this depth: plies, or doublings of the work.")
    ] = None,
    infinite: Annotated[bool, typer.Option("--infinite", help="Search until Ctrl-C.")] = False,
    seed: Annotated[int | None, typer.Option(help="Same seed, same nodes: same tree.")] = None,
    threads: Annotated[int | None, typer.Option(min=1, help="Threads on one graph.")] = None,
    multipv: Annotated[int, typer.Option(min=1, help="How many moves to show.")] = 8,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="name=value", help="Change a parameter or rule; may be repeated."),
    ] = None,
    variant: Variant = "chess",
    as_json: Json = False,
) -> None:
    """Search a position; two seconds unless a limit is given. Ctrl-C ends the search and shows what it has found."""
    from plyout.cli.search import opening_of, position, run
    from plyout.engine import Engine, Limits

    changes = dict(_setting(s) for s in settings or ())
    changes |= {name: value for name, value in (("seed", seed), ("threads", threads)) if value is not None}
    if nodes is None and movetime is None and depth is None and not infinite:
        movetime = 2000.0
    limits = Limits(nodes=nodes, movetime=movetime, depth=depth, infinite=infinite)
    where = position(variant, fen, moves)
    preset = preset or ("mcc" if variant == "tictactoe" else "plyout")
    result = run(Engine(preset, variant, **changes), where, limits, multipv, show=not as_json)
    if as_json:
        _print_json(result.as_dict(multipv) | opening_of(where))


@app.command()
def uci(
    preset: Annotated[str, typer.Option(help="The system that plays; see 'plyout presets'.")] = "plyout",
) -> None:
    """Speak UCI, the protocol of chess programs; 'plyout' alone does it, too, where no person sits at the keyboard."""
    from plyout.uci import main as speak

    speak(preset)


def _setting(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals:
        raise InputError(f"--set wants name=value, not {text!r}")
    return name.strip(), value.strip()


app.add_typer(book_app, name="book")
presets_app = typer.Typer(help="The systems of the papers, each with what it changes.", rich_markup_mode=None)
app.add_typer(presets_app, name="presets")
app.add_typer(tables_app, name="tables")


@presets_app.callback(invoke_without_command=True)
def presets(context: typer.Context, as_json: Json = False) -> None:
    """List the presets, or show one: 'plyout presets show NAME'."""
    from plyout.presets import presets as all_presets

    if context.invoked_subcommand is not None:
        return
    if as_json:
        _print_json({"presets": [{"name": p.name, "description": p.description} for p in all_presets().values()]})
        return
    for p in all_presets().values():
        print(f"{p.name:18} {p.description}")


@presets_app.command("show")
def presets_show(name: str, as_json: Json = False) -> None:
    """Show a preset: its rules, and every parameter with its meaning."""
    from dataclasses import asdict

    from plyout.parameters import SETTINGS, TABLE, texts, values
    from plyout.presets import preset

    found = preset(name)
    numbers, settings = values(found.parameters), texts(found.parameters)
    if as_json:
        _print_json(asdict(found) | {"parameters": dict(numbers) | settings})
        return
    print(f"{found.name}: {found.description} ({found.paper})\n")
    for rule, choice in found.rules.items() if found.search == "mcts" else [("search", found.search)]:
        print(f"  {rule:14} {choice}")
    print()
    for p in TABLE:
        mark = "*" if p.name in found.parameters else " "
        value = p.names[int(numbers[p.name])] if p.names else f"{numbers[p.name]:g}"
        print(f"{mark} {p.name:14} {value:10} {p.help}")
    for s in SETTINGS:
        mark = "*" if s.name in found.parameters else " "
        print(f"{mark} {s.name:14} {settings[s.name] or '-':10} {s.help}")
    print("\n* set by this preset; 'plyout search --set name=value' changes any of them")


@app.command()
def perft(
    fen: Fen = "startpos",
    depth: Annotated[int, typer.Option(min=0, max=40, help="How many plies.")] = 5,
    variant: Variant = "chess",
    divide: Annotated[bool, typer.Option("--divide", help="Show the count of each first move.")] = False,
    as_json: Json = False,
) -> None:
    """Count the move sequences of a given length: the test of a move generator."""
    from plyout.games import game as find_game
    from plyout.progress import Progress

    game = find_game(variant)
    state = game.parse(fen)
    moves = game.moves(state) if depth > 0 else []
    for move in moves[:1]:  # compiled, or loaded, before the clock starts
        game.perft(game.after(state, move), 1)
    began = time.perf_counter()
    counts: dict[str, int] = {}
    with Progress("perft", len(moves), quiet=as_json) as progress:
        for move in moves:
            counts[game.move_text(state, move)] = sum(game.perft_in_slices(game.after(state, move), depth - 1))
            progress.step()
    nodes = sum(counts.values()) if depth > 0 else 1
    seconds = time.perf_counter() - began
    nps = round(nodes / seconds)
    if as_json:
        answer: dict[str, Any] = {"nodes": nodes, "seconds": seconds, "nps": nps, "depth": depth}
        answer |= {"fen": game.show(state), "variant": variant}
        _print_json(answer | ({"divide": counts} if divide else {}))
        return
    if divide:
        for text, count in counts.items():
            print(f"{text:6} {count:>15,}")
    print(f"{nodes:,} nodes at depth {depth} in {seconds:.3f} s: {nps / 1e6:,.1f} million a second")


@app.command()
def playouts(
    fen: Fen = "startpos",
    count: Annotated[int, typer.Option(min=1, max=10**12, help="How many games.")] = 10_000,
    seed: Seed = 1,
    variant: Variant = "chess",
    as_json: Json = False,
) -> None:
    """Play games out with uniformly random moves and count how they end."""
    from plyout.games import game as find_game
    from plyout.playout.random import Tally, random_games
    from plyout.progress import Progress

    game = find_game(variant)
    state = game.parse(fen)
    random_games(game, state, seed, 0, 1)  # compiled, or loaded, before the clock starts
    began = time.perf_counter()
    tally, done, slice_ = Tally(0, 0, 0, 0), 0, 16
    with Progress("playouts", count, quiet=as_json) as progress:
        while done < count:
            slice_began = time.perf_counter()
            last = min(done + slice_, count)
            part = random_games(game, state, seed, done, last)
            tally = Tally(*(a + b for a, b in zip(tally, part, strict=True)))
            progress.step(last - done)
            done = last
            if time.perf_counter() - slice_began < 0.05:  # slices short enough for Ctrl-C and the display
                slice_ *= 2
    seconds = time.perf_counter() - began
    per_second = count / seconds
    if as_json:
        _print_json(
            tally._asdict()
            | {"count": count, "seconds": seconds, "per_second": round(per_second), "seed": seed}
            | {"fen": game.show(state), "variant": variant}
        )
        return
    first, second = ("White", "Black") if variant != "tictactoe" else ("x", "o")
    for name, games in ((first, tally.white), ("drawn", tally.draw), (second, tally.black)):
        print(f"{name:6} {games:>12,}  {100 * games / count:6.2f} %")
    print(f"{count:,} games of {tally.plies / count:.1f} plies in {seconds:.2f} s: {per_second:,.0f} a second")


@app.command()
def study(
    name: Annotated[str, typer.Argument(help="reti, queen-ending, accuracy (Arenz 2012) or tictactoe (Singh 2023).")],
    playouts: Annotated[
        int, typer.Option(min=100, help="Playouts (queen-ending; per position in accuracy).")
    ] = 1_000_000,
    seconds: Annotated[float, typer.Option(min=0.1, help="Time for each search (reti).")] = 30.0,
    games: Annotated[int, typer.Option(min=1, help="Games for each time a move (tictactoe).")] = 20,
    plot: Annotated[Path | None, typer.Option(help="Draw a figure, too: .png, .svg or .pdf (tictactoe).")] = None,
    seed: Seed = 1,
    as_json: Json = False,
) -> None:
    """Repeat a study of one of the papers, with the paper's figures beside ours."""
    from plyout.lab.studies.positions import STUDIES, show

    if name == "tictactoe":
        from plyout.lab.studies import tictactoe

        answer = tictactoe.tictactoe(games, seed, as_json)
        if plot:
            tictactoe.plot(answer, plot)
        _print_json(answer) if as_json else tictactoe.show(answer)
        return

    if name not in STUDIES:
        raise InputError(f"no study is called {name!r}: there are {', '.join(STUDIES)}, tictactoe")
    answer = STUDIES[name](playouts, seconds, seed, as_json)
    if as_json:
        _print_json(answer)
    else:
        show(answer)


@app.command()
def bench(
    rounds: Annotated[int, typer.Option(min=1, max=100, help="Measure each this often and keep the median.")] = 3,
    as_json: Json = False,
) -> None:
    """Measure our speed beside others' in one run: python-chess, and Stockfish and OpenSpiel where installed."""
    from plyout.lab.bench import run

    run(rounds, as_json)


for command in (
    cli_match.match, cli_match.tournament, cli_match.results, cli_report.report, cli_report.ratings, cli_report.elo,
    cli_graph.graph_stats, cli_fit.fit, cli_puzzles.solve, cli_rate.rate, cli_reproduce.reproduce,
):  # fmt: skip
    app.command()(command)
app.add_typer(cli_puzzles.mine_app, name="mine")
cli_traps.register(app)
