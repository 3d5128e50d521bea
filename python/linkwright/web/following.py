"""All that follows from the text of a design, in the order in which a reader wants it: findings,
drawing, price, connectivity, predictions from the fastest engine to the most exact one, and the
cost of each failure.

A stage that fails does not end the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, cast

from linkwright import plan
from linkwright.design.cluster import Cluster
from linkwright.errors import CapabilityError, LinkwrightError, UsageError
from linkwright.network import Network
from linkwright.network import compile as compile_network
from linkwright.plan import Facts
from linkwright.progress import Report
from linkwright.views.check_page import MOST_NODES, proof_data
from linkwright.views.drawing import draw
from linkwright.views.inventory import inventory
from linkwright.views.prediction import prediction_record
from linkwright.views.report import MOST_DRAWN_NODES
from linkwright.web.answers import (
    Checked,
    Connectivity,
    Drawn,
    Finding,
    KindOfFailure,
    Line,
    Outcomes,
    Predicted,
    Price,
    Rerouting,
)
from linkwright.web.predicting import measured_by

__all__ = ["ENGINES", "followed"]

ENGINES = ("analytic", "flow", "packet")
"""The engines in the order of their cost."""

Event = tuple[str, Any]


def followed(request: Mapping[str, Any], report: Report) -> Iterator[Event]:
    """Yield the facts about a design.

    Parameters
    ----------
    request : mapping
        The `text` of the design; the `folder` that its paths are relative to; `workloads` with
        their settings as texts, the `engines` to ask, the `seed`, and the `placement` of ranks with
        the `ranks_per_node`.
    report : callable
        Called now and then; an exception that it raises ends the task.
    """
    cluster = Cluster.parse(request["text"], Path(request["folder"]))
    network = compile_network(cluster, report=report)
    facts = Facts(network)
    stages: dict[str, Callable[[], Any]] = {
        "check": lambda: _check(facts),
        "drawing": lambda: _drawing(network),
        "price": lambda: _price(facts),
        "connectivity": lambda: _connectivity(facts),
        "proof": lambda: _proof(network),
    }
    run = partial(_predicted, network, cluster, request, report)
    stages |= {engine: partial(run, engine) for engine in request["engines"]}
    stages["rerouting"] = lambda: _rerouting(facts, report)
    for name, stage in stages.items():
        report(0, 1, name)
        yield _answer(name, stage)


def _answer(name: str, stage: Callable[[], Any]) -> Event:
    try:
        return name, stage()
    except LinkwrightError as error:
        return "failed", {"stage": name, "message": error.message, "hint": error.hint}


def _check(facts: Facts) -> Checked:
    network = facts.network
    return {
        "name": network.name,
        "kind": network.kind,
        "shape": list(network.shape),
        "nodes": network.n_compute,
        "parts": inventory(network),
        "addressing": network.addressing,
        "routing": network.routing,
        "findings": [cast(Finding, one.to_json()) for one in plan.findings_of(facts)],
    }


def _drawing(network: Network) -> Drawn:
    if network.n_nodes > MOST_DRAWN_NODES:
        raise UsageError(
            f"{network.n_nodes} nodes are not drawn: they would be a grey square",
            f"{MOST_DRAWN_NODES} are the most",
        )
    return {"svg": draw(network)}


def _price(facts: Facts) -> Price:
    cost = facts.cost
    lines: list[Line] = [
        {
            "item": line.item,
            "part": line.part,
            "name": line.name,
            "quantity": line.quantity,
            "unit_price": line.unit_price,
            "total": line.total,
            "date": line.price_date.isoformat(),
            "source": line.source,
            "confidence": line.confidence,
        }
        for line in cost.units_bought
    ]
    return {
        "currency": cost.currency,
        "nodes": cost.n_compute,
        "ports_used_per_node": cost.ports_used_per_node,
        "units_bought_per_node": cost.units_bought_per_node,
        "total": sum(line.total for line in cost.units_bought),
        "lines": lines,
    }


def _connectivity(facts: Facts) -> Connectivity:
    found = facts.connectivity
    kinds = {"cable": found.cables, "nic": found.nics, "hub": found.hubs, "switch": found.switches}
    return {
        "kinds": {
            name: {"n_failures": count.n_failures, "n_survived": count.n_survived}
            for name, count in kinds.items()
            if count.n_failures
        },
        "diameter_hops": facts.paths.forwards_worst + 1,
        "forwards_mean": facts.paths.forwards_mean,
        "bisection_Bps_per_node": facts.bisection.per_node_Bps,
    }


def _proof(network: Network) -> dict[str, Any]:
    """Return the tables in which the page fails parts by itself."""
    if network.n_nodes > MOST_NODES:
        raise UsageError(
            f"{network.n_nodes} nodes are too many for failing parts in the page",
            f"{MOST_NODES} are the most; `linkwright check` takes more",
        )
    return proof_data(network)


def _predicted(
    network: Network,
    cluster: Cluster,
    request: Mapping[str, Any],
    report: Report,
    engine: str,
) -> Predicted:
    """Return the predictions of one engine; a workload that it cannot run is named beside them."""
    measured, refused = measured_by(network, cluster, request, engine, report)
    found = prediction_record(network, measured)
    return {
        "engine": engine,
        "calibration": cluster.calibration,
        "refused": refused,
        "curves": found["curves"],
        "figures": found["figures"],
    }


def _rerouting(facts: Facts, report: Report) -> Rerouting:
    """Return the cost of all single failures, by kind of part, and their outcomes."""
    network = facts.network
    left_out = plan.why_not_proved(network)
    if left_out:
        raise CapabilityError(left_out, "")
    proof = plan.rerouting(
        network, "single", report=lambda done, of, *_: report(done, of, "trying failures")
    )
    kinds = [cast(KindOfFailure, asdict(kind)) for kind in proof.kinds]
    return {"kinds": kinds, "outcomes": cast(Outcomes, facts.outcomes.to_json())}
