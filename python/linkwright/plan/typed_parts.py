"""The parts of a network by role, with the type that follows from the role."""

from __future__ import annotations

from linkwright.design.parts import HubPart, NicPart, SwitchPart
from linkwright.network import Network


def box_part(network: Network, role: str) -> HubPart | SwitchPart:
    """Return the part of hubs, switches or root switches."""
    part = network.parts[role]
    assert isinstance(part, HubPart | SwitchPart), "compile checked it"
    return part


def nic_rates_bps(network: Network) -> list[int]:
    """Return the rates of the NICs' parts; several only if the design gives NICs parts of their
    own.
    """
    parts = [part for part in network.parts.values() if isinstance(part, NicPart)]
    return sorted({part.rate_bps for part in parts})
