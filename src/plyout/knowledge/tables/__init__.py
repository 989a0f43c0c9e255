"""Endgame tables: the distance to mate in every position of three and four pieces, by retrograde analysis.

>>> import chess
>>> from plyout.knowledge.tables import open_tables
>>> tables = open_tables(3)
>>> board = chess.Board("7k/8/5K2/8/8/8/8/6R1 w - - 0 1")
>>> tables.probe(board)
Answer(result='win', plies=3)
>>> board.variation_san(tables.line(board))
'1. Kf7 Kh7 2. Rh1#'
"""

from plyout.knowledge.tables.endings import ENDINGS, Ending, ending, endings
from plyout.knowledge.tables.library import Answer, Library, open_tables

__all__ = ["ENDINGS", "Answer", "Ending", "Library", "ending", "endings", "open_tables"]
