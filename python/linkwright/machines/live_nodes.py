"""The nodes of a network that are up, as machines, and their decisions.

Decisions have two sources: netlink, for the namespaces of an emulation (`emulation.kernels`), and
`ip route get` for machines of any kind (`machines.route_get`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from linkwright.machines.machine import Machine
    from linkwright.nodes.table import NodeTable

__all__ = ["LOCAL", "NONE", "REFUSED", "LiveNodes", "Lookups"]

LOCAL, REFUSED = -1, -2
"""Codes of interfaces: the packet is for the node itself; the node has no route."""
NONE = -1
"""Code of addresses: no gateway, or no source."""


class Lookups(Protocol):
    """The decisions for `w` packets."""

    @property
    def interface(self) -> NDArray[np.int32]:
        """Shape (w,): interface by which each leaves, or `LOCAL` or `REFUSED`."""

    @property
    def gateway(self) -> NDArray[np.int32]:
        """Shape (w,): address of the gateway, or `NONE`."""

    @property
    def source(self) -> NDArray[np.int32]:
        """Shape (w,): address that the kernel gives to the packet, or `NONE`."""


class LiveNodes(Protocol):
    """The nodes of a network that are up."""

    @property
    def table(self) -> NodeTable:
        """Interfaces, addresses and routes, as the plan has them."""

    @property
    def machines(self) -> Sequence[Machine]:
        """The nodes as machines, in their order."""

    def look_up(
        self,
        node: NDArray[np.uint32],
        destination: NDArray[np.uint32],
        interface: NDArray[np.int32],
        source: NDArray[np.int32],
    ) -> Lookups:
        """Return the decisions of nodes for packets.

        Parameters
        ----------
        node, destination : ndarray of uint32, shape (w,)
            Node that is asked about each packet, and the address that the packet is for.
        interface, source : ndarray of int32, shape (w,)
            Interface at which it arrived and its source address; -1 for packets of the node itself.
        """
