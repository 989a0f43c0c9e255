"""Build the documentation's site in build/site.

usage: python tools/build_site.py

The pages are those of docs/, the README, and a reference that is made from the sources. Whatever is wrong ends the
build: a dead link, a page that is in no section, anything that a browser would load from elsewhere.
"""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from site_nav import FROM_THE_ROOT, HOME, NAV
from site_reference import pages

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
BUILD = ROOT / "build"
SITE = BUILD / "site"
FROM_ELSEWHERE = re.compile(r"""@import\s+(?:url\()?["']?(?:https?:)?//|url\(\s*["']?(?:https?:)?//""")


def main() -> None:
    sources = BUILD / "docs"
    shutil.rmtree(sources, ignore_errors=True)
    shutil.rmtree(SITE, ignore_errors=True)
    shutil.copytree(DOCS, sources, ignore=shutil.ignore_patterns("README.md"))
    shutil.copytree(ROOT / "examples", sources / "examples", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(Path(__file__).parent / "site/style.css", sources)
    shutil.copy(ROOT / "CITATION.cff", sources)
    (sources / "reference").mkdir()
    for name, text in pages().items():
        (sources / "reference" / name).write_text(text, encoding="utf-8")
    for name in (HOME, *FROM_THE_ROOT):
        text = (ROOT / name).read_text(encoding="utf-8")
        (sources / ("index.md" if name == HOME else name)).write_text(of_the_root(text), encoding="utf-8")
    for path in sources.glob("*.md"):
        path.write_text(of_docs(path.read_text(encoding="utf-8")), encoding="utf-8")
    config = (Path(__file__).parent / "site/zensical.toml").read_text(encoding="utf-8")
    (BUILD / "zensical.toml").write_text(config.replace("[NAV]", _nav(sources)), encoding="utf-8")
    zensical = str(Path(sys.executable).with_name("zensical"))
    if subprocess.run([zensical, "build", "--strict", "--clean"], cwd=BUILD).returncode:
        sys.exit("the documentation has dead links, or cannot be built")
    for path in SITE.rglob("*.html"):
        if path.name != "report.html":
            path.write_text(whole_options(path.read_text(encoding="utf-8")), encoding="utf-8")
    if faults := list(_faults()):
        sys.exit("\n".join(faults))
    print(f"{len(list(SITE.rglob('*.html')))} pages: {SITE / 'index.html'}")


def of_the_root(text: str) -> str:
    """A page of the repository's root, as one of the site: what it links to in docs/ is beside it."""
    text = text.replace("](docs/README.md", "](index.md").replace("](docs/", "](")
    return text.replace('src="docs/', 'src="').replace("](LICENSE)", "](https://www.gnu.org/licenses/gpl-3.0.html)")


def of_docs(text: str) -> str:
    """A page of docs/, as one of the site: what it links to in the root is beside it."""
    return re.sub(r"\]\(\.\./(README\.md)?", lambda m: "](index.md" if m[1] else "](", text)


def whole_options(page: str) -> str:
    """A page whose lines do not end in the middle of an option such as ``--movetime``, by style.css."""
    mark = r'<span class="option">\g<0></span>'
    return re.sub(r"(?<=<code>)[^<]+(?=</code>)", lambda code: re.sub(r"(?<![\w-])-[\w-]+", mark, code[0]), page)


def _nav(sources: Path) -> str:
    """The sections as TOML; a page that is in none of them, or twice, is a mistake."""
    listed = [page for found in NAV.values() for page in found]
    there = {str(path.relative_to(sources)) for path in sources.rglob("*.md")} - {"index.md", "reproduction/report.md"}
    lost = sorted(there - set(listed))
    if lost or len(listed) != len(set(listed)):
        sys.exit(f"give each page one section in tools/site_nav.py: {', '.join(lost) or 'one is in two'}")
    sections = [f'{{ "{title}" = {json.dumps([p for p in found if p in there])} }}' for title, found in NAV.items()]
    return "[" + ", ".join(['{ "Plyout" = "index.md" }', *sections]) + "]"


class _Links(HTMLParser):
    """What a page links to, what it loads, and where one can jump to in it."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.anchors.update(given[name] for name in ("id", "name") if name in given)
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        elif tag == "link" and given.get("rel") not in ("canonical", "next", "prev", "alternate"):
            self.loaded.append(given.get("href", ""))
        elif "src" in given:
            self.loaded.append(given["src"])


def _faults() -> Iterator[str]:
    """Links of the site that lead nowhere, and what it would load from elsewhere."""
    read: dict[Path, _Links] = {}
    for path in SITE.rglob("*.html"):
        if path.name != "report.html":  # a page by itself: its links are checked where it is made
            read[path] = _Links()
            read[path].feed(path.read_text(encoding="utf-8"))
    for path, found in read.items():
        name = path.relative_to(SITE)
        for address in found.loaded:
            if urlsplit(address).netloc:
                yield f"{name} loads {address}"
            elif address and not address.startswith("data:") and not _target(path, address).exists():
                yield f"{name} wants {address}, which is not there"
        for address in found.links:
            parts = urlsplit(address)
            if parts.scheme or parts.netloc or path.name == "404.html":
                continue
            target = _target(path, address) if parts.path else path
            if not target.exists():
                yield f"{name} links to {address}, which is not there"
            elif parts.fragment and target in read and unquote(parts.fragment) not in read[target].anchors:
                yield f"{name} links to {address}: there is no such place on the page"
    for path in SITE.rglob("*.css"):
        if FROM_ELSEWHERE.search(path.read_text(encoding="utf-8")):
            yield f"{path.relative_to(SITE)} loads something from elsewhere"


def _target(page: Path, address: str) -> Path:
    path = unquote(urlsplit(address).path)
    found = SITE / path.lstrip("/") if path.startswith("/") else page.parent / path
    found = found.resolve()
    return found / "index.html" if found.is_dir() else found


if __name__ == "__main__":
    main()
