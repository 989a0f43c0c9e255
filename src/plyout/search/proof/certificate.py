"""Certificates: proofs that anybody can check.

A certificate is the tree of forced lines, in python-chess's terms and free of ours: a *win* is ``[move, replies]``
and *replies* maps every legal reply to the win that answers it; checkmate has no replies.
"""

from typing import Any

import chess

from plyout.errors import InputError
from plyout.games.chess.border import decode
from plyout.search.choose import edges_of, proof_of, proofs_of
from plyout.search.graph import SURE, Graph
from plyout.search.proof.graft import distance

Certificate = dict[str, Any]


def certificate(graph: Graph, node: int, start: chess.Board) -> Certificate:
    """The proof that the position `start` of `node` is won or lost, as a tree of forced lines."""
    proof = int(graph.nodes["proof"][node])
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
    proof = int(graph.nodes["proof"][node])
    if not graph.nodes["children"][node]:
        return distance(proof) > 0
    edges = edges_of(graph, node)
    if proof > 0:
        edges = edges[proofs_of(graph, edges).argmax() :][:1]
    return any(_by_tables(graph, int(graph.edges["child"][edge])) for edge in edges)


def _win(graph: Graph, node: int, chess960: bool) -> list[Any]:
    edge = max(edges_of(graph, node), key=lambda e: proof_of(graph, e))
    return [
        decode(int(graph.edges["move"][edge]), chess960).uci(),
        _replies(graph, int(graph.edges["child"][edge]), chess960),
    ]


def _replies(graph: Graph, node: int, chess960: bool) -> dict[str, Any]:
    return {
        decode(int(graph.edges["move"][edge]), chess960).uci(): _win(graph, int(graph.edges["child"][edge]), chess960)
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
