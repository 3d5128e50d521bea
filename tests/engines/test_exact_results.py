"""Not a bit of a result changes: the reference workloads and odd networks, against stored digests.

An optimisation leaves tests/golden/engines/packet.json as it is; whatever else changes it says why.
The file is compared by every build alike, so two builds that pass agree with each other: see
docs/design/packet-engine-speed.md. Counts of events and bytes of memory are no results.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

import linkwright
from cases import CALIBRATIONS, CASES, Case
from linkwright import calibrations, workloads
from linkwright.engines.inputs import Run
from linkwright.engines.packet import PACKET

FIGURES = (
    "simulated_s",
    "frame_hops",
    "frames_created",
    "frames_consumed",
    "frames_in_flight",
    "dropped_at_queues",
    "dropped_at_receivers",
    "dropped_by_collisions",
    "dropped_without_route",
    "collisions",
    "forwards",
    "timeouts",
    "connections",
)


NODE = "node: node-without-slot-limit"


def odd(topology: str, workload: workloads.Workload) -> Case:
    return Case(title="", topology=topology, parts=NODE, workload=workload, n_nodes=0)


SHIFT = workloads.Shift(k=3, size_bytes=200_000)
SHUFFLE = workloads.Permutation(size_bytes=200_000)
EXCHANGE = workloads.AllToAll(size_bytes=5000, repeats=2, warm_up=1)

ODD = {
    "bonds": odd("{kind: bonded-dual-net, nodes: 9}", SHIFT),
    "bonded mesh": odd("{kind: bonded-switched-mesh, shape: [3, 4]}", SHUFFLE),
    "hubs on a switch": odd("{kind: hub-switch, nodes: 12, density: 4}", SHIFT),
    "buses": odd("{kind: routed-mesh, shape: [3, 4]}", SHUFFLE),
    "cut-through": odd("{kind: switch, nodes: 24}", EXCHANGE),
    "fat tree": odd("{kind: fat-tree, k: 6}", SHUFFLE),
    "torus": odd("{kind: torus, shape: [4, 4, 4]}", EXCHANGE),
    "tree": odd("{kind: tree, nodes: 60, uplinks: 2}", EXCHANGE),
    "stack mesh": odd("{kind: stack-mesh, shape: [3, 3], nodes_per_group: 4}", SHUFFLE),
    "p-mesh": odd("{kind: p-mesh, shape: [3, 4, 3], lines_per_switch: 2}", EXCHANGE),
}
RUNS = {
    f"{name}, {hosts} hosts": (case, calibration)
    for name, case in (CASES | ODD).items()
    for hosts, calibration in CALIBRATIONS.items()
}


def summary(run: str) -> dict[str, object]:
    """Play one run; return what it counted and a digest of every mark of every rank."""
    case, calibration = RUNS[run]
    network = linkwright.compile(linkwright.Cluster.parse(case.design))
    hosts = calibrations.load(calibration)
    run = Run(network=network, workload=case.workload, hosts=hosts, seed=1)
    outcome = PACKET.simulate(run).answer
    marks = hashlib.sha256()
    for column in ("mark", "rank", "time_s"):
        marks.update(outcome[column].tobytes())
    return {"marks": marks.hexdigest(), **{name: outcome["figures"][name] for name in FIGURES}}


@pytest.mark.parametrize("n_threads", [1, 2])
def test_results_are_those_stored_on_any_number_of_threads(
    n_threads: int, golden: Callable[[str, str], None]
) -> None:
    with ThreadPoolExecutor(n_threads) as pool:
        found = dict(zip(RUNS, pool.map(summary, RUNS), strict=True))
    golden("engines/packet.json", json.dumps(found, indent=1) + "\n")
