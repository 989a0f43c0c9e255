import re
from html import escape
from html.parser import HTMLParser
from itertools import combinations

import numpy as np
import pytest
from markdown_it import MarkdownIt  # which comes with rich

from plyout.errors import InputError
from plyout.lab.record import Game
from plyout.lab.report.page import Cell, Heading, Table, Text, html, markdown
from plyout.lab.report.plots import short, signed, ticks
from plyout.lab.report.report import report


def tournament(names: list[str], pairs: int, reason: str = "checkmate", seed: int = 1) -> list[Game]:
    """Each plays each; those named first are stronger."""
    random = np.random.default_rng(seed)
    games = []
    for number in range(pairs):
        for i, j in combinations(range(len(names)), 2):
            for a, b in ((i, j), (j, i)):
                lead = 0.5 * (b - a) + 0.2 + random.logistic()
                result = "1-0" if lead > 0.4 else "0-1" if lead < -0.4 else "1/2-1/2"
                games.append(Game(number, names[a], names[b], result, reason if result != "1/2-1/2" else "repetition"))
    return games


BLOCKS = {
    "inline",
    *(
        f"{kind}_{end}"
        for kind in ("heading", "paragraph", "bullet_list", "list_item", "table", "thead", "tbody", "tr", "th", "td")
        for end in ("open", "close")
    ),
}
"""What a report's Markdown is made of."""


class Checker(HTMLParser):
    """Every tag is closed in order, and nothing is fetched from elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        assert tag not in ("script", "link", "img", "iframe", "object")
        assert not any(name in ("src", "href") for name, _ in attrs)
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def checked(page: str) -> Checker:
    checker = Checker()
    checker.feed(page)
    assert checker.open == []
    assert "url(" not in page
    assert "nan" not in re.sub(r"\w*nan\w+|\w+nan\w*", "", page.lower())
    return checker


def test_a_tournament_has_every_part() -> None:
    games = tournament(["strong", "middling", "weak", "weakest"], 20)
    text, page = report(games, "Four players", {"nodes": 100, "openings": ["a", "b"]})
    tags = checked(page).tags
    assert tags.count("figure") == 6  # Elo, four courses, endings
    for part in ("Rating list", "Cross table", "Likelihood of superiority", "How the games ended", "Settings"):
        assert f"<h2>{part}</h2>" in page
        assert f"## {part}\n" in text
    assert "<h2>Score over time</h2>" in page
    assert "a, b" in text
    assert re.search(r"\| 1 \| strong \| \+\d+ ± \d+ \| ", text)


def test_the_cross_table_adds_up() -> None:
    names = ["a", "b", "c"]
    games = tournament(names, 7)
    text, _ = report(games, "t", {})
    part = text.split("## Cross table")[1].split("##")[0]
    rows = [line.strip("| ").split(" | ") for line in part.splitlines() if re.match(r"\| \d", line)]
    for _, name, *cells, total in rows:
        points = sum(g.points if g.white == name else 1 - g.points for g in games if name in (g.white, g.black))
        numbers = [float(cell.replace("½", ".5")) for cell in cells if cell != "·"]
        assert sum(numbers) == points
        assert total == f"{points:g}".replace(".5", "½") + "/28"


def test_a_match_tells_the_difference() -> None:
    text, page = report(tournament(["new", "old"], 100), "Match", {})
    checked(page)
    assert "Pairs with 0, ½, 1, 1½ and 2 points" in text
    assert re.search(r"Elo difference: \*\*[+−]\d+ ± \d+\*\*", text)
    assert "score of new" in text  # its course, as a table


@pytest.mark.parametrize("reason", ["time", "crash", "stall", "illegal"])
def test_faults_are_counted_and_named(reason: str) -> None:
    games = [Game(1, "good", "faulty", "1-0", reason), Game(1, "faulty", "good", "1/2-1/2", "repetition")]
    text, page = report(games, "Faults", {})
    checked(page)
    assert 'class="bad"' in page
    row = next(line for line in text.splitlines() if line.startswith("| faulty"))
    assert row.count("1") == 1
    assert "| good" not in text.split("otherwise than on the board")[1]


@pytest.mark.parametrize("count", [1, 2, 20])
@pytest.mark.parametrize("result", ["1-0", "1/2-1/2"])
def test_the_smallest_and_the_cleanest_results_can_be_reported(count: int, result: str) -> None:
    games = [Game(i, "a", "b", result, "checkmate") for i in range(count)]
    checked(report(games, "t", {})[1])
    checked(report([*games, Game(1, "b", "c", result, "")], "t", {})[1])


def test_players_who_never_met_get_no_common_list() -> None:
    games = [Game(1, "a", "b", "1-0", "mate"), Game(2, "c", "d", "1-0", "mate")]
    text, page = report(games, "t", {})
    checked(page)
    assert "no game connects" in text


def test_no_games_are_refused() -> None:
    with pytest.raises(InputError, match="no finished games"):
        report([], "t", {})


def test_names_cannot_break_the_page() -> None:
    nasty = '<b>"x"|*y*&amp;</b>' + "long" * 30
    text, page = report(tournament([nasty, "<script>", "c"], 2), nasty, {nasty: nasty})
    checked(page)
    rows = [line for line in text.splitlines() if line.startswith("| 1 ")]
    assert rows
    assert all(len(re.findall(r"(?<!\\)\|", row)) in (8, 7, 6) for row in rows)


@pytest.mark.parametrize(
    "name",
    [
        "![x](http://a.b/c.png)", "[a](javascript:alert)", "<img src=x>", "<http://a.b>", "a\\|b", "`c`",
        "~~d~~", "*e*_f_", "&lt;b&gt;", "# g", "$h$", "[i]: http://j", "\x1b[31mred\x07", "two\nlines", "k\\",
        "l:m", "1.",
    ],
)  # fmt: skip
def test_a_name_is_shown_as_it_is_and_never_as_markup(name: str) -> None:
    shown = " ".join("".join(sign if sign.isprintable() else " " for sign in name).split())
    text, page = report(tournament([name, "b", "c"], 2), name, {name: name})
    checked(page)
    assert escape(shown) in page
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text)
    inline = [token for token in tokens if token.type == "inline"]
    kinds = {child.type for token in inline for child in token.children or ()}
    assert kinds <= {"text", "strong_open", "strong_close"}, "no link, picture, code or HTML"
    assert {token.type for token in tokens} <= BLOCKS
    words = ["".join(child.content for child in token.children or ()) for token in inline]
    assert words.count(shown) >= 6, "title, three tables, the setting's name and its value"


def test_addresses_are_no_links() -> None:
    """GitHub makes links of addresses; an escaped sign keeps it from that."""
    assert markdown("http://a.b www.c.d", []) == "# http\\://a.b www\\.c.d\n"


def test_a_thousand_games_make_a_small_page() -> None:
    _, page = report(tournament(["a", "b"], 2000), "t", {})
    assert len(page) < 60_000


def test_blocks_become_markdown_and_html() -> None:
    blocks = [Heading("empty"), Heading("h"), Text("a < b"), Table(["n", "v"], [["x", Cell("1", tint=0.5)]])]
    assert markdown("t", blocks) == "# t\n\n## h\n\na \\< b\n\n| n | v |\n| :-- | --: |\n| x | 1 |\n"
    assert "a &lt; b" in html("t", blocks)
    assert "color-mix" in html("t", blocks)


def test_small_helpers() -> None:
    assert ticks(0, 1, 5) == pytest.approx([0, 0.2, 0.4, 0.6, 0.8, 1])
    assert (signed(0.4), signed(-3), signed(1234)) == ("0", "−3", "+1,234")
    assert short("x" * 99, 20).count("x") == 19
