"""`summary.json`: the plan's figures in one file, for people and for scripts that compare plans.

Numbers are shown in the units of the papers (us, MB/s), as their names say. A figure that the path
model does not have is null.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwright.network import NODE
from linkwright.plan.cost import CABLE_KIND_NAMES, Cost, n_nics
from linkwright.plan.joined import cut_off
from linkwright.plan.properties import BestWorst, Properties
from linkwright.plan.resilience import COUNTS, Connectivity, SurvivalCount
from linkwright.plan.units import RackedUnits
from linkwright.version import VERSION

if TYPE_CHECKING:
    from linkwright.network import Network


def summary_text(network: Network, found: Properties, *, n_routes: int, left: Network) -> str:
    """Return the text of `summary.json`.

    Parameters
    ----------
    network : Network
        The compiled network with all its parts.
    found : Properties
        Its figures.
    n_routes : int
        How many routes the plan lists.
    left : Network
        The network that the routes are of: the same, or what is left of it.
    """
    document = {
        "name": network.name,
        "kind": network.kind,
        "shape": list(network.shape),
        "addressing": network.addressing,
        "routing": left.routing,
        **_failures(left),
        "counts": {**_counts(network), "routes": n_routes},
        "max_nodes": found.max_nodes,
        "cost_per_node": _cost(found.cost),
        "latency_us": _scaled(found.latency_s, 1e6),
        "bandwidth_MBps": _scaled(found.bandwidth_Bps, 1e-6),
        "bisection": {
            "total_MBps": rounded(found.bisection.total_Bps * 1e-6),
            "per_node_MBps": rounded(found.bisection.per_node_Bps * 1e-6),
            "exact": found.bisection.is_exact,
            "method": found.bisection.method,
        },
        "diameter_hops": found.paths.forwards_worst + 1,
        "forwards": {
            "mean": rounded(found.paths.forwards_mean),
            "worst": found.paths.forwards_worst,
            "balance": found.balance and rounded(found.balance),
        },
        "resilience": _connectivity(found.connectivity),
        "design_hash": network.design_hash,
        "version": VERSION,
    }
    return json.dumps(document, indent=2) + "\n"


def _failures(left: Network) -> dict[str, Any]:
    """Return what died and who is cut off by it; nothing where nothing died."""
    if not left.without:
        return {}
    lost = [left.device_names[node] for node in cut_off(left)]
    return {"without": list(left.without), "cut_off": lost}


def rounded(value: float) -> float:
    """Return a figure to nine significant digits, which hides the last bits of binary fractions."""
    return float(f"{value:.9g}")


def _counts(network: Network) -> dict[str, Any]:
    n_kinds = Counter(unit.kind for unit in RackedUnits.of(network).units)
    kinds = np.bincount(network.cable_kind, minlength=len(CABLE_KIND_NAMES)).tolist()
    devices, stack_units = network.device_kind, network.stack_units.astype(np.int64)
    kinds[CABLE_KIND_NAMES.index("stack")] += int((stack_units[devices != NODE] - 1).sum())
    subnets = {interface.network for interface in network.address_ip}
    on_links = {
        interface.network
        for interface, port in zip(network.address_ip, network.address_port.tolist(), strict=True)
        if port >= 0
    }
    return {
        "nodes": network.n_nodes,
        "compute_nodes": network.n_compute,
        "hubs": n_kinds["hub"],
        "switches": n_kinds["switch"],
        "logical_hubs_and_switches": int((devices != NODE).sum()),
        "nics": n_nics(network),
        "cables": sum(kinds),
        "cables_by_kind": dict(zip(CABLE_KIND_NAMES, kinds, strict=True)),
        "segments": network.core.fabric.n_segments,
        "subnets": len(subnets),
        "segment_subnets": len(on_links),
        "addresses": len(network.address_ip),
    }


def _cost(cost: Cost) -> dict[str, Any]:
    return {
        "ports_used": rounded(cost.ports_used_per_node),
        "units_bought": rounded(cost.units_bought_per_node),
        "currency": cost.currency,
        "by_role": {
            role: {"ports_used": rounded(used), "units_bought": rounded(bought)}
            for role, (used, bought) in cost.per_role().items()
        },
    }


def _scaled(figure: BestWorst, factor: float) -> dict[str, float | None]:
    ends = {"best": figure.best, "worst": figure.worst}
    return {
        name: None if value is None else rounded(value * factor) for name, value in ends.items()
    }


def _connectivity(found: Connectivity) -> dict[str, Any]:
    def entry(count: SurvivalCount) -> dict[str, int]:
        return {"failures": count.n_failures, "survived": count.n_survived}

    return {
        "survives": rounded(found.fraction),
        "counts": COUNTS,
        **entry(found.total),
        "by_kind": {
            "cable": entry(found.cables),
            "nic": entry(found.nics),
            "hub": entry(found.hubs),
            "switch": entry(found.switches),
        },
    }
