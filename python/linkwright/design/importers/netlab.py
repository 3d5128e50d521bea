"""Topologies of netlab: nodes, and links between two or more of them.

A link between more than two nodes, or of type `lan`, is a switch of its own, `lan1` and so on.
Devices with the role `bridge` are switches, Linux and its routing daemons nodes, others routers.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from itertools import count

from ruamel.yaml.nodes import Node, SequenceNode

from linkwright.design.document import composed
from linkwright.design.importers.drawing import Drawing, DrawnEnd
from linkwright.design.importers.importer import Importer
from linkwright.design.importers.sketch import Sketch
from linkwright.design.importers.yaml_tree import fields, items, key_lines, line_of, text_of
from linkwright.errors import DesignError, shown

__all__ = ["NETLAB"]

_ALONE = frozenset({"loopback", "stub", "tunnel", "vlan_member"})
_COMPUTERS = frozenset(["", "linux", "frr", "bird", "dnsmasq"])
"""Systems of computers, which forward if they run a routing daemon."""
_REMEDY = "write a link as a-b, as [a, b], or as {a: , b: }"
_KBPS_PER_MBPS = 1000


def _read(text: str, where: str) -> Drawing:
    topology = fields(composed(text, where))
    names = _names(topology)
    if not names:
        raise DesignError(f"{where} has no 'nodes'", "give a topology of netlab")
    sketch = Sketch(where)
    for name, (kind, line) in names.items():
        sketch.device(name, line, kind)
    links = topology.get("links")
    listed = items(links) or [one for own in fields(links).values() for one in items(own)]
    for vlan in fields(topology.get("vlans")).values():
        listed += items(fields(vlan).get("links"))
    for link in listed:
        for one in _members(link):
            _link(one, names, sketch)
    return sketch.drawing()


def _names(topology: dict[str, Node]) -> dict[str, tuple[str, int]]:
    """Return kind and line of each node: those of `nodes`, and members of groups that make them."""
    nodes, groups = topology.get("nodes"), fields(topology.get("groups"))
    default = topology.get("defaults.device") or fields(topology.get("defaults")).get("device")
    found: dict[str, tuple[str, int]] = {}
    lines = key_lines(nodes)
    for key, node in fields(nodes).items():
        name = key.partition(".")[0]
        kind = _kind(fields(node), default)
        known = found.get(name, (kind, lines.get(key, 1)))
        found[name] = (kind if fields(node) else known[0]), known[1]
    for one in items(nodes):
        own = fields(one)
        found[text_of(own.get("name")) or text_of(one)] = _kind(own, default), line_of(one)
    makes_all = text_of(groups.get("_auto_create")).lower() == "true"
    for group in groups.values():
        own = fields(group)
        if makes_all or text_of(own.get("_auto_create")).lower() == "true":
            for one in items(own.get("members")):
                found.setdefault(text_of(one), (_kind(own, default), line_of(one)))
    return {name: value for name, value in found.items() if name}


def _kind(own: dict[str, Node], default: Node | None) -> str:
    """Return the kind of a device by its role and its system."""
    role = text_of(own.get("role"))
    device = text_of(own.get("device")) or text_of(default)
    if role in ("host", "bridge"):
        return "node" if role == "host" else "switch"
    return "node" if device in _COMPUTERS and role != "router" else "router"


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


def _link(link: Node, names: Container[str], sketch: Sketch) -> None:
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
    bridge = text_of(own.get("bridge"))
    if bridge not in names:
        bridge = next(name for k in count(1) if not sketch.has(name := f"lan{k}"))
        sketch.device(bridge, line, "switch")
    for end in ends:
        sketch.cable(end, DrawnEnd(bridge), line, rate_mbps)


def _ends(link: Node, names: Container[str]) -> Iterator[DrawnEnd]:
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
