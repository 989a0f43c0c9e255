"""A value network goes on learning on a CPU, without end: ``plyout train refine``.

Lessons are new quiet positions near labelled games, with what Stockfish's network says of them, and labelled positions
themselves. All of it is made of our kernels and needs no JAX: some eighty thousand positions a second on one core, and
half as many more to come on another.
"""
