"""A run of a workload on the design of the page, as the page in which it is played.

The page is that of `linkwright simulate DESIGN -w WORKLOAD -o FILE.html`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from linkwright import engines, workloads
from linkwright.design.cluster import Cluster
from linkwright.network import compile as compile_network
from linkwright.placement import IN_ORDER, with_ranks_per_node
from linkwright.progress import Report
from linkwright.results import Manifest
from linkwright.views.play_page import play_page

__all__ = ["played"]

Event = tuple[str, Any]


def played(request: Mapping[str, Any], report: Report) -> Iterator[Event]:
    """Yield the page of a run.

    Parameters
    ----------
    request : mapping
        The `text` of the design, its `name` and the `folder` that its paths are relative to; the
        `workload` with its settings, the `seed`, and the `placement` of ranks with the
        `ranks_per_node`.
    report : callable
        Called now and then.
    """
    cluster = Cluster.parse(request["text"], Path(request["folder"]))
    asked, seed = request["workload"], int(request["seed"])
    settings = asked.get("settings") or {}
    workload = workloads.parse(asked["name"], settings)
    network = compile_network(cluster, report=report)
    started = datetime.now(UTC)
    placement = with_ranks_per_node(request["placement"], int(request["ranks_per_node"]))
    run = engines.Run.of(
        network, workload, calibration=cluster.calibration, seed=seed, placement=placement
    )
    seen = engines.observe(run, engines.Observation(page=True), progress=report)
    command = ["linkwright", "simulate", request["name"] or "design.yaml", "-w", workload.name]
    command += [word for name, value in settings.items() for word in ("--set", f"{name}={value}")]
    command += ["--seed", str(seed)]
    command += ["--placement", placement] if placement != IN_ORDER else []
    manifest = Manifest.of(command=command, started=started, finished=datetime.now(UTC))
    yield "page", play_page(*seen.played, manifest)
