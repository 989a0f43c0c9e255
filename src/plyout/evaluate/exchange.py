"""Static exchange evaluation (SEE): what a move wins or loses by the captures on its target square."""

from plyout.evaluate.material import VALUE
from plyout.games.chess.attacks import KING, KNIGHT, PAWN, bishop_attacks, rook_attacks
from plyout.games.chess.board import WHITE, B, Board, K, N, P, Q, R, load
from plyout.games.chess.keys import piece_at
from plyout.games.chess.move import CASTLE, EN_PASSANT, from_square, piece_of, promotion_of, to_square
from plyout.kernel import Ints, at, inlined, kernel, shr

_INFINITE = 1 << 30


@inlined
def _attackers(b: Board, square: int, occupied: int) -> int:
    """All pieces of both colours that attack `square`, x-rays through pieces that have left `occupied` included."""
    return (
        at(KNIGHT, square) & b.knights
        | at(KING, square) & b.kings
        | at(PAWN, square) & b.pawns & b.black
        | at(PAWN, 64 + square) & b.pawns & b.white
        | bishop_attacks(square, occupied) & (b.bishops | b.queens)
        | rook_attacks(square, occupied) & (b.rooks | b.queens)
    ) & occupied


@inlined
def exchange(b: Board, move: int) -> int:
    """Centipawns that the mover wins by `move`: each side captures with its least valuable attacker, or stops.

    Pins are ignored; a king captures only what is not defended. A quiet move is worth 0, or less where the
    piece that moves can be won. After each capture the side to move may stand pat: that narrows the result
    to between `least` and `most`, until neither side can or wants to go on.
    """
    if move & CASTLE:
        return 0
    start, to = from_square(move), to_square(move)
    piece, promotion = piece_of(move), promotion_of(move)
    occupied = (b.white | b.black) & ~(1 << start)
    balance = 0
    if move & EN_PASSANT:
        balance = at(VALUE, P)
        occupied &= ~(shr(1 << to, 8) if b.turn == WHITE else 1 << to + 8)
    elif occupied & 1 << to:
        balance = at(VALUE, piece_at(b, to))
    at_risk = at(VALUE, piece)
    if promotion:
        balance += at(VALUE, promotion) - at(VALUE, P)
        at_risk = at(VALUE, promotion)
    least, most = -_INFINITE, _INFINITE
    turn = 1 - b.turn
    while True:
        if turn == b.turn:
            least = max(least, balance)
            if least >= most:  # the other side would have stopped before
                return most
        else:
            most = min(most, balance)
            if least >= most:
                return least
        attackers = _attackers(b, to, occupied)
        own = attackers & (b.white if turn == WHITE else b.black)
        capturers = _least_valuable(b, own)
        if not capturers or (capturers & b.kings and attackers & ~own):
            return least if turn == b.turn else most
        balance += at_risk if turn == b.turn else -at_risk
        at_risk = at(VALUE, _piece(b, capturers))
        occupied ^= capturers & -capturers
        turn = 1 - turn


@kernel
def exchanges(state: Ints, moves: Ints, worth: Ints) -> None:
    """Write what each of `moves` wins to `worth`."""
    b = load(state)
    for i in range(moves.size):
        worth[i] = exchange(b, moves[i])


@inlined
def _least_valuable(b: Board, pieces: int) -> int:
    """Those of `pieces` that are of the least valuable kind among them."""
    kind = pieces & b.pawns
    if not kind:
        kind = pieces & b.knights
    if not kind:
        kind = pieces & b.bishops
    if not kind:
        kind = pieces & b.rooks
    if not kind:
        kind = pieces & b.queens
    return kind if kind else pieces


@inlined
def _piece(b: Board, pieces: int) -> int:
    """The kind of `pieces`, which are all of one kind."""
    if pieces & b.pawns:
        return P
    if pieces & b.knights:
        return N
    if pieces & b.bishops:
        return B
    if pieces & b.rooks:
        return R
    return Q if pieces & b.queens else K
