"""A network on the kernels of an emulation, whole and with failed parts: cables are pulled, and the
kernels' decisions are compared with the proof of the failure.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import NDArray

from linkwright.emulation.cluster import quiet_wires
from linkwright.emulation.kernels import Kernels
from linkwright.emulation.wires import Wires
from linkwright.errors import DesignError
from linkwright.machines.walks import ARRIVED, Walks, wires_of_interfaces
from linkwright.network import compile as compile_network
from linkwright.nodes.sources import shared_ports
from linkwright.plan.failures import Failure, columns, wired_nodes
from linkwright.plan.resilience import failure_impacts
from linkwright.verification.disagreement import Disagreement
from linkwright.verification.neighbours import neighbour_pairs
from linkwright.verification.trial import ENDS, Trial, way

if TYPE_CHECKING:
    from linkwright.design.cluster import Cluster
    from linkwright.network import FailureImpacts, Network

__all__ = ["FailureTrial"]


class FailureTrial(Trial):
    """A network whose cables can be pulled, and the counts of the comparison.

    Parameters
    ----------
    kernels : Kernels
        Its nodes.
    cluster : Cluster
        The design, from which the rest of the network is compiled after a failure.
    network : Network
        The same, compiled.
    """

    def __init__(self, kernels: Kernels, cluster: Cluster, network: Network) -> None:
        super().__init__(kernels, network)
        self.kernels, self.cluster = kernels, cluster
        self.n_pings = 0
        self.left_out: list[str] = []
        kernels.plug(kernels.cabled, has_carrier=True)

    @classmethod
    def emulated(
        cls,
        cluster: Cluster,
        network: Network,
        *,
        learns_neighbours: bool | None = None,
        has_marks: bool = True,
    ) -> Self:
        """Bring the nodes up on this machine.

        Parameters
        ----------
        cluster : Cluster
            The design.
        network : Network
            The same, compiled.
        learns_neighbours : bool, optional
            Whether nodes ask for the hardware addresses of their neighbours, and what they learn is
            compared. Default: only where several ports of a node share a segment, since it takes
            time.
        has_marks : bool
            Whether the nodes mark packets as in the plan.

        Raises
        ------
        CapabilityError
            If this machine cannot bring them up.
        """
        if learns_neighbours is None:
            learns_neighbours = bool(shared_ports(network))
        kernels = Kernels(network, learns_neighbours=learns_neighbours, has_marks=has_marks)
        return cls(kernels, cluster, network)

    def pinged(self) -> Iterator[Disagreement]:
        """Compare pings, over wires of their own."""
        with self.wires():
            yield from self.answered()

    def wires(self) -> Wires:
        """Return wires between the nodes, which move frames while they are entered."""
        return quiet_wires(self.kernels, self.network)

    def answered(self) -> Iterator[Disagreement]:
        """Ping the identity of every node from every other one, and the addresses of ports that
        share a segment, whose hardware addresses are to be learned.
        """
        network = self.network
        sender, to = self.pairs(network)
        asked = self._identity[to]
        if self.kernels.learns_neighbours:
            near = neighbour_pairs(network)
            sender, asked = np.concatenate([sender, near[0]]), np.concatenate([asked, near[1]])
        times_s = self.kernels.nodes.ping(sender.astype(np.uint32), asked.astype(np.uint32))
        self.n_pings = len(sender)
        names, owner = network.device_names, network.addresses.node
        for index in np.flatnonzero(np.isnan(times_s)).tolist():
            is_identity = index < len(to)
            address = str(network.addresses.ip[int(asked[index])].ip)
            yield Disagreement(
                failure="",
                tables="plan",
                sender=names[sender[index]],
                receiver=names[owner[asked[index]]] if is_identity else address,
                proof=ENDS[ARRIVED],
                kernels="no answer to three pings",
            )

    def lost(self, failure: Failure) -> set[tuple[int, int]]:
        """Return the ordered pairs that do not arrive after a failure, as the proof has them."""
        return self._lost_pairs(self._impacts(failure))

    def failed(self, failure: Failure, *, recomputed: bool = True) -> Iterator[Disagreement]:
        """Compare every pair after a failure, with the tables that the nodes have and, unless these
        are to stay, with reverse-path filters and with recomputed tables.
        """
        try:
            left = compile_network(self.cluster, without=failure.name.split(" and "))
        except DesignError as reason:
            self.left_out.append(f"{_title(failure)}: {reason.message}")
            return
        dark = self.without_carrier(left)
        self.kernels.plug(dark, has_carrier=False)
        try:
            sender, to = self.pairs(left)
            impacts = self._impacts(failure)
            walks = self._walk(left, sender, self._identity[to])
            arrives = ~self._is_lost(impacts, sender, to)
            yield from self._compared(failure, "plan", (sender, to), walks, arrives)
            if not recomputed:
                return
            arriving = walks.end == ARRIVED
            lasting = arriving & self._opposite((sender, to), arriving)
            yield from self._filtered(failure, left, (sender[lasting], to[lasting]), impacts)
            self.kernels.use_routes(left)
            component = left.core.components(np.ones(len(left.wiring.cable_a), dtype=np.bool_))
            walks = self._walk(left, sender, self._identity[to], with_bonds_mended=True)
            is_joined = component[sender] == component[to]
            yield from self._compared(failure, "recomputed", (sender, to), walks, is_joined)
        finally:
            self.kernels.plug(dark, has_carrier=True)
            if recomputed:
                self.kernels.use_routes(self.network)

    def _impacts(self, failure: Failure) -> FailureImpacts:
        """Return the proof of a failure, with every pair that does not arrive."""
        nodes = wired_nodes(self.network)
        return failure_impacts(
            self.network,
            nodes,
            columns([failure]),
            return_paths=True,
            most_examples=len(nodes) ** 2,
        )

    def _filtered(
        self,
        failure: Failure,
        left: Network,
        pairs: tuple[NDArray[np.int64], NDArray[np.int64]],
        impacts: FailureImpacts,
    ) -> Iterator[Disagreement]:
        """Compare the number of connections, given as pairs that last, that reverse-path filters
        stop in some direction.
        """
        sender, to = pairs[0], self._identity[pairs[1]]
        if self.network.addresses.is_v6[to].any():
            return
        for name in ("strict", "loose"):
            proved = impacts.counts[f"n_{name}"]
            self.kernels.filter_reverse_paths(name)
            walks = self._walk(left, sender, to, is_filtered=True)
            is_stopped = walks.end != ARRIVED
            n_stopped = int((is_stopped | self._opposite(pairs, is_stopped)).sum())
            if n_stopped != int(proved[0]):
                yield Disagreement(
                    failure=_title(failure),
                    tables="plan",
                    sender="",
                    receiver="",
                    proof=f"{proved[0]} connections stopped by {name} reverse-path filters",
                    kernels=f"{n_stopped}",
                )
        self.kernels.filter_reverse_paths("off")

    def _opposite(
        self, pairs: tuple[NDArray[np.int64], NDArray[np.int64]], flags: NDArray[np.bool_]
    ) -> NDArray[np.bool_]:
        """Return for each pair of nodes the flag of the opposite pair."""
        table = np.zeros((self.network.n_nodes, self.network.n_nodes), dtype=np.bool_)
        table[pairs] = flags
        opposite: NDArray[np.bool_] = table[pairs[::-1]]
        return opposite

    def _is_lost(
        self, impacts: FailureImpacts, sender: NDArray[np.int64], to: NDArray[np.int64]
    ) -> NDArray[np.bool_]:
        """Return which pairs do not arrive by the plan's tables, as the proof has them."""
        lost = self._lost_pairs(impacts)
        pairs = zip(sender.tolist(), to.tolist(), strict=True)
        return np.array([pair in lost for pair in pairs], dtype=np.bool_)

    def _lost_pairs(self, impacts: FailureImpacts) -> set[tuple[int, int]]:
        owner = self.network.addresses.node
        examples = (owner[impacts.example_from].tolist(), owner[impacts.example_to].tolist())
        return set(zip(*examples, strict=True))

    def _compared(
        self,
        failure: Failure,
        tables: str,
        pairs: tuple[NDArray[np.int64], NDArray[np.int64]],
        walks: Walks,
        arrives: NDArray[np.bool_],
    ) -> Iterator[Disagreement]:
        names = self.network.device_names
        for index in np.flatnonzero(arrives != (walks.end == ARRIVED)).tolist():
            yield Disagreement(
                failure=_title(failure),
                tables=tables,
                sender=names[pairs[0][index]],
                receiver=names[pairs[1][index]],
                proof=ENDS[ARRIVED] if arrives[index] else "does not arrive",
                kernels=f"{way(names, walks.nodes[index])}: {ENDS[int(walks.end[index])]}",
            )

    def without_carrier(self, left: Network) -> NDArray[np.uint32]:
        """Return the interfaces whose cables have all failed."""
        table = self.kernels.table
        # The last row stands for no interface.
        whole, now = (
            wires_of_interfaces(table, network)[:-1].max(axis=1) for network in (self.network, left)
        )
        return np.flatnonzero((whole >= 0) & (now < 0)).astype(np.uint32)


def _title(failure: Failure) -> str:
    return f"{failure.kind} {failure.name}"
