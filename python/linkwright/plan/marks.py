"""Marks of the nodes' own packets as rows: `marks.csv`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from linkwright.nodes.marks import marks_of

if TYPE_CHECKING:
    from linkwright.network import Network

__all__ = ["MARK_COLUMNS", "mark_rows"]

MARK_COLUMNS = ("node", "destination", "mark", "reason")


def mark_rows(network: Network) -> Iterator[tuple[object, ...]]:
    """Yield the marks of every node, in the order of nodes."""
    marks = marks_of(network)
    for node in network.device_names[: network.n_nodes]:
        for mark in marks:
            yield node, str(mark.destination), f"{mark.value:#x}", mark.reason
