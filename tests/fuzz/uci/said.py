"""What an engine may say: the grammar of its lines, as the protocol has it."""

import re
from dataclasses import dataclass

from tests.fuzz.uci import Violation

MOVE = re.compile(r"[a-h][1-8][a-h][1-8][qrbn]?|[PNBRQ]@[a-h][1-8]")
BESTMOVE = re.compile(rf"bestmove (0000|{MOVE.pattern})(?: ponder ({MOVE.pattern}))?")
_OTHER = re.compile(
    r"id (?:name|author) \S.*"
    r"|option name \S.* type (?:check|spin|combo|button|string)(?: .*)?"
    r"|uciok|readyok"
    r"|info string \S.{0,1000}"
    # not in the protocol: d, perft and bench
    rf"|(?:[.a-zA-Z] ){{7}}[.a-zA-Z]|Fen: \S.*|(?:{MOVE.pattern}): \d+|Nodes searched: \d+|Nodes/second: \d+|"
)
_NUMBERS = {
    "depth", "seldepth", "time", "nodes", "multipv", "currmovenumber", "hashfull", "nps", "tbhits", "sbhits", "cpuload",
}  # fmt: skip
_PERMILLE = 1000
HIGHEST_SCORE = 20_000  # centipawns
LONGEST_MATE = 500  # moves


@dataclass(frozen=True)
class Info:
    """A line of a search."""

    line: str
    numbers: dict[str, int]
    centipawns: int | None
    mate: int | None
    pv: tuple[str, ...]


def is_of_search(line: str) -> bool:
    """Whether only a search says such a line."""
    return line.startswith("info ") and not line.startswith("info string ")


def check(line: str) -> None:
    """A `Violation` if a line is not of the grammar; lines of searches and moves are read by others."""
    if line.startswith("Traceback") or "internal error" in line:
        raise Violation(f"an error of the engine's own: {line[:300]!r}")
    if not _OTHER.fullmatch(line):
        raise Violation(f"not a line of the protocol: {line[:300]!r}")


def read_info(line: str) -> Info:
    words = line.split(" ")
    numbers: dict[str, int] = {}
    centipawns = mate = None
    pv: tuple[str, ...] = ()
    at = 1
    try:
        while at < len(words):
            word = words[at]
            if word in _NUMBERS:
                numbers[word] = _number(words[at + 1], 0)
                at += 2
            elif word == "score":
                if words[at + 1] == "cp":
                    centipawns = _number(words[at + 2], -HIGHEST_SCORE, HIGHEST_SCORE)
                elif words[at + 1] == "mate":
                    mate = _number(words[at + 2], -LONGEST_MATE, LONGEST_MATE)
                else:
                    raise ValueError
                at += 4 if words[at + 3 : at + 4] in (["lowerbound"], ["upperbound"]) else 3
            elif word == "wdl":
                if sum(_number(text, 0, _PERMILLE) for text in words[at + 1 : at + 4]) != _PERMILLE:
                    raise ValueError
                at += 4
            elif word == "currmove" and MOVE.fullmatch(words[at + 1]):
                at += 2
            elif word == "pv":
                pv = tuple(words[at + 1 :])
                if not pv or not all(map(MOVE.fullmatch, pv)):
                    raise ValueError
                at = len(words)
            else:
                raise ValueError
        if numbers.get("hashfull", 0) > _PERMILLE or numbers.get("multipv") == 0:
            raise ValueError
    except (ValueError, IndexError):
        raise Violation(f"not a line of a search: {line[:300]!r}, at word {at + 1}") from None
    return Info(line, numbers, centipawns, mate, pv)


def _number(text: str, low: int, high: int = 1 << 63) -> int:
    number = int(text)
    if not low <= number <= high or not text.removeprefix("-").isdigit():
        raise ValueError
    return number
