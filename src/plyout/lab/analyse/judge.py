"""What is said of a game's moves, from the analyses of its positions alone.

- A move's *loss* is the value of the position before it (what the best move keeps) less the value after it, both as
  expected scores of the mover. It is 0 where the move is the search's own choice, or the only one.
- Where that would be a mistake, the position after the best move is searched, too, and the lesser of both values of
  the best move counts: a mistake must be one in the eyes of two searches.
- *Marks* go by the loss: `MARKS`; and letting a proven mate slip is at least dubious. A good move has a rule, too:
  see `is_candidate` and `_good`.
- A move's *accuracy* is 100 %, and half of it for each tenth of a point lost.
"""

from dataclasses import dataclass, field
from typing import Any, Protocol

import chess
import chess.pgn

from plyout.lab.analyse.analyst import Task, name_of
from plyout.lab.analyse.games import Given, next_key
from plyout.lab.analyse.store import Record
from plyout.lab.match.game import ending_of

MARKS = ((0.20, chess.pgn.NAG_BLUNDER), (0.10, chess.pgn.NAG_MISTAKE), (0.05, chess.pgn.NAG_DUBIOUS_MOVE))
"""(the least loss, the mark), the gravest first"""
GOOD = 0.10
"""A good move keeps so much more than any other,"""
HIDDEN = 0.10
"""and its prior was below this, and not the highest."""
HALF = 0.10
"""A loss that halves a move's accuracy."""

SIGNS = {chess.pgn.NAG_BLUNDER: "??", chess.pgn.NAG_MISTAKE: "?", chess.pgn.NAG_DUBIOUS_MOVE: "?!",
         chess.pgn.NAG_GOOD_MOVE: "!"}  # fmt: skip


class Records(Protocol):
    """Analyses by name."""

    def get(self, name: str) -> Record | None: ...


@dataclass
class Judged:
    """A move of a game. Values are the mover's, from 0 to 1."""

    key: str
    """of the position before it"""
    move: chess.Move
    san: str
    turn: chess.Color
    before: float
    after: float
    choice: chess.Move
    """the search's"""
    line: list[str]
    """that of the choice"""
    legal: int
    checked: float | None = None
    """what the choice keeps by a search of the position after it"""
    loss: float = 0.0
    nag: int | None = None
    missed: int | None = None
    """a mate in so many moves that was there; after the move none is proven"""
    traps: list[Record] = field(default_factory=list)
    """that the move sets"""
    fell: Record | None = None
    """the trap that the move falls into"""
    why: Record | None = None

    @property
    def accuracy(self) -> float:
        return float(100 * 0.5 ** (self.loss / HALF))


def known(board: chess.Board) -> Record | None:
    """The analysis of a position where the game has ended, which needs no search."""
    ending = ending_of(board)
    if ending is None:
        return None
    mated = ending[1] == "checkmate"
    value = {"cp": None, "mate": 0} if mated else {"cp": 0, "mate": None}
    return {"value": 0.0 if mated else 0.5, "proof": "loss" if mated else "draw", "traps": [], **value}


class Judge:
    """Judges one game with the analyses there are. `missing` are those that are needed next; none: it is judged."""

    def __init__(self, given: Given, records: Records, why: int) -> None:
        self.given, self._records, self._most = given, records, why
        self.moves: list[Judged] = []
        self.positions: list[Record] = []
        """the analyses of all positions, the last included"""
        self.missing: list[Task] = []
        self._read_positions()
        if not self.missing:
            self._weigh()
        if not self.missing:
            self._mark()
            self._explain()

    def _of(
        self, kind: str, key: str, board: chess.Board, move: chess.Move | None = None, nodes: int | None = None
    ) -> Record | None:
        """An analysis; if it is not there, it is missing."""
        found = self._records.get(name_of(kind, key, move))
        if found is None:
            self.missing.append(Task(kind, key, board.copy(), move, nodes))
        return found

    def _read_positions(self) -> None:
        for at, (key, board) in enumerate(self.given.boards()):
            over = known(board) if at == len(self.given.moves) else None
            self.positions.append(over or self._of("position", key, board) or {})

    def _weigh(self) -> None:
        """Losses; what must be looked at twice is searched again."""
        walk = self.given.boards()
        for at, move in enumerate(self.given.moves):
            key, board = next(walk)
            here, after = self.positions[at], self.positions[at + 1]
            choice = chess.Move.from_uci(here["move"])
            judged = Judged(
                key, move, board.san(move), board.turn, here["value"], 1.0 - after["value"], choice, here["line"],
                here["legal"],
            )  # fmt: skip
            self.moves.append(judged)
            if move == choice:
                if is_candidate(here):
                    self._of("without", key, board, move)
                continue
            judged.loss = max(0.0, judged.before - judged.after)
            if judged.loss >= MARKS[-1][0] and not here["proof"]:
                self._look_again(judged, board)

    def _look_again(self, judged: Judged, board: chess.Board) -> None:
        """What the choice keeps, by a search of the position after it."""
        after = board.copy()
        after.push(judged.choice)
        found = known(after) or self._of("position", next_key(judged.key, judged.choice), after)
        if found is not None:
            judged.checked = 1.0 - found["value"]
            judged.loss = max(0.0, min(judged.before, judged.checked) - judged.after)
            if found.get("line"):
                judged.line = [judged.choice.uci(), *found["line"]]

    def _mark(self) -> None:
        for at, judged in enumerate(self.moves):
            here, after = self.positions[at], self.positions[at + 1]
            judged.nag = next((nag for least, nag in MARKS if judged.loss >= least), None)
            if judged.move != judged.choice and (here["mate"] or 0) > 0 and after["proof"] != "loss":
                judged.missed = here["mate"]
                judged.nag = judged.nag or chess.pgn.NAG_DUBIOUS_MOVE
            if judged.nag is None and self._good(judged, here):
                judged.nag = chess.pgn.NAG_GOOD_MOVE
            old = {trap["move"] for trap in self.positions[at - 1]["traps"]} if at else set()
            if at + 1 < len(self.moves):
                judged.traps = [trap for trap in after["traps"] if trap["move"] not in old]
            judged.fell = next((trap for trap in here["traps"] if trap["move"] == judged.move.uci()), None)

    def _good(self, judged: Judged, here: Record) -> bool:
        """Whether the choice was played, was hard to see, and every other move is worse, by a search without it."""
        if judged.move != judged.choice or not is_candidate(here):
            return False
        without = self._records.get(name_of("without", judged.key, judged.move))
        return without is not None and min(judged.before, judged.after) - without["value"] >= GOOD

    def _explain(self) -> None:
        """Why the gravest mistakes are mistakes."""
        grave = [m for m in self.moves if m.loss >= MARKS[1][0] or m.missed]
        chosen = sorted(grave, key=lambda m: -m.loss)[: self._most]
        if not chosen:
            return
        for at, (key, board) in enumerate(self.given.boards()):
            judged = self.moves[at] if at < len(self.moves) else None
            if judged is not None and any(judged is m for m in chosen):
                nodes = max(1, self.positions[at]["nodes"])
                judged.why = self._of("why", key, board, judged.move, nodes)


def is_candidate(here: Record) -> bool:
    """Whether the search's choice in a position may be a good move: hidden, by this search far the best, and no mate
    on the spot."""
    hidden = here["legal"] > 1 and here["rank"] > 1 and here["prior"] < HIDDEN and here["mate"] != 1
    return bool(hidden and (here["second"] is None or here["value"] - here["second"] >= GOOD / 2))


def summary(moves: list[Judged], side: chess.Color) -> dict[str, Any]:
    """A side's accuracy, which is the mean of its moves' that were not forced, and how often it was marked."""
    own = [m for m in moves if m.turn == side]
    free = [m for m in own if m.legal > 1]
    counts = {sign: sum(m.nag == nag for m in own) for nag, sign in SIGNS.items()}
    return {
        "moves": len(own),
        "accuracy": sum(m.accuracy for m in free) / len(free) if free else None,
        "loss": sum(m.loss for m in free) / len(free) if free else None,
        "marks": counts,
        "mates_missed": sum(m.missed is not None for m in own),
        "traps_set": sum(len(m.traps) for m in own),
        "traps_fallen_into": sum(m.fell is not None for m in own),
    }
