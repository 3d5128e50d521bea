"""Runs with several seeds where chance matters, and one where it does not.

Chance is in collisions, lost frames and random placement.
"""

from __future__ import annotations

import linkwright
from linkwright import engines
from linkwright.network import Network
from linkwright.papers import PAPERS
from linkwright.results import Result
from linkwright.workloads import PingPong, Workload, parse

WHITNEY = "parts: {catalogue: whitney-1997}"


def network(topology: str, extra: str = WHITNEY) -> Network:
    return linkwright.compile(linkwright.Cluster.parse(f"{{topology: {topology}, {extra}}}"))


HUB = network("{kind: hub, nodes: 4}")
RING = network("{kind: ring, shape: [4]}")


def seeds(built: Network, workload: Workload, engine: str = "packet", **more: object) -> list[int]:
    found: Result = engines.run(
        built,
        workload,
        engine=engine,
        repeats=None,
        seed=1,
        **more,  # type: ignore[arg-type]
    )
    return sorted(set(found.column("seed")))


LU = parse("npb.lu", {"class": "S", "iterations": "8"})
SMALL = parse("all-to-all", {"size_bytes": "4096"})


def test_chance_takes_several_seeds() -> None:
    assert seeds(HUB, LU) == [1, 2, 3, 4]
    assert seeds(HUB, LU, "flow") == [1]
    assert seeds(RING, LU) == [1]


def test_what_chance_does_not_change_runs_once() -> None:
    assert seeds(HUB, PingPong(size_bytes=1)) == [1]
    assert seeds(RING, SMALL, calibration="ideal-reno") == [1]


def test_lost_frames_and_random_places_are_chance() -> None:
    lossy = {"faults": ["cable:0 loss 0.05"], "calibration": "ideal-reno"}
    assert seeds(RING, SMALL, **lossy) == [1, 2, 3, 4]
    ring = network("{kind: ring, shape: [16]}")
    assert seeds(ring, PingPong(size_bytes=1), "analytic", placement="random") == [1, 2, 3, 4]


def test_a_benchmark_has_the_seeds_of_its_reproduction() -> None:
    study = PAPERS["NAS-97-017"].run_tables["npb"]()
    assert {one.workload.n_seeds for one in study.experiments} == {2, 4}
    assert all(one.seeds == one.workload.n_seeds for one in study.experiments)
