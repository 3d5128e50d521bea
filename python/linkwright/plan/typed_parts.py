"""The parts of a network by role, with the type that follows from the role."""

from __future__ import annotations

from linkwright.design.parts import CablePart, HubPart, NicPart, NodePart, SwitchPart
from linkwright.network import Network

BOX_ROLES = ("hub", "switch", "root_switch")
"""Roles of parts that frames pass through."""


def node_part(network: Network) -> NodePart:
    """Return the computers' part."""
    part = network.parts["node"]
    assert isinstance(part, NodePart), "compile checked it"
    return part


def nic_part(network: Network) -> NicPart:
    """Return the NICs' part."""
    part = network.parts["nic"]
    assert isinstance(part, NicPart), "compile checked it"
    return part


def cable_part(network: Network) -> CablePart:
    """Return the cables' part."""
    part = network.parts["cable"]
    assert isinstance(part, CablePart), "compile checked it"
    return part


def box_part(network: Network, role: str) -> HubPart | SwitchPart:
    """Return the part of hubs, switches or root switches."""
    part = network.parts[role]
    assert isinstance(part, HubPart | SwitchPart), "compile checked it"
    return part
