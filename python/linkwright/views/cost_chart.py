"""The chart of cost against time: a point per network, so that the page can draw the Pareto front.

A network with fewer nodes than the others has a point but no place on the front: it does less.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from linkwright.network import HUB, SWITCH
from linkwright.views.chart import Chart
from linkwright.views.columns import is_smaller, label

if TYPE_CHECKING:
    from linkwright.comparison import ArchitectureComparison
    from linkwright.network import Network

__all__ = ["FAMILIES", "CostChart", "cost_chart", "family"]

FAMILIES = ("with hubs", "with switches", "nodes alone")
"""Kinds of networks by the boxes in them; a hub beside switches makes it one with hubs."""


@dataclass(frozen=True)
class Price:
    """One way to count the cost, with the cost of each network per node."""

    name: str
    values: tuple[float, ...]


@dataclass(frozen=True)
class Duration:
    """One time, with that of each network; None if it did not run there."""

    name: str
    values: tuple[float | None, ...]


@dataclass(frozen=True)
class CostChart:
    """Costs and times of all networks; the reader chooses one of each."""

    id: str
    currency: str
    names: tuple[str, ...]
    is_smaller: tuple[bool, ...]
    prices: tuple[Price, ...]
    durations: tuple[Duration, ...]
    kind: str = "cost"


def cost_chart(comparison: ArchitectureComparison, others: Iterable[Chart]) -> CostChart | None:
    """Return the chart of a comparison, from the times in its bars; None without a time."""
    rows = comparison.architectures
    times = [one for one in others if one.bars and one.x.unit == "s"]
    times.sort(key=lambda one: one.id.startswith("bar-ping-pong"))  # of all nodes first
    if not times:
        return None
    costs = [row.properties.cost for row in rows]
    return CostChart(
        "cost-time",
        costs[0].currency,
        tuple(label(row) for row in rows),
        tuple(is_smaller(row, comparison) for row in rows),
        (
            Price("ports used", tuple(one.ports_used_per_node for one in costs)),
            Price("units bought", tuple(one.units_bought_per_node for one in costs)),
        ),
        tuple(_duration(one, len(rows)) for one in times),
    )


def _duration(chart: Chart, n_networks: int) -> Duration:
    """Return the worst time of each network, which may have a bar for each of two pairs."""
    worst: list[float | None] = [None] * n_networks
    (bars,) = chart.bars
    for network, value in zip(bars.colours, bars.values, strict=True):
        if value is not None:
            worst[network] = max(value, worst[network] or 0.0)
    return Duration(chart.title, tuple(worst))


def family(network: Network) -> str:
    """Return the family of a network, one of `FAMILIES`."""
    kinds = set(network.wiring.kind.tolist())
    return FAMILIES[0 if HUB in kinds else 1 if SWITCH in kinds else 2]
