"""The emulation beside the packet engine: the same workloads on the same networks, on real kernels
and as predicted.

The hosts of the prediction are this machine's kernels as fitted to ping-pongs between two emulated
nodes, and to nothing else. A dilation makes them faster than the network that they are in.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from linkwright import workloads
from linkwright.calibrations import Calibration
from linkwright.design.cluster import Cluster
from linkwright.engines import run
from linkwright.network import compile as compile_network
from linkwright.progress import Report
from linkwright.text.toml_text import inline_table

if TYPE_CHECKING:
    from linkwright.network import Network
    from linkwright.results import Result
    from linkwright.workloads import Workload

__all__ = ["DILATIONS", "LOADS", "NETWORKS", "Beside", "beside", "targets_text"]

DILATIONS = {"hub": 5.0}
"""Dilations of networks by kind; the delay of acknowledgements, which kernels do not dilate, must
stay longer than a barrier, and sixteen nodes that send at once need enough processor time."""
USUAL_DILATION = 20.0
PARTS = {"catalogue": "whitney-1998"}

NETWORKS = {
    "hub": "{kind: hub, nodes: 16}",
    "switch": "{kind: switch, nodes: 16}",
    "torus 4x4": "{kind: torus, shape: [4, 4]}",
    "P-Mesh 4x4": "{kind: p-mesh, shape: [4, 4], lines_per_switch: 1}",
    "tree": "{kind: tree, nodes: 16}",
    "stack ring 4x4": "{kind: stack-ring, stages: 4, nodes_per_stage: 4}",
}
"""Networks by name, as in a design file."""

LOADS: Mapping[str, list[dict[str, str]]] = {
    "ping-pong": [{"size_bytes": "1"}, {"size_bytes": "1024"}, {"size_bytes": "16384"}],
    "netpipe": [{"smallest_bytes": "1000", "largest_bytes": "3000", "repeats": "5"}],
    "barrier": [{}],
    "broadcast": [{"size_bytes": "1024"}, {"size_bytes": "16384"}],
    "all-reduce": [{"size_bytes": "1024"}, {"size_bytes": "16384"}],
    "all-to-all": [{"size_bytes": "1024"}, {"size_bytes": "8192"}],
    "shift": [{"size_bytes": "65536"}],
    "permutation": [{"size_bytes": "65536"}],
    "incast": [{"size_bytes": "65536"}],
    "token": [{"size_bytes": "4096"}],
    "disk-net": [{"file_bytes": "262144"}],
    "npb.is": [{"problem_class": "S"}],
    "npb.mg": [{"problem_class": "S"}],
    "npb.lu": [{"problem_class": "S"}],
}
"""Workloads with their settings."""

TARGET_PATHS: Mapping[str, tuple[Mapping[str, object], int]] = {
    "one cable": ({"kind": "direct"}, 1),
    "two hops": ({"kind": "mesh", "shape": [3]}, 2),
}
"""Networks of the ping-pongs that hosts are fitted to, and the node that answers node 0."""
TARGET_SIZES = (1, 1024, 16_384)
TOLERANCE = 0.03
FREE = ("host.receive.us", "host.forward.us")


@dataclass(frozen=True)
class Beside:
    """A workload on a network: its time on real kernels and as predicted."""

    network: str
    workload: str
    size_bytes: int
    dilation: float
    measured_s: float
    predicted_s: float
    verdict: str
    """The first word of the verdict on the measurement."""

    @property
    def relative(self) -> float:
        """The relative difference of the prediction from the measurement."""
        return self.predicted_s / self.measured_s - 1


def beside(
    hosts: Mapping[float, Calibration],
    *,
    done: Sequence[Beside] = (),
    report: Report | None = None,
) -> Iterator[Beside]:
    """Run every workload on every network, and predict it.

    Parameters
    ----------
    hosts : mapping
        The fitted hosts by dilation.
    done : sequence of Beside
        Cases of an earlier run, which are not run again.
    report : callable, optional
        Called with the number of finished cases, of all, and the present one.

    Yields
    ------
    Beside
        In the order of networks and workloads.
    """
    cases = [
        (name, workloads.parse(workload, settings))
        for name in NETWORKS
        for workload, of_settings in LOADS.items()
        for settings in of_settings
    ]
    for index, (name, workload) in enumerate(cases[len(done) :], start=len(done)):
        if report is not None:
            report(index, len(cases), f"{name}: {workload.name}")
        dilation = DILATIONS.get(name, USUAL_DILATION)
        yield _case(name, workload, hosts[dilation], dilation)


def dilations() -> list[float]:
    """Return the dilations that hosts are fitted for."""
    return sorted({DILATIONS.get(name, USUAL_DILATION) for name in NETWORKS})


def _case(name: str, workload: Workload, hosts: Calibration, dilation: float) -> Beside:
    network = _network(name, NETWORKS[name])
    measured = run(network, workload, engine="emulation", calibration=hosts, dilation=dilation)
    predicted = run(network, workload, engine="packet", calibration=hosts)
    verdict = measured.manifests[0].remarks[-1].split(":")[0]
    size = int(np.max(getattr(workload, "size_bytes", 0)))
    times = (_seconds(measured), _seconds(predicted))
    return Beside(name, workload.name, size, dilation, *times, verdict)


def _seconds(result: Result) -> float:
    """Return the time of the workload: of its last row, that of the largest size."""
    metric = "time" if "time" in result.column("metric") else "latency"
    return float(result.filter(metric=metric).values()[-1])


def _network(name: str, topology: str) -> Network:
    text = f"name: '{name}'\ntopology: {topology}\nparts: {json.dumps(PARTS)}\n"
    return compile_network(Cluster.parse(text))


def targets_text(hosts: Calibration, dilation: float, *, repeats: int = 7) -> str:
    """Return the targets of a fit: medians of ping-pongs between two emulated nodes.

    Parameters
    ----------
    hosts : Calibration
        The hosts before the fit, as they appear at the dilation.
    dilation : float
        Real seconds for one second of the network.
    repeats : int
        Number of ping-pongs of which each target is the median.
    """
    lines = [f'calibration = "{hosts.name}"', "free = ["]
    for constant in FREE:
        _, name, _ = constant.split(".")
        start = getattr(hosts.host, name).us
        lines.append(f'  {{ constant = "{constant}", start = {start:g}, origin = "estimate" }},')
    lines.append("]")
    origin = f'origin = "measured: median of {repeats} in the emulation, dilation {dilation:g}"'
    for path, (topology, dst) in TARGET_PATHS.items():
        network = _network("pair", json.dumps(topology))
        times = {}
        for size in TARGET_SIZES:
            exchange = workloads.PingPong(size_bytes=size, dst=dst)
            result = run(
                network,
                exchange,
                engine="emulation",
                calibration=hosts,
                dilation=dilation,
                repeats=repeats,
            )
            times[size] = float(np.median(result.filter(metric="latency").values()))
        rates = ", ".join(
            f"{{ size_bytes = {size}, value_bytes_per_s = {size / times[size]:.6g}, "
            f"tolerance = {TOLERANCE}, {origin} }}"
            for size in TARGET_SIZES[1:]
        )
        lines += [
            "",
            "[[path]]",
            f'name = "{path}"',
            f"design = {{ topology = {inline_table(topology)}, parts = {inline_table(PARTS)} }}",
            f"dst = {dst}",
            f"latency = {{ value_us = {times[1] * 1e6:.4g}, tolerance = {TOLERANCE}, {origin} }}",
            f"throughput = [{rates}]",
        ]
    return "\n".join(lines) + "\n"
