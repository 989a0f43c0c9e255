"""Endgame tables in the search: which are asked, and what becomes of a root that they know."""

from typing import Any

import numpy as np

from plyout.errors import InputError
from plyout.evaluate.policy.priors import evaluation_prior
from plyout.games import CHESS, Game, State
from plyout.games.chess.border import to_board
from plyout.games.contract import KEY
from plyout.kernel import kernel
from plyout.knowledge.tables.library import Library, open_tables
from plyout.knowledge.tables.line import mating_line
from plyout.knowledge.tables.probe import OTHERS, UNKNOWN, consult, no_tables, nothing
from plyout.search.choose import drawn, edges_of, proofs_of
from plyout.parameters import Expansion, group, values
from plyout.search.expand import proof_by_rules, proof_by_tables
from plyout.search.graph import NODES, ROOT, SURE, UNPROVEN, Graph, add_edges, new_graph, reset_node


@kernel
def _proof(score: float, code: int) -> int:
    """What is proven by the rules, whose score is negative while the game goes on, or by tables."""
    return proof_by_rules(score) if score >= 0.0 else proof_by_tables(code)


class Endgames:
    """The tables that a search may ask: our own of up to `pieces` pieces, and those in folders of the user's.

    `directory` is what kernels probe; while the root has fewer than `least_pieces` it is empty.
    """

    def __init__(self, game: Game, pieces: float, least_pieces: float, syzygy_path: str, gaviota_path: str) -> None:
        self._pieces, self._least_pieces = int(pieces), int(least_pieces)
        self._library: Library | None = None
        self._others: Any = None
        self.directory = no_tables()
        asked = bool(pieces or syzygy_path or gaviota_path)
        self.rule = consult if asked else nothing
        if game is not CHESS and asked:
            raise InputError(f"endgame tables are for chess only: in {game.name} try the preset 'mcc'")
        if syzygy_path or gaviota_path:
            from plyout.knowledge.tables.others import OtherTables

            self._others = OtherTables(syzygy_path, gaviota_path)

    def prepare(self) -> None:
        """Open our own tables, and compile what the root needs."""
        if self._pieces:
            self._library = open_tables(self._pieces)
            self._library.code(CHESS.start())
        if self._pieces or self._others:
            self.prove_moves(new_graph(2, 1), CHESS.start(), CHESS.moves(CHESS.start())[:1])
            mating_line(CHESS.start(), no_tables())

    def begin(self, state: State) -> None:
        """A search begins at this root."""
        self.directory[:] = 0
        if self.rule is consult and to_board(state).occupied.bit_count() >= self._least_pieces:
            if self._library:
                self.directory[:] = self._library.directory
            if self._others:
                self._others.enter(self.directory)

    def know(self, state: State) -> bool:
        """Whether it is known how a position ends, by the fifty-move rule, too."""
        return self.directory.any() and int(consult(state, self.directory)) != UNKNOWN

    def prove_moves(self, graph: Graph, state: State, moves: list[int]) -> int:
        """Open the root, which has no children yet, with `moves`; prove them and it as far as tables know.

        What the evaluation likes comes first: among moves that draw, it is played.
        """
        root, count = int(graph.used[ROOT]), len(moves)
        if graph.nodes.size < count + 1 or graph.edges.size < count:
            return UNPROVEN  # no room for a single position: search as if there were no tables
        numbers, priors = np.array(moves, np.int64), np.zeros(count)
        evaluation_prior(state, numbers, count, priors, group(Expansion, values({})))
        order = np.argsort(-priors, kind="stable")
        add_edges(graph, root, numbers[order], priors[order])
        for edge in edges_of(graph, root):
            after = CHESS.after(state, int(graph.edges["move"][edge]))
            node = int(graph.used[NODES])
            graph.used[NODES] += 1
            reset_node(graph, node, int(after[KEY]))
            graph.edges["child"][edge] = node
            score = CHESS.result(after)
            code = np.int64(consult(after, self.directory))
            graph.nodes["proof"][node] = _proof(-1.0 if score is None else score, code)
        proofs = proofs_of(graph, edges_of(graph, root))
        if proofs.max() > SURE or UNPROVEN not in proofs:
            draws = proofs[drawn(proofs)]
            graph.nodes["proof"][root] = draws.min() if len(draws) and proofs.max() <= SURE else proofs.max()
        return int(graph.nodes["proof"][root])

    def mating_line(self, state: State, theirs: bool) -> list[int]:
        """Best play to mate where tables know it: our own, and with `theirs` the user's, which take longer."""
        if not self.directory.any():
            return []
        directory = self.directory.copy()
        if not theirs:
            directory[OTHERS] = 0
        return mating_line(state, directory)
