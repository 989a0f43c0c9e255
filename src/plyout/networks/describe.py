"""What a network is: its kind, its size, how it was trained; a file that is damaged, or none, is refused.

The kind is told by how a file begins, and in ONNX, which begins like many others, by its name.
"""

import contextlib
import json
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plyout.errors import InputError
from plyout.networks.nnue import file as nnue
from plyout.networks.small import file as small

SMALL, RESIDUAL, STOCKFISHS = "small", "residual", "stockfish's"
"""kinds: evaluated in integers by kernels; through onnxruntime; HalfKAv2_hm"""


@dataclass(frozen=True)
class Description:
    name: str
    kind: str
    path: Path
    bytes: int
    about: str
    """one line on where it comes from"""
    header: dict[str, Any]
    """all that it says of itself"""


def kind_of(path: Path) -> str:
    """The kind of a network; `InputError` where it is none."""
    try:
        with path.open("rb") as file:
            begin = file.read(8)
    except OSError as error:
        raise InputError(f"cannot read the network {path}: {error.strerror}") from None
    if begin.startswith(struct.pack("<I", nnue.VERSION)) or path.suffix == ".nnue":
        return STOCKFISHS
    if begin.startswith(b"PLYNET") or path.suffix == small.SUFFIX:
        return SMALL
    if path.suffix == ".onnx":
        return RESIDUAL
    raise InputError(f"{path} is no network: its name must end in .plynet, .onnx or .nnue")


def describe(path: Path) -> Description:
    """Read a network whole, with what checks it has, and say what it is."""
    kind = kind_of(path)
    about, header = {SMALL: _small, RESIDUAL: _residual, STOCKFISHS: _stockfishs}[kind](path)
    return Description(path.stem, kind, path, path.stat().st_size, about, header)


def _small(path: Path) -> tuple[str, dict[str, Any]]:
    header = small.read(path).header
    return f"{header['kind']}: {_one_line(header.get('trained'))}", header


def _residual(path: Path) -> tuple[str, dict[str, Any]]:
    from plyout.networks.residual.onnx import Network  # which needs the rules of the games, and so Numba

    says = Network(path).says
    return _one_line(says.get("trained")), dict(says)


def _stockfishs(path: Path) -> tuple[str, dict[str, Any]]:
    header = nnue.read_header(path)
    named = path.stem.removeprefix("nn-")
    if path.stem.startswith("nn-") and header.digest != named[: len(header.digest)]:
        raise InputError(f"{path} is damaged: by its checksum it is {header.name}")
    origin = f"of Stockfish {header.release}" if header.release else "of no Stockfish that we know"
    about = f"{header.name}, {origin}: {header.description}"
    return about, {"name": header.name, "stockfish": header.release, "description": header.description}


def _one_line(trained: Any) -> str:
    """How a network says that it was trained, whether in words or by a table of settings."""
    if isinstance(trained, str) and trained.startswith("{"):
        with contextlib.suppress(ValueError):
            trained = json.loads(trained)
    if isinstance(trained, dict):
        trained = ", ".join(f"{name} {value}" for name, value in trained.items())
    return " ".join(str(trained).split()) if trained else "it does not say how it was trained"
