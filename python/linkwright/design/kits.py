"""Kits: the parts of a catalogue that fit together, one per role.

Parts fit together if their connectors are of one family and the cable carries the rate between
them. A part whose source names no connector is used only in the catalogue's default kit, and a NIC
that is no card only as a port of the computers that have it. The comparison chooses the kit of a
network (comparison/fitting.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import TypeVar

from linkwright.design.parts import (
    CablePart,
    Catalogue,
    HubPart,
    NicPart,
    Part,
    PartsSection,
    SwitchPart,
    catalogue,
)
from linkwright.design.role_parts import RoleParts

__all__ = ["default_kit", "kits", "rates_mbps"]

_OfType = TypeVar("_OfType", bound=Part)


def default_kit(name: str) -> RoleParts:
    """Return the default part of each role of a catalogue.

    Raises
    ------
    DesignError
        If there is no such catalogue.
    """
    return RoleParts.of(PartsSection(catalogue=name).resolve(Path()))


def rates_mbps(name: str) -> list[float]:
    """Return the rates at which a catalogue has kits, slowest first."""
    rates = {nic.rate_mbps for nic in _for_sale(catalogue(name))}
    return sorted(rates | {default_kit(name).nic.rate_mbps})


def kits(name: str, rate_mbps: float) -> Iterator[RoleParts]:
    """Yield the kits of a catalogue whose NICs have a rate, the default kit first.

    Hubs of a kit have the rate of the NIC, switches and cables at least that; the node is always
    the catalogue's default, because it is not part of the network.

    Parameters
    ----------
    name : str
        Name of the catalogue.
    rate_mbps : float
        Rate of the NIC.
    """
    source, usual = catalogue(name), default_kit(name)
    if usual.nic.rate_mbps == rate_mbps:
        yield usual
    for nic in _for_sale(source):
        if nic.rate_mbps == rate_mbps:
            yield from _around(nic, usual, source)


def _for_sale(source: Catalogue) -> list[NicPart]:
    """Return the NICs that can be bought and whose connector is known."""
    nics = _of_type(source, NicPart)
    return [nic for nic in nics if nic.connector is not None and nic.is_card]


def _around(nic: NicPart, usual: RoleParts, source: Catalogue) -> Iterator[RoleParts]:
    """Yield the kits of one NIC: hubs repeat at one rate, switches take slower NICs too."""
    hubs = [
        one
        for one in _of_type(source, HubPart)
        if (one.connector, one.rate_bps) == (nic.connector, nic.rate_bps)
    ]
    switches = [
        one
        for one in _of_type(source, SwitchPart)
        if one.role == "switch" and one.connector == nic.connector and one.rate_bps >= nic.rate_bps
    ]
    none: list[None] = [None]
    for hub, switch in product(hubs or none, switches or none):
        kit = replace(usual, nic=nic, hub=hub, switch=switch)
        for cable, root in product(_cables(kit, source), _roots(kit, source)):
            yield replace(kit, cable=cable, root_switch=root)


def _cables(kit: RoleParts, source: Catalogue) -> list[CablePart]:
    """Return the cheapest cable from NICs to switches, and the cheapest between switches."""
    wanted = {kit.nic.rate_mbps, *([kit.switch.rate_mbps] if kit.switch else [])}
    fitting = [one for one in _of_type(source, CablePart) if one.connector == kit.nic.connector]
    found = []
    for rate_mbps in sorted(wanted):
        fast = [one for one in fitting if one.rate_mbps and one.rate_mbps >= rate_mbps]
        found += [min(fast, key=lambda one: one.price)] if fast else []
    return list(dict.fromkeys(found))


def _roots(kit: RoleParts, source: Catalogue) -> list[SwitchPart | None]:
    """Return the switches that the extra uplinks of the kit's switch can lead to.

    Uplinks run over cables and connectors of their own, which the catalogue does not name.
    """
    if kit.switch is None or kit.switch.uplink_rate_mbps is None:
        return [kit.switch]
    uplink_rate_mbps = kit.switch.uplink_rate_mbps
    return [one for one in _of_type(source, SwitchPart) if one.rate_mbps >= uplink_rate_mbps]


def _of_type(source: Catalogue, kind: type[_OfType]) -> list[_OfType]:
    return [part for part in source.parts.values() if isinstance(part, kind)]
