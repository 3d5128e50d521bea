"""Hardware addresses that nodes have learned of their neighbours, compared with the plan's: a
kernel may answer for an address by a port that does not have it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from linkwright.machines.probers import Probers
from linkwright.nodes.sources import shared_ports
from linkwright.nodes.table import neighbours_of
from linkwright.verification.disagreement import Disagreement

if TYPE_CHECKING:
    from linkwright.machines.live_nodes import LiveNodes
    from linkwright.network import Network

__all__ = ["MOST_PAIRS", "neighbour_pairs", "neighbours_learned"]

MOST_PAIRS = 2_000
"""Largest number of pings whose only use is that neighbours are learned."""


def neighbour_pairs(network: Network) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return nodes and addresses that they share a segment with, of ports that share theirs with
    another port of the same node; some of them in large networks.
    """
    addresses = network.addresses
    ends = {(node, port) for (node, _), ports in shared_ports(network).items() for port in ports}
    is_shared = np.array(
        [end in ends for end in zip(addresses.node.tolist(), addresses.port.tolist(), strict=True)]
    )
    _, address, owner = neighbours_of(network)
    pairs = np.unique(np.column_stack([owner, address])[is_shared[address]], axis=0)
    pairs = pairs[addresses.node[pairs[:, 1]] != pairs[:, 0]]
    if len(pairs) > MOST_PAIRS:
        pairs = pairs[np.linspace(0, len(pairs) - 1, MOST_PAIRS).astype(int)]
    return pairs[:, 0], pairs[:, 1]


def neighbours_learned(nodes: LiveNodes, network: Network) -> Iterator[Disagreement]:
    """Yield every neighbour whose hardware address is not that of the port with the address."""
    table = nodes.table
    macs = [bytes(row).hex(":") for row in table.interface_mac.tolist()]
    names = network.device_names
    port_of_mac = {
        mac: f"{names[int(node)]}:{name}"
        for mac, node, name in zip(macs, table.interface_node, table.interface_name, strict=True)
    }
    ips = (str(one.ip) for one in network.addresses.ip)
    # Nodes may ask from their identity, which any of their ports then stands for.
    is_borrowed = network.addresses.is_borrowed
    right = {
        ip: macs[int(at)]
        for ip, at, may_be_any in zip(ips, table.address_interface, is_borrowed, strict=True)
        if table.interface_port[at] >= 0 and not may_be_any
    }
    with Probers(dict(enumerate(nodes.machines))) as probers:
        found = probers.ask_all("neighbours")
    for node, rows in found.items():
        for _, address, mac in sorted(rows):
            if address in right and mac != right[address]:
                yield Disagreement(
                    failure="",
                    tables="neighbours",
                    sender=names[node],
                    receiver=address,
                    proof=f"at {port_of_mac[right[address]]}",
                    kernels=f"at {port_of_mac.get(mac, mac)}",
                )
