"""The cost of failures, as two questions: which pairs of nodes are still connected
(`connectivity`), and which connections last by themselves (`rerouting`).

Two nodes are *connected* if some path of forwarding nodes joins them, so that recomputed tables can
reach them. Every node opens a *connection* to every other, which lasts while the packets of both
directions arrive. Every cable, every NIC in use and every hub or switch as it is racked counts as
one failure (a chassis with all its logical switches; one unit of a stack with the cables plugged
into it). In a network that lost parts, further failures are counted for the nodes still connected.
*Connectivity* works at any size. *Rerouting* follows all pairs through the installed tables and
names the remedy for the connections that do not last; that needs memory for all pairs.

The compiled core proves both; failures and nodes get their names here. The definitions are in
docs/design/failures.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwright.memory import expect_room
from linkwright.network import MOST_PROVED_NODES
from linkwright.notebook import Shown, counted
from linkwright.plan.connected import connected_nodes
from linkwright.plan.failures import (
    Failure,
    FailureColumns,
    columns,
    failures_of,
    single_failures,
    together,
    wired_nodes,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from linkwright.network import FailureImpacts, Network

COUNTS = (
    "fraction of single failures of a cable, a NIC, a hub or a switch (chassis and stack units as "
    "racked) after which all nodes still reach each other with recomputed tables; NICs "
    "and cables count one each"
)
"""Definition of the fraction of `Connectivity`."""
CONNECTIONS = (
    "every node opens a connection to every other node, so that two nodes have two; it lasts while "
    "the packets of both directions arrive"
)
"""Definition of the connections that a proof counts."""
BYTES_PER_PAIR, BYTES_PER_FAILURE = 120, 500
"""Memory of a proof for each ordered pair of nodes (60 to 100 measured) and each failure."""
MOST_WALKS = 2e8
"""Product of pairs and failures up to which return paths are counted by default."""

CAUSES = {
    "no-route": "a node on the path has no route left",
    "unseen": "a node on the path still sends it towards the failure",
    "loop": "it loops",
}
"""Reasons why a packet does not arrive without recomputed tables, in words."""
NEEDS = {
    "recomputed-tables": "recomputed tables",
    "daemon": "a routing daemon",
    "new-parts": "disconnected",
}
"""Needs of a connection that does not last by itself, in words."""

CONNECTED_KINDS = ("cable", "nic", "hub", "switch")
"""Kinds of parts whose failures `connectivity` counts; a failed node has no pairs."""


@dataclass(frozen=True)
class SurvivalCount:
    """Single failures of one kind of part, and how many of them leave all nodes connected."""

    n_failures: int
    n_survived: int


@dataclass(frozen=True)
class Connectivity:
    """Single failures that leave all nodes connected, by kind of part and in all."""

    cables: SurvivalCount
    nics: SurvivalCount
    hubs: SurvivalCount
    switches: SurvivalCount

    @property
    def total(self) -> SurvivalCount:
        """All single failures together."""
        kinds = (self.cables, self.nics, self.hubs, self.switches)
        return SurvivalCount(sum(k.n_failures for k in kinds), sum(k.n_survived for k in kinds))

    @property
    def fraction(self) -> float:
        """The fraction of single failures that leave all nodes connected; 1 without any failure."""
        total = self.total
        return total.n_survived / total.n_failures if total.n_failures else 1.0


def connectivity(network: Network) -> Connectivity:
    """Return the number of single failures that leave all nodes connected.

    Parameters
    ----------
    network : Network
        The compiled network.
    """
    joined = connected_nodes(network)[: network.n_nodes]
    tried = _single_failures(network, joined)
    parts = together(tried)
    n_disconnected = network.core.connectivity(joined, parts.start, parts.part_kind, parts.part_id)
    ends = np.cumsum([len(one.start) - 1 for one in tried])
    cables, nics, hubs, switches = (
        SurvivalCount(len(pairs), int((pairs == 0).sum()))
        for pairs in np.split(n_disconnected, ends[:-1])
    )
    return Connectivity(cables=cables, nics=nics, hubs=hubs, switches=switches)


def n_healing(network: Network) -> int:
    """Return the number of single failures, of the same parts, that heal by themselves: every
    connection between connected nodes lasts with the installed tables.

    Parameters
    ----------
    network : Network
        The compiled network.

    Raises
    ------
    PlanError, CapabilityError
        If the network is too large for the proof.
    """
    joined = connected_nodes(network)[: network.n_nodes]
    parts = together(_single_failures(network, joined))
    nodes = wired_nodes(network)
    found = failure_impacts(network, nodes[joined[nodes]], parts, return_paths=False)
    names = ("n_recomputed", "n_daemon", "n_disconnected")
    n_lost = np.sum([found.counts[name] for name in names], axis=0)
    return int((n_lost == 0).sum())


def _single_failures(network: Network, joined: NDArray[np.bool_]) -> list[FailureColumns]:
    """Return the single failures that count, by kind of part, given the connected nodes."""
    return [single_failures(network, kind, among=joined) for kind in CONNECTED_KINDS]


@dataclass(frozen=True)
class LostPair:
    """A pair whose packets do not arrive by themselves: nodes, cause and need, in words."""

    sender: str
    receiver: str
    cause: str
    need: str


@dataclass(frozen=True)
class FailureImpact:
    """The cost of one failure; counts are of connections (`CONNECTIONS`) by default.

    Attributes
    ----------
    kind, name : str
        The failure; see `Failure`.
    n_untouched, n_rerouted, n_recomputed, n_daemon, n_disconnected : int
        Connections that keep their routes; that last on another one, in some direction; that need
        recomputed tables; that need a routing daemon; whose nodes are disconnected.
    n_looping : int
        Connections among the last three whose packets loop.
    n_unanswered : int
        Connections among the last three whose packets arrive without help, but not the answers.
    n_out_of_reach : int
        Nodes that cannot get recomputed tables over the network.
    worst_extra_hops : int
        The longest detour of a rerouted connection.
    most_forwarded : int
        Packets that the busiest node forwards when each node sends one to every other.
    n_strict, n_loose : int or None
        Connections that last without help, but not past strict or loose reverse-path filters; None
        if they were not counted.
    example : LostPair or None
        A pair whose packets do not arrive by themselves, preferably one that is disconnected.
    """

    kind: str
    name: str
    n_untouched: int
    n_rerouted: int
    n_recomputed: int
    n_daemon: int
    n_disconnected: int
    n_looping: int
    n_unanswered: int
    n_out_of_reach: int
    worst_extra_hops: int
    most_forwarded: int
    n_strict: int | None
    n_loose: int | None
    example: LostPair | None

    @property
    def n_lost(self) -> int:
        """Number of connections that do not last by themselves."""
        return self.n_recomputed + self.n_daemon + self.n_disconnected

    @property
    def n_connections(self) -> int:
        """Number of all connections between living nodes."""
        return self.n_untouched + self.n_rerouted + self.n_lost


@dataclass(frozen=True)
class KindOfFailure:
    """All failures of one kind together.

    `n_by_itself` of them heal by themselves, `n_recomputed` once tables are recomputed, `n_daemon`
    with a routing daemon, and `n_disconnected` cut nodes off. The other fields are the largest
    values of any of them; see `FailureImpact`.
    """

    kind: str
    n_failures: int
    n_by_itself: int
    n_recomputed: int
    n_daemon: int
    n_disconnected: int
    n_out_of_reach: int
    worst_extra_hops: int
    most_forwarded: int
    n_strict: int | None
    n_loose: int | None


@dataclass(frozen=True, repr=False)
class FailureProof(Shown):
    """The cost of some failures.

    Attributes
    ----------
    failures : str
        Selection of failures: "single", "pairs", one kind, such as "pairs:switch", or "given".
    needs_daemon : bool
        Whether a routing daemon alone can mend connections: the tables are the user's own.
    whole : FailureImpact
        The network without a failure.
    kinds : tuple of KindOfFailure
        By kind of part.
    impacts : tuple of FailureImpact
        One per failure.
    """

    failures: str
    needs_daemon: bool
    whole: FailureImpact
    kinds: tuple[KindOfFailure, ...]
    impacts: tuple[FailureImpact, ...]

    @property
    def summary(self) -> str:
        """The number of failures of each outcome."""
        return f"{self.failures}: {self.outcome_words}"

    @property
    def outcome_words(self) -> str:
        """The number of failures of each outcome, as a sentence."""
        n_healing = sum(one.n_by_itself for one in self.kinds)
        n_cutting = sum(one.n_disconnected for one in self.kinds)
        n_others = len(self.impacts) - n_healing - n_cutting
        need = "a routing daemon" if self.needs_daemon else "new tables"
        of = counted(len(self.impacts), "failure")
        return (
            f"of {of}, {n_healing:,} heal by themselves, {n_others:,} need {need}, and "
            f"{n_cutting:,} cut nodes off"
        )

    @property
    def counts_return_paths(self) -> bool:
        """Whether drops by reverse-path filters were counted."""
        return self.whole.n_strict is not None


def rerouting(
    network: Network,
    failures: str | Sequence[Failure] = "single",
    *,
    return_paths: bool = False,
    report: Callable[[int, int], object] | None = None,
) -> FailureProof:
    """Prove the cost of failures to the connections between all nodes.

    Parameters
    ----------
    network : Network
        The compiled network.
    failures : str or sequence of Failure
        "single" or "pairs", optionally of one kind of part: "single:cable", "pairs:switch", or any
        sets of parts.
    return_paths : bool
        Whether to count drops by reverse-path filters even if that takes long.
    report : callable, optional
        Called now and then with the number of finished failures, and of all.

    Raises
    ------
    UsageError
        If there are no such failures, or too many.
    PlanError
        If the network has more nodes than a proof can hold; see `why_not_proved`.
    """
    wanted = failures_of(network, failures) if isinstance(failures, str) else failures
    tried = [Failure("none", "", ()), *wanted]
    nodes = wired_nodes(network)
    return_paths = return_paths or len(tried) * len(nodes) ** 2 <= MOST_WALKS
    found = failure_impacts(
        network, nodes, columns(tried), return_paths=return_paths, report=report
    )
    whole, *impacts = _impacts(network, tried, found, has_return_paths=return_paths)
    kinds = dict.fromkeys(impact.kind for impact in impacts)
    return FailureProof(
        failures=failures if isinstance(failures, str) else "given",
        needs_daemon=network.routing == "explicit",
        whole=whole,
        kinds=tuple(_total(kind, [one for one in impacts if one.kind == kind]) for kind in kinds),
        impacts=tuple(impacts),
    )


def failure_impacts(
    network: Network,
    nodes: NDArray[np.int64],
    tried: FailureColumns,
    *,
    return_paths: bool,
    most_examples: int = 1,
    report: Callable[[int, int], object] | None = None,
) -> FailureImpacts:
    """Return the cost of failures to the connections among some nodes, as the core proves it.

    Parameters
    ----------
    network : Network
        The compiled network.
    nodes : ndarray
        Ids of the nodes, ascending.
    tried : FailureColumns
        The failures.
    return_paths : bool
        Whether to count drops by reverse-path filters.
    most_examples : int
        Largest number of pairs that do not arrive by themselves to name for each failure.
    report : callable, optional
        Called now and then with the number of finished failures, and of all.

    Raises
    ------
    PlanError, CapabilityError
        If the network is too large for the proof.
    """
    front_end, n_tried = network.front_end, len(tried.start) - 1
    room = BYTES_PER_PAIR * len(nodes) ** 2 + BYTES_PER_FAILURE * n_tried
    thing = f"the proof of {n_tried:,} failures of {len(nodes):,} nodes"
    expect_room(thing, room, "the routes of all pairs")
    return network.core.rerouting(
        network.addresses.identity[nodes],
        failure_start=tried.start,
        part_kind=tried.part_kind,
        part_id=tried.part_id,
        with_fallback=network.fallback,
        with_return_paths=return_paths,
        planner=0 if front_end is None else front_end,
        most_examples=most_examples,
        report=report,
    )


def why_not_proved(network: Network) -> str:
    """Return the reason why a network is too large for the proof; empty if it is not."""
    if network.n_nodes <= MOST_PROVED_NODES:
        return ""
    return (
        f"failures were not tried: the pairs of {network.n_nodes} nodes need too much memory, "
        f"at most {MOST_PROVED_NODES} nodes are allowed"
    )


def _impacts(
    network: Network, failures: Sequence[Failure], found: FailureImpacts, *, has_return_paths: bool
) -> Iterator[FailureImpact]:
    names = {field.name for field in fields(FailureImpact)}
    columns: dict[str, list[Any]] = {
        name: column.tolist() for name, column in found.counts.items() if name in names
    }
    if not has_return_paths:
        columns |= dict.fromkeys(("n_strict", "n_loose"), [None] * len(failures))
    rows = zip(
        failures, zip(*columns.values(), strict=True), _examples(network, found), strict=True
    )
    for failure, numbers, example in rows:
        counts = dict(zip(columns, numbers, strict=True))
        yield FailureImpact(failure.kind, failure.name, **counts, example=example)


def _examples(network: Network, found: FailureImpacts) -> Iterator[LostPair | None]:
    """Yield the first example of each failure."""
    node_of = network.addresses.node
    for start, end in zip(found.example_start[:-1], found.example_start[1:], strict=True):
        if start == end:
            yield None
            continue
        index = int(start)
        yield LostPair(
            sender=network.device_names[node_of[found.example_from[index]]],
            receiver=network.device_names[node_of[found.example_to[index]]],
            cause=CAUSES[found.example_cause[index]],
            need=NEEDS[found.example_need[index]],
        )


def _total(kind: str, impacts: Sequence[FailureImpact]) -> KindOfFailure:
    n_disconnected = sum(impact.n_disconnected > 0 for impact in impacts)
    n_daemon = sum(impact.n_daemon > 0 and not impact.n_disconnected for impact in impacts)
    n_by_itself = sum(not impact.n_lost for impact in impacts)
    counted = [impact for impact in impacts if impact.n_strict is not None]
    return KindOfFailure(
        kind=kind,
        n_failures=len(impacts),
        n_by_itself=n_by_itself,
        n_recomputed=len(impacts) - n_by_itself - n_daemon - n_disconnected,
        n_daemon=n_daemon,
        n_disconnected=n_disconnected,
        n_out_of_reach=max(impact.n_out_of_reach for impact in impacts),
        worst_extra_hops=max(impact.worst_extra_hops for impact in impacts),
        most_forwarded=max(impact.most_forwarded for impact in impacts),
        n_strict=max((impact.n_strict or 0 for impact in counted), default=None),
        n_loose=max((impact.n_loose or 0 for impact in counted), default=None),
    )
