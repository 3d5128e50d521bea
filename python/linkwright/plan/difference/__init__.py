"""The changes per node from one plan to another, from the tables of both.

The comparison covers cables, the configuration of nodes, and parts to order. Mere numbers do not
count: the names of cables and segments, counts of ports.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from linkwright.files import Pieces
from linkwright.plan.difference.cables import cable_changes
from linkwright.plan.difference.change import (
    Cells,
    Change,
    Row,
    change_of,
    compare_lines,
    lines_by,
)
from linkwright.plan.difference.matching import Matching, device_changes, match_devices
from linkwright.plan.difference.routes import (
    CHANGE_COLUMNS,
    ROUTE_CELLS,
    ROUTE_KEY,
    TABLE,
    RouteChange,
    RouteCount,
    changes_text,
    count_routes,
    route_changes,
)
from linkwright.plan.difference.soundness import first_fault
from linkwright.text.csv_text import CsvError, csv_records

__all__ = [
    "CHANGE_COLUMNS",
    "COMPARED_COLUMNS",
    "Change",
    "Difference",
    "RouteChange",
    "RouteCount",
    "changes_text",
    "difference",
    "fault_of",
]

COMPARED_COLUMNS: Mapping[str, tuple[str, ...]] = {
    "devices.csv": ("device", "kind", "role", "part", "coordinates", "parent"),
    "cables.csv": ("a_device", "a_port", "b_device", "b_port", "kind", "rate_mbps"),
    "interfaces.csv": ("node", "nic", "address", "prefix_length", "mtu", "bond"),
    "routes.csv": (*ROUTE_KEY, *ROUTE_CELLS),
    "hosts.csv": ("node", "address", "hostname"),
    "bom.csv": ("item", "part", "quantity", "unit_price", "currency"),
}
"""The compared tables and columns."""


@dataclass(frozen=True)
class Difference:
    """The changes from one plan to another.

    Attributes
    ----------
    changes : tuple of Change
        In the order of the tables, the routes last.
    routes : tuple of RouteChange
        The routes among them, cell by cell.
    route_counts : tuple of RouteCount
        Per node of the new plan and per removed node, without exception.
    """

    changes: tuple[Change, ...]
    routes: tuple[RouteChange, ...]
    route_counts: tuple[RouteCount, ...]


def difference(old: Mapping[str, str | Pieces], new: Mapping[str, str | Pieces]) -> Difference:
    """Return the changes from one plan to another.

    Parameters
    ----------
    old, new : mapping of str to str or Pieces
        Texts of the tables named in `COMPARED_COLUMNS`, by file name.
    """
    was = {name: _rows(old[name]) for name in COMPARED_COLUMNS}
    is_now = {name: _rows(new[name]) for name in COMPARED_COLUMNS}
    matching = match_devices(was["devices.csv"], is_now["devices.csv"])
    for name in ("interfaces.csv", "routes.csv", "hosts.csv"):
        was[name] = [{**row, "node": matching.now[row["node"]]} for row in was[name]]
    routes, counts = _routes(was, is_now, matching)
    return Difference(
        changes=(
            *device_changes(was["devices.csv"], is_now["devices.csv"], matching),
            *cable_changes(was["cables.csv"], is_now["cables.csv"], matching),
            *_interfaces(was["interfaces.csv"], is_now["interfaces.csv"], matching),
            *_hosts(was["hosts.csv"], is_now["hosts.csv"], matching),
            *_parts_to_buy(was["bom.csv"], is_now["bom.csv"]),
            *map(_as_change, routes),
        ),
        routes=routes,
        route_counts=counts,
    )


def fault_of(files: Mapping[str, str]) -> str:
    """Return the reason why the tables of a plan folder cannot be compared; empty if they can."""
    tables = {}
    for name in COMPARED_COLUMNS:
        try:
            tables[name] = _rows(files[name])
        except CsvError as error:
            return f"{name}, {error}"
    return first_fault(tables, COMPARED_COLUMNS)


def _rows(text: str | Pieces) -> Sequence[Row]:
    return csv_records(str(text))


def _routes(
    was: Mapping[str, Sequence[Row]], is_now: Mapping[str, Sequence[Row]], matching: Matching
) -> tuple[tuple[RouteChange, ...], tuple[RouteCount, ...]]:
    old, new = (
        lines_by(
            [{TABLE: "", **row} for row in tables["routes.csv"]], (*ROUTE_KEY, TABLE), ROUTE_CELLS
        )
        for tables in (was, is_now)
    )
    changes = tuple(route_changes(old, new, matching.rank))
    nodes = {matching.now[row["device"]] for row in was["devices.csv"] if row["kind"] == "node"} | {
        row["device"] for row in is_now["devices.csv"] if row["kind"] == "node"
    }
    return changes, count_routes(changes, new, sorted(nodes, key=lambda node: matching.rank[node]))


def _as_change(one: RouteChange) -> Change:
    return Change(
        "routes", one.change, one.node, one.destination, _route_text(one.old), _route_text(one.new)
    )


def _route_text(cells: Cells | None) -> str:
    if cells is None:
        return ""
    via, nic, metric, src = cells
    return f"{f'via {via} ' if via else ''}dev {nic} metric {metric}{f' src {src}' if src else ''}"


def _interfaces(old: Sequence[Row], new: Sequence[Row], matching: Matching) -> Iterator[Change]:
    def text(cells: Cells) -> str:
        address, prefix_length, mtu, bond = cells
        place = f"{address}/{prefix_length}" if address else "no address"
        return f"{place} mtu {mtu}{f' bond {bond}' if bond else ''}"

    columns = ("node", "nic"), ("address", "prefix_length", "mtu", "bond")
    yield from _changes(
        "interfaces", old, new, columns, text, lambda key: (matching.rank[key[0]], _nic(key[1]))
    )


def _hosts(old: Sequence[Row], new: Sequence[Row], matching: Matching) -> Iterator[Change]:
    columns = ("node",), ("address", "hostname")
    yield from _changes("hosts", old, new, columns, " ".join, lambda key: matching.rank[key[0]])


def _parts_to_buy(old: Sequence[Row], new: Sequence[Row]) -> Iterator[Change]:
    def text(cells: Cells) -> str:
        quantity, unit_price, currency = cells
        return f"{quantity} at {unit_price} {currency}"

    items = list(dict.fromkeys((row["item"], row["part"]) for row in (*new, *old)))
    columns = ("item", "part"), ("quantity", "unit_price", "currency")
    for one in _changes("bom", old, new, columns, text, items.index):
        yield Change(one.table, one.change, "", f"{one.device} {one.what}", one.old, one.new)


def _changes(
    table: str,
    old: Sequence[Row],
    new: Sequence[Row],
    columns: tuple[Sequence[str], Sequence[str]],
    text: Callable[[Cells], str],
    order: Callable[[Any], Any],
) -> Iterator[Change]:
    before, after = lines_by(old, *columns), lines_by(new, *columns)
    for (device, *what), was, is_now in compare_lines(before, after, order):
        texts = ("" if cells is None else text(cells) for cells in (was, is_now))
        yield Change(table, change_of(was, is_now), device, " ".join(what), *texts)


def _nic(name: str) -> tuple[int, int | str]:
    """Return the place of an interface: the loopback first, then by number."""
    digits = name.removeprefix("eth")
    return (1, int(digits)) if re.fullmatch(r"[0-9]{1,9}", digits) else (0, name)
