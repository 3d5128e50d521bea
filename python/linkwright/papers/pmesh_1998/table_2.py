"""Table 2: formulas in the number of nodes N, evaluated at several sizes and held against built
networks.

L and B are the paper's base latency and bandwidth; a switch adds 5 us and costs 0.5 MB/s, a
forwarding node 40 us and 1.5 MB/s. In the column of the bisection B is the link rate, 12.5 MB/s.
Switches are taken as non-blocking.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from linkwright.papers.entry import Entry
from linkwright.papers.pmesh_1998.clusters import calibration_of, figures, network
from linkwright.papers.pmesh_1998.table_3 import METRICS
from linkwright.papers.printed import printed_numbers

Formula = Callable[[int], float]

NIC, HUB, SWITCH, GIGABIT = 30, 50, 150, 2500
"""Prices per NIC and port in USD [PMESH-1998, table 1]."""
LINK = 12.5e6
"""Rate of a link each way, in bytes per second."""


def latency(n_switches: float, n_forwards: float) -> float:
    """Return L plus what so many switches and forwarding nodes add, in seconds."""
    return 175e-6 + 5e-6 * n_switches + 40e-6 * n_forwards


def bandwidth(n_switches: float, n_forwards: float) -> float:
    """Return B less what so many switches and forwarding nodes take, in bytes per second."""
    return 8.5e6 - 0.5e6 * n_switches - 1.5e6 * n_forwards


@dataclass(frozen=True, kw_only=True)
class Row:
    """One architecture: the printed formulas and the networks they are evaluated for.

    `right_bisection` is the corrected formula where the printed one is wrong; it may hold the value
    of a count where there is no formula. Columns are per node, at the worst pair.
    """

    name: str
    clusters: tuple[str, ...]
    max_nodes: int | None
    cost: Formula
    n_switches: Formula
    n_forwards: Formula
    bisection: Formula
    right_bisection: Formula | None = None
    erratum: str = ""
    reason: str = ""


def _none(_: int) -> float:
    return 0


def _one(_: int) -> float:
    return 1


ROWS = (
    Row(
        name="direct",
        clusters=("direct",),
        max_nodes=2,
        cost=lambda n: NIC,
        n_switches=_none,
        n_forwards=_none,
        bisection=lambda n: LINK,
    ),
    Row(
        name="hub",
        clusters=("hub-16", "hub-64"),
        max_nodes=100,
        cost=lambda n: NIC + HUB,
        n_switches=_none,
        n_forwards=_none,
        bisection=lambda n: 2 * LINK / n,
        right_bisection=lambda n: LINK / n,
        erratum="hub-bisection",
        reason="a half-duplex medium was counted twice",
    ),
    Row(
        name="fully connected",
        clusters=("full-mesh-4", "full-mesh-8"),
        max_nodes=None,
        cost=lambda n: (n - 1) * NIC,
        n_switches=_none,
        n_forwards=_none,
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
        n_switches=_one,
        n_forwards=_none,
        bisection=lambda n: LINK,
    ),
    Row(
        name="2D torus",
        clusters=("torus-4x4", "torus-6x6"),
        max_nodes=None,
        cost=lambda n: 4 * NIC,
        n_switches=_none,
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
        n_switches=lambda n: 3,
        n_forwards=_none,
        bisection=lambda n: 20 / 24 * LINK,
    ),
    Row(
        name="2D P-Mesh",
        clusters=("p-mesh-nonblocking-4x4", "p-mesh-nonblocking-6x6"),
        max_nodes=10_000,
        cost=lambda n: 2 * (NIC + SWITCH),
        n_switches=lambda n: 2,
        n_forwards=_one,
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
    n, found = network(cluster).n_compute, figures(cluster)
    switches, forwards = row.n_switches(n), row.n_forwards(n)
    columns = {
        "cost_per_node": row.cost(n),
        "latency_worst": latency(switches, forwards),
        "bandwidth_worst": bandwidth(switches, forwards),
    }
    if row.max_nodes is not None and cluster == row.clusters[0]:
        yield _entry(row, cluster, "max_nodes", row.max_nodes, float(found.max_nodes or math.inf))
    for metric, formula in columns.items():
        ours = METRICS[metric](found)
        if ours is not None:
            yield _entry(row, cluster, metric, formula, ours)
    yield _bisection(row, cluster, n)


def _bisection(row: Row, cluster: str, n: int) -> Entry:
    formula, ours = row.bisection(n), figures(cluster).bisection.per_node_Bps
    right = row.right_bisection(n) if row.right_bisection is not None else formula
    if math.isclose(right, formula):
        return _entry(row, cluster, "bisection_per_node", formula, ours)
    return _entry(row, cluster, "bisection_per_node", formula, ours, corrected=right)


def _entry(
    row: Row,
    cluster: str,
    metric: str,
    formula: float,
    ours: float,
    *,
    corrected: float | None = None,
) -> Entry:
    is_wrong = corrected is not None
    numbers = printed_numbers(__package__)
    return Entry(
        paper=numbers.paper,
        table="2",
        row=f"{row.name}, N = {network(cluster).n_compute}",
        metric=metric,
        design=network(cluster).name,
        design_hash=network(cluster).design_hash,
        printed=formula,
        ours=ours,
        unit=numbers.metrics[metric].unit,
        digit=1e-3
        * numbers.metrics[metric].scale,  # formulas are exact; allow for binary fractions only
        corrected=corrected,
        reason=row.reason if is_wrong else "",
        erratum=row.erratum if is_wrong else "",
        calibration=calibration_of(metric),
    )
