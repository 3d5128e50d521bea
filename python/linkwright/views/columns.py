"""The columns of the comparison table, for the terminal and the page.

A column has a heading with its unit, the text of each row and a number for sorting. An unknown
value is a dash.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from linkwright.records.nested import flat
from linkwright.views.quantities import quantity, rounded, shares, span

if TYPE_CHECKING:
    from linkwright.comparison import Architecture, ArchitectureComparison
    from linkwright.comparison.result import Range
    from linkwright.plan import Properties

__all__ = [
    "Cell",
    "Column",
    "chosen_parts",
    "comparison_columns",
    "comparison_rows",
    "is_smaller",
    "label",
    "shape_text",
]

MAIN_METRIC = "time"
"""The metric of a workload with its own column; ping-pong has two in their own units."""


@dataclass(frozen=True)
class Cell:
    """The text of one row in a column, and the number behind it."""

    text: str
    value: float | None = None
    interval: str = ""
    """Interval of further draws of the hosts' constants, if they are drawn."""


@dataclass(frozen=True)
class Column:
    """One column: heading, unit, meaning, and its cell in each row."""

    heading: str
    unit: str
    meaning: str
    cell: Callable[[Architecture], Cell]
    better: str = ""
    """Which values are better, "low" or "high"; empty where none are."""


def label(row: Architecture) -> str:
    """Return the name of an architecture, with its sides if it has any."""
    return f"{row.name} {shape_text(row)}".strip()


def is_smaller(row: Architecture, comparison: ArchitectureComparison) -> bool:
    """Return whether a network has fewer nodes than the largest one, and thus no rank beside it."""
    return row.n_nodes < max(one.n_nodes for one in comparison.architectures)


def shape_text(row: Architecture) -> str:
    """Return a shape such as 4x4; empty for shapes without sides."""
    network = row.network
    if network.kind not in ("torus", "mesh", "p-mesh") or row.name == network.name:
        return ""
    return "x".join(map(str, network.shape))


def chosen_parts(row: Architecture) -> str:
    """Return the parts that replace the catalogue's usual ones, with their roles; empty if there
    are none.
    """
    return ", ".join(f"{role.replace('_', ' ')} {key}" for role, key in row.chosen_parts.items())


def comparison_columns(comparison: ArchitectureComparison) -> list[Column]:
    """Return the columns of a comparison's table."""
    checks = Column("checks", "", "findings of the proof of addresses, routes and ports", _checks)
    return [
        *_design_columns(comparison),
        *_speed_columns(comparison),
        *_workload_columns(comparison),
        checks,
    ]


def comparison_rows(comparison: ArchitectureComparison) -> tuple[list[str], list[list[Any]]]:
    """Return headings and rows of a comparison in the units of its JSON, for a spreadsheet."""
    records = [flat(row.to_json()) for row in comparison.architectures]
    headings = list(dict.fromkeys(name for record in records for name in record))
    return headings, [[record.get(name) for name in headings] for record in records]


def _design_columns(comparison: ArchitectureComparison) -> list[Column]:
    currency = comparison.architectures[0].properties.cost.currency
    return [
        Column("nodes", "", "compute nodes", lambda row: Cell(str(row.n_nodes), row.n_nodes)),
        Column(
            "cost, ports used",
            f"{currency} per node",
            "price of the ports in use, without cables, as in the papers",
            lambda row: _figure(row, lambda found: found.cost.ports_used_per_node),
            "low",
        ),
        Column(
            "cost, units bought",
            f"{currency} per node",
            "bill of materials: whole hubs and switches in the sizes sold, NICs and cables",
            lambda row: _figure(row, lambda found: found.cost.units_bought_per_node),
            "low",
        ),
        Column(
            "max nodes",
            "",
            "largest network of this kind with these parts; ∞ without a bound",
            _max_nodes,
            "high",
        ),
    ]


def _speed_columns(comparison: ArchitectureComparison) -> list[Column]:
    origin = next(filter(None, (row.latency_s.origin for row in comparison.architectures)), None)
    by = f" by {origin}" if origin else ""
    is_run = "ping-pong" in comparison.workloads
    method = "measured by a ping-pong on the engine" if is_run else "by closed forms, without a run"
    return [
        Column(
            f"latency{by}",
            "µs",
            f"half a round trip of the smallest message, best and worst pair, {method}",
            lambda row: _span(row.latency_s, 1e6),
            "low",
        ),
        Column(
            f"bandwidth{by}",
            "MB/s",
            f"best throughput between two nodes, best and worst pair, {method}",
            lambda row: _span(row.bandwidth_Bps, 1e-6),
            "high",
        ),
        Column(
            "bisection per node",
            "MB/s",
            "bandwidth across the worst equal split, both directions, divided by the nodes",
            lambda row: _figure(row, lambda found: found.bisection.per_node_Bps * 1e-6),
            "high",
        ),
        Column(
            "forwards",
            "mean / worst",
            "nodes that forward a packet between two others",
            _forwards,
            "low",
        ),
        Column(
            "balance",
            "",
            "load of the busiest node over the mean, if every node sends to every other",
            _balance,
            "low",
        ),
        Column(
            "failures: heal / new tables / cut off",
            "%",
            "single failures of a cable, NIC, hub or switch that heal by themselves, that need new "
            "tables, and that cut nodes off, as that of a node's only cable does, which no routing "
            "heals; together 100 %",
            _outcomes,
            "high",
        ),
    ]


def _workload_columns(comparison: ArchitectureComparison) -> list[Column]:
    def column(workload: str) -> Column:
        def cell(row: Architecture) -> Cell:
            found = row.intervals_of(workload).get(MAIN_METRIC)
            if found is None:
                return Cell("–")
            ends = f"{quantity(found.low, 's')}..{quantity(found.high, 's')}"
            return Cell(quantity(found.mean, "s"), found.mean, ends if found.n > 1 else "")

        return Column(workload, "time", f"time of one {workload} of all nodes", cell, "low")

    return [
        column(workload)
        for workload in comparison.workloads
        if any(MAIN_METRIC in row.figures_of(workload) for row in comparison.architectures)
    ]


def _figure(row: Architecture, read: Callable[[Properties], float]) -> Cell:
    value = read(row.properties)
    return Cell(rounded(value), value)


def _span(found: Range, factor: float) -> Cell:
    """Return a figure of the best and the worst pair, which is judged by the worst."""
    ends = [None if value is None else value * factor for value in (found.best, found.worst)]
    intervals = [
        f"{rounded(one.low * factor)}..{rounded(one.high * factor)}"
        for one in found.intervals or ()
    ]
    worst = ends[0] if ends[1] is None else ends[1]
    return Cell(span(*ends), worst, " – ".join(dict.fromkeys(intervals)))


def _forwards(row: Architecture) -> Cell:
    paths = row.properties.paths
    return Cell(f"{paths.forwards_mean:.2f} / {paths.forwards_worst}", paths.forwards_mean)


def _balance(row: Architecture) -> Cell:
    value = row.properties.balance
    return Cell("–") if value is None else Cell(rounded(value), value)


def _outcomes(row: Architecture) -> Cell:
    """Return the shares of outcomes, in the order of the harm: failures that cut nodes off count
    before those that need new tables.
    """
    found = row.properties.outcomes
    return Cell(shares(found.shares), 1e6 * found.survives + (found.heals or 0.0))


def _max_nodes(row: Architecture) -> Cell:
    most = row.properties.max_nodes
    return Cell("∞", 1e18) if most is None else Cell(f"{most}", most)


def _checks(row: Architecture) -> Cell:
    counts = Counter(str(finding.severity) for finding in row.findings)
    errors, warnings = counts["error"], counts["warning"]
    for n, noun, weight in ((errors, "error", 1e6), (warnings, "warning", 1.0)):
        if n:
            return Cell(f"{n} {noun}{'s' if n > 1 else ''}", n * weight)
    return Cell("in order", 0.0)
