"""A search tree in a cell: the drawing of the board in the browser, as an SVG made here.

A river from left to right that divides by visits. The area of a node is its visits, its colour the value for the side
to move at the root; a mark says what is proven.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import chess

from plyout.board.packing import Drawing, drawing_of
from plyout.engine.tree import Move, Tree, proof_text
from plyout.errors import InputError
from plyout.explain.subject import move_named
from plyout.notebook.picture import HALO, Picture, colour_of, escape, heading, note, svg, text
from plyout.search.top import NONE

_NODES = 150
_WIDTH, _HEIGHT = 880.0, 420.0
_TOP, _BOTTOM = 30.0, 16.0
_SMALLEST_NAMED = 3.0  # radius
_KNOWN = {"win": 1.0, "draw": 0.5, "loss": 0.0}
_KEY = "area: visits; blue: good for the side to move at the root, orange: bad; ✓ ✗ = proven, ⚠ allows a short mate"


@dataclass
class _Node:
    name: str
    line: str
    depth: int
    visits: float
    prior: float
    for_root: float
    mark: str
    above: "_Node | None"
    shown: int  # the node that is drawn in full elsewhere; NONE where it is this one
    board: chess.Board | None
    children: list["_Node"] = field(default_factory=list)
    span: tuple[float, float] = (0.0, 1.0)
    likely: float = 0.5  # the prior among the siblings
    x: float = 0.0
    y: float = 0.0
    r: float = 0.0


def draw_tree(
    tree: Tree,
    line: str | Sequence[Move | str] = (),
    nodes: int = _NODES,
    width: float = _WIDTH,
    height: float = _HEIGHT,
) -> Picture:
    """The `nodes` most visited nodes of a tree, or of what is below a `line` of moves ("Bxd1 Bxf7+")."""
    if nodes < 1:
        raise InputError(f"a drawing has one node at least, not {nodes}")
    node, moves, board = _follow(tree, line)
    drawn = _nodes(tree, drawing_of(tree.graph, node, nodes), moves, board)
    _lay_out(drawn, width, height)
    where = f" below {' '.join(str(m) for m in moves)}" if moves else ""
    label = f"search tree{where}: the {len(drawn)} most visited nodes"
    return Picture(svg(width, height, label, _parts(drawn)))


def tree_html(tree: Tree) -> str:
    used = len(tree.nodes["visits"])
    words = f"{used:,} nodes, {len(tree.edges['visits']):,} edges"
    return heading("search tree", f"{tree.preset}, {words}") + draw_tree(tree)._repr_html_() + note(_KEY)


def _follow(tree: Tree, line: str | Sequence[Move | str]) -> tuple[int, list[Move], chess.Board | None]:
    """The node that a line leads to, its moves, and the position there."""
    board, node, moves = tree.board(), tree.root, list[Move]()
    for wanted in line.split() if isinstance(line, str) else line:
        move: Move = wanted if board is None else move_named(board, wanted)
        edge = next((e for e in tree.children(node) if tree.move(e) == move), None)
        node = NONE if edge is None else int(tree.graph.edges["child"][edge])
        if node < 0:
            raise InputError(f"the tree has nothing below {wanted}: it was not searched")
        moves.append(move)
        if board is not None:
            board.push(move)
    return node, moves, board


def _nodes(tree: Tree, drawing: Drawing, prefix: list[Move], board: chess.Board | None) -> list[_Node]:
    """The nodes of a drawing, parents before children, with what is known of them."""
    nodes = list[_Node]()
    for i, parent in enumerate(drawing.parents.tolist()):
        above = nodes[parent] if i else None
        depth = above.depth + 1 if above else 0
        mover_is_root = (len(prefix) + depth) % 2 == 1
        proof = proof_text(int(drawing.proofs[i]))
        value = _KNOWN.get(proof or "", float(drawing.values[i]))
        name, after = _step(tree, int(drawing.moves[i]), above) if above else ("", board)
        node = _Node(
            name=name,
            line=f"{above.line} {name}".strip() if above else "",
            depth=depth,
            visits=float(drawing.visits[i]),
            prior=float(drawing.priors[i]),
            for_root=value if mover_is_root else 1 - value,
            mark="⚠" if drawing.traps[i] else _mark(proof, mover_is_root),
            above=above,
            shown=int(drawing.shown[i]),
            board=after,
        )
        if above:
            above.children.append(node)
        nodes.append(node)
    return nodes


def _step(tree: Tree, number: int, above: _Node) -> tuple[str, chess.Board | None]:
    """The name of a move, and the position after it; a tree from a file may hold a move that nobody can play."""
    move = tree.move_numbered(number)
    if above.board is None or not above.board.is_legal(move):
        return str(move), None
    after = above.board.copy(stack=False)
    name = after.san_and_push(move)
    return name, after


def _mark(proof: str | None, mover_is_root: bool) -> str:
    if proof is None:
        return ""
    if proof == "draw":
        return "="
    return "✓" if (proof == "win") == mover_is_root else "✗"


def _lay_out(nodes: list[_Node], width: float, height: float) -> None:
    most, deepest = max(1.0, nodes[0].visits), max(1, *(n.depth for n in nodes))
    big = min(24.0, height / 16, width / 22)
    left, beyond = big + 10, 1.2 * big  # clear of the root
    step = min(110.0, (width - left - beyond - 26) / deepest)
    for node in nodes:
        node.x = left + (beyond if node.depth else 0.0) + node.depth * step
        node.y = _TOP + (height - _TOP - _BOTTOM) * (node.span[0] + node.span[1]) / 2
        node.r = max(1.4, big * (node.visits / most) ** 0.5)
        order = list[_Node]()
        for i, child in enumerate(node.children):  # the most visited in the middle
            order.insert(0 if i % 2 else len(order), child)
        weights = [max(child.visits, 0.5) ** 0.72 for child in order]
        priors = [child.prior for child in order]
        at = node.span[0]
        for child, weight in zip(order, weights, strict=True):
            part = (node.span[1] - node.span[0]) * weight / sum(weights)
            child.span = at, at + part
            if max(priors) > min(priors):
                child.likely = (child.prior - min(priors)) / (max(priors) - min(priors))
            at += part


def _parts(nodes: list[_Node]) -> list[str]:
    most = max(1.0, nodes[0].visits)
    parts = ['<g fill="none">']
    for node in reversed(nodes[1:]):
        a, b = node.above or node, node
        middle, thick = (a.x + b.x) / 2, 0.5 + 11 * (node.visits / most) ** 0.5
        parts.append(
            f'<path d="M{a.x:.1f} {a.y:.1f}C{middle:.1f} {a.y:.1f} {middle:.1f} {b.y:.1f} {b.x:.1f} {b.y:.1f}" '
            f'stroke="{colour_of(node.for_root)}" stroke-opacity="{0.16 + 0.42 * node.likely:.2f}" '
            f'stroke-width="{thick:.1f}"/>'
        )
    for node in nodes:
        if node.shown != NONE:
            b = nodes[node.shown]
            parts.append(
                f'<path d="M{node.x:.1f} {node.y:.1f}Q{max(node.x, b.x) + 18:.1f} {(node.y + b.y) / 2:.1f} {b.x:.1f} '
                f'{b.y:.1f}" stroke="currentColor" stroke-opacity=".3" stroke-dasharray="3 4" stroke-width=".8"/>'
            )
    parts.append("</g>")
    for node in reversed(nodes):
        parts.append(_circle(node))
    return [*parts, f'<g text-anchor="middle" {HALO}>', *_names(nodes), "</g>"]


def _circle(node: _Node) -> str:
    told = f"{node.line or 'root'}: {node.visits:,.0f} visits, {100 * node.for_root:.1f} %"
    x, y, r, title = node.x, node.y, node.r, f"<title>{escape(told)}</title>"
    if node.shown == NONE:
        shape = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r:.1f}" fill="{colour_of(node.for_root)}">{title}</circle>'
    else:
        d = r + 1.2
        corners = f"M{x - d:.1f} {y:.1f}L{x:.1f} {y - d:.1f}L{x + d:.1f} {y:.1f}L{x:.1f} {y + d:.1f}Z"
        shape = f'<path d="{corners}" fill="{colour_of(node.for_root)}">{title}</path>'
    if not node.mark:
        return shape
    inside = r > 7
    more = f'font-weight="bold" font-size="{max(11.0, min(r, 16.0)):.0f}"' + (' fill="#fff"' if inside else "")
    return shape + text(x if inside else x + r + 6, y + 4, node.mark, "middle", more)


def _names(nodes: list[_Node]) -> list[str]:
    """Names above the most visited nodes, as long as there is room."""
    taken, names = list[tuple[float, float, float, float]](), []
    for node in nodes[1:]:
        half, y = 3.6 * len(node.name) + 2, node.y - node.r - 3
        box = node.x - half, node.x + half, y - 12, y + 2
        if node.r < _SMALLEST_NAMED or any(
            box[0] < b[1] and box[1] > b[0] and box[2] < b[3] and box[3] > b[2] for b in taken
        ):
            continue
        taken.append(box)
        names.append(f'<text x="{node.x:.1f}" y="{y:.1f}">{escape(node.name)}</text>')
    return names
