"""The changes in the routes of each node: the lines of `changes.csv`, and their numbers.

A destination may have several routes, such as a backup route behind the best one. Routes that are
equal in both plans are no change; the others replace each other in order.
"""

from __future__ import annotations

import ipaddress
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from linkwright.plan.difference.change import Cells, Lines, change_of, compare_lines
from linkwright.text.csv_text import csv_text

CHANGE_COLUMNS = (
    "node", "change", "destination", "via", "nic", "metric", "src",
    "old_via", "old_nic", "old_metric", "old_src",
)  # fmt: skip
ROUTE_KEY = ("node", "destination")
TABLE = "table"
"""Column of the table of a route, where a plan has tables besides the main one."""
ROUTE_CELLS = ("via", "nic", "metric", "src")
_NONE: Cells = ("", "", "", "")


@dataclass(frozen=True)
class RouteChange:
    """A route of a node that is new, removed or changed.

    Attributes
    ----------
    node, destination, table : str
        The node that has the route, its destination, and its table, empty for the main one.
    old, new : tuple of (via, nic, metric, src), or None
        Its old and new state.
    """

    node: str
    destination: str
    table: str
    old: Cells | None
    new: Cells | None

    @property
    def change(self) -> str:
        """The kind of change: add, remove or replace."""
        return change_of(self.old, self.new)


@dataclass(frozen=True)
class RouteCount:
    """The number of changed routes of a node, and the number of its routes afterwards."""

    node: str
    add: int
    remove: int
    replace: int
    routes: int


def route_changes(old: Lines, new: Lines, rank: Mapping[str, int]) -> Iterator[RouteChange]:
    """Yield the routes that differ, in the order of nodes and destinations.

    Parameters
    ----------
    old, new : mapping of (node, destination, table) to lines of (via, nic, metric, src)
        All routes, with the same names of nodes.
    rank : mapping of str to int
        The position of each node.
    """
    for (node, destination, table), was, is_now in compare_lines(
        old, new, lambda key: (rank[key[0]], _place(key[1]), key[2])
    ):
        yield RouteChange(node, destination, table, was, is_now)


def changes_text(changes: Iterable[RouteChange]) -> str:
    """Return the text of `changes.csv`; the column of tables only where some route has one."""
    listed = tuple(changes)
    has_tables = any(one.table for one in listed)
    rows = (
        (
            *(one.node, one.change, one.destination, *(one.new or _NONE), *(one.old or _NONE)),
            *((one.table,) * has_tables),
        )
        for one in listed
    )
    return csv_text((*CHANGE_COLUMNS, *((TABLE,) * has_tables)), rows)


def count_routes(
    changes: Iterable[RouteChange], new: Lines, nodes: Iterable[str]
) -> tuple[RouteCount, ...]:
    """Return the number of changed routes of each node, including nodes without a change."""
    counts = Counter((one.node, one.change) for one in changes)
    n_routes: Counter[str] = Counter()
    for (node, *_), lines in new.items():
        n_routes[node] += len(lines)
    return tuple(
        RouteCount(
            node=node,
            add=counts[node, "add"],
            remove=counts[node, "remove"],
            replace=counts[node, "replace"],
            routes=n_routes[node],
        )
        for node in nodes
    )


@cache
def _place(destination: str) -> tuple[int, int, int]:
    network = ipaddress.ip_network(destination)
    return network.version, int(network.network_address), network.prefixlen
