"""The words of statements: one sentence for each type, made of its facts and of nothing else."""

from collections.abc import Callable
from typing import Any

Facts = dict[str, Any]

LEGEND = {
    "certain": "by the rules, endgame tables, or a proof whose every line was checked",
    "method": "counted by the method named; queen 9.5, rook 5, bishop 3.3, knight 3.2, pawn 1",
    "search": "what this search saw; values are the mover's, 100 % is a win",
}
_PIECES = {"P": "pawn", "N": "knight", "B": "bishop", "R": "rook", "Q": "queen"}


def said(type: str, san: str, facts: Facts) -> str:
    """The sentence of a statement of that type about the move `san`."""
    return SENTENCES[type](san, facts)


def _percent(value: float) -> str:
    """A share; small ones with a decimal, so that few is not none."""
    if 0 < value < 0.001:
        return "under 0.1 %"
    return f"{100 * value:.{1 if 0 < value < 0.0995 else 0}f} %"


def _value(value: float) -> str:
    return f"{100 * value:.1f} %"


def _pawns(centipawns: int) -> str:
    pawns = abs(centipawns) / 100
    return f"{pawns:g} pawn{'' if pawns == 1 else 's'}"


def _moves(facts: Facts) -> str:
    return f"{'' if facts['exact'] else 'at most '}{facts['moves']}"


def _checked(facts: Facts) -> str:
    return f"certificate checked, {facts['lines']:,} line{'' if facts['lines'] == 1 else 's'}"


def _pieces(letters: str) -> str:
    """Captured pieces in words: "QPP" is a queen and 2 pawns."""
    counts = [(letters.count(p), name) for p, name in reversed(_PIECES.items()) if p in letters]
    return ", ".join(f"a {name}" if n == 1 else f"{n} {name}s" for n, name in counts) or "nothing"


def _forced(san: str, f: Facts) -> str:
    return f"{san} is the only legal move."


def _checkmate(san: str, f: Facts) -> str:
    return f"{san} is checkmate."


def _mate(san: str, f: Facts) -> str:
    return f"{san} mates in {_moves(f)}: {f['shown']} ({_checked(f)})."


def _mated(san: str, f: Facts) -> str:
    return f"After {san} {f['mover']} is mated in {_moves(f)}: {f['shown']} ({_checked(f)})."


def _after_reply(san: str, f: Facts) -> str:
    return f"If {f['reply']}, {f['mover']} mates in {_moves(f)}: {f['shown']} ({_checked(f)})."


def _decided(san: str, f: Facts) -> str:
    what = "wins" if f["result"] == "win" else "loses"
    checked = f"{f['positions']:,} positions checked"
    return f"{san} {what}: every line of the proof ends in mate or in endgame tables ({checked})."


def _draw(san: str, f: Facts) -> str:
    return f"{san} ends the game in a draw: {f['by']}."


def _table(san: str, f: Facts) -> str:
    if f["result"] == "draw":
        return f"{san} draws: endgame tables, {f['pieces']} pieces."
    what = "wins" if f["result"] == "win" else "loses"
    return f"{san} {what}: endgame tables, {f['pieces']} pieces, mate in {f['moves']} with best play."


def _exchange(san: str, f: Facts) -> str:
    what = f"By exchanges on {f['square']} alone {san} "
    if f["centipawns"] == 0:
        return what + "comes out even."
    return what + f"{'wins' if f['centipawns'] > 0 else 'loses'} {_pawns(f['centipawns'])}; pins are not seen."


def _answer(san: str, f: Facts) -> str:
    return f"After {san} the reply {f['reply']} wins {_pawns(f['centipawns'])} by exchanges on {f['square']} alone."


def _material(san: str, f: Facts) -> str:
    end = f"Counted after {f['shown']}, where no capture of {f['to_move']}, who is to move, wins by "
    end += f"exchanges: {f['mover']} has taken {_pieces(f['taken'])}; {f['other']} {_pieces(f['lost'])}"
    for side, letters in ((f["mover"], f["promoted"]), (f["other"], f["promoted_there"])):
        end += f"; {side} has promoted to {_pieces(letters)}" if letters else ""
    gain = f["centipawns"]
    return end + f": {'even' if not gain else ('+' if gain > 0 else '-') + _pawns(gain) + ' for ' + f['mover']}."


def _share(san: str, f: Facts) -> str:
    told = f"{san} got {f['visits']:,.0f} of {f['total']:,.0f} visits ({_percent(f['share'])})"
    if f["value"] is None:
        return told + "."
    told += f"; its value is {_value(f['value'])}"
    return told + (f", that of {f['best']} {_value(f['best_value'])}." if f["best"] else ".")


def _unvisited(san: str, f: Facts) -> str:
    return f"The search gave {san} no visit."


def _left_out(san: str, f: Facts) -> str:
    return f"{san} was left out of the search" + (" as a trap." if f["trap"] else ".")


def _prior(san: str, f: Facts) -> str:
    given = f"Before the search the prior of {san} was number {f['rank']} of {f['of']}"
    given += f" ({_percent(f['prior'])})" if f["is_share"] else ""
    return f"{given}; of the visits it got {_percent(f['share'])}."


def _line(san: str, f: Facts) -> str:
    return (
        f"Most visited reply to {san}: {f['reply']}, {_percent(f['reply_share'])} of the {f['replies']:,.0f} visits of "
        f"replies; most visited line: {f['shown']}."
    )


def _led(san: str, f: Facts) -> str:
    if f["last"] is None:
        before = f"; before, {f['other']} led" if f["other"] else ""
        return f"{san} has led since {f['first']:,} iterations{before}."
    if f["first"] == f["last"]:
        return f"{san} led at {f['last']:,} iterations; at {f['next']:,} {f['other']} did."
    return f"{san} led from {f['first']:,} to {f['last']:,} iterations; at {f['next']:,} {f['other']} did."


def _fell(san: str, f: Facts) -> str:
    told = f"The value of {san} was {_value(f['before'])} at {f['height']:,} iterations and {_value(f['after'])}"
    told += f" at {f['n']:,}"
    if f["reply"] is None:
        return told + "."
    return f"{told}, when {f['reply']} had {_percent(f['reply_share'])} of the visits of replies."


def _proved(san: str, f: Facts) -> str:
    when = f"between {f['before']:,} and {f['n']:,} iterations" if f["before"] else f"by {f['n']:,} iterations"
    return f"The search proved {san} {_RESULTS[f['result']]} {when}."


_RESULTS = {"win": "won", "draw": "drawn", "loss": "lost"}


def _proven(san: str, f: Facts) -> str:
    return f"The search says that {san} is proven {_RESULTS[f['result']]}; that was not checked: {f['reason']}."


def _others(san: str, f: Facts) -> str:
    if f["of"] == 1:
        return "The search says that the only other move is proven lost."
    what = f"all {f['of']}" if f["lost"] == f["of"] else f"{f['lost']} of the {f['of']}"
    return f"The search says that {what} other moves {'is' if f['lost'] == 1 else 'are'} proven lost."


def _deeper(san: str, f: Facts) -> str:
    how = f"{f['preset']}, seed {f['seed']}, {f['nodes']:,} {f['unit']}"
    told = f"The position after {san} was searched by itself ({how}): the value of {san} is {_value(f['value'])} there"
    if f["reply"] is None:
        return told + "."
    return f"{told}, the most visited reply {f['reply']} ({_percent(f['reply_share'])} of the visits): {f['shown']}."


def _plies(san: str, f: Facts) -> str:
    pawns = f["centipawns"] / 100
    return f"Alpha-beta searched {f['plies']} plies and says {pawns:+.2f} pawns for {f['mover']}."


def _book(san: str, f: Facts) -> str:
    return f"{san} comes from the opening book; nothing was searched."


SENTENCES: dict[str, Callable[[str, Facts], str]] = {
    "forced": _forced,
    "checkmate": _checkmate,
    "mate": _mate,
    "mated": _mated,
    "after_reply": _after_reply,
    "decided": _decided,
    "draw": _draw,
    "table": _table,
    "exchange": _exchange,
    "answer": _answer,
    "material": _material,
    "share": _share,
    "unvisited": _unvisited,
    "left_out": _left_out,
    "prior": _prior,
    "line": _line,
    "led": _led,
    "fell": _fell,
    "proved": _proved,
    "proven": _proven,
    "others": _others,
    "deeper": _deeper,
    "plies": _plies,
    "book": _book,
}
"""All types of statements."""
