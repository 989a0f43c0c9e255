"""The widget's code is one module, made of the board's; test_browser runs it."""

import re

from plyout.notebook.bundle import HERE, code, style


def test_nothing_is_imported_and_one_thing_is_given() -> None:
    lines = code().splitlines()
    assert [line for line in lines if line.startswith(("import ", "export "))] == ["export default module0;"]
    assert "export{" not in code()


def test_every_module_that_is_needed_is_there_once() -> None:
    assert code().count("class TreeView") == 1
    assert code().count("export") == 1
    assert code().count("function drawChart(") == 1
    assert (HERE / "widget.js").read_text(encoding="utf-8").count("import {") == 6
    modules = re.findall(r"^const (module\d+) = \{\};$", code(), re.MULTILINE)
    assert len(modules) == len(set(modules)) >= 6


def test_the_style_stays_inside_the_widget() -> None:
    ours = (HERE / "widget.css").read_text(encoding="utf-8")
    selectors = [s for line in re.findall(r"^([^{}@]+)\{", ours, re.MULTILINE) for s in line.split(",")]
    assert selectors
    assert [s for s in selectors if ".plyout-live" not in s] == []
    assert not re.search(r"@import|url\((?!['\"]?data:)", style())
