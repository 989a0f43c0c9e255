"""Stockfish's own network, HalfKAv2_hm of Stockfish 15.1: its file, its features, its evaluation in integers."""
