"""Formulas of the literature against what was counted in the built network.

The formulas come with the topology, each with its source; the counts are made here on devices,
cables and followed routes, so that neither can hide a mistake of the other.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from linkwright.plan.facts import Facts
from linkwright.plan.properties import bisection
from linkwright.plan.typed_parts import nic_rates_bps

if TYPE_CHECKING:
    from linkwright.design.topologies import ClosedForms
    from linkwright.network import Network
    from linkwright.plan.paths import PathCounts


@dataclass(frozen=True)
class FormulaCheck:
    """One property by formula and by count.

    Attributes
    ----------
    name : str
        The property, for example "cables".
    closed, counted : float or None
        Its value by formula and in the built network; None if the formula gives no bound, or the
        network cannot be counted.
    unit : str
        Unit of both.
    agrees : bool or None
        Whether both are equal, or one is a bound that the other keeps; None if one is missing.
    note : str
        A caveat, for example that a value is a bound.
    source : str
        Source of the formula.
    """

    name: str
    closed: float | None
    counted: float | None
    unit: str
    agrees: bool | None
    note: str
    source: str


def compare_closed_forms(network: Network) -> list[FormulaCheck]:
    """Return every closed form of a network with the counted value.

    Both leave out the front end, its cable and its NIC, as far as they do not need a box of their
    own.
    """
    facts, closed = Facts(network), network.closed
    units = facts.racked.units
    is_compute_cable = ~_is_of_front_end(network)
    counts: list[tuple[str, float, float]] = [
        ("nodes", closed.n_nodes, network.n_compute),
        ("cables", closed.n_cables, int(is_compute_cable.sum())),
        ("switches", closed.n_switches, sum(unit.kind == "switch" for unit in units)),
        ("hubs", closed.n_hubs, sum(unit.kind == "hub" for unit in units)),
        ("nics_per_node", closed.nics_per_node, _most_nics(network, is_compute_cable)),
    ]
    same = [
        FormulaCheck(name, formula, count, "", math.isclose(formula, count), "", closed.source)
        for name, formula, count in counts
    ]
    paths = [
        _path_check(closed, name, formula, count)
        for name, formula, count in _path_counts(network, facts.paths)
    ]
    return [*same, *paths, _max_nodes(network), _bisection(network)]


def _path_check(closed: ClosedForms, name: str, formula: float, count: float) -> FormulaCheck:
    is_close = math.isclose(formula, count, abs_tol=1e-12)
    agrees = is_close or (closed.are_path_bounds and formula < count)
    note = "the formula is a lower bound" if closed.are_path_bounds else ""
    return FormulaCheck(name, formula, count, "", agrees, note, closed.source)


def _path_counts(network: Network, paths: PathCounts) -> list[tuple[str, float, float]]:
    if not paths.is_counted or not paths.classes:
        return []
    closed = network.closed
    return [
        ("diameter_hops", closed.diameter_hops, paths.forwards_worst + 1),
        ("forwards_worst", closed.forwards_worst, paths.forwards_worst),
        ("forwards_mean", closed.forwards_mean, paths.forwards_mean),
        ("switches_best", closed.switches_best, min(one.n_switches for one in paths.classes)),
        ("switches_worst", closed.switches_worst, max(one.n_switches for one in paths.classes)),
    ]


def _max_nodes(network: Network) -> FormulaCheck:
    closed = network.closed
    note = "no part bounds it" if closed.max_nodes is None else "bound set by the parts"
    return FormulaCheck("max_nodes", closed.max_nodes, None, "", None, note, closed.source)


def _bisection(network: Network) -> FormulaCheck:
    """Compare the cut links; every switch counts as non-blocking, as in the formulas."""
    closed, counted = network.closed, bisection(network, with_backplanes=False)
    formula = closed_bisection_Bps(network)
    if closed.bisection_is_exact and counted.is_exact:
        agrees, note = math.isclose(formula, counted.total_Bps), "both exact"
    elif counted.is_exact:
        agrees, note = counted.total_Bps <= formula * (1 + 1e-9), "the formula is an upper bound"
    elif closed.bisection_is_exact:
        agrees, note = counted.total_Bps >= formula * (1 - 1e-9), "the count is an upper bound"
    else:
        agrees, note = None, "both are upper bounds"
    return FormulaCheck("bisection", formula, counted.total_Bps, "B/s", agrees, note, closed.source)


def closed_bisection_Bps(network: Network) -> float:  # noqa: N802  the unit is spelled as units are
    """Return the bisection bandwidth by formula in bytes per second, both directions counted,
    without backplanes.
    """
    closed = network.closed
    by_links = closed.bisection_links * 2 * max(nic_rates_bps(network)) / 8
    if closed.bisection_uplinks is None:
        return by_links
    uplink_bps = network.cable_rate_bps[network.wiring.cable_class == 1].max(initial=0)
    uplink_bps = uplink_bps or max(nic_rates_bps(network))
    return min(by_links, closed.bisection_uplinks * 2 * float(uplink_bps) / 8)


def _is_of_front_end(network: Network) -> npt.NDArray[np.bool_]:
    if network.front_end is None:
        return np.zeros(len(network.wiring.cable_a), dtype=np.bool_)
    ends = network.wiring.joined_devices
    at_front_end: npt.NDArray[np.bool_] = (ends == network.front_end).any(axis=1)
    return at_front_end


def _most_nics(network: Network, among: npt.NDArray[np.bool_]) -> int:
    ends = np.concatenate([network.wiring.cable_a[among, 0], network.wiring.cable_b[among, 0]])
    return int(np.bincount(ends)[: network.n_compute].max())
