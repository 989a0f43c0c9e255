"""Damage copies of every text file that the laboratory reads: each is refused with one line, or read; nothing else.

usage: python -m tests.lab.broken_files [--variants 2000] [--seed 1]
"""

import argparse
import json
import random
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from importlib import resources
from pathlib import Path
from typing import Any

from plyout.errors import InputError
from plyout.lab.fit.labels import Labelling, Labels
from plyout.lab.match.openings import openings
from plyout.lab.match.read import read_games
from plyout.lab.puzzles.read import read_puzzles
from plyout.lab.reproduce.experiment import Bench, Study
from plyout.lab.reproduce.run import ABOUT, SKIPPED, about, notes
from plyout.lab.statistics.ratings import ratings
from plyout.lab.traps import density, positions, study
from plyout.lab.tune.result import preset_text
from plyout.parameters import values
from plyout.presets import preset

PGN = """[Event "x"]
[White "a"]
[Black "b"]
[Result "0-1"]
[Round "1"]
[PlyCount "4"]
[Opening "Grob"]

1. f3 { [%eval -0.2] } e5 2. g4 Qh4# { mate } 0-1

[Event "x"]
[White "b"]
[Black "a"]
[Result "1/2-1/2"]
[Round "1"]
[FEN "8/8/8/8/8/5k2/7p/5K2 w - - 0 1"]
[SetUp "1"]

1. Ke1 h1=Q+ 1/2-1/2
"""
BOOK = PGN.replace(" 2. g4 Qh4# { mate }", "")
FENS = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "6k1/5ppp/8/8/8/8/r4PPP/3R2K1 b - - 0 1"
COUNTED = "game,ply,fen,level 1,level 3,level 5,level 7\n" + "".join(f"1,{n},{FENS[0]},0,1,,\n" for n in range(4))
TEXT = "A mate\n6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1\n1. Rd8#\n"
LABELLING = Labelling(2)


def _games(path: Path) -> None:
    ratings(read_games(path)[0])


def _labels(path: Path) -> None:
    labels = Labels(path.parent, LABELLING)
    if (path.parent / "positions.txt").exists():
        labels.positions(iter(()))
    labels.read()


def _study(path: Path) -> None:
    part = Study("x", lambda bench: {}, {}, {})
    bench = Bench(path.parent.parent)
    part.found(bench)
    part.settings(bench)


def _preset(path: Path) -> None:
    values(preset(str(path)).parameters)


def _epd(name: str) -> str:
    lines = resources.files("plyout.lab").joinpath(name).read_text(encoding="utf-8").splitlines()
    return "\n".join(lines[:4]) + "\n"


KINDS: dict[str, tuple[str, str, Callable[[Path], object]]] = {  # (name of the file, what is in it, its reader)
    "games": ("x.pgn", PGN, _games),
    "openings, PGN": ("x.pgn", BOOK, lambda p: openings(str(p))),
    "openings, EPD": ("x.epd", "\n".join(FENS) + '\n8/8/8/8/4k3/8/8/R3K3 w - - id "x";\n', lambda p: openings(str(p))),
    "puzzles, EPD": ("x.epd", _epd("puzzles/mate-in-2.epd"), lambda p: read_puzzles(str(p))),
    "puzzles, text": ("x.txt", TEXT, lambda p: read_puzzles(str(p))),
    "trap positions": ("x.epd", _epd("traps/traps.epd"), positions.load),
    "pairs": ("x.csv", "first,second\n" + ",".join(FENS) + "\n", study.pairs_in),
    "games for traps": ("x.pgn", PGN, lambda p: density.sample(p, 10, 1)),
    "trap density": ("trap-density.csv", COUNTED, lambda p: density.stored(p, 5)),
    "labelling": ("about.json", json.dumps(vars(LABELLING), indent=1), _labels),
    "positions": ("positions.txt", "\n".join(FENS) + "\n", _labels),
    "labels": ("labels.tsv", "0\t12\n1\t-30\n", _labels),
    "reproduction": (ABOUT, json.dumps({"scale": "quick", "seed": 1, "machines": ["x"]}), lambda p: about(p.parent)),
    "skipped": (SKIPPED, json.dumps({"xu-1": "no stockfish"}), lambda p: notes(p.parent)),
    "preset": ("x.toml", preset_text(preset("plyout"), {"puct_init": "1.25", "book": "own"}, ["Tuned."]), _preset),
    "answer": ("x/answer.json", json.dumps({"settings": {"seed": 1}, "answer": {"a": [1]}}), _study),
}


def variants(whole: bytes, count: int, seed: int) -> Iterator[bytes]:
    """Damaged copies: cuts, flips, bytes that are no text, words put elsewhere, numbers that are none."""
    chance = random.Random(seed)
    yield from (b"", b"\n", b"\0" * 64, bytes(range(256)), chance.randbytes(4096), whole[: len(whole) // 2])
    words: list[Any] = [b"nan", b"-1", b"1e999", b"9" * 5000, b"\xff\xfe", "²".encode(), b",", b'"', b"[", b"{" * 2000]
    for _ in range(count - 6):
        damaged = bytearray(whole)
        at = chance.randrange(len(whole))
        kind = chance.randrange(5)
        if kind == 0:
            damaged[at] ^= 1 << chance.randrange(8)
        elif kind == 1:
            del damaged[at : at + chance.choice((1, 4, 20))]
        elif kind == 2:
            damaged[at:at] = chance.choice(words)
        elif kind == 3:
            other = chance.randrange(len(whole))
            damaged[at : at + 6] = damaged[other : other + 6]
        else:
            number = chance.choice([i for i, byte in enumerate(whole) if chr(byte).isdigit()] or [at])
            damaged[number : number + 1] = chance.choice(words)
        yield bytes(damaged)


def damage(kind: str, folder: Path, count: int, seed: int) -> Counter[str]:
    """What became of so many damaged copies of a kind."""
    name, text, read = KINDS[kind]
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    found: Counter[str] = Counter()
    path.write_text(text, encoding="utf-8")
    read(path)  # undamaged, it is read
    for number, damaged in enumerate(variants(text.encode(), count, seed)):
        path.write_bytes(damaged)
        try:
            read(path)
            found["read"] += 1
        except InputError as error:
            assert "\n" not in str(error), f"{kind}: more than one line: {error}"
            found["refused"] += 1
        except BaseException as error:
            raise AssertionError(f"{kind}, variant {number} of seed {seed}: {error!r}: {damaged[:400]!r}") from error
    return found


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--variants", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    for kind in KINDS:
        with tempfile.TemporaryDirectory() as folder:
            found = damage(kind, Path(folder), arguments.variants, arguments.seed)
        print(f"{kind}: {found['refused']:,} refused, {found['read']:,} read")


if __name__ == "__main__":
    main()
