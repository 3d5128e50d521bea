"""A check that cables join all nodes of a whole network.

Nodes of different islands reach each other by no routes, so that this is one finding and their
pairs are none. After failures, each disconnected node is a finding (reachability.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from linkwright.plan.connected import node_groups
from linkwright.plan.finding import Finding, Severity

if TYPE_CHECKING:
    from linkwright.network import Network

MOST_PARTS, MOST_NAMES = 4, 4
"""Number of islands, and of nodes of each, that a finding names."""


def check_islands(network: Network) -> Iterator[Finding]:
    """Yield one error if no cables join some nodes to the others."""
    if network.without:
        return
    group = node_groups(network)[: network.n_nodes]
    first, n_nodes = np.unique(group, return_counts=True)
    if len(first) < 2:
        return
    parts = [
        _part(network, np.flatnonzero(group == one)[:MOST_NAMES].tolist(), n)
        for one, n in zip(first[:MOST_PARTS].tolist(), n_nodes[:MOST_PARTS].tolist(), strict=True)
    ]
    yield Finding(
        Severity.ERROR,
        network.name,
        "islands",
        f"no cable joins the {len(first)} parts of the network: {_listed(parts, len(first))}",
        "add a cable between the parts, or describe each as a design of its own",
    )


def _part(network: Network, nodes: Sequence[int], n_nodes: int) -> str:
    """Return the name of an island: its first nodes."""
    names = [network.device_names[node] for node in nodes]
    n_more = n_nodes - len(names)
    return ", ".join(names) + (f" and {n_more:,} more" if n_more else "")


def _listed(parts: Sequence[str], n_parts: int) -> str:
    n_more = n_parts - len(parts)
    return "; ".join(parts) + (f"; and {n_more:,} more" if n_more else "")
