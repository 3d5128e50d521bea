"""The text of a design for machines that are cabled: of a known kind, or with a cable per line.

Parts are those of the catalogue with the rates of the ports, and carry the MTUs that are kept.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from linkwright.adoption.kept import Kept
from linkwright.adoption.shapes import Shape
from linkwright.adoption.sighted import Port, Sighted
from linkwright.design.addressing import UNNUMBERED
from linkwright.design.importers.design_text import design_text
from linkwright.design.importers.drawing import Drawing, DrawnCable, DrawnDevice, DrawnEnd
from linkwright.design.importers.part_choice import PartChoice, chosen_parts
from linkwright.design.machines import INTERFACE_NAME, check_machine_name
from linkwright.design.parts import NicPart, SwitchPart, catalogue
from linkwright.design.topologies import TOPOLOGIES

__all__ = ["Written", "custom_design", "shaped_design"]

DEFAULT_MTU = 1500
USB4 = "thunderbolt"
"""Begin of the names of the drivers of USB4 and Thunderbolt."""
PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


@dataclass(frozen=True)
class Written:
    """The text of a design, and remarks on its parts."""

    text: str
    remarks: tuple[str, ...]


def shaped_design(
    fabric: Sighted, kept: Kept, shape: Shape, *, name: str, catalogue: str
) -> Written | None:
    """Return the design of a known shape; None if its NICs are of different rates."""
    rates = {_rate(fabric, port) for ports in fabric.segments for port in ports}
    if len(rates) > 1 or not all(INTERFACE_NAME.fullmatch(port) for _, port in fabric.segment_of):
        return None
    drawing = _drawing(fabric)
    parts = _parts_of(drawing, fabric, catalogue)
    [rate] = rates
    chosen = {"nic": parts.nics.get(rate), "cable": parts.cables.get(rate)}
    switches = set(parts.switches.values())
    if len(switches) == 1:
        chosen["switch"] = switches.pop()
    kind = TOPOLOGIES[shape.fields["kind"]].model_validate(shape.fields)
    lines = [
        f"name: {_quoted(name)}",
        f"topology: {_flow(shape.fields)}",
        f"parts: {_parts(kept, catalogue, chosen)}",
        *_sections(
            kept,
            is_on_loopback=kind.default_addressing == "per-link"
            or kind.default_identities == "loopback",
            is_unnumbered=_all_unnumbered(kept, shape.nic_of),
        ),
        *_nodes(fabric, kept, shape.node_of, shape.nic_of),
    ]
    return Written("\n".join([*lines, ""]), parts.remarks)


def custom_design(fabric: Sighted, kept: Kept, *, name: str, catalogue: str) -> Written:
    """Return the design with every cable.

    Raises
    ------
    DesignError
        If a name cannot be that of a machine.
    """
    for machine in fabric.machines:
        check_machine_name(machine, "facts")
    drawing = _drawing(fabric)
    parts = _parts_of(drawing, fabric, catalogue)
    text = design_text(drawing, name=name, catalogue=catalogue, parts=parts)
    own = f"parts: {_parts(kept, catalogue, {})}"
    text = re.sub(r"^parts: .*$", lambda _: own, text, flags=re.M)
    same = {machine: machine for machine in fabric.machines}
    nics = {port: port[1] for port in fabric.segment_of}
    is_unnumbered = _all_unnumbered(kept, nics)
    lines = [
        *_sections(kept, is_on_loopback=True, is_unnumbered=is_unnumbered),
        *_nodes(fabric, kept, same, nics),
    ]
    return Written("\n".join([text.rstrip(), *lines, ""]), parts.remarks)


def _drawing(fabric: Sighted) -> Drawing:
    """Return machines, a switch per segment of more than a cable, and cables with their rates."""
    devices = {name: DrawnDevice("node") for name in fabric.machines}
    cables = []
    n_switches = 0
    for number, (ports, is_cable) in enumerate(zip(fabric.segments, fabric.is_cable, strict=True)):
        ends = [DrawnEnd(*port) for port in ports]
        rates = [_rate(fabric, port) for port in ports]
        if is_cable:
            known = [rate for rate in rates if rate]
            cables.append(DrawnCable(ends[0], ends[1], min(known, default=None), "facts"))
            continue
        while f"switch{n_switches}" in devices:
            n_switches += 1
        switch = f"switch{n_switches}"
        devices[switch] = DrawnDevice("hub" if fabric.is_hub(number) else "switch")
        cables += [
            DrawnCable(end, DrawnEnd(switch), rate, "facts")
            for end, rate in zip(ends, rates, strict=True)
        ]
    return Drawing(devices, tuple(cables))


def _rate(fabric: Sighted, port: Port) -> float | None:
    rate = fabric.interface(port).speed_mbps
    return float(rate) if rate else None


def _parts_of(drawing: Drawing, fabric: Sighted, name: str) -> PartChoice:
    """Return the parts for the rates; those of USB4 where all ports are."""
    every = [fabric.interface(port) for ports in fabric.segments for port in ports]
    parts = catalogue(name).parts
    if all((one.driver or "").startswith(USB4) for one in every) and "usb4" in parts:
        rates = {cable.rate_mbps for cable in drawing.cables}
        return PartChoice(dict.fromkeys(rates, "usb4"), dict.fromkeys(rates, "usb4-cable"))
    return chosen_parts(drawing, name)


def _parts(kept: Kept, name: str, chosen: Mapping[str, str | None]) -> str:
    """Return the section of parts: NICs that fit into the nodes and carry the MTU."""
    given: dict[str, Any] = {"catalogue": name, "node": {"slots": None}}
    given |= {role: key for role, key in chosen.items() if key}
    longest = max([kept.mtu, *kept.mtus.values()])
    for role, kind in (("nic", NicPart), ("switch", SwitchPart)):
        key = given.get(role) or catalogue(name).defaults.get(role)
        part = catalogue(name).parts.get(key or "")
        if isinstance(part, kind) and part.mtu < longest:
            given[role] = {"key": key, "mtu": longest}
    return _flow(given)


def _sections(kept: Kept, *, is_on_loopback: bool, is_unnumbered: bool) -> Iterator[str]:
    """Yield addressing and MTU; the identity is where the machines have it."""
    addressing: dict[str, Any] = dict(kept.bases)
    if is_unnumbered:
        addressing["scheme"] = UNNUMBERED
    if kept.identities and not is_on_loopback:
        addressing["identities"] = "loopback"
    elif not kept.identities:
        addressing |= {"scheme": "per-segment", "identities": "interface"}
    yield f"addressing: {_flow(addressing)}"
    if kept.mtu != DEFAULT_MTU:
        yield f"mtu: {kept.mtu}"


def _nodes(
    fabric: Sighted, kept: Kept, node_of: Mapping[str, str], nic_of: Mapping[Port, str]
) -> Iterator[str]:
    """Yield the section of the machines, in the order of the nodes."""
    yield "nodes:"
    for machine in sorted(node_of, key=lambda one: list(node_of.values()).index(node_of[one])):
        node = node_of[machine]
        own = _one_or_all(kept.identities.get(machine, ())) or kept.named.get(machine, "")
        yield f"  {_flow(node)}:"
        if node != machine:
            yield f"    name: {_flow(machine)}"
        if own:
            yield f"    address: {_flow(own)}"
        nics = {nic_of[machine, port]: _nic(kept, (machine, port), nic_of)
                for port in fabric.ports[machine]}  # fmt: skip
        yield "    nics:"
        for nic, values in sorted(nics.items()):
            yield f"      {_flow(nic)}: {_flow(values)}"


def _nic(kept: Kept, port: Port, nic_of: Mapping[Port, str]) -> dict[str, Any]:
    found: dict[str, Any] = {} if nic_of[port] == port[1] else {"name": port[1]}
    if port in kept.unnumbered and not _all_unnumbered(kept, nic_of):
        found["unnumbered"] = True
    if port in kept.addresses:
        found["address"] = _one_or_all(kept.addresses[port])
    if port in kept.mtus:
        found["mtu"] = kept.mtus[port]
    return found


def _all_unnumbered(kept: Kept, nic_of: Mapping[Port, str]) -> bool:
    return kept.unnumbered.issuperset(nic_of)


def _one_or_all(texts: tuple[str, ...]) -> str | list[str]:
    return texts[0] if len(texts) == 1 else list(texts)


def _quoted(text: str) -> str:
    return text if PLAIN.fullmatch(text) else json.dumps(text)


def _flow(value: Any) -> str:
    """Return a value as YAML in one line."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_flow(k)}: {_flow(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_flow, value)) + "]"
    if isinstance(value, str):
        is_word = PLAIN.fullmatch(value) and value.lower() not in _WORDS
        return value if is_word else json.dumps(value)
    return json.dumps(value)


_WORDS = frozenset(["null", "true", "false", "yes", "no", "on", "off", "y", "n"])
"""Words that YAML reads as other values."""
