"""One game: two players, their clocks, and whatever can go wrong."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import chess

from plyout.knowledge.books.openings import opening_name
from plyout.lab.match.adjudicate import Adjudication, Adjudicator
from plyout.lab.match.openings import Opening
from plyout.lab.match.pgn import Thought, pgn_of
from plyout.lab.match.players import Answer, Fault, Player
from plyout.lab.match.timecontrol import MARGIN, Clock, TimeControl
from plyout.lab.record import Game
from plyout.lab.run.work import Halted

PATIENCE, PATIENCE_WITHOUT_CLOCK = 10.0, 60.0


@dataclass(frozen=True)
class Seat:
    """A player at one side of the board."""

    name: str
    player: Player
    control: TimeControl


@dataclass(frozen=True)
class Rules:
    """How games are played; times are seconds."""

    variant: str = "chess"
    adjudication: Adjudication = field(default_factory=Adjudication)
    margin: float = MARGIN  # a move may come so late
    patience: float | None = None
    """A player that is silent for so long after its time, or altogether where it has no clock, has stalled."""
    tables: Any = None  # the open Syzygy tables of the adjudication

    def patience_for(self, control: TimeControl) -> float:
        if self.patience is not None:
            return self.patience
        timed = control.base is not None or control.movetime is not None
        return PATIENCE if timed else PATIENCE_WITHOUT_CLOCK


def play(
    white: Seat,
    black: Seat,
    opening: Opening,
    rules: Rules,
    pair: int = 0,
    halted: Callable[[], bool] = lambda: False,
) -> tuple[Game, str]:
    """Play a game to its end, and tell how it ended in a few words.

    A fault of a player's costs it the game: nothing is raised but `Halted`. Chance is seeded by the pair.
    """
    began = time.time()
    board = opening.board(rules.variant)
    thoughts: list[Thought] = []
    try:
        for seat in (white, black):
            _ready(seat, pair, seat is white)
        result, reason = _moves(board, white, black, rules, thoughts, halted)
        detail = reason
    except _Forfeit as lost:
        result, reason = "0-1" if lost.white else "1-0", lost.fault.reason
        detail = f"{(white if lost.white else black).name}: {reason}, {lost.fault}"
    if halted():
        raise Halted
    ended = time.time()
    line = opening.name or " ".join(opening_name(board) or ())
    plies = len(board.move_stack)
    game = Game(pair, white.name, black.name, result, reason, line, plies, ended - began, ended)
    text = pgn_of(game, board, thoughts, (str(white.control), str(black.control)), detail)
    return replace(game, pgn=text), detail


class _Forfeit(Exception):
    def __init__(self, white: bool, fault: Fault) -> None:
        self.white, self.fault = white, fault


def _ready(seat: Seat, seed: int, white: bool) -> None:
    try:
        seat.player.new_game(seed)
    except Fault as fault:
        raise _Forfeit(white, fault) from None


def _moves(
    board: chess.Board, white: Seat, black: Seat, rules: Rules, thoughts: list[Thought], halted: Callable[[], bool]
) -> tuple[str, str]:
    """Move by move until somebody has won or nobody can: (result, reason)."""
    clocks = {chess.WHITE: Clock(white.control), chess.BLACK: Clock(black.control)}
    adjudicator = Adjudicator(rules.adjudication, rules.tables)
    while True:
        if (ending := ending_of(board) or adjudicator.verdict(board)) is not None:
            return ending
        if halted():
            raise Halted
        turn = board.turn
        seat, clock = (white if turn else black), clocks[turn]
        try:
            patience = rules.patience_for(seat.control)
            answer = seat.player.go(board, clock, clocks[not turn], rules.margin, patience)
            move = _checked(board, answer, clock, rules.margin)
        except Fault as fault:
            raise _Forfeit(turn, fault) from None
        clock.spend(answer.seconds)
        board.push(move)
        adjudicator.score(turn, answer.cp, answer.mate)
        thoughts.append(Thought(answer, clock.left))


def _checked(board: chess.Board, answer: Answer, clock: Clock, margin: float) -> chess.Move:
    """The move, if it came in time and is one."""
    budget = clock.budget
    if budget is not None and answer.seconds > budget + margin:
        raise Fault("time", f"{1000 * (answer.seconds - budget):.0f} ms late")
    try:
        move = board.parse_uci(answer.move)
    except ValueError:
        move = chess.Move.null()
    if not move:
        raise Fault("illegal", f"{answer.move[:40]!r} in {board.fen()}")
    return move


def ending_of(board: chess.Board) -> tuple[str, str] | None:
    """(result, reason) if the rules end the game here; draws are not claimed but happen.

    >>> ending_of(chess.Board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"))
    ('1/2-1/2', 'stalemate')
    """
    if not any(board.generate_legal_moves()):
        if not board.is_check():
            return "1/2-1/2", "stalemate"
        return "0-1" if board.turn else "1-0", "checkmate"
    if board.is_insufficient_material():
        return "1/2-1/2", "material"
    if board.is_repetition(3):
        return "1/2-1/2", "repetition"
    if board.halfmove_clock >= 100 and board.uci_variant == "chess":  # crazyhouse has no such rule
        return "1/2-1/2", "fifty moves"
    return None
