"""Large networks: compiled, held against their closed forms, loaded, saturated, proved, planned.

`make bench` prints seconds and peak memory per case beside benchmarks/scale.json; `make baseline`
stores those of this machine. Each case has a process of its own and one thread, whose processor
time is counted: what else the machine does matters less to it.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import linkwright
from cases import CASES as REFERENCE
from cases import MEGABYTE, Permutations
from linkwright import calibrations, engines, plan, workloads

STORED = Path(__file__).with_name("scale.json")
MANY_SLOTS = "parts: {node: node-without-slot-limit}"

SIZES = {
    "hub": "topology: {kind: hub, nodes: 100000}",
    "single-net": "topology: {kind: single-net, nodes: 100000}",
    "switch": "topology: {kind: switch, nodes: 100000, stack_units: 1000}",
    "tree": "topology: {kind: tree, leaves: 500, nodes_per_leaf: 200}, "
    "parts: {switch: {ports: [256], uplink_size: 256}, root_switch: {ports: [1024]}}",
    "hub-switch": "topology: {kind: hub-switch, nodes: 100000, density: 99}, "
    "parts: {switch: {ports: [2048]}}",
    "ring": "topology: {kind: ring, shape: [100000]}",
    "torus-2d": "topology: {kind: torus, shape: [316, 316]}",
    "torus-3d": f"topology: {{kind: torus, shape: [47, 47, 46]}}, {MANY_SLOTS}",
    "mesh": "topology: {kind: mesh, shape: [316, 316]}",
    "p-mesh-2d": "topology: {kind: p-mesh, shape: [316, 316]}, parts: {switch: {ports: [320]}}",
    "p-mesh-3d": "topology: {kind: p-mesh, shape: [47, 47, 47]}",
    "routed-mesh": "topology: {kind: routed-mesh, shape: [316, 316]}",
    "hypercube": f"topology: {{kind: hypercube, dimension: 17}}, {MANY_SLOTS}",
    "hyperx": f"topology: {{kind: hyperx, shape: [18, 18, 18, 18]}}, {MANY_SLOTS}",
}
"""About 100,000 nodes of each kind."""

SAMPLED = {
    "switched-mesh": "topology: {kind: switched-mesh, shape: [316, 316]}, "
    "parts: {switch: {ports: [320]}}",
    "bonded-switched-mesh": "topology: {kind: bonded-switched-mesh, shape: [316, 316]}, "
    "parts: {switch: {ports: [320]}}",
    "bonded-dual-net": "topology: {kind: bonded-dual-net, nodes: 100000}",
    "stack-ring": "topology: {kind: stack-ring, stages: 1667, nodes_per_stage: 60}",
    "stack-mesh": "topology: {kind: stack-mesh, shape: [41, 41], nodes_per_group: 60}",
    "fat-tree": "topology: {kind: fat-tree, k: 74}",
}
"""As many of kinds whose links are loaded by a sample."""


def reach(design: str) -> None:
    """Compile a network and follow a packet between every two nodes."""
    network = built(design)
    assert network.core.reachability(network.n_compute).n_unreachable == 0


def load(design: str) -> None:
    """Compile a network, count what the closed forms say, what nodes relay and links carry."""
    assert loaded(design)


def sampled(design: str) -> None:
    """Do the same where what the links carry is counted for a sample."""
    assert not loaded(design)


def loaded(design: str) -> bool:
    """Load a network; return whether what its links carry is exact, as what nodes relay is."""
    network = built(design)
    plan.compare_closed_forms(network)
    identities = network.addresses.identity[: network.n_compute]
    assert network.core.forwarding(identities).exact
    return network.core.load(identities).exact


TEN_THOUSAND = {
    "torus": "topology: {kind: torus, shape: [100, 100]}",
    "p-mesh": "topology: {kind: p-mesh, shape: [100, 100]}",
    "tree": "topology: {kind: tree, leaves: 100, nodes_per_leaf: 100}, "
    "parts: {switch: {ports: [128], uplink_size: 128}, root_switch: {ports: [128]}}",
    "fat-tree": "topology: {kind: fat-tree, k: 34}",
}
"""About 10,000 nodes whose patterns of traffic are followed."""


def saturated(design: str) -> None:
    """Compile a network and find where each pattern of traffic saturates it."""
    network = built(design)
    result = engines.saturate(network)
    assert len(result.filter(metric="saturation_throughput").values()) == len(workloads.PATTERNS)


def broadcast(design: str) -> None:
    """Compile a network and broadcast to all its nodes through the analytic engine."""
    network = built(design)
    workload = workloads.Broadcast(repeats=1, warm_up=0, closing_barrier=False)
    # Some routes of a torus of that size are longer than the usual TTL allows.
    hosts = calibrations.load(network.calibration).changed({"links.ttl": 255})
    engines.run(network, workload, engine="analytic", calibration=hosts)


def flows(design: str, *, n_permutations: int, size_bytes: int) -> None:
    """Compile a network and run permutations at once through the flow engine."""
    workload = Permutations(n_permutations=n_permutations, size_bytes=size_bytes)
    engines.run(built(design), workload, engine="flow", calibration="ideal-reno")


def reference(design: str, *, name: str) -> None:
    """Play a reference workload through the flow engine."""
    network = linkwright.compile(linkwright.Cluster.parse(design))
    engines.run(network, REFERENCE[name].workload, engine="flow", calibration="ideal-reno")


def read(design: str) -> None:
    """Read a design with its custom graph."""
    linkwright.Cluster.parse(design)


def custom_ring(n_nodes: int) -> str:
    """Return the design of a ring as a graph of one's own."""
    nodes = (f"    h{i}: {{nics: {{e0: , e1: }}}}" for i in range(n_nodes))
    cables = (f"    - [h{i}:e0, h{(i + 1) % n_nodes}:e1]" for i in range(n_nodes))
    return "\n".join(["topology:", "  kind: custom", "  nodes:", *nodes, "  cables:", *cables])


def planned(design: str) -> None:
    """Make every file of a plan."""
    plan.plan(built(design))


def built(design: str) -> linkwright.Network:
    """Compile a design."""
    return linkwright.compile(linkwright.Cluster.parse(f"{{name: scale, {design}}}"))


CASES: dict[str, tuple[Callable[[str], None], str]] = {
    **{f"read-custom-{n}": (read, custom_ring(n)) for n in (64, 1000)},
    "reach-576": (reach, "topology: {kind: p-mesh, shape: [24, 24]}"),
    "plan-10000": (planned, "topology: {kind: p-mesh, shape: [100, 100]}"),
    **{f"saturation-{name}": (saturated, design) for name, design in TEN_THOUSAND.items()},
    **{f"broadcast-{name}": (broadcast, design) for name, design in TEN_THOUSAND.items()},
    **{
        f"flow-{name}": (partial(reference, name=name), REFERENCE[name].design)
        for name in ("w2", "w3", "w5-switch", "w5-torus")
    },
    **{
        f"flow-10000-{n}x{size}": (
            partial(flows, n_permutations=n, size_bytes=size),
            TEN_THOUSAND["p-mesh"],
        )
        for n, size in ((1, MEGABYTE), (10, 65_536), (10, MEGABYTE))
    },
    "saturation-torus-2d": (saturated, SIZES["torus-2d"]),
    "saturation-torus-3d": (saturated, SIZES["torus-3d"]),
    "saturation-p-mesh-2d": (saturated, SIZES["p-mesh-2d"]),
    **{name: (load, design) for name, design in SIZES.items()},
    **{name: (sampled, design) for name, design in SAMPLED.items()},
}


def main() -> int:
    """Measure the cases asked for; a child process runs one of them."""
    parser = argparse.ArgumentParser(description="seconds and memory of large networks")
    parser.add_argument("cases", nargs="*", default=list(CASES), help=", ".join(CASES))
    parser.add_argument("--save", action="store_true", help="store the figures as the baseline")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        print(json.dumps(run(options.cases[0])))
        return 0
    stored = json.loads(STORED.read_text()) if STORED.is_file() else {}
    for name in options.cases:
        figures, old = measure(name), stored.get(name)
        beside = f"   stored {old['cpu_s']:6.2f} s {old['peak_mib']:6.0f} MiB" if old else ""
        print(f"{name:21}{figures['cpu_s']:8.2f} s {figures['peak_mib']:8.0f} MiB{beside}")
        stored[name] = figures
    if options.save:
        STORED.write_text(json.dumps(stored, indent=2, sort_keys=True) + "\n")
    return 0


def measure(name: str) -> dict[str, float]:
    """Run one case in a process of its own."""
    done = subprocess.run(
        [sys.executable, __file__, name, "--child"],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "RAYON_NUM_THREADS": "1"},
    )
    figures: dict[str, float] = json.loads(done.stdout)
    return figures


def run(name: str) -> dict[str, float]:
    """Run one case here; Linux counts the peak memory in KiB."""
    work, design = CASES[name]
    begin_s = time.process_time()
    work(design)
    cpu_s = time.process_time() - begin_s
    peak_kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {"cpu_s": round(cpu_s, 3), "peak_mib": round(peak_kib / 1024)}


if __name__ == "__main__":
    sys.exit(main())
