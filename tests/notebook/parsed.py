"""What a cell shows, read back: tags, tables, pictures; and a check that nothing is fetched and nothing runs."""

import base64
import re
from html.parser import HTMLParser
from typing import Any

VOID = {"img", "br", "meta"}
ALLOWED = {
    "b", "circle", "defs", "div", "g", "img", "line", "path", "polygon", "polyline", "rect", "span", "svg", "table",
    "tbody", "td", "text", "th", "thead", "title", "tr",
}  # fmt: skip


class Parsed(HTMLParser):
    """Fails where a tag is not closed, where something runs, or where something is fetched from elsewhere."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.html = html
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, Any]]] = []
        self.rows: list[list[str]] = []
        self.texts: list[tuple[str, str]] = []  # the innermost tag, and its text
        self.feed(html)
        self.close()
        assert not self.open, f"never closed: {self.open}"
        assert "url(" not in html.replace(" ", "")
        assert "@import" not in html
        addresses = set(re.findall(r"https?://[^\"' <>]+", html))
        assert addresses <= {"http://www.w3.org/2000/svg"}, "a name of SVG, and no address"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        assert tag in ALLOWED, tag
        assert not [name for name in given if name.startswith("on")], given
        assert "href" not in given
        if "src" in given:
            assert str(given["src"]).startswith("data:image/svg+xml;base64,")
        self.tags.append((tag, given))
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append((self.open[-1] if self.open else "", data))
        if self.open and self.open[-1] in ("td", "th"):
            self.rows[-1][-1] += data

    def all(self, tag: str) -> list[dict[str, Any]]:
        return [given for name, given in self.tags if name == tag]

    def text(self, tag: str | None = None) -> list[str]:
        return [text for name, text in self.texts if tag in (None, name)]

    def boards(self) -> list[str]:
        """The SVG of every board."""
        return [base64.b64decode(given["src"].partition(",")[2]).decode() for given in self.all("img")]
