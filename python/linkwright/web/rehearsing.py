"""A rehearsal of a design on real kernels of this machine: a workload by real processes, with the
verdict on its times and the prediction beside it, or the comparison of the kernels with the proofs.

The engine and the comparison are those of `linkwright emulate`. The worker is root, of a namespace
where its user is not (worker.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from linkwright import engines
from linkwright.design.cluster import Cluster
from linkwright.emulation.machine import expect_abilities
from linkwright.engines.engine import engine_named
from linkwright.network import compile as compile_network
from linkwright.observations.traffic import Traffic
from linkwright.placement import most_ranks, nodes_of_ranks
from linkwright.progress import Report
from linkwright.results import ENGINE_FIGURES, Result
from linkwright.verification.kernels import KernelProof, verify
from linkwright.views.kernels import kernels_summary
from linkwright.views.metric_words import figure, metric_words
from linkwright.views.quantities import quantity
from linkwright.views.run_answer import size_of
from linkwright.web.answers import Rehearsed, RehearsedLane, RehearsedRow, Verified
from linkwright.web.playing import asked_run

__all__ = ["rehearsed"]

MOST_SPANS = 400
"""Spans of a lane; of more, several are one."""
MOST_DISAGREEMENTS = 50
VERDICTS = ("faithful", "stretched", "invalid", "idle")
Event = tuple[str, Any]


def rehearsed(request: Mapping[str, Any], report: Report) -> Iterator[Event]:
    """Yield the outcome of a rehearsal.

    Parameters
    ----------
    request : mapping
        The `text` of the design and the `folder` that its paths are relative to; whether it
        `verifies` the plan; else the `workload` with its settings, the `seed`, the `placement` of
        ranks with the `ranks_per_node`, the `faults`, and the `dilation`; without one, the
        least that the machine keeps up with.
    report : callable
        Called at each step; an exception that it raises ends the rehearsal.
    """
    cluster = Cluster.parse(request["text"], Path(request["folder"]))
    expect_abilities()
    if request["verifies"]:
        report(0, 1, "bringing nodes up")
        proof = verify(cluster, report=lambda done, of: report(done, of, "trying failures"))
        yield "verified", _verified(proof)
        return
    network = compile_network(cluster, report=report)
    run = partial(asked_run, network, cluster, request, faults=request["faults"])
    report(0, 1, "predicting")
    beside = engines.observe(run()).result
    emulation = engine_named("emulation")
    made = emulation.settle(run(engine="emulation", dilation=request["dilation"] or None))
    [simulated_s, *_] = beside.filter(metric="simulated_s").values()
    lasts_s = simulated_s * made.options["dilation"]
    report(0, 1, f"bringing nodes up, and running for about {quantity(lasts_s, 's')}")
    seen = engines.observe(made, engines.Observation(traffic=True))
    assert seen.watched is not None
    yield "rehearsed", _rehearsed(seen.run, seen.result, beside, seen.watched.traffic)


def _rehearsed(run: engines.Run, result: Result, beside: Result, traffic: Traffic) -> Rehearsed:
    verdict = next((one for one in result.remarks if one.startswith(VERDICTS)), "")
    stride = max(1, -(-len(traffic.bytes_sent) // MOST_SPANS))
    return {
        "word": verdict.partition(":")[0],
        "verdict": verdict,
        "remarks": [one for one in result.remarks if one != verdict],
        "dilation": run.options["dilation"],
        "rows": _rows(result, beside),
        "lanes": _lanes(run, traffic, stride),
        "span_s": traffic.span_s * stride,
    }


def _rows(result: Result, beside: Result) -> list[RehearsedRow]:
    """Return the figures of a workload, each beside the prediction of the packet engine."""
    predicted = {(row.metric, size_of(row)): row for row in beside.rows()}
    rows: list[RehearsedRow] = []
    for row in result.rows():
        if row.metric in ENGINE_FIGURES:
            continue
        other = predicted.get((row.metric, size_of(row)))
        rows.append(
            {
                "metric": row.metric,
                "words": ", ".join(filter(None, (metric_words(row.metric), size_of(row)))),
                "measured": figure(row.value, row.unit),
                "predicted": figure(other.value, other.unit) if other else "",
            }
        )
    return rows


def _lanes(run: engines.Run, traffic: Traffic, stride: int) -> list[RehearsedLane]:
    """Return the bytes that the node of each rank sends and receives in each span."""
    network = run.network
    n_ranks = most_ranks(run.placement, network)
    nodes = nodes_of_ranks(run.placement, network, n_ranks, seed=run.seed or 0).tolist()
    names = np.array([port.partition(":")[0] for port in traffic.ports])
    starts = np.arange(0, len(traffic.bytes_sent), stride)
    lanes: list[RehearsedLane] = []
    for rank, node in enumerate(nodes):
        own = names == network.device_names[node]
        sent, received = (
            np.add.reduceat(counts[:, own].sum(axis=1), starts).tolist() if len(starts) else []
            for counts in (traffic.bytes_sent, traffic.bytes_received)
        )
        name = f"{rank} · {network.device_names[node]}"
        lanes.append({"name": name, "sent": sent, "received": received})
    return lanes


def _verified(proof: KernelProof) -> Verified:
    found = [
        f"{one.sender} → {one.receiver}, {one.failure or 'whole'}, tables {one.tables}: "
        f"proof {one.proof}, kernels {one.kernels}"
        for one in proof.disagreements[:MOST_DISAGREEMENTS]
    ]
    return {"text": kernels_summary(proof), "agrees": not found, "disagreements": found}
