"""Who is still joined to whom after parts died: the nodes that go on together, and those cut off.

A node goes on when some path of forwarding nodes joins it to the largest group of living nodes; of
groups of one size, to that of the node with the lowest id. In a whole network all nodes are taken
to go on: what parts them there is a fault, and the checks say so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from linkwright.network import NODE

if TYPE_CHECKING:
    from linkwright.network import Network


def joined_nodes(network: Network) -> npt.NDArray[np.bool_]:
    """Return which devices are nodes that go on together.

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


def cut_off(network: Network) -> list[int]:
    """Return the living nodes that are no longer joined to the others."""
    lost = (network.wiring.kind == NODE) & ~network.is_dead & ~joined_nodes(network)
    return np.flatnonzero(lost).tolist()


def node_groups(network: Network) -> npt.NDArray[np.uint32]:
    """Return for each device the lowest device that it is joined to.

    Returns
    -------
    ndarray of uint32, shape (n_devices,)
    """
    return network.core.components(np.ones(len(network.wiring.cable_a), dtype=np.bool_))
