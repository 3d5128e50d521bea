"""Lost tails on a switch of today, here and in ns-3: 24 nodes at 25 Gb/s, blocks of 64 KiB.

Whether a run stalls for a time-out is chance: it depends on which frame is lost. So each case is
played with several block sizes about 64 KiB, and the table has the median time, the number of runs
that took as long as a time-out, and mean counts. ns-3 has CUBIC with HyStart, SACK and proportional
reduction, and no loss detection by time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import fmean, median
from typing import ClassVar

import numpy as np

import linkwright
from cases import RotatedAllToAll
from linkwright import calibrations
from linkwright.calibrations import Calibration
from linkwright.engines import packet
from linkwright.engines.inputs import Run
from linkwright.workloads import Incast, Workload
from linkwright.workloads.steps import Steps, join, mark, start_receive, start_send, wait_all
from peers.contenders import EQUAL
from peers.drivers import BUILT, NS3, missing
from peers.equal import FRAME_BYTES_HERE, ns3_arguments
from peers.measured import Figures, measured
from peers.table import markdown
from peers.traffic import traffic_of

__all__ = ["STACKS", "rows", "tails_table"]

N_NODES = 24
SIZES_BYTES = tuple(1024 * kibibytes for kibibytes in range(60, 68))


class OrderedAllToAll(RotatedAllToAll):
    """The same, but every rank sends to the lowest first, so that all send to the same."""

    name: ClassVar[str] = "ordered-all-to-all"

    def steps(self, n_ranks: int) -> Steps:
        """Return one exchange between marks 0 and 1."""
        to, rank = np.divmod(np.arange(n_ranks * n_ranks), n_ranks)
        to, rank = to[to != rank], rank[to != rank]
        sends = start_send(rank, to, self.size_bytes)
        return join(mark(0), start_receive(to, rank), sends, wait_all(), mark(1))


QUEUES_FRAMES = {"256 KiB": 172, "64 KiB": 43}
"""Full frames that the queue of a switch port holds."""
WORKLOADS: Mapping[str, type[Workload]] = {
    "incast": Incast,
    "all to all, rotated": RotatedAllToAll,
    "all to all, in order": OrderedAllToAll,
}
CASES = (
    ("incast", "256 KiB"),
    ("incast", "64 KiB"),
    ("all to all, rotated", "64 KiB"),
    ("all to all, in order", "256 KiB"),
    ("all to all, in order", "64 KiB"),
)
STALL_S = 0.2
"""The shortest time-out."""
LINUX_6 = "ideal-linux-6"
SACK: Mapping[str, object] = {
    "tcp.congestion": "cubic",
    "tcp.sack": True,
    "tcp.timestamps": True,
    "tcp.limited_transmit": True,
    "tcp.receive_buffer_bytes": 3_145_728,
    "tcp.send_buffer_bytes": 4_194_304,
    "queues.transmit_frames": 1256,
}


@dataclass(frozen=True)
class Stack:
    """A TCP: its hosts here, and what ns-3 has beyond them; None where one cannot have it."""

    name: str
    hosts: Callable[[], Calibration] | None
    ns3: Mapping[str, str] | None


def with_sack() -> Calibration:
    """Return the hosts of equal parameters with CUBIC and SACK."""
    return calibrations.load(EQUAL).changed(SACK)


STACKS = (
    Stack("CUBIC, SACK", with_sack, {}),
    Stack(
        "and HyStart, proportional reduction",
        None,
        {
            "ns3::TcpCubic::HyStart": "true",
            "ns3::TcpL4Protocol::RecoveryType": "ns3::TcpPrrRecovery",
        },
    ),
    Stack("all of Linux 6", lambda: calibrations.load(LINUX_6), None),
)


def design(queue_frames: int) -> str:
    """Return the design: a switch that stores and forwards, as the router of ns-3 does."""
    switch = (
        "rate_mbps: 25000, mode: store-and-forward, latency_us: 0, backplane_mbps: null, "
        f"ports: [{N_NODES}], queue_bytes: {FRAME_BYTES_HERE * queue_frames}"
    )
    wires = "nic: {rate_mbps: 25000}, cable: {rate_mbps: 25000, delay_us: 1}"
    parts = f"{{catalogue: ethernet-2026, {wires}, switch: {{{switch}}}}}"
    return f"{{name: tails, topology: {{kind: switch, nodes: {N_NODES}}}, parts: {parts}}}"


def rows() -> list[Figures]:
    """Return the rows of the table: workload, queue, stack, simulator, and a figure per size."""
    found: list[Figures] = []
    for workload, queue in CASES:
        of_size = [WORKLOADS[workload].model_validate({"size_bytes": size}) for size in SIZES_BYTES]
        for stack in STACKS:
            for simulator, play in (("packet engine", ours), ("ns-3", theirs)):
                runs = [play(one, QUEUES_FRAMES[queue], stack) for one in of_size]
                kept = [run for run in runs if run is not None]
                if kept:
                    key = {"workload": workload, "queue": queue, "stack": stack.name}
                    found.append({**key, "simulator": simulator, "runs": kept})
                    print(found[-1], flush=True)
    return found


def ours(workload: Workload, queue_frames: int, stack: Stack) -> Figures | None:
    """Play a case with the packet engine and return what it counted."""
    if stack.hosts is None:
        return None
    network = linkwright.compile(linkwright.Cluster.parse(design(queue_frames)))
    counts = packet.counts(Run(network=network, workload=workload, hosts=stack.hosts(), seed=1))
    return kept_of(counts | {"dropped": counts["frames_dropped"]})


def theirs(workload: Workload, queue_frames: int, stack: Stack) -> Figures | None:
    """Play a case in ns-3 and return what it counted."""
    if stack.ns3 is None or missing(NS3):
        return None
    path = BUILT / "tails.traffic"
    path.write_text(traffic_of(workload, N_NODES).text())
    arguments = {
        **ns3_arguments(with_sack(), queue_frames),
        **stack.ns3,
        "network": "switch",
        "shape": str(N_NODES),
        "traffic": str(path),
        "rate": "25Gbps",
        "delay": "1us",
        "count": "1",
    }
    return kept_of(measured([str(NS3.path), *(f"--{key}={arguments[key]}" for key in arguments)]))


def kept_of(counts: Figures) -> Figures:
    """Return the counts that the table has."""
    return {name: counts[name] for name in ("simulated_s", *COUNTS)}


COUNTS = ("dropped", "retransmissions", "timeouts")
HEAD = ("", "queue", "simulator", "median ms", "stalls", "dropped", "sent again", "time-outs")


def tails_table(found: list[Figures]) -> str:
    """Return the table: per case the median time, the runs that stalled, and mean counts."""
    lines: list[list[str]] = []
    for row in found:
        runs = row["runs"]
        times_s = [run["simulated_s"] for run in runs]
        stalled = sum(time_s >= STALL_S for time_s in times_s)
        means = [f"{fmean(run[count] for run in runs):.0f}" for count in COUNTS]
        what = f"{row['workload']}: {row['stack']}"
        figures = [f"{1000 * median(times_s):.3f}", f"{stalled} of {len(runs)}", *means]
        lines.append([what, row["queue"], row["simulator"], *figures])
    return markdown(HEAD, lines)
