"""End-to-end speed and memory of the packet engine, beside the figures that are stored.

`make bench` prints, per case, packet hops per second and the memory that a node and a TCP
connection take, with the ratio to benchmarks/baseline.json; `make baseline` stores the figures of
this machine. Each run has a process of its own, so that its peak memory is its own. A ratio outside
the noise band is marked and nothing fails: other machines, and other loads on this one, differ by
more.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
from pathlib import Path

import linkwright
from cases import CASES, Case, Idle
from linkwright import calibrations, engines
from linkwright.engines import packet

BASELINE = Path(__file__).with_name("baseline.json")
REPEATS = 3
NOISE_BANDS = {
    "frame_hops": 0.0,
    "events": 0.0,
    "wall_s": 0.10,
    "frame_hops_per_s": 0.10,
    "bytes_per_node": 1.0,
    "bytes_per_connection": 0.0,
}
"""Counts repeat exactly. Speed strayed by 3 % between rounds on a machine of two cores. The kernel
counts the memory of a process in steps of some 100 KiB, 8 KiB for each of 16 nodes.
"""

Figures = dict[str, float]


def main() -> int:
    """Measure the cases that were asked for; a child process runs one of them."""
    parser = argparse.ArgumentParser(description="speed and memory of the packet engine")
    parser.add_argument("cases", nargs="*", default=list(CASES), help=", ".join(CASES))
    parser.add_argument("--save", action="store_true", help="store the figures as the baseline")
    parser.add_argument("--child", choices=["idle", "busy"], help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        print(json.dumps(run(CASES[options.cases[0]], is_idle=options.child == "idle")))
        return 0
    stored = json.loads(BASELINE.read_text()) if BASELINE.is_file() else {}
    for name in options.cases:
        figures = measure(name)
        show(CASES[name], figures, stored.get(name, {}))
        stored[name] = figures
    if options.save:
        BASELINE.write_text(json.dumps(stored, indent=2, sort_keys=True) + "\n")
    return 0


def measure(name: str) -> Figures:
    """Return the figures of one case: the fastest of several runs, and where its memory goes.

    Whatever else a machine does only slows a run down, so the fastest is the truest. The memory of
    a node is by how much the process grows in a run without messages, compiled network included;
    what a run needs however small it is weighs more in the small case. The memory of a connection
    is what the engine counts for its two ends and their queues.
    """
    case = CASES[name]
    busy = max((run_child(name, "busy") for _ in range(REPEATS)), key=hops_per_second)
    idle_bytes = min(run_child(name, "idle")["grown_bytes"] for _ in range(REPEATS))
    return {
        "frame_hops": busy["frame_hops"],
        "events": busy["events"],
        "wall_s": round(busy["wall_s"], 4),
        "frame_hops_per_s": round(hops_per_second(busy)),
        "bytes_per_node": round(idle_bytes / case.n_nodes),
        "bytes_per_connection": round(busy["connection_bytes"] / busy["connections"]),
    }


def hops_per_second(figures: Figures) -> float:
    """Return how many frames were put on a wire per second of computing."""
    return figures["frame_hops"] / figures["wall_s"]


def run_child(name: str, mode: str) -> Figures:
    """Run one case in a process of its own."""
    command = [sys.executable, __file__, name, "--child", mode]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    figures: Figures = json.loads(done.stdout)
    return figures


def run(case: Case, *, is_idle: bool) -> Figures:
    """Run one case here; return the engine's own figures and by how much the process grew."""
    play("{kind: direct}", Idle())  # loads everything that is loaded when it is first used
    before = peak_rss_bytes()
    result = play(case.topology, Idle() if is_idle else case.workload)
    figures = dict(zip(result.column("metric"), result.values().tolist(), strict=True))
    figures["grown_bytes"] = peak_rss_bytes() - before
    hosts = calibrations.load(engines.DEFAULT_CALIBRATION)
    counted = {} if is_idle else packet.counts(built(case.topology), case.workload, hosts, seed=1)
    return {**counted, **figures}


def play(topology: str, workload: linkwright.Workload) -> linkwright.Result:
    """Compile a design and play a workload on it."""
    return linkwright.run(built(topology), workload, seed=1)


def built(topology: str) -> linkwright.Network:
    """Compile a design."""
    design = f"{{name: bench, topology: {topology}, parts: {{catalogue: whitney-1998}}}}"
    return linkwright.compile(linkwright.Cluster.parse(design))


def peak_rss_bytes() -> int:
    """Return the largest memory this process has had; Linux counts it in KiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def show(case: Case, figures: Figures, stored: Figures) -> None:
    """Print the figures of one case, each with its ratio to the stored one."""
    print(case.title)
    for metric, value in figures.items():
        print(f"  {metric:22}{value:16,.10g}{comparison(metric, value, stored.get(metric))}")


def comparison(metric: str, value: float, stored: float | None) -> str:
    """Return how a figure stands to the stored one, in words."""
    if not stored:
        return ""
    ratio = value / stored
    mark = "" if abs(ratio - 1) <= NOISE_BANDS[metric] else "  outside the noise band"
    return f"   {ratio:6.2f} of the baseline{mark}"


if __name__ == "__main__":
    sys.exit(main())
