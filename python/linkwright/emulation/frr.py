"""Configurations of the routing daemons in the nodes of an emulation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from linkwright.nodes.frr import FrrNode, Speaker, SpeakingInterface, frr_node

if TYPE_CHECKING:
    from linkwright.network import Network
    from linkwright.nodes.table import NodeTable

__all__ = ["FrrNode", "frr_nodes"]


def frr_nodes(network: Network, table: NodeTable) -> list[FrrNode]:
    """Return the programs and configurations of all nodes of a network with a daemon.

    Parameters
    ----------
    network : Network
        The compiled network.
    table : NodeTable
        Its nodes as they come up.

    Raises
    ------
    CapabilityError
        If the daemon cannot speak on a segment of the network.
    """
    families = sorted(set(table.address_is_v6.tolist()))
    # An interface has every neighbour once in each family.
    n_others = np.bincount(table.neighbour_interface, minlength=len(table.interface_name))
    n_others //= len(families)
    interfaces: list[list[SpeakingInterface]] = [[] for _ in range(network.n_nodes)]
    columns = zip(
        table.interface_node.tolist(), table.interface_name, n_others.tolist(), strict=True
    )
    for node, name, others in columns:
        interfaces[node].append(SpeakingInterface(name, others))
    nodes = np.arange(network.n_nodes)
    identities = [
        network.addresses.identities(nodes, np.full(len(nodes), is_v6)).tolist()
        for is_v6 in families
    ]
    return [
        frr_node(
            Speaker(
                network=network.name,
                protocol=network.daemon or "",
                number=node,
                name=network.device_names[node],
                interfaces=interfaces[node],
                identities=[str(network.addresses.ip[address].ip) for address in of_node],
            )
        )
        for node, *of_node in zip(nodes.tolist(), *identities, strict=True)
    ]
