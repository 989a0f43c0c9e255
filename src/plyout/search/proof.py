"""Proofs: their exact distance, and certificates that anybody can check.

A certificate is the tree of forced lines, in python-chess's terms and free of ours: a *win* is ``[move, replies]``
and *replies* maps every legal reply to the win that answers it; checkmate has no replies.
"""

from typing import Any

import chess
import numpy as np

from plyout.errors import InputError
from plyout.games.chess.border import decode
from plyout.games.contract import KEY, Game, State
from plyout.knowledge.tables.probe import FAR
from plyout.search.checks import BUFFER, mate_of
from plyout.search.choose import edges_of, proof_of, proofs_of
from plyout.search.graph import NODES, OPEN, PROVEN, SURE, Graph, add_edges, reset_node
from plyout.search.mate import Budget, forced, shortest_mate

Certificate = dict[str, Any]


def distance(proof: int) -> int:
    """Plies to the end of a proven win or loss."""
    return PROVEN - abs(proof)


def shorten(graph: Graph, node: int, state: State, game: Game, budget: Budget) -> bool:
    """Make the mate distance at `node` exact; False where the budget runs out first.

    The search proves a mate, but perhaps not the shortest. All shorter ones are looked for, exhaustively, and a
    mate that is found is grafted onto the graph.
    """
    proof = int(graph.proof[node])
    if distance(proof) >= FAR:
        return False
    if not graph.children[node]:
        return True  # the end of the game, or of what endgame tables left to be searched
    if proof > SURE:
        shorter = shortest_mate(state, distance(proof) - 2, budget)
        if shorter is None:
            return False
        return _graft_win(graph, node, state, game, shorter, budget) if shorter else True
    exact, longest = True, 0
    for edge in edges_of(graph, node):
        child = int(graph.child[edge])
        exact = shorten(graph, child, game.after(state, int(graph.move[edge])), game, budget) and exact
        longest = max(longest, distance(int(graph.proof[child])))
    graph.proof[node] = -(PROVEN - (longest + 1 if graph.children[node] else 0))
    return exact


def complete_line(graph: Graph, node: int, state: State, game: Game) -> None:
    """Add the main line of what a search for mates by checks has proven, and left out of the graph."""
    while abs(graph.proof[node]) > SURE and _grafted(graph, node, state, game):
        edge = int(edges_of(graph, node)[proofs_of(graph, edges_of(graph, node)).argmax()])
        node, state = int(graph.child[edge]), game.after(state, int(graph.move[edge]))


def complete(graph: Graph, node: int, state: State, game: Game) -> None:
    """Add every line of it, and make the distances true to the lines.

    Where memory runs out, the proof ends before the game does.
    """
    done: set[int] = set()

    def walk(node: int, state: State) -> None:
        if node in done or not _grafted(graph, node, state, game):
            return
        done.add(node)
        edges = edges_of(graph, node)
        if graph.proof[node] > SURE:
            edges = edges[proofs_of(graph, edges).argmax() :][:1]
        for edge in edges:
            walk(int(graph.child[edge]), game.after(state, int(graph.move[edge])))
        graph.proof[node] = proofs_of(graph, edges).max()

    walk(node, state)


def _grafted(graph: Graph, node: int, state: State, game: Game) -> bool:
    """Whether a proven node has the children that prove it, perhaps as of now; False at the end of a line."""
    edges = edges_of(graph, node)
    if not len(edges) or graph.proof[node] < 0 or proofs_of(graph, edges).max() >= graph.proof[node]:
        return bool(len(edges))
    first = int(graph.advised[node]) - 1
    return first >= 0 and _graft_checks(graph, int(edges[first]), state, game, distance(int(graph.proof[node])))


def _graft_checks(graph: Graph, edge: int, state: State, game: Game, plies: int) -> bool:
    """Graft the first two plies of the mate by checks that begins with `edge`; False if memory is full."""
    mate, buffer = mate_of(game), np.empty(BUFFER, np.int64)
    after = game.after(state, int(graph.move[edge]))
    child = _child(graph, edge, after)
    if child is None or (plies > 1 and not _opened(graph, child, after, game)):
        return False
    longest = -1
    for reply in edges_of(graph, child):
        position = game.after(after, int(graph.move[reply]))
        found = int(mate(position, plies - 2, 1 << 40, buffer))
        answered = _child(graph, int(reply), position)
        if not found or answered is None or not _opened(graph, answered, position, game):
            return False
        mating = graph.move[edges_of(graph, answered)] == found >> 8
        graph.advised[answered] = int(mating.argmax()) + 1
        graph.proof[answered] = max(int(graph.proof[answered]), PROVEN - (found & 255))
        longest = max(longest, distance(int(graph.proof[answered])))
    graph.proof[child] = 1 - PROVEN + longest
    return True


def _child(graph: Graph, edge: int, state: State) -> int | None:
    """The child of an edge, whose position is `state`, made if need be; None if memory is full."""
    child = int(graph.child[edge])
    if child < 0:
        child = int(graph.used[NODES])
        if child >= graph.key.size:
            return None
        graph.used[NODES] += 1
        reset_node(graph, child, int(state[KEY]))
        graph.child[edge] = child
    return child


def _opened(graph: Graph, node: int, state: State, game: Game) -> bool:
    """Give `node` its edges if it has none; False if memory is full."""
    if graph.state[node] == OPEN:
        return True
    return add_edges(graph, node, game.moves(state), 0.0)


def _graft_win(graph: Graph, node: int, state: State, game: Game, plies: int, budget: Budget) -> bool:
    if game.result(state) == 0.5 or not _opened(graph, node, state, game):
        return False  # drawn by the fifty-move rule or repetition, which the search for mates does not know
    for edge in edges_of(graph, node):
        after = game.after(state, int(graph.move[edge]))
        if forced(after, plies - 1, False, budget):
            child = _child(graph, edge, after)
            if child is None or not _graft_loss(graph, child, after, game, plies - 1, budget):
                return False
            graph.proof[node] = PROVEN - plies
            return True
    return False


def _graft_loss(graph: Graph, node: int, state: State, game: Game, plies: int, budget: Budget) -> bool:
    if game.result(state) == 0.5 or (plies > 0 and not _opened(graph, node, state, game)):
        return False
    longest = -1
    for edge in edges_of(graph, node) if plies > 0 else ():
        after = game.after(state, int(graph.move[edge]))
        mate, child = shortest_mate(after, plies - 1, budget), _child(graph, edge, after)
        if not mate or child is None or not _graft_win(graph, child, after, game, mate, budget):
            return False
        longest = max(longest, mate)
    graph.proof[node] = -(PROVEN - longest - 1)
    return True


def certificate(graph: Graph, node: int, start: chess.Board) -> Certificate:
    """The proof that the position `start` of `node` is won or lost, as a tree of forced lines."""
    proof = int(graph.proof[node])
    if abs(proof) <= SURE:
        raise InputError("there is no certificate: the position is not proven won or lost")
    won = proof > 0
    if _by_tables(graph, node):
        raise InputError("there is no certificate: the proof rests on endgame tables, which tables=0 leaves out")
    lines = _win(graph, node, start.chess960) if won else _replies(graph, node, start.chess960)
    winner = start.turn if won else not start.turn
    return {"fen": start.fen(), "winner": "white" if winner else "black", "plies": distance(proof), "lines": lines}


def _by_tables(graph: Graph, node: int) -> bool:
    """Whether the proof of `node` rests on endgame tables: it comes to an end before the game does."""
    proof = int(graph.proof[node])
    if not graph.children[node]:
        return distance(proof) > 0
    edges = edges_of(graph, node)
    if proof > 0:
        edges = edges[proofs_of(graph, edges).argmax() :][:1]
    return any(_by_tables(graph, int(graph.child[edge])) for edge in edges)


def _win(graph: Graph, node: int, chess960: bool) -> list[Any]:
    edge = max(edges_of(graph, node), key=lambda e: proof_of(graph, e))
    return [decode(int(graph.move[edge]), chess960).uci(), _replies(graph, int(graph.child[edge]), chess960)]


def _replies(graph: Graph, node: int, chess960: bool) -> dict[str, Any]:
    return {
        decode(int(graph.move[edge]), chess960).uci(): _win(graph, int(graph.child[edge]), chess960)
        for edge in edges_of(graph, node)
    }


def check_certificate(board: chess.Board, proof: Certificate) -> int:
    """Walk every line of a certificate on `board` with python-chess alone; return the plies of the longest.

    Raises `InputError` at the first line that does not hold. The winner plays one move, the loser all legal ones,
    and every line ends in checkmate.
    """

    def after_win(board: chess.Board, lines: Any) -> int:
        text, replies = lines
        move = chess.Move.from_uci(text)
        if move not in board.legal_moves:
            raise InputError(f"{text} is not legal in {board.fen()}")
        board.push(move)
        plies = 1 + after_replies(board, replies)
        board.pop()
        return plies

    def after_replies(board: chess.Board, replies: Any) -> int:
        if board.is_checkmate():
            return 0
        legal = {move.uci() for move in board.legal_moves}
        if not legal or legal != set(replies):
            raise InputError(f"the replies are not all legal moves in {board.fen()}")
        longest = 0
        for text, lines in replies.items():
            board.push_uci(text)
            longest = max(longest, 1 + after_win(board, lines))
            board.pop()
        return longest

    board = board.copy()
    try:
        won = proof["winner"] == ("white" if board.turn else "black")
        plies = after_win(board, proof["lines"]) if won else after_replies(board, proof["lines"])
        claimed = proof["plies"]
    except (TypeError, KeyError, ValueError, AttributeError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"the certificate is not in the form of one: {error}") from None
    if plies != claimed:
        raise InputError(f"the longest line has {plies} plies, the certificate says {claimed}")
    return plies
