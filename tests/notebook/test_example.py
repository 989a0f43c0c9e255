"""The notebook in the examples runs as it is, and what its text says is so."""

import json

import pytest

from tests.conftest import ROOT

nbclient = pytest.importorskip("nbclient", reason="notebooks cannot be run: pip install 'plyout[dev]'")
nbformat = pytest.importorskip("nbformat", reason="notebooks cannot be run: pip install 'plyout[dev]'")
pytest.importorskip("ipykernel", reason="notebooks cannot be run: pip install 'plyout[dev]'")
pytest.importorskip("anywidget", reason="the widget is not installed: pip install 'plyout[notebook]'")

NOTEBOOK = ROOT / "examples/legals_trap.ipynb"
PATIENCE = 300

CLAIMS = """
import json
traps = {name: next(m for m in r.moves if m.move.uci() == "h5d1") for name, r in
         {"uct": uct, "puct": puct, "solver": solver}.items()}
def shares(r):
    h = r.history
    c = [str(m) for m in h.moves].index("h5d1")
    return [[int(n), float(v / max(t, 1)), float(q)] for n, v, t, q in
            zip(h.n, h.visits[:, c], h.visits.sum(axis=1), h.values[:, c])]
def leads(r):
    return [[e.n, str(e.move), str(e.other)] for e in r.history.events if e.kind == "lead"]
def replies(r):
    t = r.tree
    e = next(e for e in t.children(t.root) if str(t.move(e)) == "h5d1")
    child = int(t.graph.edges["child"][e])
    return {str(t.move(e)): float(t.graph.edges["visits"][e]) for e in t.children(child)}
print(json.dumps({
    "values": [m.value for m in uct.moves], "visits": [m.visits for m in uct.moves],
    "prior": traps["puct"].prior, "proof": traps["solver"].proof, "mate": traps["solver"].mate,
    "average": traps["solver"].value, "shares": shares(puct), "leads": leads(puct), "solver": leads(solver),
    "replies": replies(puct), "uct": traps["uct"].value, "drawn": uct.drawn, "running": live.running,
    "live": str(live.result.move),
}))
"""


@pytest.mark.slow
def test_the_notebook_runs_and_says_what_is_so() -> None:
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(notebook)
    notebook.cells.append(nbformat.v4.new_code_cell(CLAIMS))
    client = nbclient.NotebookClient(notebook, timeout=PATIENCE, kernel_name="python3")
    client.execute()
    shown = [cell for cell in notebook.cells if cell.cell_type == "code"]
    rich = [o for cell in shown for o in cell.outputs if "text/html" in o.get("data", {})]
    assert len(rich) >= 6, "boards, results, histories and trees"
    assert any("application/vnd.jupyter.widget-view+json" in o.get("data", {}) for c in shown for o in c.outputs)
    assert not [o for cell in shown for o in cell.outputs if o.output_type == "error"]
    told = json.loads(shown[-1].outputs[-1]["text"])

    assert max(told["values"]) < 0.53, "UCT: all values are near 50 %"
    assert max(told["visits"]) < 3 * min(told["visits"])
    assert 0.45 < told["uct"] < 0.53
    assert told["drawn"] > 0.5, "most random games are drawn"
    assert 0.7 < told["prior"] < 0.8, "three quarters"
    early = [share for n, share, _ in told["shares"] if 10 < n <= 2000]
    assert min(early) > 0.9
    values = [value for n, _, value in told["shares"] if n <= 2]
    assert values[-1] == pytest.approx(0.8, abs=0.03)
    (lead, *_), *others = told["leads"]
    assert others == []
    assert 6000 < lead < 7000
    assert told["solver"][0][0] * 3 < lead
    assert (told["proof"], told["mate"]) == ("loss", -2)
    assert told["average"] > 0.6
    assert 0.8 < told["replies"]["c4f7"] / told["replies"]["e5f7"] < 1.25, "as often"
    assert told["running"] is False
    assert told["live"]


def test_the_notebook_is_kept_without_its_outputs() -> None:
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None
    assert NOTEBOOK.stat().st_size < 300_000
