"""A result and an explanation in a cell."""

from plyout.engine.result import Result
from plyout.engine.shown import line_text, value_text
from plyout.engine.tree import Move
from plyout.explain.statement import KINDS, Explained, Explanation
from plyout.explain.words import LEGEND
from plyout.notebook.boards import board_html
from plyout.notebook.picture import BAD, EVEN, GOOD, SOFT, Cell, escape, heading, note, side_by_side, table

_ROWS = 6
_ARROWS = 3
_TINTS = {"win": 0.3, "loss": -0.3}
_BADGES = {"certain": GOOD, "method": "#3a9d5d", "search": EVEN}


def result_html(result: Result) -> str:
    """The board with the most visited moves as arrows, and beside it what the search says of them."""
    board = result.tree.board()
    picture = []
    if board is not None:
        first = result.moves[0].visits if result.moves else 0.0
        seen = [m for i, m in enumerate(result.moves[:_ARROWS]) if not i or m.visits > 0]
        picture = [board_html(board, [(m.move, m.visits / max(first, 1.0)) for m in seen])]
    if result.move is None:
        return side_by_side(*picture, heading(str(result)))
    unit = "iterations" if result.plies is None else "nodes"
    work = "from the book" if result.book else f"{result.nodes:,} {unit} in {result.seconds:.1f} s"
    name = result.move if board is None else board.san(result.move)
    value = value_text(result.proof, result.mate, result.value)
    words = heading(f"{name}, {value}", f"{result.preset}, seed {result.seed}, {work}")
    return side_by_side(*picture, words + _wdl(result) + _moves(result))


def _wdl(result: Result) -> str:
    """Won, drawn and lost as a bar."""
    parts = []
    for share, colour, ink in zip(result.wdl, (GOOD, EVEN, BAD), ("#fff", "#111", "#111"), strict=True):
        if share:
            words = f"{share / 10:.0f} %" if share >= 80 else ""
            parts.append(f'<div style="width:{share / 10}%;background:{colour};color:{ink}">{words}</div>')
    won, drawn, lost = (f"{share / 10:.0f} %" for share in result.wdl)
    return (
        f'<div title="won {won}, drawn {drawn}, lost {lost} for the side to move" style="display:flex;width:320px;'
        "max-width:100%;height:16px;line-height:16px;font-size:11px;text-align:center;border-radius:8px;"
        f'overflow:hidden">{"".join(parts)}</div>'
    )


def _moves(result: Result) -> str:
    board = result.tree.board()
    total = max(1.0, sum(m.visits for m in result.moves))
    most = max([m.visits for m in result.moves], default=0.0) or 1.0
    rows: list[list[str | Cell]] = []
    for m in result.moves[:_ROWS]:
        rows.append([
            Cell(_name(result, m.move), hint=str(m.move)),
            Cell(f"{m.visits:,.0f}", bar=m.visits / most),
            f"{100 * m.visits / total:.1f} %",
            Cell(value_text(m.proof, m.mate, m.value), tint=_TINTS.get(m.proof or "", 0.0)),
            line_text(board, m.pv, m.mate),
        ])  # fmt: skip
    if len(result.moves) > _ROWS:
        rest = sum(m.visits for m in result.moves[_ROWS:])
        more = f"{len(result.moves) - _ROWS} more"
        rows.append([more, Cell(f"{rest:,.0f}", bar=0.0), f"{100 * rest / total:.1f} %", "", ""])
    return table(["move", "visits", "share", "value", "line"], rows, wide=4)


def _name(result: Result, move: Move) -> str:
    board = result.tree.board()
    return str(move) if board is None else board.san(move)


def explanation_html(explanation: Explanation) -> str:
    """The statements move by move, each with a mark of its kind."""
    if explanation.why is None:
        return heading(str(explanation))
    parts = [_explained("why", explanation.why), *(_explained("why not", other) for other in explanation.why_not)]
    kinds = {s.kind for s in explanation.statements}
    legend = "; ".join(f"{kind}: {LEGEND[kind]}" for kind in KINDS if kind in kinds)
    return "".join(parts) + note(legend)


def _explained(why: str, told: Explained) -> str:
    items = []
    for kind in KINDS:
        badge = (
            '<span style="flex:0 0 52px;align-self:flex-start;margin:2px 0;padding:0 4px;border-radius:4px;'
            f'font-size:11px;text-align:center;background:{_BADGES[kind]}40">{kind}</span>'
        )
        items += [
            f'<div style="display:flex;gap:8px">{badge}<span>{escape(s.text)}</span></div>'
            for s in told.statements
            if s.kind == kind
        ]
    tempting = ", ".join(told.tempting)
    inside = "".join(items) or f'<div style="{SOFT}">nothing can be said</div>'
    return f'{heading(f"{why} {told.san}", tempting)}<div style="font-size:13px;line-height:1.6">{inside}</div>'
