"""What happened in a search, read from its history.

- *lead*: another move leads than at the snapshot before.
- *proof*: of a move the result is proven.
- *refutation*: a move that was tempting (it has led, has the highest prior, or had a fifth of the visits) is proven
  lost, or has collapsed while one reply took half of the visits of all.
- *collapse*: the value of a tempting move fell by a tenth of a point from its height, and no reply stands out.
- *trap*: a move was left out as a trap, before the search.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from plyout.search.graph import SURE, UNPROVEN

if TYPE_CHECKING:
    from plyout.engine.history import History

_TEMPTING = 0.2  # of the visits
_FELL = 0.1  # of a point
_ENOUGH = 32  # visits of a move before its value says anything
_STANDS_OUT = 0.5  # of the visits of all replies


class Event(NamedTuple):
    kind: str
    """lead, proof, refutation, collapse or trap"""
    snapshot: int
    n: int
    """the iterations at that snapshot; what happened lies between it and the one before"""
    move: Any
    other: Any = None
    """lead: the move that had led; refutation: the reply that refutes it, if it is known"""
    before: float | None = None
    """the value of the move at the snapshot before (lead: of the other, now); at its height, where it fell"""
    after: float | None = None
    """its value now"""
    proof: int = UNPROVEN
    """what is proven of the move now"""


def events_of(history: "History") -> list[Event]:
    """The events of a history, in the order of time."""
    events = [Event("trap", 0, 0, move) for move in history.traps]
    tempting = np.zeros(len(history.moves), bool)
    if len(history.moves) and history.priors.max() > history.priors.min():
        tempting[int(history.priors.argmax())] = True
    heights = np.zeros(len(history.moves))
    led = -1
    for k, n in enumerate(history.n.tolist()):
        visits, values, proofs = history.visits[k], history.values[k], history.proofs[k]
        leader = int(history.leaders[k])
        if leader >= 0 and visits[leader] >= _ENOUGH:
            tempting[leader] = True
        tempting |= (visits >= _ENOUGH) & (visits >= _TEMPTING * max(visits.sum(), 1.0))
        for m in _newly_proven(history, k):
            proof = int(proofs[m])
            refuted = proof < -SURE and tempting[m]
            reply = history.reply(k, m) if refuted else None
            events.append(
                Event("refutation" if refuted else "proof", k, n, history.moves[m], reply[0] if reply else None,
                      float(history.values[max(k - 1, 0), m]), float(values[m]), proof)
            )  # fmt: skip
        seen = (visits >= _ENOUGH) & (proofs == UNPROVEN)
        heights = np.where(seen, np.maximum(heights, values), heights)
        for m in np.flatnonzero(seen & tempting & (heights - values >= _FELL)).tolist():
            reply = history.reply(k, m)
            stands_out = reply is not None and reply[1] >= _STANDS_OUT
            events.append(
                Event("refutation" if stands_out else "collapse", k, n, history.moves[m],
                      reply[0] if reply and stands_out else None, float(heights[m]), float(values[m]))
            )  # fmt: skip
            heights[m] = values[m]  # from here on it may fall again
        if led >= 0 and leader not in (led, -1):
            before, after = float(values[led]), float(values[leader])
            events.append(Event("lead", k, n, history.moves[leader], history.moves[led], before, after))
        led = leader if leader >= 0 else led
    return events


def _newly_proven(history: "History", k: int) -> list[int]:
    """The columns of the moves that are proven at a snapshot, and were not at the one before."""
    now = history.proofs[k] != UNPROVEN
    if k:
        now = now & (history.proofs[k - 1] == UNPROVEN)
    return [int(m) for m in np.flatnonzero(now)]
