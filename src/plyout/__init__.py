"""Plyout: a Monte-Carlo chess engine and a laboratory for such engines."""

__version__ = "0.1.0"
