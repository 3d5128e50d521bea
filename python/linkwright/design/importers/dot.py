"""The plain part of DOT: nodes, edges and attributes, with ports as PTM writes them.

`"leaf1":"swp1" -- "host1":"eth0"` is a cable between two ports [PTM]. Subgraphs and labels in HTML
are refused: they say how a graph looks. The grammar is that of graphviz.org, "The DOT Language".
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from linkwright.design.importers.drawing import Drawing, DrawnCable, kind_of
from linkwright.errors import DesignError, shown

__all__ = ["read_dot"]

_TOKEN = re.compile(
    r"(?P<space>\s+|//[^\n]*|/\*.*?\*/|^\#[^\n]*)"
    r"|(?P<edge>--|->)"
    r"|(?P<sign>[{}\[\];,=:])"
    r'|"(?P<quoted>(?:[^"\\]|\\.)*)"'
    r"|(?P<word>-?(?:\.\d+|\d+(?:\.\d*)?)(?![\w])|[^\W\d]\w*|[\w.-]*\w)",
    re.DOTALL | re.MULTILINE,
)
_DEFAULTS = frozenset({"graph", "node", "edge"})


def read_dot(text: str, where: str) -> Drawing:
    """Return the drawing of a DOT text.

    Raises
    ------
    DesignError
        If it is no DOT, or more than its plain part; `where` names the file.
    """
    return _Reader(text, where).drawing()


class _Reader:
    """The tokens of a text, read from the first to the last."""

    def __init__(self, text: str, where: str) -> None:
        self._text, self._where = text, where
        self._tokens = [*self._split(), ("end", "", len(text))]
        self._next = 0

    def drawing(self) -> Drawing:
        """Return the drawing."""
        if self._is("word", "strict"):
            self._take()
        if self._take()[1].lower() not in ("graph", "digraph"):
            raise self._wrong("a graph begins with 'graph' or 'digraph'")
        if not self._is("sign", "{"):
            self._take()
        self._expect("{")
        cables: list[DrawnCable] = []
        kinds: dict[str, str] = {}
        while not self._is("sign", "}"):
            self._statement(cables, kinds)
        return Drawing(tuple(cables), kinds)

    def _statement(self, cables: list[DrawnCable], kinds: dict[str, str]) -> None:
        if self._is("sign", ";"):
            self._take()
            return
        if self._is("sign", "{") or self._is("word", "subgraph"):
            raise self._wrong("subgraphs are not read")
        ends = [self._end()]
        if self._is("sign", "="):
            self._take()
            self._take()
            return
        while self._is("edge"):
            self._take()
            ends.append(self._end())
        attributes = self._attributes()
        if len(ends) == 1 and ends[0][0] not in _DEFAULTS:
            kinds[ends[0][0]] = kind_of(attributes) or kinds.get(ends[0][0], "node")
        for (a, a_port), (b, b_port) in itertools.pairwise(ends):
            cables.append(
                DrawnCable(
                    a,
                    a_port or attributes.get("tailport", ""),
                    b,
                    b_port or attributes.get("headport", ""),
                )
            )

    def _end(self) -> tuple[str, str]:
        name, port = self._name(), ""
        if self._is("sign", ":"):
            self._take()
            port = self._name()
        return name, port

    def _name(self) -> str:
        kind, value, _ = self._tokens[self._next]
        if kind not in ("word", "quoted"):
            raise self._wrong("a name is missing")
        self._next += 1
        return value

    def _attributes(self) -> dict[str, str]:
        found: dict[str, str] = {}
        while self._is("sign", "["):
            self._take()
            while not self._is("sign", "]"):
                key = self._name()
                self._expect("=")
                found[key] = self._name()
                if self._is("sign", ",") or self._is("sign", ";"):
                    self._take()
            self._take()
        return found

    def _is(self, kind: str, value: str | None = None) -> bool:
        token = self._tokens[self._next]
        return token[0] == kind and value in (None, token[1])

    def _take(self) -> tuple[str, str, int]:
        if self._is("end"):
            raise self._wrong("the text ends too early")
        self._next += 1
        return self._tokens[self._next - 1]

    def _expect(self, sign: str) -> None:
        if not self._is("sign", sign):
            raise self._wrong(f"'{sign}' is missing")
        self._next += 1

    def _split(self) -> Iterator[tuple[str, str, int]]:
        place = 0
        while place < len(self._text):
            found = _TOKEN.match(self._text, place)
            if found is None:
                raise self._error(place, f"{shown(self._text[place])} is not plain DOT")
            kind = str(found.lastgroup)
            if kind != "space":
                value = found[kind].replace('\\"', '"') if kind == "quoted" else found[kind]
                yield kind, value, place
            place = found.end()

    def _wrong(self, rule: str) -> DesignError:
        return self._error(self._tokens[self._next][2], rule)

    def _error(self, place: int, rule: str) -> DesignError:
        line = self._text.count("\n", 0, place) + 1
        return DesignError(
            f"{self._where}, line {line}: {rule}",
            'write edges as "a":"port" -- "b":"port" and attributes as [key=value]',
        )
