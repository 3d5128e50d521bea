"""Node-link JSON of networkx and D3: `nodes` with ids, and `edges` or `links` between them.

networkx 3.4 and later write `edges`, earlier ones `links`.
"""

from __future__ import annotations

import re
from typing import Any

from linkwright.design.importers.drawing import Drawing, DrawnEnd, kind_of
from linkwright.design.importers.importer import Importer
from linkwright.design.importers.json_lines import JsonText, Lined
from linkwright.design.importers.sketch import Sketch, label_or_id, unique_names
from linkwright.design.importers.values import first_of, note_values, rate_of
from linkwright.errors import DesignError, shown

__all__ = ["NODE_LINK"]

_PORTS = (
    ("sourceport", "source_port", "sourcePort", "src_port", "a_port"),
    ("targetport", "target_port", "targetPort", "dst_port", "b_port"),
)
_MACS = (("source_mac", "a_mac"), ("target_mac", "b_mac"))
_LABELS = ("label", "name", "hostname")
_REMEDY = "give the node-link form of networkx: {'nodes': [...], 'edges': [...]}"


def _read(text: str, where: str) -> Drawing:
    document = JsonText(text, where)
    graph, end = document.value()
    if text[end:].strip():
        raise DesignError(f"{where}, line {document.line(end)}: text after the graph", _REMEDY)
    if not isinstance(graph, Lined) or not isinstance(graph.get("nodes"), list):
        raise DesignError(f"{where} has no list 'nodes'", _REMEDY)
    edges = graph.get("edges", graph.get("links"))
    if not isinstance(edges, list):
        raise DesignError(f"{where} has no list 'edges' or 'links'", _REMEDY)
    sketch = Sketch(where, is_directed=graph.get("directed") is True)
    nodes = {}
    for number, node in enumerate(graph["nodes"]):
        line = getattr(node, "line", graph.line)
        values = _texts(node if isinstance(node, Lined) else {"id": node})
        identity = values.get("id") or values.get("name") or str(number)
        if identity in nodes:
            raise sketch.wrong(line, f"a second node {shown(identity)}", "give each its own id")
        nodes[identity] = values, line
    names = unique_names({
        one: label_or_id(one, first_of(values, _LABELS)) for one, (values, _) in nodes.items()
    })  # fmt: skip
    for identity, (values, line) in nodes.items():
        sketch.device(names[identity], line, kind_of(values))
    for edge in edges:
        _edge(edge, names, sketch, graph.line)
    return sketch.drawing()


def _edge(edge: Any, names: dict[str, str], sketch: Sketch, line: int) -> None:
    line = getattr(edge, "line", line)
    values = _texts(edge if isinstance(edge, Lined) else {})
    ends = []
    for key, ports, macs in zip(("source", "target"), _PORTS, _MACS, strict=True):
        identity = values.get(key, "")
        if identity not in names:
            raise sketch.wrong(line, f"there is no node {shown(identity)}", _REMEDY)
        ends.append(DrawnEnd(names[identity], first_of(values, ports), first_of(values, macs)))
    note_values(values, sketch, line)
    sketch.cable(ends[0], ends[1], line, rate_of(values))


def _texts(values: dict[str, Any]) -> dict[str, str]:
    """Return the plain values of an object as text; D3 has the node itself at the end of a link."""
    found = {}
    for key, value in values.items():
        inner = value.get("id") if isinstance(value, Lined) else value
        if isinstance(inner, str | int | float) and not isinstance(inner, bool):
            found[key] = str(inner)
        elif isinstance(inner, list):
            # Tuples of networkx, such as the place in a grid.
            found[key] = ", ".join(map(str, inner))
    return found


NODE_LINK = Importer(
    source="networkx, D3; `plan --for node-link`",
    read=_read,
    suffixes=("json",),
    recognises=lambda text: bool(re.match(r"\s*\{", text)) and '"nodes"' in text,
)
