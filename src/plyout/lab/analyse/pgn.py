"""Annotated PGN: values, marks, sentences, and as variations what was better, what refutes, and where traps lead.

Comments, variations and marks that the file has are kept; values (``[%eval]``) are replaced, and a mark of ours takes
the place of one for the same move.
"""

import re

import chess
import chess.pgn

from plyout import __version__
from plyout.lab.analyse.games import Given
from plyout.lab.analyse.judge import SIGNS
from plyout.lab.analyse.settings import Settings
from plyout.lab.analyse.told import Data, certain

_OF_MOVES = frozenset(range(1, 7))  # the NAGs that judge a move
_NAGS = {sign: nag for nag, sign in SIGNS.items()}
_MISTAKES, _GRAVE = ("??", "?", "?!"), ("??", "?")


def annotated(given: Given, data: Data, settings: Settings) -> str:
    """The text of a game with what was found."""
    game = given.game.accept(chess.pgn.GameBuilder())
    _tags(game, data, settings)
    node: chess.pgn.GameNode = game
    before: Data | None = None
    for move in data["moves"]:
        parent, node = node, node.variations[0]
        _annotate(node, move)
        _vary(parent, move, before)
        before = move
    return str(game.accept(chess.pgn.StringExporter(columns=100)))


def _tags(game: chess.pgn.Game, data: Data, settings: Settings) -> None:
    if data["opening"]:
        game.headers.setdefault("ECO", data["opening"]["eco"])
        game.headers.setdefault("Opening", data["opening"]["name"])
    who = f"Plyout {__version__}, {settings}".replace('"', "'").replace("\\", "/")
    before = re.sub(r"(^\??|; )(Plyout .*)?$", "", game.headers.get("Annotator", "?"))
    game.headers["Annotator"] = f"{before}; {who}" if before else who
    for side in ("White", "Black"):
        if (accuracy := data[side.lower()]["accuracy"]) is not None:
            game.headers[f"{side}Accuracy"] = f"{accuracy:.1f}"


def _annotate(node: chess.pgn.ChildNode, move: Data) -> None:
    """The value, the mark and the sentences of a move of the game."""
    while node.eval() is not None:
        node.set_eval(None)
    score = move["score"]
    value = f"#{score['mate']}" if "mate" in score else f"{score['cp'] / 100:.2f}"
    own = [text for text in map(_safe, [*move["notes"], *certain(move["why"])]) if text not in node.comment]
    node.comment = " ".join(filter(None, [f"[%eval {value}]", *own, node.comment.strip()]))
    if move["mark"]:
        node.nags = {nag for nag in node.nags if nag not in _OF_MOVES} | {_NAGS[move["mark"]]}


def _safe(text: str) -> str:
    """A sentence that may be wrapped anywhere: a line that begins with a percent sign is no part of a PGN."""
    return text.replace(" %", "%").replace("{", "(").replace("}", ")")


def _vary(parent: chess.pgn.GameNode, move: Data, before: Data | None) -> None:
    """The variations beside a move: what was better, what refutes the move before it, a trap that that has set."""
    played = move["uci"]
    if move["mark"] in _MISTAKES:
        _add(parent, move["line"], played, "Better.")
    if before and before["mark"] in _GRAVE:
        _add(parent, before["reply"], played, "The answer.")
    for trap in before["traps"] if before else ():
        _add(parent, trap["line"], played, "The trap.", _NAGS["??"])


def _add(parent: chess.pgn.GameNode, line: list[list[str]], played: str, said: str, *nags: int) -> None:
    """A variation, unless it begins as the game goes on, or as one that is there."""
    if not line or line[0][0] == played:
        return
    moves = [chess.Move.from_uci(uci) for uci, _ in line]
    if parent.has_variation(moves[0]):
        return
    node = parent.add_variation(moves[0], comment=said, nags=nags)
    for following in moves[1:]:
        node = node.add_variation(following)
