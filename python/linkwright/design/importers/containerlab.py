"""Topologies of containerlab: nodes, and links between their interfaces.

A node of kind `bridge` or `ovs-bridge`, or with a label that says so, is a switch; one of kind
`linux` and the like a node; all others are routers. Links to the machine of the lab are left out.
"""

from __future__ import annotations

import re

from ruamel.yaml.nodes import Node

from linkwright.design.document import composed
from linkwright.design.importers.drawing import Drawing, DrawnEnd, kind_of
from linkwright.design.importers.importer import Importer
from linkwright.design.importers.sketch import Sketch
from linkwright.design.importers.yaml_tree import fields, items, key_lines, line_of, text_of
from linkwright.errors import DesignError, shown

__all__ = ["CONTAINERLAB"]

_OUTSIDE = frozenset({"host", "mgmt-net", "macvlan", "vxlan", "vxlan-stitch", "dummy"})
"""Ends that are no node of the lab, and kinds of links with such an end."""
_BRIDGES = frozenset({"bridge", "ovs-bridge"})
_COMPUTERS = frozenset(["", "linux", "generic_vm", "ext-container", "k8s-kind", "freebsd"])
_REMEDY = "write a link as endpoints: [node1:eth1, node2:eth1]"


def _read(text: str, where: str) -> Drawing:
    topology = fields(fields(composed(text, where)).get("topology"))
    nodes = fields(topology.get("nodes"))
    if not nodes:
        raise DesignError(f"{where} has no 'topology.nodes'", "give a topology of containerlab")
    default = text_of(fields(topology.get("defaults")).get("kind"))
    groups = fields(topology.get("groups"))
    sketch, lines = Sketch(where), key_lines(topology.get("nodes"))
    for name, node in nodes.items():
        own = fields(node)
        group = fields(groups.get(text_of(own.get("group"))))
        kind = text_of(own.get("kind")) or text_of(group.get("kind")) or default
        labels = {key: text_of(value) for key, value in fields(own.get("labels")).items()}
        found = "switch" if kind in _BRIDGES else kind_of(labels)
        found = found or ("node" if kind in _COMPUTERS else "router")
        sketch.device(name, lines.get(name, 1), found)
    for link in items(topology.get("links")):
        _link(link, nodes, sketch)
    return sketch.drawing()


def _link(link: Node, nodes: dict[str, Node], sketch: Sketch) -> None:
    own, line = fields(link), line_of(link)
    ends = [_end(one) for one in items(own.get("endpoints"))]
    outside = [one for one in (text_of(own.get("type")), *(end.device for end in ends))
               if one in _OUTSIDE]  # fmt: skip
    if outside:
        sketch.leave_out("a link to the machine of the lab", line, outside[0])
        return
    if len(ends) != len("ab"):
        raise sketch.wrong(line, f"a link has 2 endpoints, this one {len(ends)}", _REMEDY)
    for end in ends:
        if end.device not in nodes:
            raise sketch.wrong(line, f"there is no node {shown(end.device)}", _REMEDY)
    sketch.cable(ends[0], ends[1], line)


def _end(node: Node) -> DrawnEnd:
    """Return an end of a link, in the short or in the long form."""
    own = fields(node)
    if own:
        return DrawnEnd(
            text_of(own.get("node")), text_of(own.get("interface")), text_of(own.get("mac"))
        )
    device, _, port = text_of(node).partition(":")
    return DrawnEnd(device, port)


CONTAINERLAB = Importer(
    source="containerlab; `plan --for containerlab`",
    read=_read,
    suffixes=("yml", "yaml"),
    recognises=lambda text: bool(re.search(r"^topology\s*:", text, re.MULTILINE)),
)
