"""The runs that a question over several networks asks of each of them: every workload once, and a
ping-pong between the nearest and between the farthest pair of compute nodes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwright.comparison.result import Measured
from linkwright.engines import Run, observe
from linkwright.network import SWITCH, Network
from linkwright.placement import IN_ORDER
from linkwright.progress import Report
from linkwright.workloads import PingPong, Workload

__all__ = ["PairedRun", "paired_runs"]

_MOST_NODES = 2000
"""Number of nodes up to which every pair is a candidate for the nearest and the farthest."""


@dataclass(frozen=True)
class PairedRun:
    """A run on a network, with its two nodes if its workload has only two."""

    run: Run
    pair: str = ""
    nodes: tuple[int, int] | None = None

    def measured(self, progress: Report | None = None) -> Measured:
        """Make the run, and return its rows with their pair."""
        result = observe(self.run, n_jobs=1, progress=progress).result
        return Measured(self.run.workload.name, self.pair, self.nodes, result)


def paired_runs(
    network: Network, workloads: Sequence[Workload], **inputs: Any
) -> Iterator[PairedRun]:
    """Yield each workload once, a ping-pong between the nearest and the farthest pair of nodes.

    Parameters
    ----------
    network, workloads
        The network and the workloads.
    **inputs
        Further inputs of each run; see `engines.Run.of`. A ping-pong names its nodes, and takes no
        placement.
    """
    for workload in workloads:
        if not isinstance(workload, PingPong):
            yield PairedRun(Run.of(network, workload, **inputs))
            continue
        for name, nodes in _nearest_and_farthest(network).items():
            src, dst = nodes
            between = workload.model_copy(update={"src": src, "dst": dst})
            in_order = {**inputs, "placement": IN_ORDER}
            yield PairedRun(Run.of(network, between, **in_order), name, nodes)


def _nearest_and_farthest(network: Network) -> dict[str, tuple[int, int]]:
    """Return the pair with the fewest and the pair with the most forwards, then switches; one pair
    if all are alike.

    The farthest pair is searched from the node of the pair with most forwards, the nearest from
    node
    0: all topologies look alike from every node, or are widest at their corners. In a very large
    network only pairs of some nodes are examined, including the first and the last.
    """
    step = max(1, network.n_compute / _MOST_NODES)
    nodes = np.unique(np.arange(0, network.n_compute, step).astype(np.int64))
    nodes = np.union1d(nodes, [1, network.n_compute - 1])
    forwards = network.core.forwards(network.addresses.identity[nodes])
    corner = int(np.unravel_index(np.argmax(forwards), forwards.shape)[0])
    others, distance = _distances(network, nodes, forwards, 0)
    first = np.lexsort((others, *distance))[0]
    pairs, nearest = {"nearest": (0, int(others[first]))}, tuple(distance[:, first])
    others, distance = _distances(network, nodes, forwards, corner)
    last = np.lexsort((-others, *distance))[-1]
    if tuple(distance[:, last]) != nearest:
        pairs["farthest"] = (int(nodes[corner]), int(others[last]))
    return pairs


def _distances(
    network: Network, nodes: NDArray[np.int64], forwards: NDArray[np.uint16], place: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the nodes other than `node`, with the switches (row 0) and forwards (row 1) on the
    path from it to each.
    """
    others = np.delete(nodes, place)
    origin = np.full(len(others), nodes[place], dtype=np.uint32)
    paths = network.core.paths(origin, network.addresses.identity[others])
    is_switch = network.wiring.kind[paths.device] == SWITCH
    n_switches = np.add.reduceat(is_switch, paths.start[:-1], dtype=np.int64)
    return others, np.stack([n_switches, np.delete(forwards[place], place).astype(np.int64)])
