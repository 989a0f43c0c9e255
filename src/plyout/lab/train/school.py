"""Training from a folder of labels to the files: what ``plyout train`` does, for programs as well."""

import hashlib
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from plyout.errors import InputError
from plyout.lab.train import pupils
from plyout.lab.train.checkpoint import Row, about_of
from plyout.lab.train.games import files_in, read_games
from plyout.lab.train.layers import Weights
from plyout.lab.train.lessons import Data, split
from plyout.lab.train.loop import Course, Plan
from plyout.lab.train.replay import positions
from plyout.lab.train.results import floats, read_floats, read_teacher, write_floats, write_teacher
from plyout.lab.train.stockfish import read_stockfish
from plyout.lab.train.student import Policy, Value, widened
from plyout.lab.train.teacher import Teacher
from plyout.progress import Progress

TEACHER_RATE, TEACHER_DECAY = 2e-3, 0.05
STUDENT_RATE, STUDENT_DECAY = 1.5e-3, 0.01
STEPS = 256, 128
"""a value network's width is a multiple of the first, a policy's of the second: the engine computes 128 at once, and a
value's halves apart"""


@dataclass(frozen=True)
class Effort:
    """How long to learn, and how fast: `steps`, or as many as can be made in `minutes`."""

    steps: int | None
    minutes: float | None
    batch: int
    rate: float
    decay: float
    seed: int = 1
    only: str | None = None
    """the student that learns, where the other does not"""
    reuse: int = 1
    """times that a value network alone learns from each answer of its teacher"""

    def plan(self, checkpoint: Path) -> Plan:
        """Where minutes are given, a checkpoint has the number of steps already; 1 stands for a number yet unknown."""
        steps = self.steps
        if steps is None:
            kept = about_of(checkpoint).get("steps") if checkpoint.exists() else None
            steps = kept if isinstance(kept, int) else 1
        return Plan(steps, self.batch, self.rate, self.decay, self.seed)


class Lessons(NamedTuple):
    """A folder of labelled games, read."""

    games: int
    positions: int
    data: Data
    held_back: Data


def read_labels(folder: Path, say: Callable[[str], None]) -> Lessons:
    games = list(read_games(files_in(folder)))
    found = positions(games)
    data, held_back = split(found)
    say(f"{len(games):,} games, {len(found):,} positions ({len(held_back.boards):,} held back); learning on {device()}")
    return Lessons(len(games), len(found), data, held_back)


def device() -> str:
    """What JAX computes with."""
    found = jax.devices()[0]
    return str(found.device_kind if found.platform != "cpu" else "the CPU")


class Trained(NamedTuple):
    """What came of it so far."""

    about: dict[str, Any]
    rows: list[Row]
    files: list[Path]

    def as_dict(self) -> dict[str, Any]:
        rows = [row._asdict() for row in self.rows]
        return self.about | {"rows": rows, "files": [str(path) for path in self.files]}


class Show(NamedTuple):
    """Where a run shows how it goes."""

    say: Callable[[str], None] = lambda text: None
    row: Callable[[Row, float], None] = lambda row, speed: None
    """a new row, and positions a second"""
    quiet: bool = True
    """no progress bar"""


def teach(
    folder: Path, out: Path, network: Teacher, effort: Effort, show: Show, stockfish: Path | None = None
) -> Trained:
    """Train a teacher and write it to the file `out`; a run that was interrupted goes on.

    A teacher that is told is so by the network of Stockfish in the file `stockfish`.
    """
    teller = _teller(network, stockfish)
    about = {"network": "teacher", **asdict(network)} | _told_by(stockfish)
    checkpoint = out.with_name(out.name + ".checkpoint")
    _refuse_to_overwrite(out, checkpoint)
    course, told = _course(folder, pupils.teacher(network, teller), about, checkpoint, effort, show)
    trained = _learn(course, told, checkpoint, show)
    write_teacher(out, network, course.state.weights, course.state.averages, trained.about)
    return trained._replace(files=[out])


def school(
    folder: Path, out: Path, teacher: Path | None, widths: tuple[int, int], effort: Effort, show: Show,
    begin: Path | None = None, stockfish: Path | None = None,
) -> Trained:  # fmt: skip
    """Train a small value and a small policy network, `widths` wide, and write them into the folder `out`.

    They begin with the weights of those in the folder `begin`, where it is given, or with some by chance. A value
    network may begin with a narrower one: what that has not is then by chance, and says nothing at first.
    """
    if any(width < step or width % step for width, step in zip(widths, STEPS, strict=True)):
        wanted, given = (" and ".join(map(str, each)) for each in (STEPS, widths))
        raise InputError(f"the widths of value and policy must be multiples of {wanted}, not {given}")
    value, policy = Value(widths[0]), Policy(widths[1])
    about: dict[str, Any] = {"network": "students", "value_width": value.width, "policy_width": policy.width}
    taught_by = None
    if teacher is not None:
        network, weights, averages, _ = read_teacher(teacher)
        taught_by = pupils.TaughtBy(network, weights, averages, _teller(network, stockfish))
        about |= {"teacher": f"{network.blocks}x{network.channels} {_checksum(teacher)}"} | _told_by(stockfish)
    elif stockfish is not None:
        raise InputError("it is a teacher whom Stockfish's network tells something: name one")
    only = effort.only
    if only not in (None, "value", "policy"):
        raise InputError(f"what learns alone is 'value' or 'policy', not {only!r}")
    if effort.reuse > 1 and (only != "value" or taught_by is None):
        raise InputError("to learn from an answer several times is for a value network alone ('value'), with a teacher")
    pupil = pupils.students(value, policy, taught_by, only, effort.reuse)
    about |= {} if only is None else {"only": only}
    about |= {} if effort.reuse == 1 else {"reuse": effort.reuse}
    kinds = {"value": value.width, "policy": policy.width}
    if begin is not None:
        known = {kind: _known(begin, kind, width) for kind, width in kinds.items() if kind == (only or kind)}
        about |= {"begun_with": " ".join(map(_checksum, known.values()))}
        pupil = _begun(pupil, known)
    names = [kind for kind in kinds if kind == (only or kind)]
    files = [out / f"{kind}-{kinds[kind]}.npz" for kind in names]
    checkpoint = out / "students.checkpoint"
    _refuse_to_overwrite(files[0], checkpoint)
    course, told = _course(folder, pupil, about, checkpoint, effort, show)
    trained = _learn(course, told, checkpoint, show)
    for path, name in zip(files, names, strict=True):
        write_floats(path, floats(course.state.weights[name]))
    return trained._replace(files=files)


def _teller(network: Teacher, stockfish: Path | None) -> Weights | None:
    """Stockfish's network, where the teacher is told what it says."""
    if network.told and stockfish is None:
        raise InputError("this teacher was told what Stockfish's network says: name that, too")
    if stockfish is None:
        return None
    if not network.told:
        raise InputError("this teacher was not told what Stockfish's network says: leave that out")
    return read_stockfish(stockfish)


def _told_by(stockfish: Path | None) -> dict[str, Any]:
    return {} if stockfish is None else {"told_by": _checksum(stockfish)}


def _known(folder: Path, kind: str, width: int) -> Path:
    """The file of a student to begin with: its floats, or its integers, as they are made here or shipped."""
    names = f"{kind}-{width}.npz", f"{kind}-{width}.plynet", f"{kind}.plynet"
    for name in names:
        if (folder / name).is_file():
            return folder / name
    raise InputError(f"there is no file {' or '.join(names)} in {folder}")


def _begun(pupil: pupils.Pupil, files: dict[str, Path]) -> pupils.Pupil:
    """The same pupil, who begins with what these files have."""
    known = {kind: read_floats(path, kind) for kind, path in files.items()}
    new, averages = pupil.new(jax.random.key(0))
    for kind, weights in known.items():
        if kind == "value":
            known[kind] = weights = widened(weights, new[kind])
        if jax.tree.map(jnp.shape, weights) != jax.tree.map(jnp.shape, new[kind]):
            raise InputError(f"the network {files[kind]} has another shape than this one")
    return pupil._replace(new=lambda key: (pupil.new(key)[0] | known, averages))


def _refuse_to_overwrite(out: Path, checkpoint: Path) -> None:
    if out.exists() and not checkpoint.exists():
        raise InputError(f"{out} is there already, without the checkpoint that would go on with it: name another --out")


def _course(
    folder: Path, pupil: pupils.Pupil, about: dict[str, Any], checkpoint: Path, effort: Effort, show: Show
) -> tuple[Course, dict[str, Any]]:
    """A run that can begin or go on, and what is told of it."""
    plan = effort.plan(checkpoint)
    lessons = read_labels(folder, show.say)
    about = about | {"games": lessons.games, "positions": lessons.positions}
    course = Course(pupil, plan, lessons.data, lessons.held_back, about)
    if checkpoint.exists():
        course.go_on_from(checkpoint)
        show.say(f"going on after {course.step:,} of {course.plan.steps:,} steps")
    elif effort.steps is None:
        course.take(60 * (effort.minutes or 0.0))
        course.keep(checkpoint)  # so that the number of steps stays
    return course, about


def _learn(course: Course, about: dict[str, Any], checkpoint: Path, show: Show) -> Trained:
    batch, total = course.plan.batch, course.plan.steps
    began = course.step, course.seconds

    def trained() -> Trained:
        told = about | asdict(course.plan) | {"device": device(), "seconds": round(course.seconds, 1)}
        told |= {"held_back": _of_who_learnt(course.rows[-1].errors, about.get("only")) if course.rows else {}}
        return Trained(told, course.rows, [])

    with Progress("steps", total, show.quiet, done=course.step, keep=trained) as progress:

        def tell(made: int, loss: float, row: Row | None) -> None:
            speed = batch * (course.step - began[0]) / max(course.seconds - began[1], 1e-9)
            if row is not None:
                show.row(row, speed)
            progress.step(made, f"loss {loss:.4f}, {speed:,.0f} positions/s")

        course.learn(checkpoint, tell)
    return trained()


def _of_who_learnt(errors: dict[str, float], only: str | None) -> dict[str, float]:
    """The errors of the students that learn; those of moves are all but the value's."""
    return {name: x for name, x in errors.items() if only is None or name.startswith("value") == (only == "value")}


def _checksum(path: Path) -> str:
    if not path.is_file():
        raise InputError(f"there is no file {path}")
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]
