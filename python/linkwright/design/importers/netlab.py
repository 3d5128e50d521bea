"""Topologies of netlab: nodes, and links between two or more of them.

A link between more than two nodes, or of type `lan`, is a switch of its own, `lan1` and so on.
Devices with the role `bridge` are switches. All others are nodes, routers as well: nodes forward.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ruamel.yaml.nodes import Node, SequenceNode

from linkwright.design.document import composed
from linkwright.design.importers.drawing import Drawing, DrawnEnd, kind_of
from linkwright.design.importers.importer import Importer
from linkwright.design.importers.sketch import Sketch
from linkwright.design.importers.yaml_tree import fields, items, key_lines, line_of, text_of
from linkwright.errors import DesignError, shown

__all__ = ["NETLAB"]

_ALONE = frozenset({"loopback", "stub", "tunnel", "vlan_member"})
_REMEDY = "write a link as a-b, as [a, b], or as {a: , b: }"
_KBPS_PER_MBPS = 1000


def _read(text: str, where: str) -> Drawing:
    topology = fields(composed(text, where))
    nodes = topology.get("nodes")
    names = {text_of(one): one for one in items(nodes)} or fields(nodes)
    lines = key_lines(nodes)
    if not names:
        raise DesignError(f"{where} has no 'nodes'", "give a topology of netlab")
    sketch = Sketch(where)
    for name, node in names.items():
        role = text_of(fields(node).get("role"))
        sketch.device(name, lines.get(name, 1), kind_of({"role": role}))
    links = topology.get("links")
    for link in items(links) or [one for own in fields(links).values() for one in items(own)]:
        for one in _members(link):
            _link(one, names, sketch)
    return sketch.drawing()


def _members(link: Node, depth: int = 3) -> Iterator[Node]:
    """Yield the links of a group or a bundle, or the link itself."""
    own = fields(link)
    lag = fields(own.get("lag")).get("members", own.get("lag.members"))
    members = items(lag) or (items(own.get("members")) if "group" in own else [])
    if not members or not depth:
        yield link
        return
    for one in members:
        yield from _members(one, depth - 1)


def _link(link: Node, names: dict[str, Node], sketch: Sketch) -> None:
    own, line = fields(link), line_of(link)
    kind = text_of(own.get("type"))
    ends = list(_ends(link, names))
    for end in ends:
        if end.device not in names:
            raise sketch.wrong(line, f"there is no node {shown(end.device)}", _REMEDY)
    if kind in _ALONE or len(ends) < len("ab"):
        sketch.leave_out("a link of one node", line, ends[0].device if ends else "")
        return
    rate = text_of(own.get("bandwidth"))
    rate_mbps = float(rate) / _KBPS_PER_MBPS if re.fullmatch(r"[1-9]\d{0,11}", rate) else None
    if kind != "lan" and len(ends) == len("ab"):
        sketch.cable(ends[0], ends[1], line, rate_mbps)
        return
    number = next(k for k in range(1, 10**6) if not sketch.has(f"lan{k}"))
    sketch.device(f"lan{number}", line, "switch")
    for end in ends:
        sketch.cable(end, DrawnEnd(f"lan{number}"), line, rate_mbps)


def _ends(link: Node, names: dict[str, Node]) -> Iterator[DrawnEnd]:
    own = fields(link)
    if "interfaces" in own:
        for one in items(own["interfaces"]):
            inner = fields(one)
            yield DrawnEnd(text_of(inner.get("node")) or text_of(one), text_of(inner.get("ifname")))
    elif own:
        for key, value in own.items():
            if key in names:
                yield DrawnEnd(key, text_of(fields(value).get("ifname")))
    elif isinstance(link, SequenceNode):
        yield from (DrawnEnd(text_of(one)) for one in items(link))
    else:
        yield from (DrawnEnd(name.strip()) for name in text_of(link).split("-"))


NETLAB = Importer(
    source="netlab; `plan --for netlab`",
    read=_read,
    suffixes=("yml", "yaml"),
    recognises=lambda text: bool(re.search(r"^nodes\s*:", text, re.MULTILINE)),
)
