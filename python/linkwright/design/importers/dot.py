"""DOT: nodes, edges, subgraphs and attributes, with ports as PTM writes them.

`"leaf1":"swp1" -- "host1":"eth0"` is a cable between two ports [PTM]. An edge to a subgraph is one
to each of its nodes. Labels in HTML, positions and styles say how a graph looks, and are not read.
The grammar is that of graphviz.org, "The DOT Language".
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, field

from linkwright.design.importers.dot_tokens import REMEDY, Token, tokens
from linkwright.design.importers.drawing import Drawing, DrawnEnd, kind_of
from linkwright.design.importers.importer import Importer
from linkwright.design.importers.sketch import Sketch, label_or_id, unique_names
from linkwright.design.importers.values import first_of, note_values, rate_of
from linkwright.design.topologies.custom import MOST_CUSTOM_CABLES
from linkwright.errors import DesignError, shown

__all__ = ["DOT"]

_MOST_DEPTH = 50
_COMPASS = frozenset(["n", "ne", "e", "se", "s", "sw", "w", "nw", "c", "_"])
_PORTS = (("tailport", "taillabel"), ("headport", "headlabel"))
_MACS = (("left_mac", "tail_mac", "a_mac"), ("right_mac", "head_mac", "b_mac"))

_BEGIN = re.compile(
    r"(?:\s|//[^\n]*|/\*.*?\*/|\#[^\n]*)*(?:strict\s+)?(?:di)?graph\b", re.DOTALL | re.IGNORECASE
)

_End = tuple[str, str]
"""Id and port of an end of an edge."""


def _read(text: str, where: str) -> Drawing:
    return _Reader(tokens(text, where), where).drawing()


@dataclass
class _Scope:
    """The attributes that nodes and edges of a graph or subgraph have by default."""

    defaults: dict[str, dict[str, str]] = field(default_factory=lambda: {"node": {}, "edge": {}})

    def inner(self) -> _Scope:
        return _Scope({of: dict(values) for of, values in self.defaults.items()})


class _Reader:
    """The tokens of a text, read from the first to the last."""

    def __init__(self, found: list[Token], where: str) -> None:
        self._tokens, self._where = found, where
        self._next = 0
        self._depth = 0
        self._nodes: dict[str, tuple[dict[str, str], int]] = {}
        self._edges: list[tuple[_End, _End, dict[str, str], int]] = []

    def drawing(self) -> Drawing:
        """Return the drawing."""
        is_strict = self._takes_word("strict")
        is_directed = self._takes_word("digraph")
        if not is_directed and not self._takes_word("graph"):
            raise self._wrong("a graph begins with 'graph' or 'digraph'")
        if not self._is("{"):
            self._id()
        self._block(_Scope())
        if self._token.kind != "end":
            raise self._wrong("something follows the end of the graph")
        return self._drawn(Sketch(self._where, is_directed=is_directed, is_strict=is_strict))

    def _drawn(self, sketch: Sketch) -> Drawing:
        names = unique_names({
            one: label_or_id(one, _label(values)) for one, (values, _) in self._nodes.items()
        })  # fmt: skip
        for identity, (values, line) in self._nodes.items():
            sketch.device(names[identity], line, kind_of(values))
        for a, b, values, line in self._edges:
            ends = [
                DrawnEnd(names[one], port or first_of(values, ports), first_of(values, macs))
                for (one, port), ports, macs in zip((a, b), _PORTS, _MACS, strict=True)
            ]
            note_values(values, sketch, line)
            sketch.cable(ends[0], ends[1], line, rate_of(values))
        return sketch.drawing()

    def _block(self, scope: _Scope) -> list[_End]:
        """Read the statements between braces, and return the nodes in them."""
        self._expect("{")
        self._depth += 1
        if self._depth > _MOST_DEPTH:
            raise self._wrong(f"subgraphs are nested more than {_MOST_DEPTH} levels deep")
        found: dict[_End, None] = {}
        while not self._is("}"):
            if self._token.kind == "end":
                raise self._wrong("'}' is missing")
            found |= dict.fromkeys((one, "") for one, _ in self._statement(scope))
        self._expect("}")
        self._depth -= 1
        return list(found)

    def _statement(self, scope: _Scope) -> list[_End]:
        if self._takes(";") or self._takes(","):
            return []
        line, word = self._token.line, self._token.text.lower()
        if self._token.kind == "word" and word in ("graph", "node", "edge"):
            self._next += 1
            if self._takes("="):
                self._id()
            else:
                scope.defaults.get(word, {}).update(self._attributes())
            return []
        operands = [self._operand(scope)]
        if self._takes("="):
            self._id()
            return []
        while self._token.kind == "edge":
            self._next += 1
            operands.append(self._operand(scope))
        given = self._attributes()
        if len(operands) == 1:
            for identity, _ in operands[0]:
                self._nodes[identity][0].update(given)
        for left, right in itertools.pairwise(operands):
            for a, b in itertools.product(left, right):
                self._edge(a, b, scope.defaults["edge"] | given, line)
        return [end for operand in operands for end in operand]

    def _edge(self, a: _End, b: _End, values: dict[str, str], line: int) -> None:
        if len(self._edges) == MOST_CUSTOM_CABLES:
            raise self._wrong(f"the graph has more than {MOST_CUSTOM_CABLES:,} edges")
        self._edges.append((a, b, values, line))

    def _operand(self, scope: _Scope) -> list[_End]:
        """Read a node or a subgraph, and return its nodes."""
        if self._takes_word("subgraph") and not self._is("{"):
            self._id()
        if self._is("{"):
            return self._block(scope.inner())
        line, identity, port = self._token.line, self._id(), ""
        if self._is("="):
            return []
        while self._takes(":"):
            is_plain, name = self._token.kind == "word", self._id()
            if not (is_plain and name in _COMPASS):
                port = port or name
        self._nodes.setdefault(identity, (dict(scope.defaults["node"]), line))
        return [(identity, port)]

    def _attributes(self) -> dict[str, str]:
        found: dict[str, str] = {}
        while self._takes("["):
            while not self._takes("]"):
                key = self._id()
                found[key] = self._id() if self._takes("=") else "true"
                if self._is(",") or self._is(";"):
                    self._next += 1
        return found

    def _id(self) -> str:
        token = self._token
        if token.kind not in ("word", "quoted", "html"):
            raise self._wrong(f"a name is missing before {shown(token.text or 'the end')}")
        self._next += 1
        return token.text

    @property
    def _token(self) -> Token:
        return self._tokens[self._next]

    def _is(self, sign: str) -> bool:
        return self._token.kind == "sign" and self._token.text == sign

    def _takes(self, sign: str) -> bool:
        """Return whether a sign is next, and pass over it."""
        is_next = self._is(sign)
        self._next += is_next
        return is_next

    def _takes_word(self, word: str) -> bool:
        is_next = self._token.kind == "word" and self._token.text.lower() == word
        self._next += is_next
        return is_next

    def _expect(self, sign: str) -> None:
        if not self._takes(sign):
            raise self._wrong(f"'{sign}' is missing before {shown(self._token.text or 'the end')}")

    def _wrong(self, rule: str) -> DesignError:
        return DesignError(f"{self._where}, line {self._token.line}: {rule}", REMEDY)


def _label(values: dict[str, str]) -> str:
    r"""Return the label of a node, unless it is a record or stands for the id (`\N`)."""
    label = values.get("label", "").strip()
    return "" if any(sign in label for sign in "{}|<>\\") else label


DOT = Importer(
    source="Graphviz, PTM, NVIDIA Air; `plan --for dot`",
    read=_read,
    suffixes=("dot", "gv"),
    recognises=lambda text: bool(_BEGIN.match(text[:65536])),
)
