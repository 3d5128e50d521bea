"""What nodes relay for others when every compute node sends equally to every other.

Checks, summaries and comparisons tell how evenly this is spread, all from here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from linkwright.plan.joined import joined_nodes
from linkwright.records.read_only import ReadOnly

if TYPE_CHECKING:
    from linkwright.network import Network


@dataclass(frozen=True, eq=False)
class ForwardingLoad(ReadOnly):
    """How many packets the nodes relay while every compute node sends one to every other.

    Attributes
    ----------
    nodes : ndarray of int64, shape (k,)
        The nodes that share the forwarding: the compute nodes and forwarders, or the forwarders
        alone where compute nodes relay nothing.
    packets : ndarray of uint64, shape (k,)
        What each of them relays.
    n_sent : int
        What each compute node sends.
    n_destinations : int
        To how many nodes packets were followed.
    is_exact : bool
        Whether these were all; a sample tells the mean well and the busiest node badly.
    """

    nodes: npt.NDArray[np.int64]
    packets: npt.NDArray[np.uint64]
    n_sent: int
    n_destinations: int
    is_exact: bool

    @property
    def mean(self) -> float:
        """Packets that a node relays on average."""
        return float(self.packets.mean())

    @property
    def most(self) -> int:
        """Packets that the busiest node relays."""
        return int(self.packets.max())

    @property
    def busiest(self) -> int:
        """The node that relays most, the first of equals."""
        return int(self.nodes[np.argmax(self.packets)])

    @property
    def balance(self) -> float | None:
        """The most over the mean, 1 where all relay alike; None for a sample."""
        return self.most / self.mean if self.is_exact else None


def forwarding_load(network: Network) -> ForwardingLoad | None:
    """Return what nodes relay under uniform traffic; None where nobody relays anything.

    After parts died only nodes that are joined send, receive and relay.
    """
    joined = np.flatnonzero(joined_nodes(network)[: network.n_nodes])
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
    return ForwardingLoad(sharing, packets, len(compute) - 1, found.n_destinations, found.exact)
