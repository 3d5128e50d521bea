"""Plans proved by kernels: what the nodes' kernels decide, beside what the proofs say.

The whole network, every single failure, and the tables computed anew after it. All decisions come
from the kernels (`walks`); every difference from the proof is a disagreement, with its names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from linkwright.engines.emulation.kernels import Kernels
from linkwright.engines.emulation.walks import (
    ARRIVED,
    LOOP,
    NO_ROUTE,
    UNSEEN,
    Walks,
    walk,
    wires_of_interfaces,
)
from linkwright.errors import DesignError
from linkwright.network import compile as compile_network
from linkwright.plan.failures import Failure, columns, failures_of, wired_nodes

if TYPE_CHECKING:
    from linkwright.design.cluster import Cluster
    from linkwright.network import FailureImpacts, Network

__all__ = ["Disagreement", "KernelProof", "verify"]

ENDS = {ARRIVED: "arrives", NO_ROUTE: "no route", UNSEEN: "sent into the failure", LOOP: "loops"}
"""Ends of a walk in words."""


@dataclass(frozen=True)
class Disagreement:
    """A packet for which kernels decide otherwise than the proof says.

    Attributes
    ----------
    failure : str
        Name of the failed parts; empty for the whole network.
    tables : str
        "plan" for the plan's tables, "recomputed" for those without the failed parts.
    sender, receiver : str
        Node that sends, and node or address that the packet is for.
    proof, kernels : str
        The way of the packet by either; the numbers of pairs where pairs are counted, which then
        have no names.
    """

    failure: str
    tables: str
    sender: str
    receiver: str
    proof: str
    kernels: str


@dataclass(frozen=True)
class KernelProof:
    """The comparison of kernels with the proofs of a design.

    Attributes
    ----------
    n_nodes : int
        Nodes that were up.
    n_routes : int
        Routes that were installed.
    n_lookups : int
        Decisions asked of the kernels.
    n_failures : int
        Single failures tried.
    n_pairs : int
        Ordered pairs compared, over the whole network and after each failure.
    disagreements : tuple of Disagreement
        Every difference.
    left_out : tuple of str
        Failures that were not tried, each with the reason: the rest of the network has no tables.
    """

    n_nodes: int
    n_routes: int
    n_lookups: int
    n_failures: int
    n_pairs: int
    disagreements: tuple[Disagreement, ...]
    left_out: tuple[str, ...]


def verify(
    cluster: Cluster,
    failures: str = "single",
    *,
    report: Callable[[int, int], object] | None = None,
) -> KernelProof:
    """Compare the decisions of real kernels with the proofs of a design.

    Parameters
    ----------
    cluster : Cluster
        The design.
    failures : str
        Failures to try, as in `rerouting`; "none" for none.
    report : callable, optional
        Called with the number of finished failures, and of all.

    Raises
    ------
    CapabilityError
        If this machine cannot bring the nodes up.
    """
    network = compile_network(cluster)
    trial = _Trial(cluster, network)
    found = list(trial.whole())
    tried = [] if failures == "none" else failures_of(network, failures)
    for number, failure in enumerate(tried):
        found += trial.failed(failure)
        if report is not None:
            report(number + 1, len(tried))
    return KernelProof(
        n_nodes=network.n_nodes,
        n_routes=len(trial.kernels.table.routes.metric),
        n_lookups=trial.n_lookups,
        n_failures=len(tried) - len(trial.left_out),
        n_pairs=trial.n_pairs,
        disagreements=tuple(found),
        left_out=tuple(trial.left_out),
    )


class _Trial:
    """A network that is up, and the counts of the comparison."""

    def __init__(self, cluster: Cluster, network: Network) -> None:
        self.cluster, self.network = cluster, network
        self.kernels = Kernels(network)
        self._identity = network.addresses.identity.astype(np.int64)
        self.n_lookups = self.n_pairs = 0
        self.left_out: list[str] = []
        self.kernels.plug(self.kernels.cabled, has_carrier=True)

    def whole(self) -> Iterator[Disagreement]:
        """Compare the path of every node to every address, node by node."""
        network = self.network
        known = wired_nodes(network)
        addresses = np.flatnonzero(np.isin(network.addresses.node, known))
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
                proof=_way(names, expected[index]),
                kernels=f"{_way(names, walks.nodes[index])}: {ENDS[int(walks.end[index])]}",
            )

    def failed(self, failure: Failure) -> Iterator[Disagreement]:
        """Compare every pair after a failure, with the plan's tables and with recomputed ones."""
        try:
            left = compile_network(self.cluster, without=failure.name.split(" and "))
        except DesignError as reason:
            self.left_out.append(f"{_title(failure)}: {reason.message}")
            return
        dark = self._without_carrier(left)
        self.kernels.plug(dark, has_carrier=False)
        try:
            sender, to = self._pairs(left)
            impacts = self._impacts(failure)
            walks = self._walk(left, sender, self._identity[to])
            arrives = ~self._is_lost(impacts, sender, to)
            yield from self._compared(failure, "plan", (sender, to), walks, arrives)
            arriving = walks.end == ARRIVED
            yield from self._filtered(failure, left, (sender[arriving], to[arriving]), impacts)
            self.kernels.use_routes(left)
            component = left.core.components(np.ones(len(left.wiring.cable_a), dtype=np.bool_))
            walks = self._walk(left, sender, self._identity[to], with_bonds_mended=True)
            is_joined = component[sender] == component[to]
            yield from self._compared(failure, "recomputed", (sender, to), walks, is_joined)
        finally:
            self.kernels.plug(dark, has_carrier=True)
            self.kernels.use_routes(self.network)

    def _walk(
        self,
        network: Network,
        sender: NDArray[np.int64],
        to: NDArray[np.int64],
        **how: bool,
    ) -> Walks:
        walks = walk(self.kernels, network, sender, to, **how)
        self.n_lookups += walks.n_lookups
        self.n_pairs += len(sender)
        return walks

    def _pairs(self, left: Network) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return all ordered pairs of living nodes."""
        alive = wired_nodes(self.network)
        alive = alive[~left.is_dead[alive]]
        sender, to = (grid.ravel() for grid in np.meshgrid(alive, alive, indexing="ij"))
        return sender[sender != to], to[sender != to]

    def _impacts(self, failure: Failure) -> FailureImpacts:
        """Return the proof of a failure, with every pair that does not arrive."""
        network = self.network
        nodes = wired_nodes(network)
        parts = columns([failure])
        return network.core.rerouting(
            network.addresses.identity[nodes],
            failure_start=parts.start,
            part_kind=parts.part_kind,
            part_id=parts.part_id,
            with_fallback=network.fallback,
            with_return_paths=True,
            planner=0,
            most_examples=len(nodes) ** 2,
        )

    def _filtered(
        self,
        failure: Failure,
        left: Network,
        pairs: tuple[NDArray[np.int64], NDArray[np.int64]],
        impacts: FailureImpacts,
    ) -> Iterator[Disagreement]:
        """Compare the number of pairs that reverse-path filters stop."""
        sender, to = pairs[0], self._identity[pairs[1]]
        if self.network.addresses.is_v6[to].any():
            return
        for name, proved in (("strict", impacts.strict), ("loose", impacts.loose)):
            self.kernels.filter_reverse_paths(name)
            walks = self._walk(left, sender, to, is_filtered=True)
            n_stopped = int((walks.end != ARRIVED).sum())
            if n_stopped != int(proved[0]):
                yield Disagreement(
                    failure=_title(failure),
                    tables="plan",
                    sender="",
                    receiver="",
                    proof=f"{proved[0]} pairs stopped by {name} reverse-path filters",
                    kernels=f"{n_stopped}",
                )
        self.kernels.filter_reverse_paths("off")

    def _is_lost(
        self, impacts: FailureImpacts, sender: NDArray[np.int64], to: NDArray[np.int64]
    ) -> NDArray[np.bool_]:
        """Return which pairs do not arrive by the plan's tables, as the proof has them."""
        owner = self.network.addresses.node
        examples = (owner[impacts.example_from].tolist(), owner[impacts.example_to].tolist())
        lost = set(zip(*examples, strict=True))
        pairs = zip(sender.tolist(), to.tolist(), strict=True)
        return np.array([pair in lost for pair in pairs], dtype=np.bool_)

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
                kernels=f"{_way(names, walks.nodes[index])}: {ENDS[int(walks.end[index])]}",
            )

    def _without_carrier(self, left: Network) -> NDArray[np.uint32]:
        """Return the interfaces whose cables have all failed."""
        table = self.kernels.table
        # The last row stands for no interface.
        whole, now = (
            wires_of_interfaces(table, network)[:-1].max(axis=1) for network in (self.network, left)
        )
        return np.flatnonzero((whole >= 0) & (now < 0)).astype(np.uint32)


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


def _title(failure: Failure) -> str:
    return f"{failure.kind} {failure.name}"


def _way(names: Sequence[str], nodes: NDArray[np.int64]) -> str:
    return " ".join(names[node] for node in nodes.tolist() if node >= 0)
