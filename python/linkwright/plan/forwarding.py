"""The forwarding load of nodes when every compute node sends equally to every other.

Checks, summaries and comparisons take its balance from here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from linkwright.plan.connected import connected_nodes
from linkwright.records.read_only import ReadOnly

if TYPE_CHECKING:
    from linkwright.network import Network


@dataclass(frozen=True, eq=False)
class ForwardingLoad(ReadOnly):
    """Packets that nodes forward while every compute node sends one to every other.

    Attributes
    ----------
    nodes : ndarray of int64, shape (k,)
        The nodes that share the forwarding: the compute nodes and forwarders, or the forwarders
        alone if compute nodes forward nothing.
    packets : ndarray of uint64, shape (k,)
        Number of packets that each of them forwards.
    n_sent : int
        Number of packets that each compute node sends.
    n_destinations : int
        Number of destinations that were followed.
    is_exact : bool
        True if every destination was followed. A sample estimates the mean well, the maximum
        poorly.
    """

    nodes: npt.NDArray[np.int64]
    packets: npt.NDArray[np.uint64]
    n_sent: int
    n_destinations: int
    is_exact: bool

    @property
    def mean(self) -> float:
        """Packets that a node forwards on average."""
        return float(self.packets.mean())

    @property
    def most(self) -> int:
        """Packets that the busiest node forwards."""
        return int(self.packets.max())

    @property
    def busiest(self) -> int:
        """The node that forwards most, the first of equals."""
        return int(self.nodes[np.argmax(self.packets)])

    @property
    def balance(self) -> float | None:
        """The maximum over the mean, 1 if all forward alike; None for a sample."""
        return self.most / self.mean if self.is_exact else None


def forwarding_load(network: Network) -> ForwardingLoad | None:
    """Return the forwarding load under uniform traffic; None if no node forwards anything.

    After failures only connected nodes send, receive and forward.
    """
    joined = np.flatnonzero(connected_nodes(network)[: network.n_nodes])
    compute = joined[joined < network.n_compute]
    if not len(compute):
        return None
    found = network.core.forwarding(network.addresses.identity[compute])
    sharing = joined[joined != network.front_end] if network.front_end is not None else joined
    if not found.forwarded[compute].any():
        sharing = sharing[sharing >= network.n_compute]
    packets = found.forwarded[sharing]
    if not packets.any():
        return None
    return ForwardingLoad(
        nodes=sharing,
        packets=packets,
        n_sent=len(compute) - 1,
        n_destinations=found.n_destinations,
        is_exact=found.exact,
    )
