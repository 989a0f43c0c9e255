"""Standard output and standard error, wherever they lead: to a terminal that is not UTF-8, or to nowhere."""

import codecs
import contextlib
import os
import sys
import unicodedata
from typing import TextIO

LOOK_ALIKES = "plyout.look-alikes"
"""The error handler's name: what an encoding lacks is written by ASCII signs that look like it."""

_SIGNS = {
    "·": ".", "…": "...", "→": "->", "←": "<-", "±": "+/-", "×": "x", "÷": "/", "½": ".5", "≤": "<=", "≥": ">=",
    "≠": "!=", "≈": "~", "−": "-", "–": "-", "—": "-", "‘": "'", "’": "'", "“": '"', "”": '"', "„": '"', "°": " deg",
    "ß": "ss", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "ð": "d",
    "─": "-", "━": "-", "═": "=", "│": "|", "┃": "|", "║": "|",
    **dict(zip("♔♕♖♗♘♙♚♛♜♝♞♟", "KQRBNPkqrbnp", strict=True)),
}  # fmt: skip


def ascii_of(sign: str) -> str:
    """An ASCII text that looks like `sign`; a question mark where there is none.

    >>> "".join(map(ascii_of, "♘é … 1½ ±"))
    'Ne ... 1.5 +/-'
    """
    if sign.isascii() or sign in _SIGNS:
        return _SIGNS.get(sign, sign)
    if "\u2500" <= sign <= "\u257f":  # corners of frames
        return "+"
    if unicodedata.combining(sign):
        return ""
    bare = "".join(c for c in unicodedata.normalize("NFKD", sign) if not unicodedata.combining(c))
    return bare if bare.isascii() and bare.isprintable() else "?"


def _look_alikes(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(ascii_of, error.object[error.start : error.end])), error.end


def prepare() -> None:
    """Make the standard streams such that any text can be written to them, and that each of them is there."""
    codecs.register_error(LOOK_ALIKES, _look_alikes)
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by who started us, as in 'plyout presets >&-'
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115  (open to the end)
    for stream in (sys.stdout, sys.stderr):
        # tests and other programs may have put something else in its place
        if (reconfigure := getattr(stream, "reconfigure", None)) is not None:
            reconfigure(encoding="ascii" if _ascii_is_asked_for() else stream.encoding, errors=LOOK_ALIKES)


def _ascii_is_asked_for() -> bool:
    """By LC_ALL=C, of which Python takes no notice. Without any locale a terminal of today is assumed, as it does."""
    environment = os.environ
    said = environment.get("PYTHONIOENCODING") or environment.get("PYTHONUTF8")
    return not said and environment.get("LC_ALL") in ("C", "POSIX")


def silence(stream: TextIO) -> None:
    """Let what is still to be written go nowhere: the stream is closed at its other end, or its disk is full."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
