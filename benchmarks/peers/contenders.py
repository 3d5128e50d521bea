"""Contenders and their workloads: engines of Linkwright, and our drivers for other simulators.

Each of ours has a rival that simulates the same thing, frames or flows, and to which its ratios are
taken. Hosts with a processor and a message library, which no peer has, are set beside the peer's
hosts without.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from cases import CASES, FULL, Case
from linkwright import Cluster, calibrations, engines
from peers.drivers import BUILT, FLOWS, MESSAGES, NS3, SOURCES, Driver
from peers.equal import HOSTS, ns3_arguments
from peers.traffic import traffic_of

__all__ = [
    "CONTENDERS",
    "PLAYED",
    "Contender",
    "command",
    "contenders_of",
    "ns3_command",
    "write_inputs",
]

EQUAL = str(SOURCES / HOSTS)
PLAYED: dict[str, Case] = {
    **CASES,
    "w2-16": replace(
        CASES["w2"],
        title="W2 among 16 nodes",
        topology="{kind: switch, nodes: 16}",
        n_nodes=16,
    ),
    "w3-144": replace(
        CASES["w3"],
        title="W3 on a 12x12 P-Mesh",
        topology="{kind: p-mesh, shape: [12, 12], lines_per_switch: 1}",
        n_nodes=144,
    ),
}
"""The reference workloads, and smaller ones for many runs."""

SWITCHED = ("w1", "w2", "w3", "w5-switch", "w5-torus")
ROUNDS, BROADCAST_BYTES = 1000, 8192
SMPI_OPTIONS = (
    "--cfg=smpi/bcast:binomial_tree",
    "--cfg=smpi/barrier:ompi_bruck",
    "--cfg=smpi/simulate-computation:no",
    "--log=root.thres:warning",
)


@dataclass(frozen=True)
class Contender:
    """One contender: an engine with hosts, or a driver."""

    name: str
    cases: tuple[str, ...]
    engine: str = ""
    hosts: str = ""
    """Name or file of a calibration."""
    rivals: tuple[str, ...] = ()
    """Contenders to compare with; the first that runs the case is used."""
    driver: Driver | None = None
    arguments: Mapping[str, str] = field(default_factory=dict)


CONTENDERS = (
    Contender(
        name="packet engine",
        cases=tuple(CASES),
        engine="packet",
        hosts=EQUAL,
        rivals=("ns-3", "ns-3, CSMA bus"),
    ),
    Contender(name="ns-3", cases=SWITCHED, driver=NS3),
    Contender(
        name="packet engine, Pentium Pro",
        cases=("w1", "w3", "w4", "w5-switch", "w5-torus"),
        engine="packet",
        hosts=FULL,
        rivals=("ns-3", "ns-3, CSMA bus"),
    ),
    Contender(name="ns-3, CSMA bus", cases=("w4",), driver=NS3, arguments={"medium": "csma"}),
    Contender(name="ns-3, CSMA bridged", cases=("w1",), driver=NS3, arguments={"medium": "csma"}),
    Contender(
        name="flow engine",
        cases=tuple(CASES),
        engine="flow",
        hosts=EQUAL,
        rivals=("SimGrid", "SimGrid SMPI"),
    ),
    Contender(name="SimGrid", cases=("w1", "w2", "w3", "w4"), driver=FLOWS),
    Contender(name="SimGrid SMPI", cases=("w5-switch", "w5-torus"), driver=MESSAGES),
)
"""In the order of a round, in which ours and the peers take turns."""


def contenders_of(case: str) -> list[Contender]:
    """Return the available contenders that run a case."""
    return [
        one
        for one in CONTENDERS
        if case in one.cases and (not one.engine or one.engine in engines.ENGINES)
    ]


def write_inputs() -> None:
    """Write what the drivers read: the traffic of every case, and the hosts of SMPI."""
    for name, case in PLAYED.items():
        text = traffic_of(case.workload, case.n_nodes).text()
        (BUILT / f"{name}.traffic").write_text(text)
    (BUILT / "hosts").write_text("".join(f"{rank}\n" for rank in range(16)))


def command(contender: Contender, case: str) -> list[str]:
    """Return the command that runs a case with another simulator."""
    assert contender.driver
    if contender.driver is NS3:
        equal = ns3_arguments(calibrations.load(EQUAL))
        return ns3_command(case, {**equal, **contender.arguments})
    kind, shape = network_of(case)
    if contender.driver is FLOWS:
        return [str(FLOWS.path), kind, shape, str(BUILT / f"{case}.traffic")]
    platform = SOURCES / "simgrid" / f"{kind}-{shape}.xml"
    inputs = ["-np", "16", "-platform", str(platform), "-hostfile", str(BUILT / "hosts")]
    program = [str(MESSAGES.path), str(ROUNDS), str(BROADCAST_BYTES)]
    return ["smpirun", *inputs, *SMPI_OPTIONS, *program]


def ns3_command(case: str, arguments: Mapping[str, str]) -> list[str]:
    """Return the command that runs a case in ns-3 with arguments of the driver."""
    kind, shape = network_of(case)
    traffic = str(BUILT / f"{case}.traffic")
    given = {"network": kind, "shape": shape, "traffic": traffic, **arguments}
    return [str(NS3.path), *(f"--{name}={value}" for name, value in given.items())]


def network_of(case: str) -> tuple[str, str]:
    """Return the topology of a case in the words of the drivers: its kind, and "16" or "24x24"."""
    topology = Cluster.parse(PLAYED[case].design).topology
    sides = getattr(topology, "shape", None) or (PLAYED[case].n_nodes,)
    return topology.kind, "x".join(str(side) for side in sides)
