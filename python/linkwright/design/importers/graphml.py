"""GraphML [GRAPHML]: nodes, edges, and their ports.

Read with Python's XML parser, without a graph library: of the format, nodes, edges, the attributes
`sourceport` and `targetport`, and values under keys are used. A document type is refused, because
its entities can make a small file huge.
"""

from __future__ import annotations

from collections.abc import Mapping
from xml.etree import ElementTree as ET

from linkwright.design.importers.drawing import Drawing, DrawnCable, kind_of
from linkwright.errors import DesignError

__all__ = ["read_graphml"]

_PORTS = (
    ("sourceport", "source_port", "src_port", "a_port", "src_ifname", "sport"),
    ("targetport", "target_port", "dst_port", "b_port", "dst_ifname", "dport"),
)
"""Names under which tools write the ports of an edge."""
_LABELS = ("label", "name")
"""Keys of a node's name where its id is a number."""


def read_graphml(text: str, where: str) -> Drawing:
    """Return the drawing of a GraphML text.

    Raises
    ------
    DesignError
        If it is no GraphML; `where` names the file.
    """
    remedy = "write the graph anew as GraphML"
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise DesignError(f"{where} has a document type", "leave it out, GraphML needs none")
    try:
        root = ET.fromstring(text.encode())
    except ET.ParseError as error:
        raise DesignError(f"{where} is not XML: {error}", remedy) from None
    if _tag(root) != "graphml":
        raise DesignError(f"{where} holds '{_tag(root)}', not 'graphml'", remedy)
    titles = {
        key.get("id", ""): key.get("attr.name", key.get("id", ""))
        for key in root.iter()
        if _tag(key) == "key"
    }
    names: dict[str, str] = {}
    kinds = {}
    cables = []
    for element in root.iter():
        values = _values(element, titles)
        if _tag(element) == "node":
            identity = element.get("id", "")
            named = [values[key] for key in _LABELS if values.get(key)]
            names[identity] = named[0] if identity.isdigit() and named else identity
            kinds[names[identity]] = kind_of(values) or "node"
        elif _tag(element) == "edge":
            ends = [element.get(end, "") for end in ("source", "target")]
            ports = [_first({**element.attrib, **values}, keys) for keys in _PORTS]
            cables.append((ends[0], ports[0], ends[1], ports[1]))
    return Drawing(
        tuple(
            DrawnCable(names.get(a, a), a_port, names.get(b, b), b_port)
            for a, a_port, b, b_port in cables
        ),
        kinds,
    )


def _tag(element: ET.Element) -> str:
    return element.tag.rpartition("}")[2]


def _values(element: ET.Element, titles: Mapping[str, str]) -> dict[str, str]:
    data = (child for child in element if _tag(child) == "data")
    return {titles.get(one.get("key", ""), ""): (one.text or "").strip() for one in data}


def _first(values: Mapping[str, str], keys: tuple[str, ...]) -> str:
    return next((values[key] for key in keys if values.get(key)), "")
