"""The arguments of commands, parsed; an `InputError` says what is wrong with them."""

from typing import Any

import chess

from plyout.errors import InputError
from plyout.search.limits import Limits

_LONGEST_ECHO = 80
_GO_NUMBERS = ("wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "mate", "movetime")
_GO_WORDS = {*_GO_NUMBERS, "infinite", "ponder", "searchmoves", "perft"}
_DEEPEST_PERFT = 12


def shown(text: str) -> str:
    """A part of the input as messages quote it: no longer than a line."""
    return repr(text if len(text) <= _LONGEST_ECHO else text[:_LONGEST_ECHO] + "…")


def whole_number(text: str, what: str) -> int:
    try:
        if len(text) > 20:
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
    from plyout.games.chess.border import check_board, parse_board

    at = words.index("moves") if "moves" in words else len(words)
    if words[:1] == ["startpos"] and at == 1:
        board = variant(chess960=chess960)
    elif words[:1] == ["fen"]:
        board = parse_board(" ".join(words[1:at]), variant)
        board.chess960 = board.chess960 or chess960
    else:
        raise InputError("position wants 'startpos' or 'fen FEN', then perhaps 'moves MOVES'")
    for text in words[at + 1 :]:
        try:
            if not board.push_uci(text):
                raise ValueError
        except ValueError:
            raise InputError(f"illegal move {shown(text)} in {board.fen()}: the position stays as it was") from None
    check_board(board, board.fen())
    return board


def parse_go(words: list[str]) -> dict[str, Any]:
    """The words after ``go``; a number out of range is clamped, what is no number is an error."""
    asked: dict[str, Any] = dict.fromkeys(_GO_NUMBERS) | {"infinite": False, "ponder": False, "searchmoves": []}
    rest = iter(range(len(words)))
    for i in rest:
        word = words[i]
        if word in _GO_NUMBERS:
            if i + 1 >= len(words):
                raise InputError(f"go {word} wants a number")
            number = whole_number(words[next(rest)], f"go {word}")
            if word != "movestogo" or number > 0:  # 0 means: to the end
                asked[word] = min(max(number, 0 if word.endswith(("time", "inc")) else 1), 10**15)
        elif word in ("infinite", "ponder"):
            asked[word] = True
        elif word == "searchmoves":
            while i + 1 + len(asked[word]) < len(words) and words[i + 1 + len(asked[word])] not in _GO_WORDS:
                asked[word].append(words[next(rest)])
            if not asked[word]:
                raise InputError("go searchmoves wants moves")
        else:
            raise InputError(f"go: unknown word {shown(word)}")
    return asked


def limits_of(asked: dict[str, Any], turn: chess.Color) -> Limits:
    """The limits that ``go`` asked for."""
    time, increment = ("wtime", "winc") if turn else ("btime", "binc")
    limits = {name: asked[name] for name in ("nodes", "mate", "movetime", "depth") if asked[name] is not None}
    if asked[time] is not None:
        limits |= {"clock": max(asked[time], 1), "increment": max(asked[increment] or 0, 0)}
        if asked["movestogo"]:
            limits["moves_to_go"] = asked["movestogo"]
    return Limits(infinite=True) if asked["infinite"] or not limits else Limits(**limits)


def parse_searchmove(text: str, board: chess.Board) -> chess.Move:
    try:
        move = board.parse_uci(text)
        if not move:
            raise ValueError
        return move
    except ValueError:
        raise InputError(f"searchmoves: {shown(text)} is not legal in {board.fen()}") from None


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
