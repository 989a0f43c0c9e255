"""Searches in a real browser: the tree, its history, two presets, files, keys."""

from pathlib import Path

from tests.board.tab import LEGAL, Tab


def test_the_tree_grows_and_can_be_looked_into(tab: Tab) -> None:
    tab.position(LEGAL)
    tab.set(preset="mcgs-solver", memory=16)
    tab.search(3000)
    assert tab.ask("plyout.panels[0].tree.nodes.length") > 200
    assert tab.page.locator(".roots tbody tr").count() > 5
    tab.stop()
    x, y = node_at(tab, 1)
    tab.page.mouse.move(x, y)
    assert "visits" in (tab.page.locator("#hover").text_content() or "")
    assert tab.page.locator("#hover piece").count() > 20
    tab.page.mouse.click(x, y)
    name = tab.page.locator(".trail b").text_content()
    assert name in tab.page.locator(".roots tbody td:first-child").all_text_contents()
    tab.page.get_by_role("button", name="Look deeper").click()
    tab.until("plyout.panels[0].tree.prefix.length === 1")
    assert tab.page.locator(".trail button").all_text_contents() == ["root", name]
    tab.page.get_by_role("button", name="root", exact=True).click()
    tab.until("plyout.panels[0].tree.prefix.length === 0")
    first = tab.ask("plyout.panels[0].tree.nodes[1].line[0]")
    tab.page.mouse.click(*node_at(tab, 1))
    tab.page.get_by_role("button", name="Search from here").click()
    tab.until("plyout.state.ply > 1 && plyout.state.analysing")
    assert tab.ask("plyout.moves.moves.get(plyout.state.here).uci") == first
    tab.until("plyout.panels[0].last !== null")
    tab.stop()


def test_everything_goes_by_keys(tab: Tab) -> None:
    tab.set(preset="mcc", memory=16)
    tab.page.locator("h1").click()
    tab.page.keyboard.press("Space")
    tab.until("plyout.panels[0].last !== null && plyout.panels[0].last.nodes >= 300")
    tab.page.keyboard.press("Space")
    tab.until("plyout.state.searching.every((running) => !running)")
    tab.page.locator("canvas.tree").first.focus()
    tab.page.keyboard.press("ArrowRight")
    tab.page.keyboard.press("ArrowDown")
    line = tab.ask("plyout.panels[0].choice.line")
    assert len(line) == 1
    assert "visits" in (tab.page.locator("#live").text_content() or "")
    tab.page.keyboard.press("l")
    tab.until("plyout.panels[0].tree.prefix.length === 1")
    tab.page.keyboard.press("Backspace")
    tab.until("plyout.panels[0].tree.prefix.length === 0")
    tab.page.keyboard.press("ArrowRight")
    tab.page.keyboard.press("Enter")
    tab.until("plyout.state.ply >= 1 && plyout.state.analysing")
    tab.until("plyout.panels[0].root.fen === plyout.state.fen && plyout.panels[0].tree.nodes.length > 1")
    tab.page.locator("canvas.tree").first.focus()
    tab.page.keyboard.press("ArrowRight")
    tab.until("plyout.panels[0].choice !== null")
    tab.page.locator("h1").click()
    tab.page.keyboard.press("Escape")
    tab.until("plyout.panels[0].choice === null")
    for key in ("Space", "f", "Home", "?"):
        tab.page.keyboard.press(key)
    tab.until("plyout.state.ply === 0 && plyout.board.orientation === 'black'")
    tab.until("document.getElementById('help-dialog').open")


def node_at(tab: Tab, number: int) -> tuple[float, float]:
    """Where a node is, once the drawing has come to rest."""
    tab.page.wait_for_timeout(700)
    box = tab.page.locator("canvas.tree").first.bounding_box()
    place = tab.ask(f"plyout.panels[0].tree.nodes[{number}].now")
    assert box
    return box["x"] + place["x"], box["y"] + place["y"]


def test_the_slider_goes_back_in_time(tab: Tab) -> None:
    tab.position(LEGAL)
    tab.set(preset="mcgs-solver", memory=16)
    tab.search(3000)
    tab.stop()
    rows = tab.ask("plyout.panels[0].rows.map((row) => row.n)")
    assert rows[:8] == [1, 2, 3, 4, 5, 6, 7, 8]
    k = rows.index(64)
    tab.page.locator(".slider").first.fill(str(k))
    tab.until("plyout.panels[0].tree.nodes[0].visits === 64")
    assert "64" in (tab.page.locator(".when").first.text_content() or "")
    visits = tab.ask(f"plyout.panels[0].rows[{k}].visits")
    shown = tab.page.locator(".roots .bar span").first.text_content() or ""
    assert int(shown.split(" ")[0]) == max(visits)
    event = tab.page.locator(".events button", has_text="Bxd1 is proven lost").first
    event.click()
    tab.until("plyout.panels[0].at !== null")
    tab.page.locator("h1").click()
    for _ in range(len(rows)):
        tab.page.keyboard.press("]")
    tab.until("plyout.panels[0].at === null")


def test_two_presets_stand_side_by_side(tab: Tab) -> None:
    tab.set(preset="mcc", other="mcgs", memory=16)
    tab.page.click("[data-mode=compare]")
    tab.until("document.querySelectorAll('.panel').length === 2")
    tab.search(200)
    tab.until("plyout.panels[1].last !== null && plyout.panels[1].last.nodes >= 200")
    tab.stop()
    titles = [text.split()[0] for text in tab.page.locator(".panel h2").all_text_contents()]
    assert titles == ["mcc", "mcgs"]
    assert min(tab.ask("plyout.panels.map((panel) => panel.tree.nodes.length)")) > 50
    tab.page.click("[data-mode=analyse]")
    tab.until("document.querySelectorAll('.panel').length === 1")
    tab.page.reload()
    tab.ready()
    tab.until("plyout.panels[1].last !== null")
    tab.page.wait_for_timeout(300)  # what is not on the page is not drawn, and nobody complains
    tab.page.click("[data-mode=compare]")
    drawn = "(nodes) => nodes.length > 50 && nodes.every((node) => node.to && node.now.x === node.to.x)"
    tab.until(f"({drawn})(plyout.panels[1].tree.nodes)")


def test_a_search_is_saved_and_loaded_and_drawn_as_svg(tab: Tab, tmp_path: Path) -> None:
    tab.set(preset="mcgs", memory=16)
    tab.search(500)
    tab.stop()
    before = tab.ask("plyout.panels[0].last.moves")
    with tab.page.expect_download() as saved:
        tab.page.click(".keep")
    saved.value.save_as(tmp_path / "search.plyout")
    with tab.page.expect_download() as picture:
        tab.page.click(".picture")
    picture.value.save_as(tmp_path / "tree.svg")
    drawn = (tmp_path / "tree.svg").read_text()
    assert drawn.startswith("<svg") and drawn.count("<circle") > 100
    tab.page.keyboard.press("n")
    tab.page.click("#new-dialog [value=chess]")
    tab.page.reload()
    tab.ready()
    tab.until("plyout.panels[0].last !== null")  # the search of before, which the loaded one takes the place of
    number = tab.ask("plyout.panels[0].number")
    tab.page.set_input_files("#file", tmp_path / "search.plyout")
    tab.until(f"plyout.panels[0].number > {number} && plyout.panels[0].last !== null")
    assert tab.ask("plyout.panels[0].preset") == "mcgs"
    assert tab.ask("plyout.panels[0].last.moves") == before
    (tmp_path / "nonsense.plyout").write_bytes(b"nonsense")
    tab.page.set_input_files("#file", tmp_path / "nonsense.plyout")
    tab.until("document.getElementById('toast').textContent.includes('not a saved search')")
    tab.complaints[:] = [text for text in tab.complaints if "400" not in text]  # the browser tells of the refusal, too


def test_a_reload_in_mid_search_changes_nothing(tab: Tab) -> None:
    tab.set(preset="mcc", memory=16)
    tab.drag("e2e4")
    tab.ply(1)
    tab.search(200)
    number = tab.ask("plyout.panels[0].number")
    tab.page.reload()
    tab.ready()
    tab.until("plyout.panels[0].last !== null")
    assert tab.ask("[plyout.panels[0].number, plyout.state.ply, plyout.state.analysing]") == [number, 1, True]
    assert tab.ask("plyout.panels[0].rows[0].n") == 1, "the history is there from the beginning"
    tab.stop()


def test_what_stays_is_not_made_anew_while_a_search_runs(tab: Tab) -> None:
    """A button that is made anew while somebody presses it is never clicked."""
    tab.set(preset="mcc", memory=16)
    tab.search(400)
    tab.page.mouse.click(*node_at(tab, 1))
    tab.until("plyout.panels[0].choice !== null && plyout.panels[0].told.length > 0")
    tab.ask(
        "void (window.kept = [...document.querySelectorAll('.trail button, .events button, .marks button, .roots td')])"
    )
    nodes = tab.ask("plyout.panels[0].last.nodes")
    tab.until(f"plyout.panels[0].last.nodes > {2 * nodes}")
    assert tab.ask("kept.length > 10 && kept.every((element) => element.isConnected)")
    tab.page.get_by_role("button", name="Look deeper").click()
    tab.until("plyout.panels[0].tree.prefix.length === 1")
    tab.stop()


def test_a_picture_in_which_nothing_moves_is_drawn_once(tab: Tab) -> None:
    """Drawing takes processors from the search."""
    tab.set(preset="mcc", memory=16)
    tab.search(1000)
    tab.stop()
    tab.page.wait_for_timeout(700)
    tab.ask(
        "void ((tree, panel) => { const draw = tree.draw; window.drawn = 0; window.again = () => { drawn = 0;"
        " tree.update(panel.last.tree, panel.root); }; tree.draw = () => { drawn++; draw.call(tree); }; })"
        "(plyout.panels[0].tree, plyout.panels[0])"
    )
    tab.ask("again()")
    tab.page.wait_for_timeout(700)
    assert tab.ask("drawn") == 1
    tab.ask("void (plyout.panels[0].tree.nodes.forEach((node) => (node.now.y += 50)), again())")
    tab.page.wait_for_timeout(700)
    assert tab.ask("drawn") > 1, "what moves far is seen on its way"
