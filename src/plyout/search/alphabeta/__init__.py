"""Alpha-beta: negamax with quiescence at its leaves, the rival of the Monte-Carlo search with the same evaluation.

Read it in this order: `stack` (what a search remembers), `table` (transpositions), `ordering` (which move first),
`search` (negamax itself), `null_window` (one question, asked deeper and deeper).
"""
