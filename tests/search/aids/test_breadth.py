"""TL-BFS as told: an alpha search over two plies says where to begin, and counts for nothing in the end."""

from typing import Any

import chess
import numpy as np
import pytest

from plyout import Engine, Limits
from plyout.errors import InputError
from plyout.games import TICTACTOE, State
from plyout.kernel import kernel
from plyout.parameters import values
from plyout.presets import preset
from plyout.search.aids.breadth import NOT_KNOWN, search_in_breadth
from plyout.search.graph import new_graph
from plyout.search.root import Root
from plyout.search.threads import Stop
from tests.search import mirror
from tests.search.traps.test_traps import LEGAL

START = (0, 0, 0, 0)


def evaluate(state, scratch, parameters):  # type: ignore[no-untyped-def]
    """A score of many that depends on the position in no simple way."""
    return (state[2] * 40503 + state[3] * 30011) // 7 % 97 / 96


EVALUATE = kernel(evaluate)


def a_root() -> Root:
    root = Root(new_graph(100, 100), TICTACTOE, values({}))
    root.prior = lambda state, moves: np.zeros(len(moves))
    root.renew(TICTACTOE.start())
    return root


def swept(playouts: int) -> tuple[list[float], int]:
    """What each root move is worth by alpha search, and how many playouts that takes, in plain Python."""
    worths: list[float] = []
    done, alpha = 0, -1.0
    for move in mirror.legal(START):
        after, worst = mirror.play(START, move), 1.0
        for reply in mirror.legal(after):
            worst = min(worst, evaluate(mirror.play(after, reply), None, None))
            done += playouts
            if worst <= alpha:
                break
        alpha = max(alpha, worst)
        worths.append(worst)
    return worths, done


def test_every_root_move_begins_with_as_many_visits_of_what_it_is_worth() -> None:
    root, asked = a_root(), []

    def worst(after: State, replies: Any, alpha: float) -> float:
        asked.append((len(replies), alpha))
        return float(after[2]) / 512

    search_in_breadth(root, TICTACTOE.start(), 5, worst)
    worths = [2**i / 512 for i in range(9)]
    assert (root.graph.edges["visits"][root.edges] == 5).all()
    assert root.graph.edges["value"][root.edges] == pytest.approx([5 * worth for worth in worths])
    assert root.graph.nodes["visits"][root.node] == 45
    assert root.graph.nodes["value"][root.node] == pytest.approx(5 * sum(worths))
    assert asked == [(8, alpha) for alpha in (-1.0, *worths[:-1])], "alpha is the best so far"


def test_nothing_is_kept_of_a_search_that_cannot_be_finished() -> None:
    root = a_root()
    worths = iter([0.5] * 8 + [NOT_KNOWN])
    search_in_breadth(root, TICTACTOE.start(), 5, lambda *_: next(worths))
    assert not root.graph.edges["visits"][root.edges].any()
    assert root.graph.nodes["visits"][root.node] == 0


@pytest.mark.parametrize("playouts", [1, 3])
def test_replies_are_tried_until_alpha_leaves_out_the_others(playouts: int) -> None:
    """The playouts of the search in breadth count as iterations; the rest goes into the tree."""
    worths, done = swept(playouts)
    assert done < 9 * 8 * playouts, "nothing is left out: there is nothing to test"
    assert len(set(worths)) > 1
    engine = Engine("mcc", TICTACTOE, evaluate=EVALUATE, hash_mb=4, top_bfs=playouts)
    result = engine.search("startpos", Limits(nodes=1000))
    g, root = result.tree.graph, result.tree.root
    assert result.nodes == 1000
    assert g.nodes["visits"][root] == 9 * playouts + 1000 - done
    engine.new_game()
    short = engine.search("startpos", Limits(nodes=10))
    assert short.tree.graph.nodes["visits"][short.tree.root] == short.nodes == 10, "too few: the tree gets them all"


def test_it_leads_out_of_legals_trap() -> None:
    result = Engine("ta-mcc-told", hash_mb=64).search(chess.Board(LEGAL), Limits(nodes=27_000))
    assert result.move == chess.Move.from_uci("c6e5")
    assert min(m.visits for m in result.moves) >= values(preset("ta-mcc-told").parameters)["top_bfs"]


def test_a_stop_ends_it() -> None:
    stop = Stop()
    stop.set()
    result = Engine("mcc", TICTACTOE, evaluate=EVALUATE, hash_mb=4, top_bfs=1000).search(
        "startpos", Limits(infinite=True), stop=stop
    )
    assert 0 < result.nodes < 1000 * 9 * 8, "it went on to its end"
    visits = result.tree.graph.edges["visits"][result.tree.children(result.tree.root)]
    assert (visits < 1000).all(), "and nothing of it is kept"


def test_an_evaluator_of_ones_own_has_no_playouts_to_average() -> None:
    with pytest.raises(InputError, match="no playouts, and so no top_bfs"):
        Engine("mcts", top_bfs=4, evaluator=lambda positions: (np.zeros(len(positions)), None))
