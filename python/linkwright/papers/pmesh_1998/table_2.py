"""Table 2: formulas in the number of nodes N, evaluated at several sizes and compared with built
networks.

L and B are the paper's base latency and bandwidth; a switch adds 5 us and costs 0.5 MB/s, a
forwarding node 40 us and 1.5 MB/s. In the column of the bisection B is the link rate, 12.5 MB/s.
Switches are taken as non-blocking.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from linkwright.network import Network
from linkwright.papers.claim import Claim
from linkwright.papers.clusters import network_of
from linkwright.papers.entry import Entry
from linkwright.papers.measures import calibration_of, facts_of

Formula = Callable[[int], float]

NIC, HUB, SWITCH, GIGABIT = 30, 50, 150, 2500
"""Prices per NIC and port in USD [PMESH-1998, table 1]."""
LINK = 12.5e6
"""Rate of a link per direction, in bytes per second."""

_EXACT = {"1": 1e-3, "USD": 1e-3, "s": 1e-9, "B/s": 1e3}
"""Tolerance of a formula, by unit: it is exact except for binary fractions."""


def latency(n_switches: float, n_forwards: float) -> float:
    """Return L plus the latency of some switches and forwarding nodes, in seconds."""
    return 175e-6 + 5e-6 * n_switches + 40e-6 * n_forwards


def bandwidth(n_switches: float, n_forwards: float) -> float:
    """Return B less the loss at some switches and forwarding nodes, in bytes per second."""
    return 8.5e6 - 0.5e6 * n_switches - 1.5e6 * n_forwards


@dataclass(frozen=True, kw_only=True)
class Row:
    """One architecture: the printed formulas and the networks they are evaluated for.

    `right_bisection` is the corrected formula if the printed one is wrong; it may hold a counted
    value if there is no formula. Columns are per node, at the worst pair.
    """

    name: str
    clusters: tuple[str, ...]
    cost: Formula
    bisection: Formula
    n_switches: int = 0
    n_forwards: Formula = lambda n: 0
    max_nodes: int | None = None
    right_bisection: Formula | None = None
    erratum: str = ""
    reason: str = ""


ROWS = (
    Row(
        name="direct",
        clusters=("direct",),
        max_nodes=2,
        cost=lambda n: NIC,
        bisection=lambda n: LINK,
    ),
    Row(
        name="hub",
        clusters=("hub-16", "hub-64"),
        max_nodes=100,
        cost=lambda n: NIC + HUB,
        bisection=lambda n: 2 * LINK / n,
        right_bisection=lambda n: LINK / n,
        erratum="hub-bisection",
        reason="a half-duplex medium was counted twice",
    ),
    Row(
        name="fully connected",
        clusters=("full-mesh-4", "full-mesh-8"),
        cost=lambda n: (n - 1) * NIC,
        bisection=lambda n: LINK * n / 4,
        right_bisection=lambda n: LINK * n / 2,
        erratum="full-mesh-bisection",
        reason="both directions count, as in every other row",
    ),
    Row(
        name="switch",
        clusters=("switch-nonblocking-16", "switch-nonblocking-100"),
        max_nodes=100,
        cost=lambda n: NIC + SWITCH,
        n_switches=1,
        bisection=lambda n: LINK,
    ),
    Row(
        name="2D torus",
        clusters=("torus-4x4", "torus-6x6"),
        cost=lambda n: 4 * NIC,
        n_forwards=lambda n: math.sqrt(n) - 1,
        bisection=lambda n: LINK,
        right_bisection=lambda n: 4 * LINK / math.sqrt(n),
        erratum="torus-bisection",
        reason="50 / n MB/s for a side of n: the link rate at N = 16 only",
    ),
    Row(
        name="tree",
        clusters=("tree-768",),
        max_nodes=768,
        cost=lambda n: NIC + SWITCH + 4 / 24 * GIGABIT,
        n_switches=3,
        bisection=lambda n: 20 / 24 * LINK,
    ),
    Row(
        name="2D P-Mesh",
        clusters=("p-mesh-nonblocking-4x4", "p-mesh-nonblocking-6x6"),
        max_nodes=10_000,
        cost=lambda n: 2 * (NIC + SWITCH),
        n_switches=2,
        n_forwards=lambda n: 1,
        bisection=lambda n: LINK,
        right_bisection=lambda n: {16: 16 / 16, 36: 32 / 36}[n] * LINK,
        erratum="p-mesh-bisection",
        reason="from six nodes a side on, a cut around a block of the grid carries less",
    ),
)


def table_2() -> list[Entry]:
    """Return the formulas of Table 2, evaluated, beside the built networks."""
    return [entry for row in ROWS for cluster in row.clusters for entry in _entries(row, cluster)]


def _entries(row: Row, cluster: str) -> Iterator[Entry]:
    network = network_of(__package__, cluster)
    n, found = network.n_compute, facts_of(network)
    if row.max_nodes is not None and cluster == row.clusters[0]:
        ours = float(network.closed.max_nodes or math.inf)
        yield _entry(row, network, "max_nodes", "1", row.max_nodes, ours)
    cost, ours = row.cost(n), found.cost.ports_used_per_node
    yield _entry(row, network, "cost_per_node", "USD", cost, ours)
    path = row.n_switches, row.n_forwards(n)
    # The path model does not reach beyond four hops.
    if found.latency_s.worst is not None:
        yield _entry(row, network, "latency_worst", "s", latency(*path), found.latency_s.worst)
    if found.bandwidth_Bps.worst is not None:
        ours = found.bandwidth_Bps.worst
        yield _entry(row, network, "bandwidth_worst", "B/s", bandwidth(*path), ours)
    ours = found.bisection.per_node_Bps
    right = row.right_bisection(n) if row.right_bisection is not None else None
    yield _entry(row, network, "bisection_per_node", "B/s", row.bisection(n), ours, right)


def _entry(
    row: Row,
    network: Network,
    metric: str,
    unit: str,
    formula: float,
    ours: float,
    right: float | None = None,
) -> Entry:
    is_wrong = right is not None and not math.isclose(right, formula)
    claim = Claim(
        paper="PMESH-1998",
        table="2",
        row=f"{row.name}, N = {network.n_compute}",
        metric=metric,
        unit=unit,
        digit=_EXACT[unit],
        printed=formula,
        corrected=right if is_wrong else None,
        reason=row.reason if is_wrong else "",
        erratum=row.erratum if is_wrong else "",
    )
    return Entry.of(claim, network, ours, calibration_of(metric))
