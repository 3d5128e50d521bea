"""The ports that an address scheme numbers: one per interface of every node."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkwright.design.addressing.addresses import NodePorts
from linkwright.design.topologies import Wiring

__all__ = ["node_ports"]


def node_ports(
    wiring: Wiring, port_start: NDArray[np.uint32], port_segment: NDArray[np.uint32]
) -> NodePorts:
    """Return the ports of all nodes that can have an address; the first port of a bond represents
    it.

    Parameters
    ----------
    wiring : Wiring
        Devices and cables.
    port_start : ndarray, shape (n + 1,)
        Id of each device's first port, counted over all devices.
    port_segment : ndarray, shape (p,)
        Broadcast domain of each port.
    """
    start = port_start[: wiring.n_nodes + 1].astype(np.int64)
    node = np.repeat(np.arange(wiring.n_nodes), np.diff(start))
    is_interface = np.ones(len(node), dtype=np.bool_)
    is_interface[_behind_the_first(wiring.bonds, start)] = False
    port = (np.arange(len(node)) - start[node])[is_interface]
    node, of_interfaces = node[is_interface], port_segment[: start[-1]][is_interface]
    return NodePorts(
        n_nodes=wiring.n_nodes,
        n_compute=wiring.n_compute,
        shape=wiring.shape,
        coordinates=wiring.coordinates[: wiring.n_nodes],
        node=node,
        port=port,
        segment=np.unique(of_interfaces, return_inverse=True)[1].astype(np.int64),
    )


def _behind_the_first(bonds: NDArray[np.uint32], start: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the ports of all bonds except the first of each, which represents the bond."""
    more = bonds[:, 2].astype(np.int64) - 1
    second = start[bonds[:, 0]] + bonds[:, 1] + 1
    step = np.arange(more.sum()) - np.repeat(np.cumsum(more) - more, more)
    behind: NDArray[np.int64] = np.repeat(second, more) + step
    return behind
