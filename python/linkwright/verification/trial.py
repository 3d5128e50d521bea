"""A network that is up on machines of any kind: the ways of its packets by the kernels' decisions
alone, compared with the proof's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from linkwright.machines.walks import ARRIVED, LOOP, NO_ROUTE, UNSEEN, Walks, walk
from linkwright.plan.failures import wired_nodes
from linkwright.verification.disagreement import Disagreement

if TYPE_CHECKING:
    from linkwright.machines.live_nodes import LiveNodes
    from linkwright.network import Network

__all__ = ["ENDS", "Trial", "way"]

ENDS = {ARRIVED: "arrives", NO_ROUTE: "no route", UNSEEN: "sent into the failure", LOOP: "loops"}
"""Ends of a walk in words."""


class Trial:
    """A whole network that is up, and the counts of the comparison.

    Parameters
    ----------
    nodes : LiveNodes
        Its nodes.
    network : Network
        The network as planned.
    """

    def __init__(self, nodes: LiveNodes, network: Network) -> None:
        self.nodes, self.network = nodes, network
        self._identity = network.addresses.identity.astype(np.int64)
        self.n_lookups = self.n_pairs = 0

    def whole(self) -> Iterator[Disagreement]:
        """Compare the path of every node to every address, node by node, and its source.

        With blocks the address of a port is reached by the node that has its block, which the proof
        does not follow.
        """
        network = self.network
        known = wired_nodes(network)
        is_asked = np.isin(network.addresses.node, known) & ~network.addresses.is_borrowed
        is_asked &= (network.addresses.port < 0) | (not network.is_aggregated)
        addresses = np.flatnonzero(is_asked)
        sender, to = (grid.ravel() for grid in np.meshgrid(known, addresses, indexing="ij"))
        is_other = network.addresses.node[to] != sender
        sender, to = sender[is_other], to[is_other]
        walks = self._walk(network, sender, to)
        expected = _paths(network, sender, to, walks.nodes.shape[1])
        names = network.device_names
        for index in np.flatnonzero((expected != walks.nodes).any(axis=1)).tolist():
            yield Disagreement(
                failure="",
                tables="plan",
                sender=names[sender[index]],
                receiver=str(network.addresses.ip[to[index]].ip),
                proof=way(names, expected[index]),
                kernels=f"{way(names, walks.nodes[index])}: {ENDS[int(walks.end[index])]}",
            )
        yield from self._sources(sender, to, walks)

    def _sources(
        self, sender: NDArray[np.int64], to: NDArray[np.int64], walks: Walks
    ) -> Iterator[Disagreement]:
        """Compare the source of each node's own packets with its identity.

        A connection keeps its source address, so that connections between identities last exactly
        as long as the failure proof says. To a station on a link of its own, a kernel sends from
        its port there; `check` counts these.
        """
        network = self.network
        addresses, names = network.addresses, network.device_names
        identity = addresses.identities(sender, addresses.is_v6[to])
        ports = network.port_start[addresses.node] + addresses.port
        segment = np.where(addresses.port >= 0, network.core.fabric.port_segment[ports], -1)
        is_on_link = (segment[to] >= 0) & (segment[to] == segment[walks.source])
        for index in np.flatnonzero((walks.source != identity) & ~is_on_link).tolist():
            chosen = int(walks.source[index])
            yield Disagreement(
                failure="",
                tables="plan",
                sender=names[sender[index]],
                receiver=str(addresses.ip[to[index]].ip),
                proof=f"from {addresses.ip[int(identity[index])].ip}",
                kernels="no route" if chosen < 0 else f"from {addresses.ip[chosen].ip}",
            )

    def _walk(
        self,
        network: Network,
        sender: NDArray[np.int64],
        to: NDArray[np.int64],
        **how: bool,
    ) -> Walks:
        walks = walk(self.nodes, network, sender, to, **how)
        self.n_lookups += walks.n_lookups
        self.n_pairs += len(sender)
        return walks

    def pairs(self, left: Network) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return all ordered pairs of living nodes."""
        alive = wired_nodes(self.network)
        alive = alive[~left.is_dead[alive]]
        sender, to = (grid.ravel() for grid in np.meshgrid(alive, alive, indexing="ij"))
        return sender[sender != to], to[sender != to]


def _paths(
    network: Network, sender: NDArray[np.int64], to: NDArray[np.int64], width: int
) -> NDArray[np.int64]:
    """Return the nodes on each path by the proof, -1 behind the last."""
    paths = network.core.paths(sender.astype(np.uint32), to.astype(np.uint32))
    expected = np.full((len(sender), width), -1, dtype=np.int64)
    for index, (first, end) in enumerate(zip(paths.start[:-1], paths.start[1:], strict=True)):
        devices = paths.device[first:end]
        nodes = devices[devices < network.n_nodes][:width]
        expected[index, : len(nodes)] = nodes
    return expected


def way(names: Sequence[str], nodes: NDArray[np.int64]) -> str:
    """Return the names of the nodes on the way of a packet."""
    return " ".join(names[node] for node in nodes.tolist() if node >= 0)
