"""The shape of the network, and where its parts stand in memory.

    position ─► features, seen by each side ─► 1,024 sums a side, and 8 sums of material ("PSQT")
             ─► 512 products a side ─► one of 8 stacks, by the number of pieces: 1,024 ─► 15 + 1 ─► 32 ─► 1

In memory all parts stand in one block, each at an offset in bytes from its beginning, weights of the stacks widened
to 16 bits: machines multiply pairs of those and add them up in one step.
"""

KING_PLACES = 32
"""of the own king: the board is mirrored so that it stands on files e to h"""
PIECE_SQUARES = 11 * 64
"""own and other pawns, knights … queens by square, and the kings of both"""
FEATURES = KING_PLACES * PIECE_SQUARES
SUMS = 1024
PAIRS = SUMS // 2
BUCKETS = 8
FIRST, SECOND = 16, 32
"""outputs of the stacks' layers; the last of the first layer goes round the others to the result"""
SECOND_INPUTS = 32
"""2 · 15, and two zeros"""

BIASES = 0
WEIGHTS = BIASES + 2 * SUMS
MATERIAL = WEIGHTS + 2 * SUMS * FEATURES
STACKS = MATERIAL + 4 * BUCKETS * FEATURES

FIRST_WEIGHTS = 0  # in a stack
SECOND_WEIGHTS = FIRST_WEIGHTS + 2 * FIRST * SUMS
LAST_WEIGHTS = SECOND_WEIGHTS + 2 * SECOND * SECOND_INPUTS
FIRST_BIASES = LAST_WEIGHTS + 2 * SECOND
SECOND_BIASES = FIRST_BIASES + 4 * FIRST
LAST_BIAS = SECOND_BIASES + 4 * SECOND
STACK = LAST_BIAS + 64  # the next begins at a line of the processor's cache

BLOCK = STACKS + BUCKETS * STACK
