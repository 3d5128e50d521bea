"""The nodes that are still connected after failures, and those that are disconnected.

A node is connected if some path of forwarding nodes joins it to the largest group of living nodes;
of groups of equal size, to the one with the lowest id. In a whole network all nodes count as
connected: a division there is a fault, which the checks report.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from linkwright.network import NODE

if TYPE_CHECKING:
    from linkwright.network import Network


def connected_nodes(network: Network) -> npt.NDArray[np.bool_]:
    """Return which devices are connected nodes.

    Returns
    -------
    ndarray of bool, shape (n_devices,)
    """
    is_node: npt.NDArray[np.bool_] = network.wiring.kind == NODE
    if not network.without:
        return is_node
    label = node_groups(network)
    lives = is_node & ~network.is_dead
    sizes = np.bincount(label[lives], minlength=1)
    joined: npt.NDArray[np.bool_] = lives & (label == np.argmax(sizes))
    return joined


def disconnected_nodes(network: Network) -> list[int]:
    """Return the living nodes that are not connected to the others."""
    lost = (network.wiring.kind == NODE) & ~network.is_dead & ~connected_nodes(network)
    return np.flatnonzero(lost).tolist()


def node_groups(network: Network) -> npt.NDArray[np.uint32]:
    """Return for each device the lowest device that it is connected to.

    Returns
    -------
    ndarray of uint32, shape (n_devices,)
    """
    return network.core.components(np.ones(len(network.wiring.cable_a), dtype=np.bool_))
