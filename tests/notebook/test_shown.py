"""What notebooks show says what the objects say; it is escaped, fetches nothing and runs nothing."""

import json
import subprocess
import sys
from functools import cache
from importlib import import_module
from pathlib import Path

import chess
import chess.svg
import numpy as np
import pytest

from plyout import Engine, Limits, Result
from plyout.engine.events import Event
from plyout.engine.tree import Tree, mate_in, proof_text
from plyout.errors import InputError
from plyout.games import TICTACTOE
from plyout.notebook import draw_board, draw_history, draw_tree, show
from plyout.notebook.picture import Cell, colour_of, table
from plyout.search.graph import PROVEN
from tests.notebook.parsed import Parsed

LEGAL = "r2qkbnr/ppp2ppp/2np4/4N2b/2B1P3/2N4P/PPPP1PP1/R1BQK2R b KQkq - 0 1"
MATE = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1"
CRAZY = "r1b1k2r/ppp2ppp/2p5/4P3/4n3/8/PPP2PPP/R1BK1B1R[QNPqn] w kq - 0 11"


@cache
def searched(preset: str = "mcgs-solver", fen: str = LEGAL, nodes: int = 4000) -> Result:
    return Engine(preset, "crazyhouse" if "[" in fen else "chess", hash_mb=16).search(fen, Limits(nodes=nodes))


def shown(thing: object) -> Parsed:
    html = thing._repr_html_()  # type: ignore[attr-defined]
    assert isinstance(html, str)
    return Parsed(html)


def test_whatever_has_a_picture_is_drawn_by_a_function_that_is_there() -> None:
    for path in show._DRAWN_BY.values():
        module, _, function = path.partition(".")
        assert callable(getattr(import_module(f"plyout.notebook.{module}"), function))


def test_a_result_shows_its_moves_as_they_are() -> None:
    result, board = searched(), chess.Board(LEGAL)
    page = shown(result)
    assert page.rows[0] == ["move", "visits", "share", "value", "line"]
    for m, row in zip(result.moves, page.rows[1:7], strict=False):
        assert board.parse_san(row[0]) == m.move
        assert int(row[1].replace(",", "")) == round(m.visits)
    counted = sum(int(row[1].replace(",", "")) for row in page.rows[1:])
    assert counted == pytest.approx(sum(m.visits for m in result.moves), abs=4)
    assert page.rows[7][0] == f"{len(result.moves) - 6} more"


def test_the_board_of_a_result_has_the_position_and_an_arrow_for_its_move() -> None:
    result = searched()
    page = shown(result)
    (svg,) = page.boards()
    assert page.all("img")[0]["alt"] == LEGAL
    assert svg.count('class="arrow"') == 6, "three moves, each a line and a head"
    assert result.move is not None
    arrow = chess.svg.Arrow(result.move.from_square, result.move.to_square, color="#15781bd9")
    head = chess.svg.board(chess.Board(LEGAL), arrows=[arrow]).partition("<polygon")[2].partition("/>")[0]
    assert head in svg


@pytest.mark.parametrize("fen", [MATE, LEGAL, CRAZY], ids=["mate", "legal", "crazyhouse"])
@pytest.mark.parametrize("part", ["result", "history", "tree"])
def test_every_part_of_a_search_shows_itself(fen: str, part: str) -> None:
    result = searched("mcgs-solver" if fen != CRAZY else "mcts", fen, 400)
    page = shown({"result": result, "history": result.history, "tree": result.tree}[part])
    assert len(page.html) < 100_000


def test_alpha_beta_and_other_games_and_games_that_are_over_show_themselves() -> None:
    result = Engine("alphabeta", hash_mb=4).search(LEGAL, Limits(depth=3))
    assert "nodes in" in "".join(shown(result).text())
    shown(result.history)
    game = Engine("mcc", TICTACTOE, hash_mb=4).search(TICTACTOE.start(), Limits(nodes=500))
    page = shown(game)
    assert not page.boards()
    assert [row[0] for row in page.rows[1:7]] == [str(m.move) for m in game.moves[:6]]
    shown(game.history)
    shown(game.tree)
    over = Engine("mcc", hash_mb=4).search("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", Limits(nodes=5))
    assert "the side to move is mated" in shown(over).text()
    assert "nothing was searched" in shown(over.history).text()
    shown(over.tree)


def test_a_proven_mate_is_shown_as_one() -> None:
    page = shown(searched("mcgs-solver", MATE, 400))
    assert page.rows[1][3] == "mate in 1"
    assert any("Ra8#, mate in 1" in text for text in page.text())


def drawn_nodes(page: Parsed) -> dict[str, float]:
    """The visits by line, as the drawing's titles have them."""
    found = {}
    for words in page.text("title"):
        line, _, rest = words.partition(": ")
        found[line] = float(rest.partition(" visits")[0].replace(",", ""))
    return found


def test_a_drawn_tree_has_the_lines_and_visits_of_the_tree() -> None:
    result = searched()
    nodes = drawn_nodes(shown(draw_tree(result.tree, nodes=120)))
    assert 100 <= len(nodes) <= 120
    board = chess.Board(LEGAL)
    by_line = {v.line: v.visits for v in result.tree.walk(depth=30)}
    for line, visits in nodes.items():
        moves, at = [], board.copy()
        for san in [] if line == "root" else line.split():
            moves.append(at.push_san(san))  # fails where it is no legal move
        if moves:
            assert visits == round(by_line[tuple(moves)]), line
    roots = sorted((v for line, v in nodes.items() if line != "root" and " " not in line), reverse=True)
    assert roots == [round(m.visits) for m in sorted(result.moves, key=lambda m: -m.visits)][: len(roots)]


def test_the_area_of_a_node_is_its_visits() -> None:
    page = shown(draw_tree(searched("mcts").tree, nodes=60))
    circles = {t: float(c["r"]) for t, c in zip(page.text("title"), page.all("circle"), strict=True)}
    big = {t: r for t, r in circles.items() if r > 5}
    assert len(big) > 3
    root = next(r for t, r in big.items() if t.startswith("root"))
    nodes = drawn_nodes(page)
    for words, r in big.items():
        assert (r / root) ** 2 == pytest.approx(nodes[words.partition(": ")[0]] / nodes["root"], abs=0.02)


def test_a_line_that_was_proven_lost_is_marked() -> None:
    """In Légal's trap the capture of the queen is mated in two."""
    result = searched()
    known = next(m for m in result.moves if m.move.uci() == "h5d1")
    assert known.mate == -2
    assert "⚠" in shown(draw_tree(result.tree)).text("text"), "other moves are not mated"
    assert "✗" in shown(draw_tree(result.tree, "Bxd1")).text("text")
    assert "Bxd1 ✗" in shown(draw_history(result)).text("text")
    told = "".join(shown(result.history).text())
    assert "Bxd1 is proven lost, mated in 2: Bxf7+" in told


@pytest.mark.parametrize("line, wrong", [("Bxd1 Kh8", "no legal move"), ("Ke7 a3 a6 a4", "not searched")])
def test_a_line_that_is_not_in_the_tree_is_told(line: str, wrong: str) -> None:
    with pytest.raises(InputError, match=wrong):
        draw_tree(searched().tree, line)


def test_a_line_may_be_given_as_moves() -> None:
    tree = searched().tree
    moves = [chess.Move.from_uci("h5d1"), chess.Move.from_uci("e5f7")]
    assert draw_tree(tree, moves).svg == draw_tree(tree, "Bxd1 Nxf7").svg == draw_tree(tree, ["h5d1", "Nxf7"]).svg


def test_the_curves_are_those_of_the_history() -> None:
    result = searched("mcts")
    history = result.history
    curves = shown(draw_history(history)).all("polyline")
    best = int(history.visits[-1].argmax())
    points = [len(c["points"].split()) for c in curves if c["stroke-width"] == "2.4"]
    assert points == [int((history.visits[:, best] > 0).sum())] * 2, "the value and the share of the first move"


def test_words_of_events_say_what_the_events_say() -> None:
    from plyout.notebook.course import _told

    name = lambda move, after=None: f"{after}…{move}" if after else str(move)  # noqa: E731
    lost, won = -(PROVEN - 4), PROVEN - 3
    assert (mate_in(lost), proof_text(lost), mate_in(won)) == (-2, "loss", 2)
    assert _told(Event("lead", 3, 99, "Nf3", "e4"), name) == "Nf3 leads, before it e4"
    assert _told(Event("trap", 0, 0, "Qh5"), name) == "Qh5 is left out as a trap"
    assert _told(Event("collapse", 3, 99, "Qh5", None, 0.6, 0.41), name) == "Qh5 falls (60 → 41 %)"
    assert _told(Event("refutation", 3, 99, "Qh5", "g6", 0.6, 0.41), name) == "Qh5 falls (60 → 41 %) to Qh5…g6"
    assert (
        _told(Event("refutation", 3, 99, "Qh5", "g6", 0.6, 0.6, lost), name) == "Qh5 is proven lost, mated in 2: Qh5…g6"
    )
    assert _told(Event("proof", 3, 99, "Qh5", None, 0.6, 0.6, lost), name) == "Qh5 is proven lost, mated in 2"
    assert _told(Event("proof", 3, 99, "Qh5", None, 0.6, 0.6, won), name) == "Qh5 is proven won, mate in 2"


def test_an_explanation_shows_every_statement_with_its_kind() -> None:
    explanation = searched().explain(["Bxd1"], nodes=0)
    page = shown(explanation)
    texts = page.text("span")
    for statement in explanation.statements:
        at = texts.index(statement.text)
        assert texts[at - 1] == statement.kind
    assert "certain" in texts


def test_a_board_of_ones_own_gets_arrows_and_pockets() -> None:
    assert draw_board(chess.Board(), ["e4", "d2d4"]).svg.count('class="arrow"') == 4
    assert "♕1" in "".join(shown(draw_board(CRAZY)).text())
    with pytest.raises(InputError, match="no FEN"):
        draw_board("<script>")
    with pytest.raises(InputError, match="no legal move"):
        draw_board(chess.Board(), ["e5"])


def test_good_is_blue_bad_is_orange_and_half_a_point_is_grey() -> None:
    assert (colour_of(1), colour_of(0), colour_of(0.5)) == ("#1b74c4", "#d9541e", "#9aa0a6")


def test_texts_of_others_are_shown_and_do_nothing(tmp_path: Path) -> None:
    """A file of a tree may say anything as its preset's name."""
    evil = "<script>alert(1)</script>\" onload='x'"
    result = searched("mcts", MATE, 50)
    tree = Tree(result.tree.graph, result.tree.state, result.tree.game, evil, result.tree.parameters)
    page = shown(tree)
    assert any(evil in text for text in page.text())
    cells = Parsed(table([evil], [[evil, Cell(evil, hint=evil)]]))
    assert cells.rows == [[evil], [evil, evil]]
    assert cells.all("td")[1]["title"] == evil


def test_a_move_that_nobody_can_play_is_shown_by_its_squares() -> None:
    """A tree from a file may hold one; the drawing goes on."""
    engine = Engine("mcts", hash_mb=4)
    tree = engine.search(chess.STARTING_FEN, Limits(nodes=200)).tree
    edge = max(tree.children(tree.root), key=lambda e: tree.graph.edges["visits"][e])
    tree.graph.edges["move"][edge] = tree.graph.edges["move"][edge] & ~np.int32(63) | np.int32(chess.D4)
    assert not chess.Board().is_legal(tree.move(edge))
    assert tree.move(edge).uci() in shown(draw_tree(tree)).text("text")


def test_outside_of_notebooks_nothing_changes() -> None:
    result = searched()
    assert repr(result).startswith("Result(move=")
    assert str(result).splitlines()[1].split() == ["move", "visits", "share", "value", "line"]


def test_pictures_can_be_saved(tmp_path: Path) -> None:
    draw_tree(searched().tree).save(tmp_path / "tree.svg")
    assert (tmp_path / "tree.svg").read_text(encoding="utf-8").startswith("<svg xmlns=")


def ran(code: str) -> list[str]:
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    return list(json.loads(run.stdout))


def test_importing_plyout_loads_nothing_of_notebooks() -> None:
    loaded = ran("import json, sys, plyout, plyout.notebook; print(json.dumps(sorted(sys.modules)))")
    heavy = {"numpy", "numba", "chess", "anywidget", "ipywidgets", "IPython", "matplotlib", "rich", "starlette"}
    assert heavy & {name.partition(".")[0] for name in loaded} == set()


def test_showing_a_search_loads_nothing_that_is_optional() -> None:
    code = f"""
import json, sys
from plyout import Engine, Limits
result = Engine("mcts", hash_mb=4).search("{MATE}", Limits(nodes=50))
for shown in (result, result.tree, result.history):
    assert shown._repr_html_()
print(json.dumps(sorted(sys.modules)))
"""
    optional = {"anywidget", "ipywidgets", "IPython", "matplotlib", "sklearn", "starlette", "uvicorn", "onnxruntime"}
    assert optional & {name.partition(".")[0] for name in ran(code)} == set()


def test_without_the_extra_the_widget_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    import plyout.notebook

    monkeypatch.setitem(sys.modules, "anywidget", None)
    monkeypatch.delitem(sys.modules, "plyout.notebook.widget", raising=False)
    with pytest.raises(InputError, match=r"pip install 'plyout\[notebook\]'"):
        plyout.notebook.Live  # noqa: B018
