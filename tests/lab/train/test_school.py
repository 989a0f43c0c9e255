"""Training: errors fall, a run that was interrupted ends as one that was not, and files of another run are refused."""

import json
from dataclasses import replace
from pathlib import Path

import jax
import numpy as np
import pytest

from plyout.errors import InputError
from plyout.kernel.vectors import LANES as LANES_OF_THE_ENGINE
from plyout.lab.train import loop, school
from plyout.lab.train.checkpoint import Row
from plyout.lab.train.deliver import deliver
from plyout.lab.train.geometry import CODES, FEATURES
from plyout.lab.train.results import read_teacher, write_teacher
from plyout.lab.train.school import Effort, Show, Trained
from plyout.lab.train.teacher import Teacher
from plyout.networks.small.file import read
from plyout.networks.small.quantise import FEATURES_NAMES, floats_of
from tests.lab.train.made import random_games, write_games

TINY = Teacher(1, 8)
EFFORT = Effort(12, None, 32, 1e-2, 0.01, seed=3)  # as few kinds as possible: each is compiled


@pytest.fixture(scope="module")
def labels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_games(tmp_path_factory.mktemp("labels"), random_games(300, 40, seed=8))


def arrays(path: Path) -> dict[str, np.ndarray]:
    with np.load(path) as data:
        return {name: data[name] for name in data.files if name != "header"}


def same(one: Path, other: Path) -> bool:
    left, right = arrays(one), arrays(other)
    return left.keys() == right.keys() and all(np.array_equal(left[name], right[name]) for name in left)


def interrupted_at(step: int) -> Show:
    """Ctrl-C, as soon as that step is reached."""

    def row(found: Row, speed: float) -> None:
        if found.step >= step:
            raise KeyboardInterrupt

    return Show(row=row)


def test_an_interrupted_teacher_is_the_same_in_the_end(labels: Path, tmp_path: Path) -> None:
    whole = school.teach(labels, tmp_path / "whole.npz", TINY, EFFORT, Show())
    for step in (3, 7):
        with pytest.raises(KeyboardInterrupt) as ended:
            school.teach(labels, tmp_path / "parts.npz", TINY, EFFORT, interrupted_at(step))
        so_far: Trained = ended.value.so_far.results  # type: ignore[attr-defined]
        assert so_far.rows[-1].step == step
        assert not (tmp_path / "parts.npz").exists(), "what is not trained to the end is a checkpoint, not a result"
    said: list[str] = []
    parts = school.teach(labels, tmp_path / "parts.npz", TINY, EFFORT, Show(say=said.append))
    assert said[-1] == "going on after 7 of 12 steps"
    assert same(tmp_path / "whole.npz", tmp_path / "parts.npz")
    assert same(tmp_path / "whole.npz.checkpoint", tmp_path / "parts.npz.checkpoint"), "to the last digit"
    assert [row.errors for row in parts.rows] == [row.errors for row in whole.rows]
    before = (tmp_path / "whole.npz").read_bytes()
    again = school.teach(labels, tmp_path / "whole.npz", TINY, EFFORT, Show())
    assert again.about["held_back"] == whole.about["held_back"]
    assert (tmp_path / "whole.npz").read_bytes() == before, "there is nothing left to learn"


def test_interrupted_students_are_the_same_in_the_end(labels: Path, tmp_path: Path) -> None:
    weights, averages = TINY.new(jax.random.key(1))
    write_teacher(tmp_path / "teacher.npz", TINY, weights, averages, {})
    effort = replace(EFFORT, steps=6)
    for name in ("whole", "parts"):
        (tmp_path / name).mkdir()
    given = tmp_path / "teacher.npz", (256, 128), effort
    school.school(labels, tmp_path / "whole", *given, Show())
    with pytest.raises(KeyboardInterrupt):
        school.school(labels, tmp_path / "parts", *given, interrupted_at(4))
    found = school.school(labels, tmp_path / "parts", *given, Show())
    assert [path.name for path in found.files] == ["value-256.npz", "policy-128.npz"]
    for name in ("value-256.npz", "policy-128.npz", "students.checkpoint"):
        assert same(tmp_path / "whole" / name, tmp_path / "parts" / name), name


def test_a_value_network_learns_from_each_answer_several_times_and_goes_on(labels: Path, tmp_path: Path) -> None:
    weights, averages = TINY.new(jax.random.key(1))
    write_teacher(tmp_path / "teacher.npz", TINY, weights, averages, {})
    effort = replace(EFFORT, steps=6, only="value", reuse=3)
    for name in ("whole", "parts"):
        (tmp_path / name).mkdir()
    given = tmp_path / "teacher.npz", (256, 128), effort
    found = school.school(labels, tmp_path / "whole", *given, Show())
    assert found.about["reuse"] == 3
    with pytest.raises(KeyboardInterrupt):
        school.school(labels, tmp_path / "parts", *given, interrupted_at(4))
    school.school(labels, tmp_path / "parts", *given, Show())
    for name in ("value-256.npz", "students.checkpoint"):
        assert same(tmp_path / "whole" / name, tmp_path / "parts" / name), name
    for other in (replace(effort, only=None), replace(effort, only="policy")):
        with pytest.raises(InputError, match="is for a value network alone"):
            school.school(labels, tmp_path / "other", tmp_path / "teacher.npz", (256, 128), other, Show())
    with pytest.raises(InputError, match="with a teacher"):
        school.school(labels, tmp_path / "other", None, (256, 128), effort, Show())


@pytest.mark.parametrize("who", ["teacher", "students"])
def test_the_held_back_errors_fall(who: str, labels: Path, tmp_path: Path) -> None:
    if who == "teacher":  # normalisation has to see something, too
        found = school.teach(labels, tmp_path / "t.npz", TINY, replace(EFFORT, steps=400), Show())
    else:
        found = school.school(labels, tmp_path, None, (256, 128), replace(EFFORT, steps=200), Show())
    first, last = found.rows[0].errors, found.rows[-1].errors
    assert last["value_mse"] < 0.7 * first["value_mse"], found.rows
    assert last["policy_nll"] < first["policy_nll"] - 0.2
    assert found.rows[-1].step == found.about["steps"]


def test_minutes_are_made_into_steps_once(labels: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    effort = replace(EFFORT, steps=None, minutes=0.02)
    with pytest.raises(KeyboardInterrupt):
        school.teach(labels, tmp_path / "t.npz", TINY, effort, interrupted_at(1))
    monkeypatch.setattr(loop.Course, "take", lambda *given: pytest.fail("the number of steps is known"))
    found = school.teach(labels, tmp_path / "t.npz", TINY, effort, Show())
    assert 1 < found.rows[-1].step == found.about["steps"]


def test_a_checkpoint_of_another_run_is_refused(labels: Path, tmp_path: Path) -> None:
    out = tmp_path / "t.npz"
    effort = replace(EFFORT, steps=1)
    school.teach(labels, out, TINY, effort, Show())
    with pytest.raises(InputError, match=r"of a run with another channels: name another --out, or remove it"):
        school.teach(labels, out, Teacher(1, 16), effort, Show())
    with pytest.raises(InputError, match="of a run with another batch, seed"):
        school.teach(labels, out, TINY, replace(effort, batch=16, seed=9), Show())
    more = write_games(tmp_path / "more", random_games(60, 10))
    with pytest.raises(InputError, match="of a run with another games, positions"):
        school.teach(more, out, TINY, effort, Show())
    checkpoint = tmp_path / "t.npz.checkpoint"
    checkpoint.write_bytes(checkpoint.read_bytes()[:-100])
    with pytest.raises(InputError, match="remove it to begin anew"):
        school.teach(labels, out, TINY, effort, Show())
    checkpoint.unlink()
    with pytest.raises(InputError, match="is there already"):
        school.teach(labels, out, TINY, effort, Show())


def test_a_teacher_is_read_as_it_was_written(tmp_path: Path) -> None:
    weights, averages = TINY.new(jax.random.key(5))
    write_teacher(tmp_path / "t.npz", TINY, weights, averages, {"steps": 7})
    network, found, seen, trained = read_teacher(tmp_path / "t.npz")
    assert (network, trained) == (TINY, {"steps": 7})
    leaves = zip(jax.tree.leaves((weights, averages)), jax.tree.leaves((found, seen)), strict=True)
    assert all(np.allclose(one, other, rtol=1e-3, atol=1e-6) for one, other in leaves)


def test_what_is_no_teacher_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.npz"
    told = "is no teacher that 'plyout train teacher' has made"
    for data in (b"", b"PK nothing"):
        path.write_bytes(data)
        with pytest.raises(InputError, match=told):
            read_teacher(path)
    np.savez(path, header=json.dumps({"kind": "plyout teacher", "blocks": 2, "channels": 8}), w0=np.zeros(3))
    with pytest.raises(InputError, match=told):
        read_teacher(path)
    np.savez(path, header=json.dumps([1]))
    with pytest.raises(InputError, match=told):
        read_teacher(path)


def test_too_few_games_are_told(tmp_path: Path) -> None:
    labels = write_games(tmp_path, random_games(1, 20))
    with pytest.raises(InputError, match="none is left to learn from: label more games"):
        school.teach(labels, tmp_path / "t.npz", TINY, EFFORT, Show())


def test_widths_are_those_that_the_engine_can_compute(tmp_path: Path) -> None:
    assert school.STEPS == (2 * LANES_OF_THE_ENGINE, LANES_OF_THE_ENGINE)
    assert FEATURES_NAMES["policy"].endswith(f"-{CODES}")
    assert FEATURES == 64 * CODES
    with pytest.raises(InputError, match="multiples of 256 and 128, not 256 and 100"):
        school.school(tmp_path, tmp_path, None, (256, 100), EFFORT, Show())


def test_students_begin_with_what_others_know(labels: Path, tmp_path: Path) -> None:
    known, idle = tmp_path / "known", replace(EFFORT, steps=1, rate=0.0, decay=0.0)
    for name in ("known", "more"):
        (tmp_path / name).mkdir()
    school.school(labels, known, None, (256, 128), replace(EFFORT, steps=3), Show())
    school.school(labels, tmp_path / "more", None, (256, 128), idle, Show(), begin=known)
    for name in ("value-256.npz", "policy-128.npz"):
        with np.load(known / name) as one, np.load(tmp_path / "more" / name) as other:
            assert all(np.allclose(one[layer], other[layer], atol=1e-3) for layer in one.files)
    with pytest.raises(InputError, match=r"there is no file value-512\.npz or value-512\.plynet or value\.plynet"):
        school.school(labels, tmp_path / "wider", None, (512, 128), idle, Show(), begin=known)


def test_students_go_on_from_integers_and_one_may_learn_alone(labels: Path, tmp_path: Path) -> None:
    known, idle = tmp_path / "known", replace(EFFORT, steps=1, rate=0.0, decay=0.0)
    for name in ("known", "more", "alone"):
        (tmp_path / name).mkdir()
    made = school.school(labels, known, None, (256, 128), replace(EFFORT, steps=3), Show())
    deliver(made.files, {})
    for path in made.files:
        path.unlink()
    more = school.school(labels, tmp_path / "more", None, (256, 128), idle, Show(), begin=known)
    for path in more.files:
        before = floats_of(read((known / path.name).with_suffix(".plynet")))
        with np.load(path) as now:
            assert all(np.allclose(now[name], before[name], atol=1e-3) for name in now.files)
    with pytest.raises(InputError, match=r"value-256\.plynet: this network is for 'policy', and one for 'value'"):
        swapped = tmp_path / "swapped"
        swapped.mkdir()
        (swapped / "value-256.plynet").write_bytes((known / "policy-128.plynet").read_bytes())
        (swapped / "policy-128.plynet").write_bytes((known / "policy-128.plynet").read_bytes())
        school.school(labels, tmp_path / "alone", None, (256, 128), idle, Show(), begin=swapped)
    alone = school.school(
        labels, tmp_path / "alone", None, (256, 128), replace(EFFORT, only="value"), Show(), begin=known
    )
    assert [path.name for path in alone.files] == ["value-256.npz"]
    assert set(alone.about["held_back"]) == {"value_mse", "value_mae"}
    assert alone.rows[-1].errors["value_mse"] != more.rows[-1].errors["value_mse"]
    assert alone.rows[-1].errors["first"] < 0.2, "what it sees of moves is still by chance"
    with pytest.raises(InputError, match="'value' or 'policy', not 'moves'"):
        school.school(labels, tmp_path / "alone", None, (256, 128), replace(EFFORT, only="moves"), Show())
