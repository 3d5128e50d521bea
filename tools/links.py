"""Check the links of the built pages: files, anchors, and hosts that a page would ask.

Sphinx checks the links between Markdown files. This reads what a browser reads, the HTML and the
style sheets in docs/_build/html: every file and anchor that a page names exists, and a page loads
nothing from another host. Links that a reader follows may lead anywhere. The last step of `make
docs`; another folder can be given.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from finding import ROOT, Finding, report

PAGES = ROOT / "docs/_build/html"
LOADS = {
    "audio": "src",
    "embed": "src",
    "iframe": "src",
    "image": "href",
    "img": "src",
    "input": "src",
    "object": "data",
    "script": "src",
    "source": "src",
    "use": "href",
    "video": "src",
}
"""Attribute by which an element loads something without the reader."""
ASKS_NOBODY = frozenset({"author", "canonical", "license", "next", "prev", "index", "search"})
"""Relations of <link> whose target no browser loads."""
STYLE_LOADS = re.compile(r"@import\s+[\"']([^\"']+)|url\(\s*[\"']?([^\"')]+)")


@dataclass(frozen=True)
class Link:
    """A target that a page names."""

    line: int
    target: str
    is_loaded: bool
    """Whether a browser asks for it without the reader."""


@dataclass
class Page(HTMLParser):
    """The anchors and links of a page."""

    text: str
    anchors: set[str] = field(default_factory=set)
    links: list[Link] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()
        self.feed(self.text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what an element names."""
        given = {name: value or "" for name, value in attrs}
        self.anchors.update(given[name] for name in ("id", "name") if given.get(name))
        for target in loaded(tag, given):
            self.links.append(Link(self.getpos()[0], target, is_loaded=True))
        if tag == "a" and "href" in given:
            self.links.append(Link(self.getpos()[0], given["href"], is_loaded=False))

    def handle_data(self, data: str) -> None:
        """Note what a style sheet inside the page loads."""
        if self.lasttag == "style":
            for target in style_loads(data):
                self.links.append(Link(self.getpos()[0], target, is_loaded=True))


def loaded(tag: str, given: dict[str, str]) -> Iterator[str]:
    """Yield the targets that a browser asks for when it reads an element."""
    if LOADS.get(tag) in given:
        yield given[LOADS[tag]]
    if tag == "link" and not ASKS_NOBODY & set(given.get("rel", "").split()):
        yield given.get("href", "")
    yield from (one.split()[0] for one in given.get("srcset", "").split(",") if one.strip())
    yield from style_loads(given.get("style", ""))


def style_loads(text: str) -> Iterator[str]:
    """Yield the targets of a style sheet."""
    yield from (first or second for first, second in STYLE_LOADS.findall(text))


def check_pages(folder: Path) -> Iterator[Finding]:
    """Yield the broken links and the loads from other hosts in a folder of pages."""
    pages = {
        path: Page(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.html"))
    }
    anchors = {path: page.anchors for path, page in pages.items()}
    for path, page in pages.items():
        name = path.relative_to(folder).as_posix()
        for link in page.links:
            message = fault(link, path, folder, anchors)
            if message:
                yield Finding(name, link.line, message)
    for path in sorted(folder.rglob("*.css")):
        name = path.relative_to(folder).as_posix()
        for target in style_loads(path.read_text(encoding="utf-8")):
            message = fault(Link(1, target, is_loaded=True), path, folder, anchors)
            if message:
                yield Finding(name, 1, message)


def fault(link: Link, page: Path, folder: Path, anchors: dict[Path, set[str]]) -> str | None:
    """Return the fault of a link; None if it has none."""
    parts = urlsplit(link.target)
    if parts.scheme == "data":
        return None
    if parts.scheme or parts.netloc:
        return f"loads {link.target} from another host" if link.is_loaded else None
    path = unquote(parts.path)
    target = (page.parent / path).resolve() if path else page
    if target.is_dir():
        target /= "index.html"
    if not target.is_relative_to(folder):
        return f"{link.target} lies outside of the pages"
    if not target.is_file():
        return f"{link.target} does not exist"
    anchor = unquote(parts.fragment)
    if link.is_loaded or not anchor or target not in anchors or anchor in anchors[target]:
        return None
    return f"{link.target}: the page has no such anchor"


def main() -> int:
    """Check the built pages."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else PAGES).resolve()
    if not (folder / "index.html").is_file():
        sys.exit(f"there are no pages in {folder}: build them with `make docs`")
    return report("links", check_pages(folder))


if __name__ == "__main__":
    sys.exit(main())
