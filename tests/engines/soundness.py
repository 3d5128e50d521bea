"""Laws of every run: frames and bytes are conserved, marks are in order, wires limit the rate.

The expected bytes come from the GOAL text of the program, which no engine reads.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import numpy as np
from tests.kinds import compiled, has_hubs

from linkwright import _core, calibrations
from linkwright.calibrations import Calibration
from linkwright.engines.inputs import Run
from linkwright.engines.simulated import simulated
from linkwright.network import Network
from linkwright.program import compile_program, goal_text
from linkwright.text.goal_text import read_goal
from linkwright.workloads import Workload
from linkwright.workloads.steps import StepKind

CORE_RUN = {"analytic": _core.run_analytic, "flow": _core.run_flow, "packet": _core.run_packet}
FASTEST_BPS = 1e8
"""Rate of the links of the networks tried."""
SENDS = (StepKind.SEND, StepKind.START_SEND)
Message = tuple[int, int, int]
"""Sender, receiver and bytes."""


def expect_sound_run(network: Network, workload: Workload, engine: str, hosts: Calibration) -> None:
    """Run a workload and check the laws."""
    run = Run(network=network, workload=workload, hosts=hosts, seed=1)
    simulation = simulated(run, CORE_RUN[engine])
    measured = [one.value for one in simulation.measurements]
    values, outcome = np.array([*measured, *simulation.figures.values()]), dict(simulation.answer)
    assert np.isfinite(values).all()
    assert (values >= 0).all()
    expect_marks(network, workload, outcome)
    if engine == "packet":
        expect_frames(network, outcome["figures"])
        expect_datagrams(outcome["datagrams"], outcome["figures"])
    if not (workload.sends_datagrams or workload.uses_disks):
        expect_messages(network, workload, engine, hosts, outcome)


def expect_marks(network: Network, workload: Workload, outcome: dict[str, Any]) -> None:
    """Every rank passes the marks of its program in order, at times that never decrease."""
    assert (np.diff(outcome["time_s"]) >= 0).all()
    assert outcome["time_s"].min(initial=0) >= 0
    assert outcome["time_s"].max(initial=0) <= outcome["figures"]["simulated_s"]
    assert marks_by_rank(outcome) == marks_on_a_switch(workload, network.n_compute)


def marks_by_rank(outcome: dict[str, Any]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for rank, mark in zip(outcome["rank"].tolist(), outcome["mark"].tolist(), strict=True):
        found.setdefault(rank, []).append(mark)
    return found


@cache
def marks_on_a_switch(workload: Workload, n_nodes: int) -> dict[int, list[int]]:
    """Return the marks that each rank passes on the simplest network, by the packet engine."""
    hosts = calibrations.load("pentium-pro-200-linux-2.0")
    network = compiled({"kind": "switch", "nodes": n_nodes})
    run = Run(network=network, workload=workload, hosts=hosts, seed=1)
    return marks_by_rank(dict(simulated(run, _core.run_packet).answer))


def expect_frames(network: Network, figures: dict[str, float]) -> None:
    """Every frame is consumed, dropped for a reason that this network can give, or in flight."""
    ends = ("frames_consumed", "frames_dropped", "frames_in_flight")
    assert figures["frames_created"] == sum(figures[end] for end in ends)
    if not has_hubs(network):
        assert figures["collisions"] == figures["dropped_by_collisions"] == 0
    if network.closed.forwards_worst == 0:
        assert figures["forwards"] == 0
    for reason in ("dropped_without_route", "lost_on_wire", "no_carrier", "corrupted"):
        assert figures[reason] == 0, reason


def expect_datagrams(datagrams: dict[str, Any], figures: dict[str, float]) -> None:
    """A datagram takes at least the time of its bytes on one wire; a loss is counted as a drop."""
    arrived = ~np.isnan(datagrams["received_s"])
    took_s = datagrams["received_s"][arrived] - datagrams["sent_s"][arrived]
    assert (took_s >= datagrams["size_bytes"][arrived] * 8 / FASTEST_BPS).all()
    assert (datagrams["source"] != datagrams["destination"]).all()
    if not arrived.all():
        assert figures["frames_dropped"] + figures["datagrams_overflowed"] > 0


def expect_messages(
    network: Network, workload: Workload, engine: str, hosts: Calibration, outcome: dict[str, Any]
) -> None:
    """Each rank writes exactly the framed bytes of its program, no faster than its wires allow.

    Messages of the analytic engine do not share wires: only the largest bounds its time.
    """
    messages = sent(workload, network.n_compute, hosts)
    if engine == "packet":
        columns = (outcome["connections"][name].tolist() for name in CONNECTION)
        written = {(source, to): size for source, to, size in zip(*columns, strict=True) if size}
        assert written == framed(messages, hosts)
    leaving = Counter[int]()
    for (source, _, size), number in messages.items():
        is_alone = engine == "analytic"
        leaving[source] = (
            max(leaving[source], size) if is_alone else leaving[source] + size * number
        )
    for rank, size in leaving.items():
        least_s = size * 8 / FASTEST_BPS / network.wiring.n_ports[rank]
        assert outcome["figures"]["simulated_s"] >= least_s


CONNECTION = ("source", "destination", "size_bytes")


def sent(workload: Workload, n_nodes: int, hosts: Calibration) -> Counter[Message]:
    """Return how many messages of each size each rank sends to each other rank."""
    steps = read_goal("".join(goal_text(compile_program(workload, n_nodes, hosts=hosts))).encode())
    sends = np.isin(steps["kind"], SENDS) & (steps["rank"] != steps["peer"])
    columns = (steps[name][sends].tolist() for name in ("rank", "peer", "size_bytes"))
    return Counter(zip(*columns, strict=True))


def framed(messages: Counter[Message], hosts: Calibration) -> Counter[tuple[int, int]]:
    """Return the bytes that each rank writes to each, by the three protocols of MPICH [MPICH-1.1].

    Without headers, an empty message is carried by one byte.
    """
    framing = hosts.messages
    header, control = framing.header_bytes.value, framing.control_bytes.value
    least = 0 if header else 1
    written = Counter[tuple[int, int]]()
    for (source, to, size), number in messages.items():
        parts = [framing.envelope_bytes.value + size]
        if size >= framing.rendezvous_from.value:
            parts = [control, size]
            written[to, source] += number * (header + max(control, least))
        elif size >= framing.long_from.value:
            parts = [framing.envelope_bytes.value, size]
        written[source, to] += number * sum(header + max(part, least) for part in parts)
    return written
