"""Parsing of pages for tests: elements, scripts, and resources that a page would fetch."""

from __future__ import annotations

import re
from html.parser import HTMLParser

SPITE = "</script><img src=x onerror=alert(1)>'\"&{{ 7 * 7 }}"
"""A name that would break out of a page that trusted it."""


class Page(HTMLParser):
    """Collects what the tests ask about: elements, their attributes, and the text of scripts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attributes)))
        if tag == "script":
            self.scripts.append("")

    def handle_data(self, data: str) -> None:
        if self.elements and self.elements[-1][0] == "script":
            self.scripts[-1] += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


def outside_references(page: str) -> list[str]:
    """Return the outside resources of a page, or a word on the policy that it lacks."""
    parsed = Page(page)
    names = ("src", "href", "action", "data", "srcset", "poster")
    targets = [attributes.get(name) for _, attributes in parsed.elements for name in names]
    found = [one for one in targets if one is not None and not one.startswith(("#", "data:,"))]
    without_scripts = re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)
    found += re.findall(r"@import|url\((?!#)", without_scripts)
    policies = [one.get("content") or "" for one in parsed.all("meta")]
    if not any("default-src 'none'" in policy for policy in policies):
        found.append("no policy")
    return found
