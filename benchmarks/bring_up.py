"""Seconds to bring a torus up with all its routes and to take it down: wires, cables of the kernel,
and Mininet, in turn on this machine.

Each run has a process of its own, and ends with an answer of the last node. Up is the time from the
compiled network, for Mininet from its finished texts, until programs can start in the nodes; down
ends when the call returns (the kernel removes namespaces after that). Without Mininet (apt install
mininet) its rows are left out. `--save` writes the figures to results/emulation-bring-up.csv.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from ipaddress import ip_address
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import linkwright
from linkwright import calibrations
from linkwright.calibrations import Calibration
from linkwright.emulation.cluster import EmulatedCluster, WireOptions, cabled, emulated
from linkwright.emulation.machine import expect_abilities
from linkwright.errors import CapabilityError
from linkwright.nodes import IDENTITY
from linkwright.nodes.table import NodeTable, node_table
from machine import described

SAVED = Path(__file__).parent / "results" / "emulation-bring-up.csv"
SHAPES = ("4x4", "8x8", "16x16")
RUNS = 3
DEBIAN_PYTHON = "/usr/bin/python3"
MININET = Path(__file__).parent / "peers" / "mininet_torus.py"
IN_NAMESPACES = ("unshare", "--net", "--mount", "--uts", "--pid", "--fork", "--mount-proc")

Figures = dict[str, float]


def main() -> None:
    """Measure all shapes, or one in this process."""
    parser = argparse.ArgumentParser(description="seconds to bring emulations up and down")
    parser.add_argument("shapes", nargs="*", default=SHAPES, help=", ".join(SHAPES))
    parser.add_argument("--save", action="store_true", help=f"write {SAVED.name}")
    parser.add_argument("--child", choices=WAYS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        print(json.dumps(WAYS[options.child](built(options.shapes[0]))))
        return
    try:
        expect_abilities()
    except CapabilityError as missing:
        print(f"skipped: {missing}")
        return
    lines = ["nodes,routes,way,up_s,down_s"]
    print(lines[0])
    for shape in options.shapes:
        for way in WAYS:
            if way != "mininet" or has_mininet():
                lines.append(measured(shape, way))
                print(lines[-1], flush=True)
    if not has_mininet():
        print("Mininet is not installed: apt install mininet", file=sys.stderr)
    if options.save:
        header = (
            "# Seconds to bring a torus up with all its routes and to take it down, the fastest of "
            f"{RUNS} runs\n# (benchmarks/bring_up.py). {described()}\n"
        )
        SAVED.write_text(header + "\n".join(lines) + "\n", encoding="utf-8")


def measured(shape: str, way: str) -> str:
    """Return the row of a shape, from processes of their own."""
    runs = []
    for _ in range(RUNS):
        command = [sys.executable, __file__, shape, "--child", way]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        runs.append(json.loads(done.stdout))
    assert all(run["answers"] for run in runs), f"{shape} by {way}: the last node does not answer"
    up_s, down_s = (min(run[name] for run in runs) for name in ("up_s", "down_s"))
    table = node_table(built(shape))
    return f"{len(table.hostnames)},{len(table.routes.via)},{way},{up_s:.2f},{down_s:.2f}"


def built(shape: str) -> linkwright.Network:
    """Compile a torus."""
    sides = shape.replace("x", ", ")
    design = f"{{topology: {{kind: torus, shape: [{sides}]}}, parts: {{catalogue: whitney-1998}}}}"
    return linkwright.compile(linkwright.Cluster.parse(design))


def wires(network: linkwright.Network) -> Figures:
    """Bring a network up and down with wires of the packet engine."""
    begin_s = time.perf_counter()
    with emulated(network, WireOptions(hosts=hosts(network))) as (up, running):
        up_s = time.perf_counter() - begin_s
        answers = asked(up)
        begin_s = time.perf_counter()
    # The nodes end with the last that knows them.
    del up, running
    return {"up_s": up_s, "down_s": time.perf_counter() - begin_s, "answers": answers}


def veth(network: linkwright.Network) -> Figures:
    """Bring a network up and down with cables of the kernel."""
    begin_s = time.perf_counter()
    with cabled(network, hosts(network)) as up:
        up_s = time.perf_counter() - begin_s
        answers = asked(up)
        begin_s = time.perf_counter()
    del up
    return {"up_s": up_s, "down_s": time.perf_counter() - begin_s, "answers": answers}


def hosts(network: linkwright.Network) -> Calibration:
    """Return the hosts of a network."""
    return calibrations.load(network.calibration)


def asked(up: EmulatedCluster) -> bool:
    """Return whether the last node answers the first."""
    ping = ["ping", "-c", "1", "-W", "5", "-q", last_address(up.network)]
    return up.sandbox.machine(up.network.device_names[0]).run(ping).code == 0


def last_address(network: linkwright.Network) -> str:
    """Return the address of the last node."""
    return str(network.addresses.ip[int(network.addresses.identity[-1])].ip)


def has_mininet() -> bool:
    """Return whether Debian's Python has Mininet."""
    if not Path(DEBIAN_PYTHON).exists():
        return False
    tried = [DEBIAN_PYTHON, "-c", "import mininet.net"]
    return not subprocess.run(tried, capture_output=True, check=False).returncode


def mininet(network: linkwright.Network) -> Figures:
    """Bring a network up with Mininet, in namespaces of its own."""
    table = node_table(network)
    with tempfile.TemporaryDirectory() as folder:
        plan = {
            "batches": batches(table, Path(folder)),
            "links": links(network),
            "last": last_address(network),
        }
        text = Path(folder) / "plan.json"
        text.write_text(json.dumps(plan), encoding="utf-8")
        command = [*IN_NAMESPACES, DEBIAN_PYTHON, str(MININET), str(text)]
        done = subprocess.run(
            command,
            check=True,
            stdout=subprocess.PIPE,
            text=True,
            env={"PATH": os.environ["PATH"], "HOME": folder},
        )
    figures: Figures = json.loads(done.stdout)
    return figures


def batches(table: NodeTable, folder: Path) -> dict[str, str]:
    """Write the addresses and routes of each node for `ip -batch`; return the files."""
    lines: dict[str, list[str]] = {name: ["link set lo up"] for name in table.hostnames}
    owner = [table.hostnames[node] for node in table.interface_node.tolist()]
    ips = [
        ip(bits, is_v6) for bits, is_v6 in zip(table.address_bits, table.address_is_v6, strict=True)
    ]
    names = [
        "lo" if name == IDENTITY else f"{node}-{name}"
        for node, name in zip(owner, table.interface_name, strict=True)
    ]
    for interface, one, length in zip(
        table.address_interface.tolist(), ips, table.address_length.tolist(), strict=True
    ):
        lines[owner[interface]].append(f"address add {one}/{length} dev {names[interface]}")
    routes = table.routes
    for interface, bits, is_v6, length, via, metric, source in zip(
        routes.interface.tolist(),
        routes.bits,
        routes.is_v6,
        routes.length.tolist(),
        routes.via.tolist(),
        routes.metric.tolist(),
        routes.source.tolist(),
        strict=True,
    ):
        gateway = f" via {ips[via]}" if via >= 0 else ""
        own = f" src {ips[source]}" if source >= 0 else ""
        lines[owner[interface]].append(
            f"route add {ip(bits, is_v6)}/{length}{gateway} dev {names[interface]} "
            f"metric {metric}{own}"
        )
    files = {}
    for name, of_node in lines.items():
        (folder / name).write_text("\n".join(of_node) + "\n", encoding="utf-8")
        files[name] = str(folder / name)
    return files


def ip(bits: NDArray[np.uint8], is_v6: bool) -> str:
    """Return an address in words."""
    return str(ip_address(bytes(bits if is_v6 else bits[12:])))


def links(network: linkwright.Network) -> list[list[tuple[str, str]]]:
    """Return the node and the NIC at both ends of each cable."""
    names, wiring = network.device_names, network.wiring
    return [
        [(names[device], f"eth{port}") for device, port in ends]
        for ends in zip(wiring.cable_a.tolist(), wiring.cable_b.tolist(), strict=True)
    ]


WAYS = {"wires": wires, "veth": veth, "mininet": mininet}


if __name__ == "__main__":
    main()
