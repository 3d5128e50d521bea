"""Speed and memory of the packet engine on W1 to W5, compared with stored figures.

`make bench` prints, per case and calibration, frame hops per second and the memory that a node and
a TCP connection take, with the ratio to benchmarks/baseline.json; `make baseline` stores the
figures of this machine. Each has a process of its own, so that its peak memory is its own. A ratio
outside the noise band is marked and nothing fails: other machines, and other loads on this one,
differ by more.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from pathlib import Path

import linkwright
from cases import CALIBRATIONS, CASES, Case, Idle
from linkwright import calibrations
from linkwright.engines import packet
from linkwright.engines.inputs import Run

BASELINE = Path(__file__).with_name("baseline.json")
PROCESSES = 3
RUNS = 5
"""Runs in one process; the first of them alone makes its memory grow."""
NOISE_BANDS = {
    "frame_hops": 0.0,
    "events": 0.0,
    "cpu_s": 0.10,
    "frame_hops_per_s": 0.10,
    "bytes_per_node": 1.0,
    "bytes_per_connection": 0.0,
    "grown_bytes": 0.25,
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
    parser.add_argument("--hosts", choices=CALIBRATIONS, help=argparse.SUPPRESS)
    parser.add_argument("--child", choices=["idle", "busy"], help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        case = CASES[options.cases[0]]
        print(json.dumps(run(case, options.hosts, is_idle=options.child == "idle")))
        return 0
    stored = json.loads(BASELINE.read_text()) if BASELINE.is_file() else {}
    for hosts in CALIBRATIONS:
        for name in options.cases:
            figures = measure(name, hosts)
            key = f"{name} {hosts}"
            show(f"{CASES[name].title} ({CALIBRATIONS[hosts]})", figures, stored.get(key, {}))
            stored[key] = figures
    if options.save:
        BASELINE.write_text(json.dumps(stored, indent=2, sort_keys=True) + "\n")
    return 0


def measure(name: str, hosts: str) -> Figures:
    """Return the figures of one case: the fastest of several runs, and where its memory goes.

    Whatever else a machine does only slows a run down, so the fastest is the truest, and processor
    time is counted rather than the clock on the wall. The memory of a node is by how much the
    process grows in a run without messages, compiled network included; what a run needs however
    small it is weighs more in the small case. The memory of a connection is what the engine counts
    for its two ends and their queues. What a run grows by altogether is stated beside it.
    """
    runs = [run_child(name, hosts, "busy") for _ in range(PROCESSES)]
    busy = min(runs, key=lambda figures: figures["cpu_s"])
    idle_bytes = min(run_child(name, hosts, "idle")["grown_bytes"] for _ in range(PROCESSES))
    return {
        "frame_hops": busy["frame_hops"],
        "events": busy["events"],
        "cpu_s": round(busy["cpu_s"], 4),
        "frame_hops_per_s": round(busy["frame_hops"] / busy["cpu_s"]),
        "bytes_per_node": round(idle_bytes / CASES[name].n_nodes),
        "bytes_per_connection": round(busy["connection_bytes"] / busy["connections"]),
        "grown_bytes": min(figures["grown_bytes"] for figures in runs),
    }


def run_child(name: str, hosts: str, mode: str) -> Figures:
    """Run one case in a process of its own."""
    command = [sys.executable, __file__, name, "--hosts", hosts, "--child", mode]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    figures: Figures = json.loads(done.stdout)
    return figures


def run(case: Case, hosts: str, *, is_idle: bool) -> Figures:
    """Run one case here; return the engine's own figures and by how much the process grew."""
    workload = Idle() if is_idle else case.workload
    calibration = calibrations.load(CALIBRATIONS[hosts])
    # Loads everything that is loaded when it is first used.
    pair = built("{name: bench, topology: {kind: direct}}")
    packet.counts(Run(network=pair, workload=Idle(), hosts=calibration, seed=1))
    before = peak_rss_bytes()
    network = built(case.design)
    one = Run(network=network, workload=workload, hosts=calibration, seed=1)
    figures = packet.counts(one)
    grown_bytes = peak_rss_bytes() - before
    cpu_s = min(cpu_time_s(one) for _ in range(RUNS))
    return {**figures, "grown_bytes": grown_bytes, "cpu_s": cpu_s}


def cpu_time_s(one: Run) -> float:
    """Return the processor time of a run, from the workload to the rows."""
    begin_s = time.process_time()
    packet.counts(one)
    return time.process_time() - begin_s


def built(design: str) -> linkwright.Network:
    """Compile a design."""
    return linkwright.compile(linkwright.Cluster.parse(design))


def peak_rss_bytes() -> int:
    """Return the largest memory this process has had; Linux counts it in KiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def show(title: str, figures: Figures, stored: Figures) -> None:
    """Print the figures of one case, each with its ratio to the stored one."""
    print(title)
    for metric, value in figures.items():
        print(f"  {metric:22}{value:16,.10g}{comparison(metric, value, stored.get(metric))}")


def comparison(metric: str, value: float, stored: float | None) -> str:
    """Return the change of a figure from the stored one, in words."""
    if not stored:
        return ""
    ratio = value / stored
    mark = "" if abs(ratio - 1) <= NOISE_BANDS[metric] else "  outside the noise band"
    return f"   {ratio:6.2f} of the baseline{mark}"


if __name__ == "__main__":
    sys.exit(main())
