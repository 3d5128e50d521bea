"""A check that the nodes of a bond share all of its wires.

A bond sends by its NICs in turn, and sees only its own carrier: a frame sent on a wire that the
receiver is not on is lost (docs/design/bonds.md).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from linkwright.network import SWITCH
from linkwright.plan.connected import connected_nodes
from linkwright.plan.finding import Finding, Severity

if TYPE_CHECKING:
    from linkwright.network import Network


def check_bonds(network: Network) -> Iterator[Finding]:
    """Yield a finding per wire that some of the bonded nodes are on and others are not, and one on
    the mode of bonds whose ports are on several switches.
    """
    if not len(network.wiring.bonds):
        return
    yield from _mode(network)
    on_wire = _nics_on_wires(network)
    bonded = {node for nics in on_wire.values() for node, _ in nics}
    for nics in on_wire.values():
        missing = sorted(bonded - {node for node, _ in nics})
        if missing:
            names = [network.device_names[node] for node in missing]
            node, port = nics[0]
            nic = network.port_name(node, port)
            yield Finding(
                severity=Severity.WARNING,
                place=f"{network.device_names[node]}:{nic}",
                rule="bond-wire",
                reason=f"{len(nics)} nodes send every n-th frame on a wire that {names[0]}"
                f"{f' and {len(names) - 1} others are' if len(names) > 1 else ' is'} not on",
                fix=f"take {nic} out of the bonds of the nodes on this wire",
            )


def _mode(network: Network) -> Iterator[Finding]:
    ends = np.concatenate([network.wiring.joined_devices, network.wiring.joined_devices[:, ::-1]])
    at_node = ends[:, 0] < network.n_nodes
    boxes = np.unique(ends[at_node, 1])
    switches = boxes[network.wiring.kind[boxes] == SWITCH]
    if len(switches) > 1:
        yield Finding(
            severity=Severity.INFO,
            place=" ".join(network.device_names[switch] for switch in switches.tolist()),
            rule="bond-mode",
            reason="bonds use the switches in turn (balance-rr): packets of a connection overtake "
            "each other, and no node sees the cut cable of another",
            fix="keep the switches unconnected; LACP needs them to act as one (MLAG or a stack), "
            "balance-xor gives a connection one switch, active-backup leaves all but one idle",
        )


def _nics_on_wires(network: Network) -> dict[int, list[tuple[int, int]]]:
    """Return the NICs of bonds on each wire, without disconnected nodes."""
    members = {
        (node, port)
        for node, first, n_ports in network.wiring.bonds.tolist()
        for port in range(first, first + n_ports)
    }
    ends = np.stack([network.wiring.cable_a, network.wiring.cable_b], axis=1).astype(np.int64)
    wire = network.core.components(network.wiring.is_trunk)
    joined = connected_nodes(network)
    found: dict[int, list[tuple[int, int]]] = {}
    for a, b in ends.tolist():
        for (node, port), (device, _) in ((a, b), (b, a)):
            if (node, port) in members and joined[node]:
                found.setdefault(int(wire[device]), []).append((node, port))
    return found
