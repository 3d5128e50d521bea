"""The deviation of the fast engines from the packet engine.

One question is a workload on a network; every engine answers it, and the answers are compared with
the packet engine's. The packet engine is the reference because it moves every frame: the deviation
shows the effect of everything that a faster engine does not model (single collisions, losses, full
queues). The distance of any engine from a real machine is the subject of `papers`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from linkwright import workloads
from linkwright.agreement.loads import MessageStream, PipelinedRing, SkewedAllToAll
from linkwright.design.cluster import Cluster
from linkwright.engines import predictive, run
from linkwright.execution.calls import called
from linkwright.network import Network
from linkwright.network import compile as compile_network
from linkwright.progress import Report
from linkwright.workloads import Workload

__all__ = ["LOADS", "NETWORKS", "REFERENCE", "Departure", "agreement"]

REFERENCE = "packet"

NETWORKS = {
    "switch": "{kind: switch, nodes: 16}",
    "hub": "{kind: hub, nodes: 16}",
    "torus 4x4": "{kind: torus, shape: [4, 4]}",
    "P-Mesh 4x4": "{kind: p-mesh, shape: [4, 4], lines_per_switch: 1}",
    "tree": "{kind: tree, nodes: 16}",
    "ring of 8": "{kind: ring, shape: [8]}",
}
"""Networks of the questions by name, as in a design file."""

LOADS = {
    "ping-pong": (1, 1024, 16_384, 131_072, 1_048_576),
    "broadcast": (1, 1024, 16_384, 131_072),
    "all-reduce": (8, 1024, 16_384, 131_072),
    "all-to-all": (64, 1024, 16_384),
    "shift": (1024, 16_384, 131_072, 1_048_576),
    "permutation": (1024, 16_384, 131_072, 1_048_576),
    "incast": (1024, 16_384, 131_072),
    MessageStream.name: (1, 100, 1024, 4096),
    PipelinedRing.name: (1, 64, 1024, 16_384),
    SkewedAllToAll.name: (64, 1024, 16_384),
}
"""Workloads with the sizes of their messages in bytes: the load of each question."""


_OWN = {one.name: one for one in (MessageStream, PipelinedRing, SkewedAllToAll)}


@dataclass(frozen=True)
class Departure:
    """One answer of one engine, and the packet engine's."""

    network: str
    workload: str
    size_bytes: int
    engine: str
    seconds: float
    reference_s: float

    @property
    def relative(self) -> float:
        """The relative difference of the engine's answer from the packet engine's."""
        return self.seconds / self.reference_s - 1


def agreement(
    calibration: str,
    *,
    seed: int = 1,
    n_jobs: int | None = None,
    progress: Report | None = None,
) -> list[Departure]:
    """Return the deviations of every engine from the packet engine, on idle and loaded networks.

    Parameters
    ----------
    calibration : str
        The hosts.
    seed : int
        Seed of every run.
    n_jobs : int, optional
        Threads. Default: one per core. The results do not depend on it.
    progress : callable, optional
        Called with the number of answered questions, of all questions, and the current one.

    Returns
    -------
    list of Departure
        In the order of networks, workloads, sizes and engines.
    """
    questions = list(_questions())
    calls = [
        (f"{one.name}: {one.workload.name}", partial(_answers, one, calibration, seed))
        for one in questions
    ]
    return [one for found in called(calls, n_jobs=n_jobs, progress=progress) for one in found]


@dataclass(frozen=True)
class _Question:
    name: str
    network: Network
    workload: Workload
    size_bytes: int


def _questions() -> Iterator[_Question]:
    for name, topology in NETWORKS.items():
        text = f"{{name: '{name}', topology: {topology}, parts: {{catalogue: whitney-1998}}}}"
        network = compile_network(Cluster.parse(text))
        for workload, sizes in LOADS.items():
            for size_bytes in sizes:
                yield _Question(name, network, _load(workload, size_bytes), size_bytes)


def _load(workload: str, size_bytes: int) -> Workload:
    own = _OWN.get(workload)
    if own is not None:
        return own(size_bytes=size_bytes)
    return workloads.parse(workload, {"size_bytes": str(size_bytes)})


def _answers(question: _Question, calibration: str, seed: int) -> Sequence[Departure]:
    """Return the answers of every engine except the reference."""
    seconds = {
        engine: _seconds(question, engine=engine, calibration=calibration, seed=seed)
        for engine in (REFERENCE, *(name for name in predictive() if name != REFERENCE))
    }
    reference_s = seconds.pop(REFERENCE)
    where = (question.name, question.workload.name, question.size_bytes)
    return [Departure(*where, engine, time_s, reference_s) for engine, time_s in seconds.items()]


def _seconds(question: _Question, *, engine: str, calibration: str, seed: int) -> float:
    result = run(
        question.network, question.workload, engine=engine, calibration=calibration, seed=seed
    )
    metric = "latency" if question.workload.name == "ping-pong" else "time"
    return float(result.filter(metric=metric).values()[0])
