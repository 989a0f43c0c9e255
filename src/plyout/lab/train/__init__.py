"""Training networks: labelled games, what a network sees of them, a teacher and its students.

Needs ``plyout[train]``; all but the labelling itself (`label`, `kept`) works without Numba.
"""
