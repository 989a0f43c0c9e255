"""How a judge may use its scratch array.

Word 0 is the length of the *trace*, the moves of the playout, which follow it; RAVE reads them. Behind it is room
for two findings of moves as sets, for one list of moves, and for the last two positions of the playout.
"""

from plyout.games.chess.moves import SETS_SIZE
from plyout.games.chess.rules import MOVES

TRACE = 1023
SETS = 1 + TRACE
MORE_SETS = SETS + SETS_SIZE
LIST = MORE_SETS + SETS_SIZE
BEFORE = LIST + MOVES
A_BOARD = 16  # words, enough for a state without its history
SCRATCH = BEFORE + 2 * A_BOARD
