"""A network of any kind as a graph of its own: the same names, ports, parts and cables, with each
cable written down, so that single ones can be changed.

Stacks, chassis, bonds and uplinks at another rate have no place in a graph of one's own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwright.design.topologies.custom import MOST_CUSTOM_NODES
from linkwright.design.topologies.wiring import FORWARDER, HUB, SWITCH, UPLINK_SPEED
from linkwright.errors import UsageError

if TYPE_CHECKING:
    from linkwright.network import Network

__all__ = ["DROPPED", "fields_by_hand"]

DROPPED: Mapping[tuple[str, str], frozenset[str]] = {
    ("addressing", "scheme"): frozenset({"p-mesh", "stack-ring", "stack-mesh"}),
    ("routing", "scheme"): frozenset({"dimension-order", "stack"}),
    ("routing", "ties"): frozenset({"spread", "paper"}),
}
"""Values of a design that have a meaning for the kinds with coordinates alone."""


def fields_by_hand(network: Network) -> dict[str, Any]:
    """Return the section `topology` of kind `custom` with the cables of a network.

    Raises
    ------
    UsageError
        If the network has something that no graph of one's own has.

    Examples
    --------
    >>> from linkwright import Cluster, compile
    >>> ring = compile(Cluster.parse("topology: {kind: ring, shape: [3]}"))
    >>> fields_by_hand(ring)["cables"][0]
    ['n0:eth0', 'n1:eth1']
    """
    if reason := _why_not(network):
        raise UsageError(
            f"{network.kind} with {network.n_compute} nodes cannot be drawn by hand: {reason}",
            "choose a smaller network, or another kind",
        )
    cables = [
        [_end(network, a), _end(network, b)]
        for a, b in zip(_ends(network.wiring.cable_a), _ends(network.wiring.cable_b), strict=True)
        if network.front_end not in (a[0], b[0])
    ]
    fields: dict[str, Any] = {"kind": "custom", "nodes": _nodes(network)}
    for section, kind in (("switches", SWITCH), ("hubs", HUB)):
        if boxes := _boxes(network, kind):
            fields[section] = boxes
    return fields | {"cables": cables}


def _why_not(network: Network) -> str:
    """Return why a network is no graph of one's own; empty if it can be one."""
    wiring, root = network.wiring, network.parts.get("root_switch")
    if wiring.particulars is not None:
        return "each of its cables is in the design already"
    if network.n_compute > MOST_CUSTOM_NODES:
        return f"{MOST_CUSTOM_NODES} nodes are the most"
    checks = {
        "it has nodes that only forward": bool((wiring.role == FORWARDER).any()),
        "its front end has several cables": int((wiring.joined_devices == network.front_end).sum())
        > 1,
        "it has stacks": len(wiring.stacks) > 0,
        "it has logical switches in a chassis": wiring.n_chassis > 0,
        "it has bonds": len(wiring.bonds) > 0,
        "it has switches that use several paths": bool(wiring.is_multipath.any()),
        "it has uplinks at a rate of their own": bool(
            (wiring.cable_class == UPLINK_SPEED).any() and root is None
        ),
        "its root switch is a part for roots alone": root is not None and root.role != "switch",
    }
    return next((reason for reason, is_so in checks.items() if is_so), "")


def _nodes(network: Network) -> dict[str, dict[str, Any]]:
    """Return the nodes with their NICs in use; the NIC of a front end comes with it."""
    used: dict[int, set[int]] = {}
    for a, b in zip(_ends(network.wiring.cable_a), _ends(network.wiring.cable_b), strict=True):
        if network.front_end not in (a[0], b[0]):
            for device, port in (a, b):
                used.setdefault(device, set()).add(port)
    return {
        network.device_names[node]: {
            "nics": dict.fromkeys(
                (network.port_name(node, port) for port in sorted(used.get(node, ()))), None
            )
        }
        for node in range(network.n_compute)
    }


def _boxes(network: Network, kind: int) -> dict[str, Any]:
    """Return the hubs or switches of a network, with the part of those of another role."""
    found = np.flatnonzero(network.wiring.kind == kind).tolist()
    return {network.device_names[box]: _box(network, box) for box in found}


def _box(network: Network, box: int) -> str | dict[str, Any] | None:
    is_root = network.wiring.part_role_of(box) == "root_switch"
    part = network.part_of(box).key if is_root else None
    return {"part": part, "routed": True} if box < network.n_nodes else part


def _end(network: Network, end: tuple[int, int]) -> str:
    device, port = end
    return f"{network.device_names[device]}:{network.port_name(device, port)}"


def _ends(column: Any) -> list[tuple[int, int]]:
    return [(device, port) for device, port in column.tolist()]
