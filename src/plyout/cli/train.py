"""``plyout train``: networks from labelled games."""

from collections.abc import Callable
from dataclasses import replace
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plyout.cli.common import Json, Seed, print_json
from plyout.cli.ending import Ending
from plyout.cli.output import output_file, output_folder
from plyout.errors import InputError
from plyout.networks.library import SHIPPED

if TYPE_CHECKING:
    from plyout.lab.train.checkpoint import Row
    from plyout.lab.train.school import Effort, Show, Trained

app = typer.Typer(help="Train networks on labelled games.", rich_markup_mode=None)

Labels = Annotated[Path, typer.Argument(help="A folder of games that 'plyout label' has made.")]
Steps = Annotated[int | None, typer.Option(min=1, help="Batches to learn from.  [default: as many as --minutes allow]")]
Minutes = Annotated[float | None, typer.Option(min=0, help="About how long to learn, if not by --steps.")]
Batch = Annotated[int, typer.Option(min=4, help="Positions a step.")]
Rate = Annotated[float, typer.Option(min=0, help="How fast to learn at first; it falls to nothing.")]
ToldBy = Annotated[
    Path | None,
    typer.Option(
        help="Stockfish's network, as 'plyout networks extract' writes it: the teacher is told what it says of a "
        "position. Such a teacher teaches, with the same option; a search cannot use it.  [default: nothing is told]"
    ),
]
Plot = Annotated[Path | None, typer.Option(help="Draw the errors over time: .png, .svg or .pdf.")]


@app.callback()
def _train() -> None:
    """Train networks on labelled games."""


@app.command("teacher")
def teacher(
    labels: Labels,
    out: Annotated[Path, typer.Option(help="The file to write, as .npz; the checkpoint is beside it.")],
    blocks: Annotated[int, typer.Option(min=1, help="Residual blocks.")] = 10,
    channels: Annotated[int, typer.Option(min=1, help="Channels of each.")] = 128,
    steps: Steps = None,
    minutes: Minutes = None,
    batch: Batch = 8192,
    rate: Rate = 2e-3,
    stockfish: ToldBy = None,
    seed: Seed = 1,
    plot: Plot = None,
    as_json: Json = False,
) -> None:
    """Train a residual network, value and policy in one. Run again, the same command goes on where it was.

    Takes as long as --minutes says, and a minute to begin.
    """
    _need_jax()
    from plyout.lab.train.school import TEACHER_DECAY, teach
    from plyout.lab.train.teacher import Teacher

    output_file(out)
    effort = _effort(steps, minutes, batch, rate, TEACHER_DECAY, seed)

    def work(show: "Show") -> "Trained":
        from plyout.lab.train.deliver import deliver_teacher

        told = stockfish is not None
        trained = teach(labels, out, Teacher(blocks, channels, told), effort, show, stockfish)
        return trained if told else trained._replace(files=[*trained.files, deliver_teacher(out, labels)])

    _run(work, out, plot, as_json)


@app.command("student")
def student(
    labels: Labels,
    out: Annotated[Path, typer.Option(help="The folder to write the networks into, and the checkpoint.")],
    teacher: Annotated[
        Path | None, typer.Option(help="A file of 'plyout train teacher'.  [default: learn from the labels alone]")
    ] = None,
    begin: Annotated[
        Path | None,
        typer.Option(
            help="A folder of networks to begin with, of the same widths (or a narrower value.plynet); shipped: those"
            " that come with Plyout.  [default: by chance]"
        ),
    ] = None,
    only: Annotated[
        str | None,
        typer.Option(help="The one that learns, where the other does not: value or policy.  [default: both]"),
    ] = None,
    reuse: Annotated[
        int, typer.Option(min=1, help="Times that a value network alone learns from each answer of its teacher.")
    ] = 1,
    value_width: Annotated[int, typer.Option(min=256, help="Of the value network; a multiple of 256.")] = 512,
    policy_width: Annotated[int, typer.Option(min=128, help="Of the policy network; a multiple of 128.")] = 256,
    steps: Steps = None,
    minutes: Minutes = None,
    batch: Batch = 16384,
    rate: Rate = 1.5e-3,
    stockfish: ToldBy = None,
    seed: Seed = 1,
    plot: Plot = None,
    as_json: Json = False,
) -> None:
    """Train a small value and a small policy network. Run again, the same command goes on where it was.

    Takes as long as --minutes says, and a minute to begin.
    """
    _need_jax()
    from plyout.lab.train.school import STUDENT_DECAY, school

    output_folder(out)
    effort = replace(_effort(steps, minutes, batch, rate, STUDENT_DECAY, seed), only=only, reuse=reuse)

    def work(show: "Show") -> "Trained":
        from plyout.lab.train.deliver import deliver

        known = SHIPPED if begin == Path("shipped") else begin
        trained = school(labels, out, teacher, (value_width, policy_width), effort, show, known, stockfish)
        return trained._replace(files=[*trained.files, *deliver(trained.files, trained.about)])

    _run(work, out, plot, as_json)


def _need_jax() -> None:
    try:
        import jax  # noqa: F401
    except ImportError:
        raise InputError("training needs JAX: pip install 'plyout[train]'") from None


def _effort(steps: int | None, minutes: float | None, batch: int, rate: float, decay: float, seed: int) -> "Effort":
    from plyout.lab.train.school import Effort

    if (steps is None) == (minutes is None):
        raise InputError("how long to learn is told by --steps or by --minutes, one of them")
    if not isfinite(minutes or 0.0) or not isfinite(rate):
        raise InputError("--minutes and --rate must be numbers")
    return Effort(steps, minutes, batch, rate, decay, seed)


def _run(work: "Callable[[Show], Trained]", out: Path, plot: Path | None, as_json: bool) -> None:
    """Train, and show what came of it so far, or in the end."""
    from plyout.lab.report.pyplot import check_plot
    from plyout.lab.train.plot import draw
    from plyout.lab.train.school import Show

    if plot:
        check_plot(output_file(plot, "--plot"))
    show = Show(quiet=True) if as_json else Show(print, _show_row, quiet=False)
    with Ending(f"a checkpoint is beside {out}: the same command goes on from there") as ending:
        trained = ending.of(work, show)
        if plot and trained.rows:
            draw(trained.rows, plot)
        if as_json:
            print_json(ending.marked(trained.as_dict()))
        elif not ending.cut_short:
            _show_end(trained)


def _show_row(row: "Row", speed: float) -> None:
    errors = row.errors
    print(
        f"step {row.step:8,}  {row.seconds:7,.0f} s  loss {row.loss:.4f}  held back: value {errors['value_mse']:.5f}, "
        f"policy {errors['policy_nll']:.3f}  ({speed:,.0f} positions/s)",
        flush=True,
    )


def _show_end(trained: "Trained") -> None:
    from plyout.lab.train.held_back import NAMES

    errors: dict[str, Any] = trained.about["held_back"]
    print("on games that were held back:")
    for name, what in NAMES.items():
        print(f"  {what:36} {errors[name]:.5f}")
    for path in trained.files:
        print(f"written: {path}")
