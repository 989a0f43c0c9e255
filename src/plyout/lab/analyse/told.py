"""A judged game as plain data: what the annotated PGN, the page and the answer for programs are made of.

Values and scores of positions are White's, losses the mover's. Sentences say what was found, and nothing else.
"""

from typing import Any

import chess

from plyout.knowledge.books.openings import opening_name
from plyout.lab.analyse.judge import SIGNS, Judge, Judged, summary
from plyout.lab.analyse.store import Record

Data = dict[str, Any]
SHOWN = 8
"""Plies of a line that is shown; one that ends in mate is shown whole."""


def game_data(judge: Judge) -> Data:
    """All that is told of a game."""
    given, moves = judge.given, judge.moves
    board = given.start()
    variant = "chess960" if board.chess960 else board.uci_variant
    start = {"fen": board.fen(), "board": str(variant), **_worth(judge.positions[0], board.turn)}
    told = []
    for at, judged in enumerate(moves):
        told.append(_move_data(judged, board, judge.positions[at + 1]))
        board.push(judged.move)
        told[-1]["fen"] = board.fen()
    name = opening_name(board)
    return {
        "number": given.number, "headers": dict(given.game.headers), "start": start,
        "opening": {"eco": name[0], "name": name[1]} if name else None,
        "white": summary(moves, chess.WHITE), "black": summary(moves, chess.BLACK), "moves": told,
    }  # fmt: skip


def _worth(position: Record, turn: chess.Color) -> Data:
    """The value and the score of a position for White; a mate in 0 is on the board."""
    value, cp, mate = position["value"], position["cp"], position["mate"]
    score = {"mate": mate if turn else -mate} if mate is not None else {"cp": cp if turn else -cp}
    return {"value": value if turn else 1.0 - value, "score": score}


def _move_data(judged: Judged, board: chess.Board, after: Record) -> Data:
    """One move, on the board before it."""
    then = board.copy()
    then.push(judged.move)
    traps = [_trap_data(trap, then) for trap in judged.traps]
    return {
        "uci": judged.move.uci(), "san": judged.san, **_worth(after, not board.turn),
        "loss": judged.loss, "mark": SIGNS.get(judged.nag or 0), "forced": judged.legal == 1,
        "choice": judged.choice.uci(), "line": _line(board, judged.line),
        "reply": _line(then, after.get("line") or []),
        "missed": judged.missed, "traps": traps, "fell": _trap_data(judged.fell, board) if judged.fell else None,
        "notes": _notes(judged, board, traps), "why": judged.why,
    }  # fmt: skip


def _line(board: chess.Board, line: list[str]) -> list[list[str]]:
    """The moves of a line, each as UCI and SAN."""
    board, told = board.copy(stack=False), []
    for text in line:
        move = chess.Move.from_uci(text)
        told.append([text, board.san(move)])
        board.push(move)
    return told if board.is_checkmate() else told[:SHOWN]


def _trap_data(trap: Record, board: chess.Board) -> Data:
    """A trap for the side to move: the move, and the line that begins with it."""
    line = _line(board, [trap["move"], *trap["line"]])
    return {name: trap.get(name) for name in ("tempting", "mate", "proof", "before", "after")} | {"line": line}


def percent(value: float) -> str:
    return f"{100 * value:.0f} %"


def _how_lost(trap: Data) -> str:
    if trap["mate"]:
        return f"is mated in {trap['mate']}"
    if trap["proof"] == "loss":
        return "is lost, as the search has proven"
    return f"had up to {percent(trap['before'])} in the search, and {percent(trap['after'])} in the end"


def _notes(judged: Judged, board: chess.Board, traps: list[Data]) -> list[str]:
    """What is said of a move, in sentences."""
    told = []
    sign = SIGNS.get(judged.nag or 0)
    best = board.san(judged.choice)
    if judged.loss > 0 and sign and sign != "!":
        kept = min(judged.before, 1.0 if judged.checked is None else judged.checked)
        told.append(f"From {percent(kept)} to {percent(judged.after)}: {best} is better.")
    if judged.missed:
        told.append(f"There was mate in {judged.missed}: {best}.")
    if sign == "!":
        told.append("All other moves are worse by a tenth of a point and more.")
    if judged.fell:
        told.append(f"Falls into a trap: {judged.san} {_how_lost(_trap_data(judged.fell, board))}.")
    for trap in traps:
        tempts = f" ({', '.join(trap['tempting'])})" if trap["tempting"] else ""
        told.append(f"Sets a trap: {trap['line'][0][1]}{tempts} {_how_lost(trap)}.")
    return told


def certain(why: Data | None) -> list[str]:
    """The sentences of an explanation that are certain."""
    if not why:
        return []
    explained = [*why["why_not"], *([why["why"]] if why["why"] else [])]
    return [s["text"] for move in explained for s in move["statements"] if s["kind"] == "certain"]
