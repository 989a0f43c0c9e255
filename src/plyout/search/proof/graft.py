"""Proofs made whole: their exact distance, and the lines that a search for mates has left out of the graph."""

import numpy as np

from plyout.games.contract import KEY, Game, State
from plyout.knowledge.tables.probe import FAR
from plyout.search.choose import edges_of, proofs_of
from plyout.search.graph import DRAWN_HERE, NODES, OPEN, PROVEN, SURE, Graph, add_edges, reset_node
from plyout.search.proof.checking import BUFFER, mate_of
from plyout.search.proof.mate import Budget, forced, shortest_mate


def distance(proof: int) -> int:
    """Plies to the end of a proven win or loss."""
    return PROVEN - abs(proof)


def shorten(graph: Graph, node: int, state: State, game: Game, budget: Budget) -> bool:
    """Make the mate distance at `node` exact; False where the budget runs out first.

    The search proves a mate, but perhaps not the shortest. All shorter ones are looked for, exhaustively, and a
    mate that is found is grafted onto the graph.
    """
    proof = int(graph.nodes["proof"][node])
    if distance(proof) >= FAR:
        return False
    if not graph.nodes["children"][node]:
        return True  # the end of the game, or of what endgame tables left to be searched
    if proof > SURE:
        shorter = shortest_mate(state, distance(proof) - 2, budget)
        if shorter is None:
            return False
        return _graft_win(graph, node, state, game, shorter, budget) if shorter else True
    exact, longest = True, 0
    for edge in edges_of(graph, node):
        child = int(graph.edges["child"][edge])
        exact = shorten(graph, child, game.after(state, int(graph.edges["move"][edge])), game, budget) and exact
        longest = max(longest, distance(int(graph.nodes["proof"][child])))
    graph.nodes["proof"][node] = -(PROVEN - (longest + 1 if graph.nodes["children"][node] else 0))
    return exact


def complete_line(graph: Graph, node: int, state: State, game: Game) -> None:
    """Add the main line of what a search for mates by checks has proven, and left out of the graph."""
    while abs(graph.nodes["proof"][node]) > SURE and _grafted(graph, node, state, game):
        edge = int(edges_of(graph, node)[proofs_of(graph, edges_of(graph, node)).argmax()])
        node, state = int(graph.edges["child"][edge]), game.after(state, int(graph.edges["move"][edge]))


def complete(graph: Graph, node: int, state: State, game: Game) -> None:
    """Add every line of it, and make the distances true to the lines.

    Where memory runs out, the proof ends before the game does.
    """
    done: set[int] = set()

    def walk(node: int, state: State) -> None:
        if node in done or not _grafted(graph, node, state, game):
            return
        done.add(node)
        edges = edges_of(graph, node)
        if graph.nodes["proof"][node] > SURE:
            edges = edges[proofs_of(graph, edges).argmax() :][:1]
        for edge in edges:
            walk(int(graph.edges["child"][edge]), game.after(state, int(graph.edges["move"][edge])))
        graph.nodes["proof"][node] = proofs_of(graph, edges).max()

    walk(node, state)


def _grafted(graph: Graph, node: int, state: State, game: Game) -> bool:
    """Whether a proven node has the children that prove it, which are added if need be; False at the end of a line."""
    edges = edges_of(graph, node)
    if not len(edges) or graph.nodes["proof"][node] < 0 or proofs_of(graph, edges).max() >= graph.nodes["proof"][node]:
        return bool(len(edges))
    first = int(graph.nodes["advised"][node]) - 1
    return first >= 0 and _graft_checks(
        graph, int(edges[first]), state, game, distance(int(graph.nodes["proof"][node]))
    )


def _graft_checks(graph: Graph, edge: int, state: State, game: Game, plies: int) -> bool:
    """Graft the first two plies of the mate by checks that begins with `edge`; False if memory is full."""
    mate, buffer = mate_of(game), np.empty(BUFFER, np.int64)
    after = game.after(state, int(graph.edges["move"][edge]))
    child = _child(graph, edge, after, game)
    if child is None or (plies > 1 and not _opened(graph, child, after, game)):
        return False
    longest = -1
    for reply in edges_of(graph, child):
        position = game.after(after, int(graph.edges["move"][reply]))
        found = int(mate(position, plies - 2, 1 << 40, buffer))
        answered = _child(graph, int(reply), position, game)
        if not found or answered is None or not _opened(graph, answered, position, game):
            return False
        mating = graph.edges["move"][edges_of(graph, answered)] == found >> 8
        graph.nodes["advised"][answered] = int(mating.argmax()) + 1
        graph.nodes["proof"][answered] = max(int(graph.nodes["proof"][answered]), PROVEN - (found & 255))
        longest = max(longest, distance(int(graph.nodes["proof"][answered])))
    graph.nodes["proof"][child] = 1 - PROVEN + longest
    return True


def _child(graph: Graph, edge: int, state: State, game: Game) -> int | None:
    """The child of an edge, whose position is `state`, made if need be; None if memory is full.

    A graft may break off and leave it to the search, which asks only the nodes that it makes itself whether the game
    is over: a draw by the fifty-move rule or repetition is noted here.
    """
    child = int(graph.edges["child"][edge])
    if child < 0:
        child = int(graph.used[NODES])
        if child >= graph.nodes.size:
            return None
        graph.used[NODES] += 1
        reset_node(graph, child, int(state[KEY]))
        if game.result(state) == 0.5:
            graph.nodes["proof"][child] = DRAWN_HERE
        graph.edges["child"][edge] = child
    return child


def _opened(graph: Graph, node: int, state: State, game: Game) -> bool:
    """Give `node` its edges if it has none; False if memory is full."""
    if graph.nodes["state"][node] == OPEN:
        return True
    return add_edges(graph, node, game.moves(state), 0.0)


def graft_mate(graph: Graph, node: int, state: State, game: Game, plies: int, budget: Budget) -> bool:
    """Add the mate in so many plies that a search without draws by rule has found; False where it is none with them."""
    return _graft_win(graph, node, state, game, plies, budget)


def _graft_win(graph: Graph, node: int, state: State, game: Game, plies: int, budget: Budget) -> bool:
    if game.result(state) == 0.5 or not _opened(graph, node, state, game):
        return False  # drawn by the fifty-move rule or repetition, which the search for mates does not know
    for edge in edges_of(graph, node):
        after = game.after(state, int(graph.edges["move"][edge]))
        if forced(after, plies - 1, False, budget):
            child = _child(graph, edge, after, game)
            if child is None or not _graft_loss(graph, child, after, game, plies - 1, budget):
                return False
            graph.nodes["proof"][node] = PROVEN - plies
            return True
    return False


def _graft_loss(graph: Graph, node: int, state: State, game: Game, plies: int, budget: Budget) -> bool:
    if game.result(state) == 0.5 or (plies > 0 and not _opened(graph, node, state, game)):
        return False
    longest = -1
    for edge in edges_of(graph, node) if plies > 0 else ():
        after = game.after(state, int(graph.edges["move"][edge]))
        mate, child = shortest_mate(after, plies - 1, budget), _child(graph, edge, after, game)
        if not mate or child is None or not _graft_win(graph, child, after, game, mate, budget):
            return False
        longest = max(longest, mate)
    graph.nodes["proof"][node] = -(PROVEN - longest - 1)
    return True
