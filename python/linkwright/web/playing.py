"""A run of a workload on the design of the page, as the page in which it is played, also beside the
run of another design.

The page is that of `linkwright simulate DESIGN -w WORKLOAD -o FILE.html`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from linkwright import engines, workloads
from linkwright.design.cluster import Cluster
from linkwright.engines.played import PackedRun
from linkwright.network import Network
from linkwright.network import compile as compile_network
from linkwright.placement import IN_ORDER, with_ranks_per_node
from linkwright.progress import Report
from linkwright.results import Manifest, Result
from linkwright.views.beside_page import beside_page
from linkwright.views.play_page import expect_playable, play_page

__all__ = ["asked_run", "played"]

Event = tuple[str, Any]


def played(request: Mapping[str, Any], report: Report) -> Iterator[Event]:
    """Yield the page of a run, or of two.

    Parameters
    ----------
    request : mapping
        The `text` of the design, its `name` and the `folder` that its paths are relative to; the
        `workload` with its settings, the `seed`, and the `placement` of ranks with the
        `ranks_per_node`; a second design to play `beside` the first.
    report : callable
        Called now and then.
    """
    designs = [request, *([request["beside"]] if request.get("beside") else [])]
    runs = [_observed(design, request, report) for design in designs]
    yield "page", play_page(*runs[0]) if len(runs) == 1 else beside_page(runs)


def _observed(
    design: Mapping[str, Any], request: Mapping[str, Any], report: Report
) -> tuple[Network, PackedRun, Result, Manifest]:
    cluster = Cluster.parse(design["text"], Path(design["folder"]))
    network = compile_network(cluster, report=report)
    expect_playable(network)
    run = asked_run(network, cluster, request)
    started = datetime.now(UTC)
    seen = engines.observe(run, engines.Observation(page=True), progress=report)
    command = _command(design["name"], request)
    manifest = Manifest.of(command=command, started=started, finished=datetime.now(UTC))
    return *seen.played, manifest


def asked_run(
    network: Network, cluster: Cluster, request: Mapping[str, Any], **inputs: Any
) -> engines.Run:
    """Return the run of a request, by the packet engine unless the inputs say otherwise.

    Parameters
    ----------
    network, cluster
        The design.
    request : mapping
        The `workload` with its settings, the `seed`, and the `placement` of ranks with the
        `ranks_per_node`.
    **inputs
        Further inputs of `engines.Run.of`.
    """
    asked = request["workload"]
    return engines.Run.of(
        network,
        workloads.parse(asked["name"], asked.get("settings") or {}),
        calibration=cluster.calibration,
        seed=int(request["seed"]),
        placement=_placement(request),
        **inputs,
    )


def _placement(request: Mapping[str, Any]) -> str:
    return with_ranks_per_node(request["placement"], int(request["ranks_per_node"]))


def _command(name: str, request: Mapping[str, Any]) -> list[str]:
    """Return the command that makes the same page."""
    asked, placement = request["workload"], _placement(request)
    command = ["linkwright", "simulate", name or "design.yaml", "-w", asked["name"]]
    for setting, value in (asked.get("settings") or {}).items():
        command += ["--set", f"{setting}={value}"]
    command += ["--seed", str(int(request["seed"]))]
    return command + (["--placement", placement] if placement != IN_ORDER else [])
