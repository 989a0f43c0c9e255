"""The arguments of commands, parsed; an `InputError` says what is wrong with them."""

from dataclasses import dataclass, field
from typing import Any

import chess

from plyout.errors import InputError
from plyout.search.limits import Limits

_LONGEST_ECHO = 80
_GO_NUMBERS = ("wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "mate", "movetime")
_GO_WORDS = {*_GO_NUMBERS, "infinite", "ponder", "searchmoves", "perft"}
_PROTOCOL = {
    "uci", "debug", "isready", "setoption", "register", "ucinewgame", "position", "go", "stop", "ponderhit", "quit",
}  # fmt: skip
_BEYOND_THE_PROTOCOL = {"help", "d", "eval", "tree", "perft", "bench"}
_DEEPEST_PERFT = 12
_LONGEST_NUMBER = 20  # letters
_WITHOUT_LIMIT = 1000  # milliseconds


def from_the_command_on(words: list[str]) -> list[str]:
    """A line from its first word that is a command of the protocol: UCI wants what comes before to be skipped."""
    if not words or words[0] in _BEYOND_THE_PROTOCOL:
        return words
    return words[next((i for i, word in enumerate(words) if word in _PROTOCOL), 0) :]


def shown(text: str) -> str:
    """A part of the input as messages quote it: no longer than a line."""
    return repr(text if len(text) <= _LONGEST_ECHO else text[:_LONGEST_ECHO] + "…")


def whole_number(text: str, what: str) -> int:
    try:
        if len(text) > _LONGEST_NUMBER:
            raise ValueError
        return int(text)
    except ValueError:
        raise InputError(f"{what} wants a whole number, not {shown(text)}") from None


def parse_setoption(words: list[str]) -> tuple[str, str]:
    """The name of an option, and the value it is to have."""
    if not words or words[0] != "name":
        raise InputError("setoption wants 'name NAME value VALUE'")
    at = words.index("value") if "value" in words else len(words)
    return " ".join(words[1:at]), " ".join(words[at + 1 :])


def parse_position(words: list[str], variant: type[chess.Board], chess960: bool) -> chess.Board:
    """The board that ``position`` sets up; it is checked that the game can be played from there."""
    at = words.index("moves") if "moves" in words else len(words)
    if words[:1] == ["startpos"] and at == 1:
        board = variant(chess960=chess960)
    elif words[:1] == ["fen"]:
        board = _board(" ".join(words[1:at]), variant)
        board.chess960 = board.chess960 or chess960
    else:
        raise InputError("position wants 'startpos' or 'fen FEN', then perhaps 'moves MOVES'")
    for text in words[at + 1 :]:
        try:
            if not board.push_uci(text):
                raise ValueError
        except ValueError:
            raise InputError(f"illegal move {shown(text)} in {board.fen()}: the position stays as it was") from None
    _check(board)
    return board


def _board(fen: str, variant: type[chess.Board]) -> chess.Board:
    try:
        from plyout.games.chess.border import parse_board
    except Exception:  # the compiler cannot be loaded: python-chess knows nearly as much
        try:
            return variant(fen)
        except ValueError:
            raise InputError(f"no FEN: {shown(fen)}") from None
    return parse_board(fen, variant)


def _check(board: chess.Board) -> None:
    try:
        from plyout.games.chess.border import check_board
    except Exception:
        if not board.is_valid():
            raise InputError(f"nobody can play on from {board.fen()}") from None
        return
    check_board(board, board.fen())


@dataclass
class Go:
    """What ``go`` asks for, and what of it was left out, in words."""

    numbers: dict[str, int] = field(default_factory=dict)
    infinite: bool = False
    ponder: bool = False
    searchmoves: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)


def parse_go(words: list[str]) -> Go:
    """The words after ``go``. A number out of range is clamped; what cannot be understood is left out."""
    asked, unknown = Go(), []
    at = 0
    while at < len(words):
        word, at = words[at], at + 1
        if word in _GO_NUMBERS:
            if at == len(words) or words[at] in _GO_WORDS:
                asked.complaints.append(f"{word} wants a number")
            else:
                _take_number(asked, word, words[at])
                at += 1
        elif word in ("infinite", "ponder"):
            setattr(asked, word, True)
        elif word == "searchmoves":
            end = next((i for i in range(at, len(words)) if words[i] in _GO_WORDS), len(words))
            asked.searchmoves += words[at:end]
            if end == at:
                asked.complaints.append("searchmoves wants moves")
            at = end
        else:
            unknown.append(word)
    if unknown:
        more = f" and {len(unknown) - 3} more" if len(unknown) > 3 else ""
        asked.complaints.append(f"unknown: {', '.join(map(shown, unknown[:3]))}{more}")
    return asked


def _take_number(asked: Go, word: str, text: str) -> None:
    number = _rounded(text)
    if number is None:
        asked.complaints.append(f"{word} wants a whole number, not {shown(text)}")
    elif word != "movestogo" or number > 0:  # 0 means: to the end
        asked.numbers[word] = min(max(number, 0 if word.endswith(("time", "inc")) else 1), 10**15)


def _rounded(text: str) -> int | None:
    """The whole number that a text means, or nearly means."""
    try:
        return whole_number(text, "")
    except InputError:
        pass
    try:
        number = float(text) if len(text) <= _LONGEST_NUMBER else float("nan")
        return int(number) if abs(number) < 10**15 else None
    except ValueError:
        return None


def limits_of(asked: Go, turn: chess.Color) -> Limits:
    """The limits that ``go`` asked for. Nothing at all means to search until ``stop``; what cannot be understood, a
    second, and a complaint that says so."""
    numbers = asked.numbers
    limits: dict[str, Any] = {name: numbers[name] for name in ("nodes", "mate", "movetime", "depth") if name in numbers}
    clocks = ("wtime", "winc"), ("btime", "binc")
    for time, increment in clocks if turn else reversed(clocks):  # the other side's clock is better than none
        if time in numbers and "clock" not in limits:
            limits |= {"clock": max(numbers[time], 1), "increment": numbers.get(increment, 0)}
            if "movestogo" in numbers:
                limits["moves_to_go"] = numbers["movestogo"]
    if asked.infinite or (not limits and not numbers and not asked.complaints):
        return Limits(infinite=True)
    if not limits:
        asked.complaints.append(f"no limit that can be understood: searching for {_WITHOUT_LIMIT} ms")
        return Limits(movetime=_WITHOUT_LIMIT)
    return Limits(**limits)


def searchmoves_of(asked: Go, board: chess.Board) -> list[chess.Move] | None:
    """The legal ones among the moves that ``go`` asked for; None if there are none, and all are to be searched."""
    moves: list[chess.Move] = []
    wrong: list[str] = []
    for text in asked.searchmoves:
        try:
            move = board.parse_uci(text)
        except ValueError:
            move = chess.Move.null()
        if not move:
            wrong.append(text)
        elif move not in moves:
            moves.append(move)
    if wrong:
        more = f" and {len(wrong) - 3} more" if len(wrong) > 3 else ""
        every = "" if moves else ": searching all moves"
        asked.complaints.append(f"searchmoves: {', '.join(map(shown, wrong[:3]))}{more}: not legal here{every}")
    return moves or None


def parse_perft(words: list[str]) -> int:
    """The depth."""
    if not words:
        raise InputError("perft wants a depth")
    depth = whole_number(words[0], "perft")
    if depth < 0:
        raise InputError("perft: the depth must not be negative")
    if depth > _DEEPEST_PERFT:
        raise InputError(f"perft: a depth above {_DEEPEST_PERFT} would take years")
    return depth


def parse_tree(words: list[str]) -> int:
    """How many moves are to be shown."""
    count = whole_number(words[0], "tree") if words else 10
    if count < 0:
        raise InputError("tree: the number of moves must not be negative")
    return count
