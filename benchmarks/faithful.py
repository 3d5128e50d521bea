"""Frames per second that an emulation moves in time, by its number of nodes.

Every node of a switch of 100 Mb/s sends small datagrams to the node half of all nodes further on.
The rate rises by a quarter until no try is *faithful* without a loss in the nodes, at two rates in
a row; other programs on the machine spoil tries. A frame passes two cables. The sender is a process
on the same processors. `--save` writes the figures to results/emulation-faithful.csv.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

import linkwright
from linkwright import calibrations
from linkwright.emulation.cluster import EmulatedCluster, WireOptions, unwired
from linkwright.emulation.machine import expect_abilities
from linkwright.emulation.verdict import verdict
from linkwright.errors import CapabilityError
from machine import described

SAVED = Path(__file__).parent / "results" / "emulation-faithful.csv"
SENDER = Path(__file__).with_name("datagrams.py")
NODES = (2, 16, 64)
FIRST_PER_S, STEP, MOST_PER_S = 4_000.0, 1.25, 300_000.0
SECONDS = 2.0
TRIES = 6


def main() -> None:
    """Measure all numbers of nodes."""
    parser = argparse.ArgumentParser(description="frames per second moved in time")
    parser.add_argument("nodes", nargs="*", type=int, default=NODES)
    parser.add_argument("--save", action="store_true", help=f"write {SAVED.name}")
    options = parser.parse_args()
    try:
        expect_abilities()
    except CapabilityError as missing:
        print(f"skipped: {missing}")
        return
    lines = ["nodes,frames_per_s,cables_passed_per_s,late_p99_us"]
    print(lines[0])
    for n_nodes in options.nodes:
        lines.append(measured(n_nodes))
        print(lines[-1], flush=True)
    if options.save:
        header = (
            "# Frames per second that the wires moved with the verdict faithful in one of "
            f"{TRIES} tries:\n# small datagrams through a switch (benchmarks/faithful.py).\n"
            f"# {described()}\n"
        )
        SAVED.write_text(header + "\n".join(lines) + "\n", encoding="utf-8")


def measured(n_nodes: int) -> str:
    """Return the row of the highest rate that is faithful."""
    design = f"{{topology: {{kind: switch, nodes: {n_nodes}}}, parts: {{catalogue: whitney-1998}}}}"
    network = linkwright.compile(linkwright.Cluster.parse(design))
    hosts = calibrations.load(network.calibration)
    best, rate_per_s, n_late = "0,0,", FIRST_PER_S, 0
    with unwired(network, hosts) as up:
        while n_late < 2 and rate_per_s < MOST_PER_S:
            tries = (tried(up, WireOptions(hosts=hosts), rate_per_s) for _ in range(TRIES))
            found = next(filter(None, tries), "")
            best, n_late = (found, 0) if found else (best, n_late + 1)
            rate_per_s *= STEP
    return f"{n_nodes},{best}"


def tried(up: EmulatedCluster, options: WireOptions, rate_per_s: float) -> str:
    """Send at a rate; return the rates moved and the lateness, or nothing if it is not faithful."""
    network = up.network
    spaces = [net for net, _ in up.kernels.nodes.descriptors()]
    ips = [str(network.addresses.ip[at].ip) for at in network.addresses.identity.tolist()]
    n = network.n_compute
    flows = [
        (spaces[node], spaces[to], ips[to])
        for node in range(n)
        if (to := (node + n // 2) % n) != node
    ]
    told = json.dumps({"flows": flows, "rate_per_s": rate_per_s, "seconds": SECONDS})
    with up.wires(options) as wires:
        sender = subprocess.run(
            [sys.executable, str(SENDER)],
            input=told + "\n",
            stdout=subprocess.PIPE,
            text=True,
            pass_fds=spaces,
            check=True,
        )
    report, judged = wires.report, verdict(network, wires)
    is_complete = report.counters["frames"] >= int(sender.stdout)
    print(f"  {rate_per_s:.0f}/s: {judged.word}", "" if is_complete else "lost", file=sys.stderr)
    if judged.word != "faithful" or not is_complete:
        return ""
    per_s = [report.counters[name] / SECONDS for name in ("frames", "frame_hops")]
    return f"{per_s[0]:.0f},{per_s[1]:.0f},{report.late_p99_s * 1e6:.0f}"


if __name__ == "__main__":
    main()
