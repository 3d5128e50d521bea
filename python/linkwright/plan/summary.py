"""`summary.json`: the plan's figures in one file, for people and for scripts that compare plans.

Numbers are in the units of the papers (us, MB/s), as their names say. A figure without a value in
the path model is null.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwright.network import NODE
from linkwright.plan.connected import disconnected_nodes
from linkwright.plan.cost import CABLE_KIND_NAMES, Cost, n_nics
from linkwright.plan.properties import BestWorst
from linkwright.plan.resilience import COUNTS, SurvivalCount
from linkwright.records.plain_numbers import significant
from linkwright.version import VERSION

if TYPE_CHECKING:
    from linkwright.network import Network
    from linkwright.plan.facts import Facts
    from linkwright.plan.units import RackedUnits

DIGITS = 9
"""Significant digits of the figures."""


def summary_of(facts: Facts) -> dict[str, Any]:
    """Return the figures of `summary.json`, as JSON values."""
    network, left = facts.owned.network, facts.network
    return {
        "name": network.name,
        "kind": network.kind,
        "shape": list(network.shape),
        "addressing": network.addressing,
        "routing": left.routing,
        **_failures(left),
        "counts": {**_counts(network, facts.owned.racked), "routes": facts.n_routes},
        "max_nodes": facts.properties.max_nodes,
        "cost_per_node": _cost(facts.cost),
        "latency_us": _scaled(facts.latency_s, 1e6),
        "bandwidth_MBps": _scaled(facts.bandwidth_Bps, 1e-6),
        "bisection": {
            "total_MBps": _figure(facts.bisection.total_Bps * 1e-6),
            "per_node_MBps": _figure(facts.bisection.per_node_Bps * 1e-6),
            "exact": facts.bisection.is_exact,
            "method": facts.bisection.method,
        },
        "diameter_hops": facts.paths.forwards_worst + 1,
        "forwards": {
            "mean": _figure(facts.paths.forwards_mean),
            "worst": facts.paths.forwards_worst,
            "balance": facts.balance and _figure(facts.balance),
        },
        "resilience": _resilience(facts),
        "design_hash": network.design_hash,
        "version": VERSION,
    }


def _failures(left: Network) -> dict[str, Any]:
    """Return the failed parts and the nodes that they disconnect; nothing without failures."""
    if not left.without:
        return {}
    lost = [left.device_names[node] for node in disconnected_nodes(left)]
    return {"without": list(left.without), "disconnected": lost}


def _counts(network: Network, racked: RackedUnits) -> dict[str, Any]:
    n_kinds = Counter(unit.kind for unit in racked.units)
    kinds = np.bincount(network.wiring.cable_kind, minlength=len(CABLE_KIND_NAMES)).tolist()
    kinds[CABLE_KIND_NAMES.index("stack")] += network.wiring.n_stack_cables
    subnets = {interface.network for interface in network.addresses.ip}
    on_links = {
        interface.network
        for interface, port, is_borrowed in zip(
            network.addresses.ip,
            network.addresses.port.tolist(),
            network.addresses.is_borrowed.tolist(),
            strict=True,
        )
        if port >= 0 and not is_borrowed
    }
    return {
        "nodes": int((network.wiring.kind == NODE).sum()),
        "compute_nodes": network.n_compute,
        "hubs": n_kinds["hub"],
        "switches": n_kinds["switch"],
        "logical_hubs_and_switches": int((network.wiring.kind != NODE).sum()),
        "nics": n_nics(network),
        "cables": sum(kinds),
        "cables_by_kind": dict(zip(CABLE_KIND_NAMES, kinds, strict=True)),
        "segments": network.core.fabric.n_segments,
        "subnets": len(subnets),
        "segment_subnets": len(on_links),
        "addresses": len(network.addresses.ip),
    }


def _cost(cost: Cost) -> dict[str, Any]:
    return {
        "ports_used": _figure(cost.ports_used_per_node),
        "units_bought": _figure(cost.units_bought_per_node),
        "currency": cost.currency,
        "by_role": {
            role: {"ports_used": _figure(used), "units_bought": _figure(bought)}
            for role, (used, bought) in cost.per_role().items()
        },
    }


def _scaled(figure: BestWorst, factor: float) -> dict[str, float | None]:
    ends = {"best": figure.best, "worst": figure.worst}
    return {
        name: None if value is None else _figure(value * factor) for name, value in ends.items()
    }


def _figure(value: float) -> float:
    """Return a figure with the digits of the file."""
    return significant(value, DIGITS)


def _resilience(facts: Facts) -> dict[str, Any]:
    found = facts.connectivity
    heals = facts.outcomes.heals

    def entry(count: SurvivalCount) -> dict[str, int]:
        return {"failures": count.n_failures, "survived": count.n_survived}

    return {
        "heals": None if heals is None else _figure(heals),
        "survives": _figure(found.fraction),
        "counts": COUNTS,
        **entry(found.total),
        "outcomes": facts.outcomes.to_json(),
        "by_kind": {
            "cable": entry(found.cables),
            "nic": entry(found.nics),
            "hub": entry(found.hubs),
            "switch": entry(found.switches),
        },
    }
