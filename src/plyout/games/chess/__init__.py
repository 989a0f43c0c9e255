"""Chess, Chess960 included."""

from plyout.games.chess.border import check_state, from_board, move_text, parse_board, same_game, to_board
from plyout.games.chess.board import SIZE
from plyout.games.chess.rules import ROOM, check, legal, outcome, perft, pieces, play, ply, repeats
from plyout.games.contract import Game

CHESS = Game(
    name="chess",
    size=SIZE,
    room=ROOM,
    legal=legal,
    play=play,
    outcome=outcome,
    start=lambda: from_board(parse_board("startpos")),
    parse=lambda fen: from_board(parse_board(fen)),
    show=lambda state: to_board(state).fen(en_passant="xfen"),
    move_text=move_text,
    same=same_game,
    valid=check_state,
    check=check,
    repeats=repeats,
    fast_perft=perft,
    ply=ply,
    pieces=pieces,
)
