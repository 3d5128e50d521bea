"""Nodes that fail during an emulation: their cables fail with them, and the processes in them live.

A workload ends as it does in the packet engine, where a rank dies with its node; a command goes on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from linkwright.faults import DOWN

if TYPE_CHECKING:
    from linkwright.faults import Fault
    from linkwright.network import Network

__all__ = ["Death", "deaths_of_ranks", "living_programs"]

_DEVICE = 2
"""Code of the parts that are devices."""


@dataclass(frozen=True)
class Death:
    """The failure of a node with a rank.

    Attributes
    ----------
    rank : int
        The rank that dies.
    at_s : float
        Time from the start, in seconds of the network.
    """

    rank: int
    at_s: float

    @property
    def text(self) -> str:
        """The death as an error says it."""
        return f"rank {self.rank} died with its node at {self.at_s * 1e3:.3f} ms"


def deaths_of_ranks(faults: Sequence[Fault], node_of_rank: Sequence[int]) -> list[Death]:
    """Return the deaths of ranks, the first one first."""
    found = [
        Death(rank, at_s)
        for node, at_s in _failing(faults)
        for rank, of_rank in enumerate(node_of_rank)
        if of_rank == node
    ]
    return sorted(found, key=lambda death: death.at_s)


def living_programs(faults: Sequence[Fault], network: Network) -> Iterator[str]:
    """Yield the remark on the programs of nodes that fail under a command, if any does."""
    nodes = sorted({node for node, _ in _failing(faults) if node < network.n_nodes})
    if nodes:
        names = ", ".join(network.device_names[node] for node in nodes)
        yield f"a node that fails loses its cables, and its programs go on: {names}"


def _failing(faults: Sequence[Fault]) -> Iterator[tuple[int, float]]:
    """Yield the devices that fail, with the time of each."""
    for fault in faults:
        if fault.kind == DOWN:
            yield from ((part, fault.from_s) for kind, part in fault.parts if kind == _DEVICE)
