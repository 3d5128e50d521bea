"""The table of the explicit routing scheme: a CSV file with the columns of `routes.csv`, resolved
to ids.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from linkwright.design.addressing import Addresses
from linkwright.design.names import interface_names
from linkwright.design.topologies import Wiring
from linkwright.errors import DesignError, shown, shown_path, unknown_name
from linkwright.files import MEBIBYTE, read_text
from linkwright.records.read_only import ArrayRecord
from linkwright.text.csv_text import CsvError, csv_rows

__all__ = ["RouteTable", "read_route_table"]

_COLUMNS = ("node", "destination", "via", "nic", "metric")
_SOURCE = "src"
"""Column that may follow: the source of the node's own packets, which is its identity."""
_MOST_METRIC = 2**32 - 1
_MOST_BYTES = 256 * MEBIBYTE
"""Largest size, above the plan of any network whose routes can be listed, so that it can be
read."""


class RouteTable(ArrayRecord):
    """Routes as columns; `r` routes."""

    node: NDArray[np.uint32]
    destination: NDArray[np.uint8]
    """shape (r, 16): first address of the prefix, big-endian, IPv4 in the last four bytes."""
    is_v6: NDArray[np.bool_]
    prefix_length: NDArray[np.uint8]
    via: NDArray[np.int32]
    """shape (r,): id of the gateway's address, -1 for a connected subnet."""
    port: NDArray[np.uint32]
    """shape (r,): number on the node."""
    metric: NDArray[np.uint32]


@dataclass(frozen=True)
class _Route:
    """A line of the file, resolved."""

    node: int
    destination: bytes
    is_v6: bool
    prefix_length: int
    via: int
    port: int
    metric: int


def read_route_table(
    path: Path,
    *,
    node_names: tuple[str, ...],
    wiring: Wiring,
    addresses: Addresses,
    across: NDArray[np.int64],
) -> RouteTable:
    """Return the routes in a file.

    Parameters
    ----------
    path : Path
        CSV with the header `node,destination,via,nic,metric`, and `src` at the end or not; `via`
        and `src` may be empty.
    node_names : tuple of str
        By node id.
    wiring : Wiring
        Devices and cables, for the NICs of each node.
    addresses : Addresses
        The possible addresses of gateways.
    across : ndarray, shape (a,)
        Address that the port across the segment borrows, -1 where there is none.

    Raises
    ------
    DesignError
        If the file cannot be read or a line has an unknown name; the message gives the line.
    """
    ids = {name: node for node, name in enumerate(node_names)}
    gateways = _Gateways(addresses, across)
    hint = f"give a CSV file that begins with {','.join(_COLUMNS)}"
    text = read_text(path, "route table", most_bytes=_MOST_BYTES, hint=hint, error=DesignError)
    lines = _rows(text, path)
    header = tuple(next(lines, ()))
    if header not in (_COLUMNS, (*_COLUMNS, _SOURCE)):
        raise DesignError(
            f"route table {shown_path(path)} begins with {shown(','.join(header))}",
            f"its first line must be {','.join(_COLUMNS)}",
        )
    interfaces = cache(partial(interface_names, wiring))
    routes = []
    for number, cells in enumerate(lines, start=2):
        where = f"route table {shown_path(path)}, line {number}"
        if len(cells) != len(header):
            raise DesignError(f"{where} has {len(cells)} columns", f"give {len(header)} columns")
        source = cells[len(_COLUMNS) :]
        routes.append(_resolved(cells[: len(_COLUMNS)], where, ids, interfaces, gateways))
        _expect_identity(routes[-1], "".join(source).strip(), where, node_names, addresses)
    return _columns(routes)


def _expect_identity(
    route: _Route, source: str, where: str, names: tuple[str, ...], addresses: Addresses
) -> None:
    if not source:
        return
    (number,) = addresses.identities(np.array([route.node]), np.array([route.is_v6])).tolist()
    identity = str(addresses.ip[number].ip)
    if source != identity:
        raise DesignError(
            f"{where}: {shown(source)} is not the identity of {shown(names[route.node])}",
            f"give {identity}, or nothing",
        )


def _rows(text: str, path: Path) -> Iterator[list[str]]:
    try:
        yield from csv_rows(text)
    except CsvError as error:
        raise DesignError(
            f"route table {shown_path(path)}, {error}", "shorten the cell, or close its quote"
        ) from None


def _resolved(
    cells: list[str],
    where: str,
    ids: Mapping[str, int],
    interfaces: Callable[[int], Mapping[str, int]],
    gateways: _Gateways,
) -> _Route:
    name, destination, via, nic, metric = (cell.strip() for cell in cells)
    if name not in ids:
        raise DesignError(f"{where}: there is no node {shown(name)}", unknown_name(name, ids))
    node = ids[name]
    try:
        prefix = ipaddress.ip_network(destination)
        gateway = ipaddress.ip_address(via) if via else None
    except ValueError as error:
        raise DesignError(f"{where}: {error}", "give a prefix and a gateway's address") from None
    nics = interfaces(node)
    if nic not in nics:
        raise DesignError(
            f"{where}: node {shown(name)} has no NIC {shown(nic)}", unknown_name(nic, nics)
        )
    if not metric.isascii() or not metric.isdigit() or int(metric[:12]) > _MOST_METRIC:
        raise DesignError(
            f"{where}: {shown(metric)} is no metric", "give a whole number from 0 upwards"
        )
    packed = prefix.network_address.packed.rjust(16, b"\0")
    is_v6 = prefix.version == 6
    is_one = prefix.prefixlen == prefix.max_prefixlen
    owner = -1
    if gateway is not None:
        wanted = gateway.version == 6, gateway.packed.rjust(16, b"\0")
        owner = gateways.of(wanted, (node, nics[nic]))
        if owner < 0:
            raise DesignError(
                f"{where}: no node has the address {shown(via)}", "name an address in use"
            )
    elif is_one:
        owner = gateways.facing((is_v6, packed), (node, nics[nic]))
    return _Route(node, packed, is_v6, prefix.prefixlen, owner, nics[nic], int(metric))


class _Gateways:
    """The addresses by which routes name gateways."""

    def __init__(self, addresses: Addresses, across: NDArray[np.int64]) -> None:
        keys = zip(addresses.is_v6.tolist(), map(bytes, addresses.bits), strict=True)
        self._owners = {key: address for address, key in enumerate(keys)}
        ends = zip(addresses.node.tolist(), addresses.port.tolist(), strict=True)
        self._facing = {
            end: there for end, there in zip(ends, across.tolist(), strict=True) if there >= 0
        }
        self._bits = addresses.bits

    def of(self, wanted: tuple[bool, bytes], port: tuple[int, int]) -> int:
        """Return the number of an address as a port sees it, -1 if no node has it."""
        there = self.facing(wanted, port)
        return there if there >= 0 else self._owners.get(wanted, -1)

    def facing(self, wanted: tuple[bool, bytes], port: tuple[int, int]) -> int:
        """Return the number of an address that the other end of an unnumbered port borrows, -1 if
        it borrows another one, or none.
        """
        there = self._facing.get(port, -1)
        is_wanted = there >= 0 and not wanted[0] and bytes(self._bits[there]) == wanted[1]
        return there if is_wanted else -1


def _columns(routes: list[_Route]) -> RouteTable:
    packed = b"".join(route.destination for route in routes)
    return RouteTable(
        node=np.array([route.node for route in routes], dtype=np.uint32),
        destination=np.frombuffer(packed, dtype=np.uint8).reshape(len(routes), 16),
        is_v6=np.array([route.is_v6 for route in routes], dtype=np.bool_),
        prefix_length=np.array([route.prefix_length for route in routes], dtype=np.uint8),
        via=np.array([route.via for route in routes], dtype=np.int32),
        port=np.array([route.port for route in routes], dtype=np.uint32),
        metric=np.array([route.metric for route in routes], dtype=np.uint32),
    )
