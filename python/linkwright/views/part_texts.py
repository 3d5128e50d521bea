"""The ports and slots of parts in words, as `list parts` shows them.

Sources and prices are columns of their own (listings.py).
"""

from __future__ import annotations

from linkwright.design.parts import HubPart, NicPart, NodePart, Part, Slot, SwitchPart
from linkwright.design.rates import rate_text

__all__ = ["ports_text", "slots_text"]


def ports_text(part: Part) -> str:
    """Return the ports of a part: their number, family and rate; for a node, the NICs it has.

    Examples
    --------
    >>> from linkwright.design.parts import catalogue
    >>> parts = catalogue("ethernet-2026").parts
    >>> ports_text(parts["nic-100g-dual"]), ports_text(parts["mini-pc"])
    ('2 x qsfp 100 Gb/s', '2 usb4')
    """
    if isinstance(part, NodePart):
        return ", ".join(f"{row.count} {row.nic.key}" for row in part.built_in)
    kind = " ".join(
        filter(None, [part.connector, rate_text(part.rate_mbps) if part.rate_mbps else ""])
    )
    if isinstance(part, NicPart):
        return f"{part.ports} x {kind}"
    if isinstance(part, HubPart | SwitchPart):
        return f"{', '.join(map(str, part.ports))} x {kind}"
    return kind


def slots_text(part: Part) -> str:
    """Return the slots that a node has, or the slot that a NIC needs; empty for other parts.

    Examples
    --------
    >>> from linkwright.design.parts import catalogue
    >>> parts = catalogue("ethernet-2026").parts
    >>> slots_text(parts["nic-100g-dual"]), slots_text(parts["mini-pc"])
    ('pcie 3.0 x16', 'none')
    """
    if isinstance(part, NodePart):
        if part.slots is None:
            return "no limit"
        return ", ".join(_slots(row) for row in part.slots) or "none"
    if not isinstance(part, NicPart):
        return ""
    return _bus(part.bus, part.generation, part.lanes) if part.is_card else "built in"


def _slots(row: Slot) -> str:
    longer = row.size is not None and row.size != row.lanes
    length = f" (x{row.size} long)" if longer else ""
    return f"{row.count} x {_bus(row.bus, row.generation, row.lanes)}{length}"


def _bus(bus: str | None, generation: int | None, lanes: int | None) -> str:
    words = [bus or "any", generation and f"{generation}.0", lanes and f"x{lanes}"]
    return " ".join(str(word) for word in words if word)
