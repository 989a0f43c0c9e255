"""How the search came to think so of a move: when it led, when it fell, when it was proven. Read from the history."""

from collections.abc import Iterator

import numpy as np

from plyout.engine.history import History
from plyout.engine.tree import proof_text
from plyout.explain.statement import SEARCH, Statement
from plyout.explain.subject import Candidate
from plyout.search.graph import UNPROVEN

_ENOUGH = 32  # visits of a move before its value says anything
_FELL = 0.1  # of a point


def course(c: Candidate) -> Iterator[Statement]:
    history = c.result.history
    if c.move not in history.moves or len(history) < 2 or c.result.plies is not None:
        return
    column = history.moves.index(c.move)
    yield from _led(c, history, column)
    yield from _fell(c, history, column)
    yield from _proved(c, history, column)


def _led(c: Candidate, history: History, column: int) -> Iterator[Statement]:
    """The last stretch of snapshots at which the move led, with visits enough at its end."""
    led = np.flatnonzero(history.leaders == column)
    if not len(led):
        return
    last = int(led[-1])
    first = last
    while first and history.leaders[first - 1] == column:
        first -= 1
    if history.visits[last, column] < _ENOUGH:
        return
    n = history.n
    if last == len(history) - 1:
        before = int(history.leaders[first - 1]) if first else -1
        other = c.board.san(history.moves[before]) if before >= 0 else None
        yield c.state("led", SEARCH, first=int(n[first]), last=None, next=None, other=other)
    elif history.leaders[last + 1] >= 0:
        other = c.board.san(history.moves[int(history.leaders[last + 1])])
        yield c.state("led", SEARCH, first=int(n[first]), last=int(n[last]), next=int(n[last + 1]), other=other)


def _fell(c: Candidate, history: History, column: int) -> Iterator[Statement]:
    """The fall from the greatest value to the least after it, as long as nothing was proven."""
    values, seen = history.values[:, column], history.visits[:, column] >= _ENOUGH
    rows = np.flatnonzero(seen & (history.proofs[:, column] == UNPROVEN))
    if len(rows) < 2:
        return
    height = int(rows[values[rows].argmax()])
    later = rows[rows > height]
    if not len(later):
        return
    low = int(later[values[later].argmin()])
    if values[height] - values[low] < _FELL:
        return
    reply = history.reply(low, column)
    yield c.state(
        "fell", SEARCH, height=int(history.n[height]), n=int(history.n[low]), before=float(values[height]),
        after=float(values[low]), reply=c.after.san(reply[0]) if reply else None,
        reply_share=reply[1] if reply else None,
    )  # fmt: skip


def _proved(c: Candidate, history: History, column: int) -> Iterator[Statement]:
    """When the result that the search ended with was proven."""
    proven = history.proofs[:, column] != UNPROVEN
    if not proven[-1]:
        return
    first = int(proven.argmax())
    if not proven[first:].all():
        return
    result = proof_text(int(history.proofs[-1, column]))
    before = int(history.n[first - 1]) if first else 0
    if int(history.n[first]):
        yield c.state("proved", SEARCH, before=before, n=int(history.n[first]), result=result)
