"""Files that the laboratory writes and goes on from: how to make one, and how to read it and use what it says."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import chess

from plyout.lab.fit.labels import Labelling, Labels
from plyout.lab.match.store import Store
from plyout.lab.reproduce.experiment import Bench, Study
from plyout.lab.reproduce.run import ABOUT, SKIPPED, about, notes
from plyout.lab.traps import density
from plyout.lab.tune.result import preset_text
from plyout.parameters import values
from plyout.presets import preset
from tests.damage.making import Make, text

FENS = (chess.STARTING_FEN, "6k1/5ppp/8/8/8/8/r4PPP/3R2K1 b - - 0 1")
LABELLING = Labelling(len(FENS))


def read_store(path: Path) -> Any:
    with Store.read(path) as store:
        return store.settings(), store.games()


def labels(name: str) -> Make:
    """The file of that name in a folder of labels."""

    def make(folder: Path) -> Path:
        Labels(folder, LABELLING).positions(iter(FENS))
        (folder / "labels.tsv").write_text("0\t12\n1\t-30\n")
        return folder / name

    return make


def read_labels(path: Path) -> Any:
    found = Labels(path.parent, LABELLING)
    return asdict(found.labelling), found.positions(iter(())), found.read()


counts = text(
    "trap-density.csv",
    "game,ply,fen,level 1,level 3,level 5,level 7\n" + "".join(f"1,{ply},{FENS[0]},0,1,,\n" for ply in range(4)),
)


def read_counts(path: Path) -> Any:
    return density.summary(list(density.stored(path, 5).values()), 5)


reproduction = text(ABOUT, json.dumps({"scale": "quick", "seed": 1, "machines": ["x"]}))
skipped = text(SKIPPED, json.dumps({"xu-1": "no stockfish"}))
answer = text("x/answer.json", json.dumps({"settings": {"seed": 1}, "answer": {"a": [1]}}))

tuned = text("x.toml", preset_text(preset("plyout"), {"puct_init": "1.25", "book": "own"}, ["Tuned."]))


def read_preset(path: Path) -> Any:
    return dict(values(preset(str(path)).parameters))


def read_reproduction(path: Path) -> Any:
    return about(path.parent)


def read_skipped(path: Path) -> Any:
    return notes(path.parent)


def read_answer(path: Path) -> Any:
    part, benches = Study("x", lambda bench: {}, ({},) * 3), [Bench(path.parent.parent)]
    return part.found(benches), part.settings(benches)
