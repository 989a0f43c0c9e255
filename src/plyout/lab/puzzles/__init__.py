"""Puzzles: mined from our own games, read from files, and put to an engine."""
