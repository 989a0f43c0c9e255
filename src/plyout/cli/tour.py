"""``plyout tour``: the first minute."""

from typing import Annotated

import typer

LEGAL = "r2qkbnr/ppp2ppp/2np4/4N2b/2B1P3/2N4P/PPPP1PP1/R1BQK2R b KQkq - 0 1"
TEMPTING = "Bxd1"


def tour(
    context: typer.Context,
    movetime: Annotated[float, typer.Option(min=1.0, help="Milliseconds of the search.")] = 3000,
) -> None:
    """A guided minute: Légal's trap, searched before your eyes; the capture that tempts, its refutation, and why.

    Takes about ten seconds; at the first start the engine is compiled before, for half a minute.
    """
    import chess
    from rich.text import Text

    from plyout.cli.greeting import ideas, names_of
    from plyout.cli.live import run
    from plyout.engine import Engine, Limits
    from plyout.engine.shown import line_san
    from plyout.explain import explain
    from plyout.play.drawing import drawn
    from plyout.play.screen import Screen

    screen = Screen()

    def heading(text: str) -> None:
        screen.console.print(Text(text, "bold"), soft_wrap=not screen.console.is_terminal)

    board = chess.Board(LEGAL)
    engine = Engine("plyout", seed=1)
    engine.prepare()
    heading("Légal's trap. White has just taken on e5 and left the queen on d1 to the bishop on h5.")
    heading(f"Black is to move. Should he take it? {movetime / 1000:g} s of search; Ctrl-C ends it sooner.\n")
    result = run(engine, board, Limits(movetime=movetime), 6, show=True)
    explanation = explain(result, [TEMPTING], most=0)
    (capture,) = explanation.why_not
    heading(f"\nWhy not {TEMPTING}, a queen for nothing? What is known of it:\n")
    screen.sentences("\n".join(capture.lines("why not")))
    line: list[str] = next((s.facts["line"] for s in capture.statements if s.type == "mated"), [])
    for text in line:
        board.push_uci(text)
    if line:
        heading(f"\nThe end of that line, {line_san(chess.Board(LEGAL), board.move_stack)}:\n")
        screen.console.print(Text("\n").join(drawn(board, chess.WHITE, screen.look)), soft_wrap=True)
    if explanation.why:
        heading(f"\nThe search prefers {explanation.why.san}:\n")
        screen.sentences("\n".join(explanation.why.lines("why")))
    screen.say("")
    screen.sentences(explanation.legend)
    heading("\nWhat to type next:\n")
    typer.echo(ideas(names_of(context), leave_out="tour"))
