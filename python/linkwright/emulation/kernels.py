"""The kernels of nodes that are up: carrier, routes and settings can change.

No wires are needed to ask kernels for their decisions; frames move only between wires.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from linkwright._core import Lookups, Nodes
from linkwright.emulation.machine import allow_files, expect_abilities
from linkwright.emulation.settings import forwarding_settings, tcp_settings
from linkwright.machines import Namespace
from linkwright.nodes.table import NodeTable, kernel_routes, node_table

if TYPE_CHECKING:
    from linkwright.calibrations import Calibration
    from linkwright.emulation.cables import KernelCables
    from linkwright.network import Network

__all__ = ["Kernels"]

RP_FILTER = "ipv4/conf/all/rp_filter"
"""Setting of the reverse-path filter; the stricter of this and the interface's own is in force."""
QUEUE = 100
"""Longest transmit queue of an interface, in packets, without a calibration."""
FILTERS = {"off": 0, "strict": 1, "loose": 2}
"""Values of the reverse-path filter."""


class Kernels:
    """A network namespace per node with the plan's addresses, routes and settings. They end with
    this object and the programs in them.

    Parameters
    ----------
    network : Network
        The compiled network.
    hosts : Calibration, optional
        Queues and TCP of the nodes. Default: those of this machine.
    dilation : float
        Real seconds for one second of the network.
    cables : KernelCables, optional
        Cables of the kernel. Default: no cables; wires can be entered.
    has_routes : bool
        Whether the nodes have the routes of the plan.
    learns_neighbours : bool, optional
        Whether the nodes ask for the hardware addresses of their neighbours. Default: only if
        `links.arp` of the calibration is cold.
    has_marks : bool
        Whether the nodes mark packets as in the plan.

    Raises
    ------
    CapabilityError
        If this machine cannot bring them up.

    Attributes
    ----------
    table : NodeTable
        Interfaces, addresses, routes and settings as brought up.
    learns_neighbours : bool
        Whether the nodes ask for the hardware addresses of their neighbours.
    nodes : Nodes
        Handle of the compiled core.
    machines : list of Namespace
        The nodes as machines, in their order; without files of their own.
    """

    def __init__(
        self,
        network: Network,
        hosts: Calibration | None = None,
        *,
        dilation: float = 1.0,
        cables: KernelCables | None = None,
        has_routes: bool = True,
        learns_neighbours: bool | None = None,
        has_marks: bool = True,
    ) -> None:
        expect_abilities()
        settings, queue = forwarding_settings(network), QUEUE
        if learns_neighbours is None:
            learns_neighbours = hosts is not None and hosts.links.arp.value == "cold"
        self.learns_neighbours = learns_neighbours
        if hosts is not None:
            settings += tcp_settings(hosts, dilation)
            queue = int(hosts.queues.transmit_frames.value)
        self.table: NodeTable = node_table(
            network,
            queue=queue,
            settings=settings,
            has_routes=has_routes,
            learns_neighbours=learns_neighbours,
            has_marks=has_marks,
        )
        # Two namespaces of each node, and the other end of each interface.
        allow_files(2 * len(self.table.hostnames) + len(self.table.interface_name))
        self.nodes = Nodes(self.table, cables)
        named = zip(self.table.hostnames, self.nodes.descriptors(), strict=True)
        self.machines = [Namespace.of(name, *spaces) for name, spaces in named]

    def look_up(
        self,
        node: NDArray[np.uint32],
        destination: NDArray[np.uint32],
        interface: NDArray[np.int32],
        source: NDArray[np.int32],
    ) -> Lookups:
        """Return the decisions of nodes for packets, by netlink; see `LiveNodes.look_up`."""
        return self.nodes.look_up(node, destination, interface, source)

    @property
    def cabled(self) -> NDArray[np.uint32]:
        """The interfaces that have ports."""
        return np.flatnonzero(self.table.interface_port >= 0).astype(np.uint32)

    def plug(self, interfaces: NDArray[np.uint32], *, has_carrier: bool) -> None:
        """Give interfaces carrier or take it away, and wait until the kernels have noticed."""
        self.nodes.plug(interfaces, has_carrier)

    def use_routes(self, network: Network) -> None:
        """Replace all routes by those of a network, possibly without failed parts."""
        self.nodes.reroute(kernel_routes(network))

    def filter_reverse_paths(self, how: str) -> None:
        """Set the reverse-path filters of all nodes: "off", "strict" or "loose"."""
        self.nodes.set(RP_FILTER, str(FILTERS[how]))
