"""The runs that the page asks for: each workload by one engine, on the design as it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from linkwright import workloads
from linkwright.comparison.paired_runs import paired_runs
from linkwright.comparison.result import Measured
from linkwright.design.cluster import Cluster
from linkwright.errors import LinkwrightError
from linkwright.network import Network
from linkwright.placement import with_ranks_per_node
from linkwright.progress import Report

__all__ = ["measured_by"]


def measured_by(
    network: Network, cluster: Cluster, request: Mapping[str, Any], engine: str, report: Report
) -> tuple[list[Measured], list[str]]:
    """Return the runs of one engine, and the reason of each workload that it cannot run.

    Parameters
    ----------
    network, cluster
        The design.
    request : mapping
        The `workloads` with their settings as texts, the `seed`, and the `placement` of ranks with
        the `ranks_per_node`.
    engine : str
        Name of the engine.
    report : callable
        Called now and then; an exception that it raises ends the run.
    """
    measured: list[Measured] = []
    refused: list[str] = []
    for one in request["workloads"]:
        try:
            workload = workloads.parse(one["name"], one.get("settings") or {})
            jobs = paired_runs(network, [workload], engine=engine, **_inputs(cluster, request))
            measured += [job.measured(report) for job in jobs]
        except LinkwrightError as error:
            refused.append(_reason(one["name"], error))
    return measured, refused


def _inputs(cluster: Cluster, request: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "calibration": cluster.calibration,
        "seed": int(request["seed"]),
        "placement": with_ranks_per_node(request["placement"], int(request["ranks_per_node"])),
    }


def _reason(workload: str, error: LinkwrightError) -> str:
    """Return the reason why a workload has no prediction, with the remedy."""
    words = error.message.removeprefix(f"workload {workload}: ")
    return f"{workload}: {words}" + (f"; {error.hint}" if error.hint else "")
