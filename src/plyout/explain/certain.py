"""What is certain of a move: by the rules, by endgame tables, or by a proof that was checked."""

from collections.abc import Iterator

import chess

from plyout.explain.on_tables import positions_checked
from plyout.explain.proofs import OnTables, Unchecked, checked_mate
from plyout.explain.statement import CERTAIN, SEARCH, Statement
from plyout.explain.subject import Candidate, Place
from plyout.games import CHESS
from plyout.games.chess.border import encode
from plyout.knowledge.tables.library import open_tables
from plyout.search.graph import SURE, UNPROVEN

_FIFTY = 100  # plies


def by_rules(c: Candidate) -> Iterator[Statement]:
    """What the rules say at once."""
    if c.board.legal_moves.count() == 1:
        yield c.state("forced", CERTAIN)
    if c.after.is_checkmate():
        yield c.state("checkmate", CERTAIN)
    elif c.result.tree.game.result(c.place.state) == 0.5:
        yield c.state("draw", CERTAIN, by=_why_drawn(c.after))


def _why_drawn(board: chess.Board) -> str:
    if board.is_stalemate():
        return "stalemate"
    if board.is_insufficient_material():
        return "nobody can mate any more"
    return "fifty moves without capture or pawn move" if board.halfmove_clock >= _FIFTY else "repetition"


def by_tables(c: Candidate, pieces: int) -> list[Statement]:
    """What our endgame tables of up to so many pieces know of the position after the move."""
    count = c.after.occupied.bit_count()
    over = c.result.tree.game.result(c.place.state) is not None
    if c.result.tree.game is not CHESS or count > pieces or over or c.after.castling_rights:
        return []
    answer = open_tables(pieces).probe(c.after)
    if answer is None or c.after.halfmove_clock + (answer.plies or 0) >= _FIFTY:
        return []  # the tables know nothing of the fifty-move rule
    result = {"win": "loss", "loss": "win", "draw": "draw"}[answer.result]
    moves = None
    if answer.plies is not None:
        moves = (answer.plies + 2) // 2 if result == "win" else (answer.plies + 1) // 2
    return [c.state("table", CERTAIN, result=result, moves=moves, pieces=count)]


def by_proof(c: Candidate, place: Place) -> list[Statement]:
    """What a search has proven of the position after the move: a mate, checked; or that it could not be."""
    if place.node < 0 or c.result.tree.game.result(c.place.state) is not None:
        return []
    proof = int(place.tree.graph.nodes["proof"][place.node])
    if UNPROVEN < proof <= SURE:
        return [c.state("proven", SEARCH, result="draw", reason="draws have no certificate")]
    try:
        mate = checked_mate(place)
    except OnTables:
        return [_on_tables(c, place)]
    except Unchecked as error:
        return [c.state("proven", SEARCH, result="loss" if proof > 0 else "win", reason=str(error))]
    if mate is None:
        said = c.known.proof if c.known and place is c.place else None
        return [c.state("proven", SEARCH, result=said, reason="alpha-beta keeps no lines")] if said else []
    plies = mate.plies + 1
    facts = c.line([c.move, *mate.line]) | {"plies": plies, "exact": mate.exact, "lines": mate.lines}
    if mate.wins:
        return [c.state("mated", CERTAIN, moves=plies // 2, mover=side(c.board.turn), **facts)]
    return [c.state("mate", CERTAIN, moves=(plies + 1) // 2, **facts)]


def _on_tables(c: Candidate, place: Place) -> Statement:
    """What is proven where the proof ends in tables, checked if they are ours."""
    result = "loss" if place.tree.graph.nodes["proof"][place.node] > 0 else "win"
    try:
        positions = positions_checked(place, int(place.tree.parameters["tables"]))
    except Unchecked as error:
        return c.state("proven", SEARCH, result=result, reason=str(error))
    return c.state("decided", CERTAIN, result=result, positions=positions)


def after_replies(c: Candidate, place: Place, replies: list[chess.Move]) -> Iterator[Statement]:
    """The mates that follow replies to the move, as far as a search has proven them and they can be checked."""
    tree = place.tree
    edges = {tree.move(e): e for e in tree.children(place.node)} if place.node >= 0 else {}
    for reply in replies:
        if reply not in edges:
            continue
        board = c.after.copy()
        state = tree.game.after(place.state, encode(c.after, reply))
        board.push(reply)
        try:
            mate = checked_mate(Place(tree, int(tree.graph.edges["child"][edges[reply]]), state, board))
        except Unchecked:
            continue
        if mate is not None and mate.wins:
            facts = c.line([c.move, reply, *mate.line]) | {"exact": mate.exact, "lines": mate.lines}
            yield c.state(
                "after_reply", CERTAIN, reply=c.after.san(reply), mover=side(c.board.turn),
                moves=(mate.plies + 1) // 2, plies=mate.plies, **facts,
            )  # fmt: skip


def side(colour: chess.Color) -> str:
    return "White" if colour else "Black"
