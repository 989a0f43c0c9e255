"""A game as PGN, with what the players thought: evaluation, depth, clock and time of every move."""

import time
from typing import Any, NamedTuple

import chess
import chess.engine
import chess.pgn

from plyout.knowledge.books.openings import opening_name
from plyout.lab.match.players import Answer

_TERMINATIONS = {"time": "time forfeit", "crash": "abandoned", "stall": "abandoned", "illegal": "rules infraction",
    "adjudication": "adjudication"}  # fmt: skip


class Thought(NamedTuple):
    """A move's answer, and what was then left on the mover's clock."""

    answer: Answer
    left: float | None


def pgn_of(
    board: chess.Board, thoughts: list[Thought], *, result: str, reason: str, detail: str, opening: str, white: str,
    black: str, controls: tuple[str, str], pair: int, began: float,
) -> str:  # fmt: skip
    """The text of a game: `board` after its last move, `thoughts` for the moves that were not the opening's."""
    game = chess.pgn.Game()
    game.setup(board.root())
    day = time.strftime("%Y.%m.%d", time.gmtime(began))
    heads: dict[str, Any] = {"Event": "Plyout match", "Site": "?", "Date": day, "Round": str(pair + 1)}
    heads |= {"White": white, "Black": black, "Result": result}
    if known := opening_name(board):
        heads |= {"ECO": known[0], "Opening": known[1]}
    elif opening:
        heads["Opening"] = opening
    if controls[0] == controls[1]:
        heads["TimeControl"] = controls[0]
    else:
        heads |= {"WhiteTimeControl": controls[0], "BlackTimeControl": controls[1]}
    heads["Termination"] = _TERMINATIONS.get(reason.split(":")[0], "normal")
    heads["PlyCount"] = str(len(board.move_stack))
    for name, value in heads.items():
        game.headers[name] = value
    node: chess.pgn.GameNode = game
    turn, played_by_book = board.root().turn, len(board.move_stack) - len(thoughts)
    for ply, move in enumerate(board.move_stack):
        node = node.add_variation(move)
        if ply >= played_by_book:
            _annotate(node, thoughts[ply - played_by_book], turn)
        turn = not turn
    node.comment = f"{node.comment} {detail}".strip()
    return str(game.accept(chess.pgn.StringExporter(columns=100)))


def _annotate(node: chess.pgn.GameNode, thought: Thought, mover: chess.Color) -> None:
    answer = thought.answer
    if answer.mate is not None or answer.cp is not None:
        score = chess.engine.Mate(answer.mate) if answer.mate is not None else chess.engine.Cp(answer.cp or 0)
        node.set_eval(chess.engine.PovScore(score, mover), answer.depth)
    if thought.left is not None:
        node.set_clock(thought.left)
    node.set_emt(answer.seconds)
