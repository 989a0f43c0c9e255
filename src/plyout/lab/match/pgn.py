"""A game as PGN, with what the players thought: evaluation, depth, clock and time of every move."""

import time
from typing import NamedTuple

import chess
import chess.engine
import chess.pgn

from plyout.knowledge.books.openings import opening_name
from plyout.lab.match.players import Answer
from plyout.lab.record import TERMINATIONS, Game


class Thought(NamedTuple):
    """A move's answer, and what was then left on the mover's clock."""

    answer: Answer
    left: float | None


def pgn_of(game: Game, board: chess.Board, thoughts: list[Thought], controls: tuple[str, str], detail: str = "") -> str:
    """The text of a game: `board` after its last move, `thoughts` for the moves that were not the opening's.

    `controls` are White's and Black's time control, `detail` stands behind the last move.
    """
    told = chess.pgn.Game()
    told.setup(board.root())
    day = time.strftime("%Y.%m.%d", time.gmtime(game.ended - game.seconds))
    heads = {"Event": "Plyout match", "Site": "?", "Date": day, "Round": str(game.pair + 1)}
    heads |= {"White": game.white, "Black": game.black, "Result": game.result}
    if known := opening_name(board):
        heads |= {"ECO": known[0], "Opening": known[1]}
    elif game.opening:
        heads["Opening"] = game.opening
    if controls[0] == controls[1]:
        heads["TimeControl"] = controls[0]
    else:
        heads |= {"WhiteTimeControl": controls[0], "BlackTimeControl": controls[1]}
    heads["Termination"] = TERMINATIONS.get(game.reason.split(":")[0], "normal")
    heads["PlyCount"] = str(len(board.move_stack))
    for name, value in heads.items():
        told.headers[name] = value
    node: chess.pgn.GameNode = told
    turn, played_by_book = board.root().turn, len(board.move_stack) - len(thoughts)
    for ply, move in enumerate(board.move_stack):
        node = node.add_variation(move)
        if ply >= played_by_book:
            _annotate(node, thoughts[ply - played_by_book], turn)
        turn = not turn
    node.comment = f"{node.comment} {detail}".strip()
    return str(told.accept(chess.pgn.StringExporter(columns=100)))


def _annotate(node: chess.pgn.GameNode, thought: Thought, mover: chess.Color) -> None:
    answer = thought.answer
    if answer.mate is not None or answer.cp is not None:
        score = chess.engine.Mate(answer.mate) if answer.mate is not None else chess.engine.Cp(answer.cp or 0)
        node.set_eval(chess.engine.PovScore(score, mover), answer.depth)
    if thought.left is not None:
        node.set_clock(thought.left)
    node.set_emt(answer.seconds)
