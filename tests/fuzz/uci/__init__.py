"""A fuzzer of UCI sessions: ``python -m tests.fuzz.uci --lines 1000000 --jobs 2``.

`grammar` makes sessions: valid, nearly valid and absurd. `replay` speaks them to an engine; `protocol` follows what
each line means, `said` reads the answers and `judge` compares a search's answers with the rules of chess by `position`.
`shrink` makes a session that shows a fault as short as it can. None of them uses Plyout: only python-chess.
"""


class Violation(AssertionError):
    """The engine has broken a rule of the protocol."""
