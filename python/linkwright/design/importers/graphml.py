"""GraphML [GRAPHML]: nodes, edges, and their ports; the labels of yEd are the names.

Of the format, nodes, edges, the attributes `sourceport` and `targetport`, and values under keys are
used. An id that an editor or a library made, such as `n3` or `3`, gives way to the node's label.
"""

from __future__ import annotations

from collections.abc import Mapping

from linkwright.design.importers.drawing import Drawing, DrawnEnd, kind_of
from linkwright.design.importers.importer import Importer
from linkwright.design.importers.sketch import Sketch, label_or_id, unique_names
from linkwright.design.importers.values import first_of, note_values, rate_of
from linkwright.design.importers.xml_tree import Element, parsed

__all__ = ["GRAPHML"]

_PORTS = (
    ("sourceport", "source_port", "src_port", "a_port", "src_ifname", "sport"),
    ("targetport", "target_port", "dst_port", "b_port", "dst_ifname", "dport"),
)
"""Names under which tools write the ports of an edge."""
_MACS = (("left_mac", "source_mac", "a_mac"), ("right_mac", "target_mac", "b_mac"))
_LABELS = ("label", "name", "hostname")


def _read(text: str, where: str) -> Drawing:
    root = parsed(text, where, "graphml")
    graphs = list(root.every("graph"))
    is_directed = bool(graphs) and graphs[0].get("edgedefault") == "directed"
    sketch = Sketch(where, is_directed=is_directed)
    titles = {key.get("id"): key.get("attr.name", "id") for key in root.every("key")}
    nodes = {one.get("id"): one for one in root.every("node")}
    values = {identity: _values(one, titles) for identity, one in nodes.items()}
    names = unique_names({
        identity: label_or_id(identity, _drawn_label(one) or first_of(values[identity], _LABELS),
                              is_sure=bool(_drawn_label(one)))
        for identity, one in nodes.items()
    })  # fmt: skip
    for identity, one in nodes.items():
        if one.get("yfiles.foldertype") != "group":
            sketch.device(names[identity], one.line, kind_of(values[identity]))
    for edge in root.every("edge"):
        _edge(edge, titles, names, sketch)
    for hyper in root.every("hyperedge"):
        sketch.leave_out("an edge between several nodes", hyper.line)
    return sketch.drawing()


def _edge(
    edge: Element, titles: Mapping[str, str], names: Mapping[str, str], sketch: Sketch
) -> None:
    values = _values(edge, titles) | edge.attributes
    identities = [edge.get("source"), edge.get("target")]
    for identity in identities:
        if identity not in names:
            raise sketch.wrong(
                edge.line, f"there is no node {identity!r}", "give the id of a node at both ends"
            )
    a, b = (
        DrawnEnd(names[identity], first_of(values, ports), first_of(values, macs))
        for identity, ports, macs in zip(identities, _PORTS, _MACS, strict=True)
    )
    note_values(values, sketch, edge.line)
    sketch.cable(a, b, edge.line, rate_of(values))


def _values(element: Element, titles: Mapping[str, str]) -> dict[str, str]:
    data = (child for child in element.children if child.tag == "data")
    return {titles.get(one.get("key"), one.get("key")): one.text.strip() for one in data}


def _drawn_label(node: Element) -> str:
    """Return the first label that the drawing of a node has, as yEd writes it."""
    labels = (one.text.strip() for one in _own(node) if one.tag == "NodeLabel")
    return next((label for label in labels if label), "")


def _own(node: Element) -> list[Element]:
    """Return the elements of a node without those of a graph inside it."""
    found = []
    for child in node.children:
        if child.tag != "graph":
            found += [child, *_own(child)]
    return found


GRAPHML = Importer(
    source="yEd, networkx, igraph, Gephi; `plan --for graphml`",
    read=_read,
    suffixes=("graphml", "xml"),
    recognises=lambda text: "<graphml" in text[:4096],
)
