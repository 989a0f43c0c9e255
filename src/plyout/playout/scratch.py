"""How a judge may use its scratch array.

Word 0 is the length of the *trace*, the moves of the playout, which follow it; RAVE reads them. Behind it is room
for two findings of moves as sets, for one list of moves, for the directory of the endgame tables, and for the last two
positions of the playout.
"""

from plyout.games.chess.moves import SETS_SIZE
from plyout.games.chess.rules import MOVES
from plyout.knowledge.tables.probe import DIRECTORY

TRACE = 1023
SETS = 1 + TRACE
MORE_SETS = SETS + SETS_SIZE
LIST = MORE_SETS + SETS_SIZE
DIRECTORY_AT = LIST + MOVES
BEFORE = DIRECTORY_AT + DIRECTORY
A_BOARD = 16  # words, enough for a state without its history
SCRATCH = BEFORE + 2 * A_BOARD
