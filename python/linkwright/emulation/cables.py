"""Cables of the kernel, in place of the wires: pairs of interfaces at the rates of the design, and
a bridge for each hub or switch.

They are for quick checks of routes and programs. A hub is a bridge too, without collisions, and no
frame waits until it is stored in a switch. There are no bonds, and no switches that spread flows
over several paths. Parallel cables between two switches are one with their rates added.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from linkwright.errors import CapabilityError
from linkwright.nodes.table import interfaces_of_ports
from linkwright.records.read_only import ArrayRecord

if TYPE_CHECKING:
    from linkwright.network import Network

__all__ = ["NOT_JUDGED", "KernelCables", "kernel_cables"]

NOT_JUDGED = (
    "not judged: cables of the kernel keep the rates of the design, but model neither collisions "
    "nor the delay of store and forward"
)
"""Words in place of a verdict."""


class KernelCables(ArrayRecord):
    """Columns of `m` cables between interfaces, hubs and switches."""

    end_a: NDArray[np.int32]
    """shape (m,): interface over all nodes; -1 for the first hub or switch, -2 for the second."""
    end_b: NDArray[np.int32]
    """shape (m,): the other end."""
    rate_bps: NDArray[np.uint64]
    n_devices: int
    """Number of hubs and switches."""
    mtu: int
    """Longest IP packet of all cables, in bytes."""


def kernel_cables(network: Network) -> KernelCables:
    """Return the cables of a network for the kernel.

    Parameters
    ----------
    network : Network
        The compiled network.

    Raises
    ------
    CapabilityError
        If the network has bonds or switches with several paths.
    """
    wiring = network.wiring
    _refuse("bonds", wiring.bonds)
    _refuse("switches that spread flows over several paths", np.flatnonzero(wiring.is_multipath))
    of_port = interfaces_of_ports(network)
    ends = np.stack(
        [_ends(network, of_port, cables) for cables in (wiring.cable_a, wiring.cable_b)], axis=1
    )
    is_used = ~(ends == _UNUSED).any(axis=1)
    # Parallel cables of two switches have the same two ends; an interface is the end of one.
    joined, cable = np.unique(np.sort(ends[is_used], axis=1), axis=0, return_inverse=True)
    rates = np.zeros(len(joined), dtype=np.uint64)
    np.add.at(rates, cable.reshape(-1), network.cable_rate_bps[is_used])
    return KernelCables(
        end_a=joined[:, 0].astype(np.int32),
        end_b=joined[:, 1].astype(np.int32),
        rate_bps=rates,
        n_devices=len(wiring.kind) - network.n_nodes,
        mtu=int(network.port_mtu.max()),
    )


_UNUSED = np.iinfo(np.int64).max
"""End at a port of a node without an interface."""


def _ends(
    network: Network, of_port: NDArray[np.int64], cables: NDArray[np.uint32]
) -> NDArray[np.int64]:
    """Return the end of each cable, of one of its two sides."""
    device, port = cables.astype(np.int64).T
    is_node = device < network.n_nodes
    found: NDArray[np.int64] = network.n_nodes - 1 - device
    interface = of_port[network.port_start[device[is_node]] + port[is_node]]
    found[is_node] = np.where(interface >= 0, interface, _UNUSED)
    return found


def _refuse(things: str, found: NDArray[np.integer]) -> None:
    if len(found):
        raise CapabilityError(f"cables of the kernel have no {things}", "use --backend wires")
