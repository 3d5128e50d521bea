"""A drawing as the text of a design file, with names for the ports that the drawing does not name.

Ports of nodes without a name become eth0, eth1 and so on; those of hubs and switches stay open.
Names that changed stand in comments; rates select parts of the catalogue (part_choice.py); hardware
addresses are those of the machines, in the section `nodes`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from linkwright.design.importers.drawing import Drawing, DrawnCable, DrawnEnd
from linkwright.design.importers.naming import Renaming
from linkwright.design.importers.part_choice import PartChoice
from linkwright.errors import shown

__all__ = ["design_text"]

_PLAIN = re.compile(r"(?!(?:null|true|false|yes|no|on|off|y|n)$)[A-Za-z_][A-Za-z0-9_./-]*", re.I)
"""A text that YAML reads as itself without quotes."""


def design_text(
    drawing: Drawing,
    *,
    name: str,
    catalogue: str,
    renamings: Sequence[Renaming] = (),
    parts: PartChoice | None = None,
) -> str:
    """Return the text of a design.

    Parameters
    ----------
    drawing : Drawing
        Devices and cables.
    name : str
        Name of the design.
    catalogue : str
        Catalogue of its parts.
    renamings : sequence of Renaming
        Names of the file that the drawing no longer has.
    parts : PartChoice, optional
        Parts for the rates of the drawing. Default: those of the catalogue.
    """
    with_ports = _with_ports(drawing)
    old = {one.new: one.old for one in renamings if not one.device}
    chosen = parts or PartChoice()
    topology = _topology(with_ports, name, old, chosen)
    return "\n".join([*topology, *_rest(with_ports, catalogue), ""])


def _topology(
    drawing: Drawing, name: str, old: dict[str, str], chosen: PartChoice
) -> Iterator[str]:
    kinds = drawing.kinds
    ports: dict[str, list[str]] = {device: [] for device in kinds}
    for cable in drawing.cables:
        part = chosen.nics.get(cable.rate_mbps, "")
        for end in cable.ends:
            ports[end.device].append(f"{_scalar(end.port)}: {part}")
    yield f"name: {_scalar(name)}"
    yield "topology:"
    yield "  kind: custom"
    yield "  nodes:"
    for node in (device for device, kind in kinds.items() if kind == "node"):
        nics = ", ".join(ports[node])
        yield f"    {_scalar(node)}: {{nics: {{{nics}}}}}{_formerly(old, node)}"
    for of_kinds, section in ((("switch", "router"), "switches"), (("hub",), "hubs")):
        boxes = [device for device, own in kinds.items() if own in of_kinds]
        if boxes:
            yield f"  {section}:"
        for box in boxes:
            part = chosen.switches.get(box, "")
            if kinds[box] == "router":
                part = f"{{{f'part: {part}, ' if part else ''}routed: true}}"
            yield f"    {_scalar(box)}: {part}{_formerly(old, box)}".rstrip()
    yield "  cables:"
    for one in drawing.cables:
        key = chosen.cables.get(one.rate_mbps)
        ends = [_scalar(_end(end)) for end in one.ends]
        yield f"    - [{', '.join([*ends, key] if key else ends)}]"


def _rest(drawing: Drawing, catalogue: str) -> Iterator[str]:
    yield f"parts: {{catalogue: {_scalar(catalogue)}}}"
    kinds = drawing.kinds
    macs: dict[str, dict[str, str]] = {}
    for cable in drawing.cables:
        for end in cable.ends:
            if end.mac and kinds[end.device] == "node":
                macs.setdefault(end.device, {})[end.port] = end.mac
    if macs:
        yield "nodes:"
    for node, own in macs.items():
        nics = ", ".join(f"{_scalar(nic)}: {{mac: {json.dumps(mac)}}}" for nic, mac in own.items())
        yield f"  {_scalar(node)}: {{nics: {{{nics}}}}}"


def _formerly(old: dict[str, str], name: str) -> str:
    """Return a comment with the name that the file has for a device."""
    return f"  # {shown(old[name])}" if name in old else ""


def _with_ports(drawing: Drawing) -> Drawing:
    """Return the drawing with a name for each port of a node."""
    taken = {(end.device, end.port) for cable in drawing.cables for end in cable.ends}
    next_free = dict.fromkeys(drawing.devices, 0)
    kinds = drawing.kinds

    def named(end: DrawnEnd) -> DrawnEnd:
        if end.port or kinds[end.device] != "node":
            return end
        while (end.device, f"eth{next_free[end.device]}") in taken:
            next_free[end.device] += 1
        next_free[end.device] += 1
        return replace(end, port=f"eth{next_free[end.device] - 1}")

    def cable(one: DrawnCable) -> DrawnCable:
        return replace(one, a=named(one.a), b=named(one.b))

    return replace(drawing, cables=tuple(map(cable, drawing.cables)))


def _end(end: DrawnEnd) -> str:
    return f"{end.device}:{end.port}" if end.port else end.device


def _scalar(text: str) -> str:
    """Return a text as YAML: plain where that is safe, else in quotes as JSON."""
    plain = all(_PLAIN.fullmatch(part) for part in text.split(":"))
    return text if plain else json.dumps(text)
