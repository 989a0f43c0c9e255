"""Games that are on disk: a store of ours, or any PGN file."""

import io
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TextIO

import chess.pgn

from plyout.errors import InputError
from plyout.lab.match.store import FILE, Store
from plyout.lab.record import ABANDONED, POINTS, TERMINATIONS, Game

_REASON_OF = {tag: reason for reason, tag in TERMINATIONS.items() if tag != ABANDONED}
_REASONS = {  # words of the comment that match runners put behind the last move; the first found counts
    "adjudication": "adjudication",
    "illegal": "illegal",
    "stalemate": "stalemate",
    "stall": "stall",
    "on time": "time",
    "time forfeit": "time",
    "disconnect": "crash",
    "crash": "crash",
    "repetition": "repetition",
    "fifty": "fifty moves",
    "insufficient": "material",
    "material": "material",
    "mate": "checkmate",
}


def read_games(path: str | Path) -> tuple[list[Game], dict[str, Any]]:
    """(finished games, settings) of a PGN file, of a store, or of the folder that holds one."""
    place = Path(path)
    if place.is_dir():
        place = place / FILE if (place / FILE).is_file() else _only_pgn(place)
    if not place.is_file():
        raise InputError(f"{path} is not there: give a PGN file, a {FILE} or a folder that holds one")
    if place.suffix == ".sqlite":
        with Store.read(place) as store:
            return store.games(), store.settings()
    try:
        text = place.read_text(encoding="utf-8-sig", errors="replace")
    except OSError as error:
        raise InputError(f"{place} cannot be read: {error.strerror}") from None
    games = list(games_of_pgn(text))
    if not games:
        raise InputError(f"{place} holds no finished game in PGN")
    return games, {"games": place.name}


class _Quietly(chess.pgn.GameBuilder[chess.pgn.Game]):
    """Keeps what is wrong with a game, and does not print it."""

    def handle_error(self, error: Exception) -> None:
        self.game.errors.append(error)


def pgn_games(file: TextIO) -> Iterator[chess.pgn.Game]:
    """The games of an open PGN file, with their moves; what is wrong with one is in its `errors`."""
    while True:
        try:
            game = chess.pgn.read_game(file, Visitor=_Quietly)
        except (IndexError, ValueError):  # of python-chess, where a file is no text at all
            raise InputError(f"{file.name} cannot be read as PGN: is it a file of games?") from None
        if game is None:
            return
        yield game


def _only_pgn(folder: Path) -> Path:
    found = sorted(folder.glob("*.pgn"))
    if len(found) != 1:
        raise InputError(f"{folder} holds {len(found)} PGN files and no {FILE}: name the file")
    return found[0]


def games_of_pgn(text: str) -> Iterator[Game]:
    """The finished games of a PGN text.

    Two games of the same players and Round with colours swapped are a pair; where Round says nothing, none are.
    """
    text = re.sub(r"\n(?=\[Event )", "\n\n", text.replace("\r\n", "\n"))  # files put together may lack the blank line
    source = io.StringIO(text)
    rounds: dict[str, int] = {}
    number = 0
    while True:
        began = source.tell()
        tags = chess.pgn.read_headers(source)
        if tags is None:
            return
        number += 1
        if tags.get("Result") not in POINTS:
            continue
        movetext = text[began : source.tell()]
        label = tags.get("Round", "?")
        pair = -number if label in ("?", "-", "") else rounds.setdefault(label, len(rounds))
        plies = tags.get("PlyCount", "")
        yield Game(
            pair=pair,
            white=tags.get("White", "?"),
            black=tags.get("Black", "?"),
            result=tags["Result"],
            reason=_reason(tags, movetext),
            opening=tags.get("Opening", ""),
            plies=int(plies) if re.fullmatch(r"[0-9]{1,6}", plies) else 0,
        )


def _reason(tags: Mapping[str, str], movetext: str) -> str:
    """How the game ended, as far as the Termination tag and the last comment tell."""
    termination = tags.get("Termination", "").lower()
    if termination in _REASON_OF:
        return _REASON_OF[termination]
    comments = re.findall(r"\{([^}]*)\}", movetext)
    last = re.sub(r"\[%[^\]]*\]", "", comments[-1]).lower() if comments else ""
    known = [reason for word, reason in _REASONS.items() if re.search(rf"\b{word}", last)]
    if termination == ABANDONED:
        return "stall" if "stall" in known else "crash"
    if known:
        return known[0]
    return "checkmate" if re.search(r"#\s+(1-0|0-1)\s*$", re.sub(r"\{[^}]*\}", "", movetext)) else "unknown"
