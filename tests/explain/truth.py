"""Whether a sentence is true: checked with python-chess, the tree's arrays and brute force, type by type.

A check gets what a reader gets: the words of the sentence, taken apart. Nothing of `plyout.explain` is used.
"""

import re
from collections.abc import Callable
from typing import Any, NamedTuple

import chess
import numpy as np

from plyout import Engine, Limits
from plyout.engine.result import Result
from plyout.games import state_of
from plyout.knowledge.tables.library import open_tables
from plyout.search.graph import SURE, UNPROVEN
from plyout.search.proof.graft import complete
from plyout.search.proof.mate import Budget, forced, shortest_mate
from tests.evaluate import oracle
from tests.search.proof import brute

Words = dict[str, str]
_POSITIONS = 1_000_000  # that a kernel may try where there are more plies
_BRUTE = 3  # plies that python-chess can try in no time
_PIECE = {"pawn": "P", "knight": "N", "bishop": "B", "rook": "R", "queen": "Q"}
_WORTH = {"P": 100, "N": 320, "B": 330, "R": 500, "Q": 950}
_RESULTS = {"won": 1, "drawn": 0, "lost": -1}


class Case(NamedTuple):
    """What a sentence is about."""

    result: Result
    board: chess.Board
    move: chess.Move
    after: chess.Board
    second: Callable[[], Engine]
    """makes the engine of second searches"""
    nodes: int
    """of such a search"""

    @property
    def edges(self) -> Any:
        """The root's edges, as the tree's records."""
        tree = self.result.tree
        children = tree.children(tree.root)
        return tree.graph.edges[children.start : children.stop]

    @property
    def edge(self) -> Any:
        tree = self.result.tree
        return next((e for e, n in zip(self.edges, self.edges["move"], strict=True)
                     if tree.move_numbered(int(n)) == self.move), None)  # fmt: skip

    @property
    def column(self) -> int:
        return int(self.result.history.moves.index(self.move))

    def proof(self, edge: Any) -> int:
        """1, 0 or -1 where an edge is proven won, drawn or lost; 2 where it is not proven."""
        proof = int(self.result.tree.graph.nodes["proof"][edge["child"]]) if edge["child"] >= 0 else 0
        return -np.sign(proof) if abs(proof) > SURE else 0 if proof != UNPROVEN else 2


def number(text: str) -> int:
    return int(text.replace(",", ""))


def is_share(text: str, share: float) -> bool:
    """Whether a share is what is said, as far as it was rounded."""
    if text == "under 0.1 %":
        return 0 < share < 0.001
    digits = len(text.split(" ")[0].partition(".")[2])
    return abs(float(text.split(" ")[0]) - 100 * share) <= 0.5 * 10**-digits + 1e-6


def played(board: chess.Board, text: str) -> tuple[list[chess.Move], chess.Board]:
    """(the moves of a line as it is printed, the position after them)"""
    board, moves = board.copy(), []
    for word in text.split():
        moves.append(board.push_san(re.sub(r"^\d+\.(\.\.)?", "", word)))
    return moves, board


def is_mated(board: chess.Board, plies: int) -> bool | None:
    """None where there is too much to try."""
    if plies <= _BRUTE:
        return brute.is_mated_within(board.copy(stack=False), plies)
    return forced(state_of(board), plies, False, Budget(_POSITIONS))


def mates(board: chess.Board, plies: int) -> bool | None:
    if plies <= _BRUTE:
        return brute.mates_within(board.copy(stack=False), plies)
    answer = shortest_mate(state_of(board), plies, Budget(_POSITIONS))
    return None if answer is None else answer > 0


def only_move(case: Case, w: Words) -> None:
    assert list(case.board.legal_moves) == [case.move]


def checkmate(case: Case, w: Words) -> None:
    assert case.after.is_checkmate()


def mate(case: Case, w: Words) -> None:
    moves, end = played(case.board, w["line"])
    plies = 2 * int(w["moves"]) - 1
    assert moves[0] == case.move and len(moves) == plies and end.is_checkmate()
    assert is_mated(case.after, plies - 1) is not False
    assert w["most"] or plies < 3 or not is_mated(case.after, plies - 3), "there is a shorter one"


def mated(case: Case, w: Words) -> None:
    moves, end = played(case.board, w["line"])
    plies = 2 * int(w["moves"])
    assert moves[0] == case.move and len(moves) == plies and end.is_checkmate()
    assert end.turn == case.board.turn == (w["mover"] == "White")
    assert mates(case.after, plies - 1) is not False
    assert w["most"] or plies < 4 or not mates(case.after, plies - 3), "there is a shorter one"


def after_reply(case: Case, w: Words) -> None:
    moves, end = played(case.board, w["line"])
    plies, board = 2 * int(w["moves"]) - 1, case.after.copy()
    assert (case.board.turn == chess.WHITE) == (w["mover"] == "White")
    board.push_san(w["reply"])
    assert moves[:2] == [case.move, board.peek()] and len(moves) == plies + 2 and end.is_checkmate()
    assert mates(board, plies) is not False
    assert w["most"] or plies < 3 or not mates(board, plies - 2), "there is a shorter one"


def decided(case: Case, w: Words) -> None:
    """By a walk of its own through the graph: who wins has a move, who loses has none that is not answered."""
    winner = case.board.turn if w["what"] == "wins" else not case.board.turn
    tree, seen = case.result.tree, set()
    if case.proof(case.edge) not in (1, -1):
        tree = second(case, case.nodes).tree
        complete(tree.graph, tree.root, tree.state, tree.game)  # with the mates by checks that a search leaves out
        stack = [(tree.root, case.after.copy())]
    else:
        stack = [(int(case.edge["child"]), case.after.copy())]
    while stack:
        node, board = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        replies = {tree.move(e): int(tree.graph.edges["child"][e]) for e in tree.children(node)}
        if not replies and board.is_checkmate():
            assert board.turn != winner
            continue
        if not replies:
            told = open_tables(4).probe(board)
            assert told is not None and (told.result == "win") == (board.turn == winner) and told.result != "draw"
            continue
        lost = {m: n for m, n in replies.items() if n >= 0 and tree.graph.nodes["proof"][n] < -SURE}
        if board.turn == winner:
            replies = dict([max(lost.items(), key=lambda p: -tree.graph.nodes["proof"][p[1]])])
        else:
            assert set(replies) == set(board.legal_moves)
        for move, child in replies.items():
            assert child >= 0
            after = board.copy()
            after.push(move)
            stack.append((child, after))
    assert len(seen) == number(w["positions"])


def repeats(case: Case) -> bool:
    """By the state, which remembers the positions before the root; the board does not."""
    tree = case.result.tree
    after = tree.game.after(tree.state, int(case.edge["move"]))
    return tree.game.result(after) == 0.5 and not any(
        (case.after.is_stalemate(), case.after.is_insufficient_material(), case.after.halfmove_clock >= 100)
    )


def draw(case: Case, w: Words) -> None:
    after = case.after
    true = {
        "stalemate": after.is_stalemate(),
        "nobody can mate any more": after.is_insufficient_material(),
        "fifty moves without capture or pawn move": after.halfmove_clock >= 100,
        "repetition": repeats(case),
    }
    assert true[w["by"]] and not after.is_checkmate()


def table(case: Case, w: Words) -> None:
    assert int(w["pieces"]) == len(case.after.piece_map())
    line = open_tables(4).line(case.after)
    if w["what"] == "draws":
        assert line == []
        return
    end = case.after.copy()
    for move in line:
        end.push(move)
    assert end.is_checkmate()
    assert (end.turn == case.board.turn) == (w["what"] == "loses")
    assert int(w["moves"]) == (len(line) + 1 if w["what"] == "loses" else len(line) + 2) // 2


def exchange(case: Case, w: Words) -> None:
    worth = oracle.exchange(case.board, case.move)
    assert w["square"] == chess.square_name(case.move.to_square)
    if w["even"]:
        assert worth == 0
    else:
        assert round(100 * float(w["pawns"])) == abs(worth) and (w["what"] == "wins") == (worth > 0)


def captures(board: chess.Board) -> list[chess.Move]:
    return [m for m in board.legal_moves if board.is_capture(m) or m.promotion]


def answer(case: Case, w: Words) -> None:
    reply = case.after.parse_san(w["reply"])
    worths = [oracle.exchange(case.after, m) for m in captures(case.after) if m.to_square != case.move.to_square]
    assert oracle.exchange(case.after, reply) == round(100 * float(w["pawns"])) == max(worths) > 0
    assert w["square"] == chess.square_name(reply.to_square)


def pieces(text: str) -> dict[str, int]:
    found = {}
    for part in text.split(", ") if text != "nothing" else ():
        count, name = part.split(" ")
        found[_PIECE[name.removesuffix("s")]] = 1 if count == "a" else int(count)
    return found


def held(board: chess.Board, side: chess.Color) -> dict[str, int]:
    return {p: len(board.pieces(chess.PIECE_SYMBOLS.index(p.lower()), side)) for p in "PNBRQ"}


def material(case: Case, w: Words) -> None:
    _, end = played(case.board, w["line"])
    mover, other = case.board.turn, not case.board.turn
    assert (w["mover"], w["other"]) == (("White", "Black") if mover else ("Black", "White"))
    promoted = dict.fromkeys(("White", "Black"), "nothing")
    for text in re.findall(r"; (\w+) has promoted to ([^;:]+)", w["promoted"]):
        promoted[text[0]] = text[1]
    change = 0
    for side, taken, sign in ((other, pieces(w["taken"]), -1), (mover, pieces(w["lost"]), 1)):
        new = pieces(promoted["White" if side else "Black"])
        for p in "PNBRQ":  # what a side has left is what it had, without what was taken, with what was promoted
            gone = taken.get(p, 0) - new.get(p, 0) + (sum(new.values()) if p == "P" else 0)
            assert held(end, side)[p] == held(case.board, side)[p] - gone
            change -= sign * gone * _WORTH[p]
    said = 0 if w["gain"] == "even" else round(100 * float(w["gain"].split(" ")[0]))
    assert said == change
    assert end.turn == (w["to_move"] == "White")
    assert not end.is_check() and all(oracle.exchange(end, m) <= 0 for m in captures(end))


def share(case: Case, w: Words) -> None:
    edge, visits = case.edge, case.edges["visits"]
    assert (number(w["visits"]), number(w["total"])) == (round(edge["visits"]), round(visits.sum()))
    assert is_share(w["share"], edge["visits"] / visits.sum())
    if w["value"]:
        assert is_share(w["value"], edge["value"] / edge["visits"]) and case.proof(edge) == 2
    if w["best"]:
        move = case.board.parse_san(w["best"])
        assert move == case.result.move
        best = case._replace(move=move).edge
        assert is_share(w["best_value"], best["value"] / best["visits"])


def unvisited(case: Case, w: Words) -> None:
    assert case.edge["visits"] == 0


def left_out(case: Case, w: Words) -> None:
    assert case.edge is None
    assert bool(w["trap"]) == (case.move in case.result.history.traps)


def prior(case: Case, w: Words) -> None:
    priors = case.edges["prior"]
    assert int(w["rank"]) == 1 + int((priors > case.edge["prior"]).sum()) and int(w["of"]) == len(priors)
    assert not w["prior"] or is_share(w["prior"], float(case.edge["prior"]))
    assert not w["prior"] or abs(float(priors.sum()) - 1) < 1e-3, "shares add up to one"
    assert is_share(w["share"], case.edge["visits"] / case.edges["visits"].sum())


def most_visited(result: Result, node: int, moves: list[chess.Move]) -> tuple[float, float]:
    """That each move of a line has the most visits of its node; (the visits of the first, of all beside it)."""
    graph, shares = result.tree.graph, []
    for move in moves:
        children = result.tree.children(node)
        visits = graph.edges["visits"][children.start : children.stop]
        edge = next(e for e in children if result.tree.move(e) == move)
        assert graph.edges["visits"][edge] == visits.max() > 0
        shares.append((float(visits.max()), float(visits.sum())))
        node = int(graph.edges["child"][edge])
    return shares[0]


def line(case: Case, w: Words) -> None:
    moves, _ = played(case.board, w["line"])
    assert moves[:2] == [case.move, case.after.parse_san(w["reply"])]
    first, total = most_visited(case.result, int(case.edge["child"]), moves[1:])
    assert number(w["replies"]) == round(total) and is_share(w["share"], first / total)


def leader(case: Case, snapshot: int) -> chess.Move:
    history = case.result.history
    visits, proofs = history.visits[snapshot], history.proofs[snapshot]
    if proofs.max() > SURE:
        return history.moves[int(proofs.argmax())]
    if (proofs < -SURE).all():
        return history.moves[int(proofs.argmax())]
    return history.moves[int(np.where(proofs < -SURE, -1, visits).argmax())]


def led(case: Case, w: Words) -> None:
    n = case.result.history.n.tolist()
    if w["since"]:
        first = n.index(number(w["since"]))
        assert all(leader(case, k) == case.move for k in range(first, len(n)))
        if w["before"]:
            assert leader(case, first - 1) == case.board.parse_san(w["before"]) != case.move
        return
    first, last = n.index(number(w["first"] or w["last"])), n.index(number(w["last"]))
    assert all(leader(case, k) == case.move for k in range(first, last + 1))
    assert n[last + 1] == number(w["next"])
    assert leader(case, last + 1) == case.board.parse_san(w["other"]) != case.move
    assert all(leader(case, k) != case.move for k in range(last + 1, len(n)))


def fell(case: Case, w: Words) -> None:
    history, n = case.result.history, case.result.history.n.tolist()
    high, low, column = n.index(number(w["height"])), n.index(number(w["n"])), case.column
    assert high < low
    before, after = history.values[high, column], history.values[low, column]
    assert is_share(w["before"], before) and is_share(w["after"], after) and before - after >= 0.1
    if w["reply"]:
        reply = history.reply(low, column)
        assert reply is not None and reply[0] == case.after.parse_san(w["reply"]) and is_share(w["share"], reply[1])


def proved(case: Case, w: Words) -> None:
    history, n = case.result.history, case.result.history.n.tolist()
    k = n.index(number(w["n"]))
    assert (history.proofs[k:, case.column] != 0).all()
    if w["before"]:
        assert n[k - 1] == number(w["before"]) and history.proofs[k - 1, case.column] == 0
    assert case.proof(case.edge) == _RESULTS[w["result"]]


def proven(case: Case, w: Words) -> None:
    """By the search itself, or by the second one."""
    if case.edge is not None and case.proof(case.edge) == _RESULTS[w["result"]]:
        return
    said = {m.move: m.proof for m in case.result.moves if case.result.plies is not None}
    if case.move in said and {"win": 1, "draw": 0, "loss": -1}.get(said[case.move] or "") == _RESULTS[w["result"]]:
        return
    again = second(case, case.nodes)
    assert {"win": -1, "draw": 0, "loss": 1}[again.proof or ""] == _RESULTS[w["result"]]


def others(case: Case, w: Words) -> None:
    lost = [case.proof(e) == -1 for e in case.edges if e["move"] != case.edge["move"]]
    said = (1, 1) if w["only"] else (int(w["lost"] or w["all"]), int(w["of"] or w["all"]))
    assert (sum(lost), len(lost)) == said


def second(case: Case, nodes: int) -> Result:
    """The second search, done again."""
    return case.second().search(case.after, Limits(nodes=nodes))


def deeper(case: Case, w: Words) -> None:
    again = second(case, number(w["nodes"]))
    assert (again.preset, str(again.seed), again.nodes) == (w["preset"], w["seed"], number(w["nodes"]))
    assert is_share(w["value"], 1.0 - again.value)
    assert case.edge is None or case.edge["visits"] < 1000 or case.result.plies is not None
    assert w["unit"] == ("iterations" if again.plies is None else "nodes")
    if w["reply"]:
        moves, _ = played(case.board, w["line"])
        assert moves[:2] == [case.move, case.after.parse_san(w["reply"])]
        first, total = most_visited(again, again.tree.root, moves[1:])
        assert is_share(w["share"], first / total)


def plies(case: Case, w: Words) -> None:
    assert int(w["plies"]) == case.result.plies and round(100 * float(w["pawns"])) == case.result.centipawns
    assert case.board.turn == (w["mover"] == "White")


def book(case: Case, w: Words) -> None:
    assert case.result.book and case.result.nodes == 0 and case.move == case.result.move
