"""Addresses, routes, host names and the bill of materials as rows: the other CSV tables of a plan.

All text is made from arrays of the network. Connected subnets are not listed as routes: they follow
from the prefix of an interface.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator, Sequence
from heapq import merge
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from linkwright.design.names import bond_names, nic_name
from linkwright.errors import PlanError
from linkwright.memory import expect_room
from linkwright.network import FIRST_TABLE, RULE_PRIORITY
from linkwright.nodes.sources import SOURCE_PRIORITY, SourceRoutes, source_routes
from linkwright.plan.cost import Cost

if TYPE_CHECKING:
    from linkwright.network import Network

_NumberedRow = tuple[int, tuple[object, ...]]

INTERFACE_COLUMNS = ("node", "nic", "segment", "address", "prefix_length", "mtu", "bond")
ROUTE_COLUMNS = ("node", "destination", "via", "nic", "metric", "src")
BOND_COLUMNS = ("node", "bond", "mode", "members", "mtu")
BOND_MODE = "balance-rr"
"""Frames take the members in turn."""
RULE_COLUMNS = ("node", "priority", "from_nic", "table", "from_address")
HOST_COLUMNS = ("node", "address", "hostname")
BOM_COLUMNS = (
    "item", "part", "quantity", "unit_price", "currency", "price_date", "source", "total", "name",
)  # fmt: skip

MOST_ROUTES = 30_000_000
"""Largest number of rows of a table of routes: some gigabytes of text."""
BYTES_PER_ROUTE = 400
"""Memory of a route while its table is written: columns of the core, objects, text."""
LOOPBACK_MTU = 65536
"""MTU of the loopback interface of Linux."""


def interface_rows(network: Network) -> Iterator[tuple[object, ...]]:
    """Yield one row per address and node, loopback first, and one per NIC without an address.

    Every NIC of a bond has a row; its first NIC carries the address.
    """
    segments, bonds = segment_names(network), bond_names(network.wiring)
    addressed = zip(
        network.addresses.node.tolist(),
        network.addresses.port.tolist(),
        network.addresses.ip,
        strict=True,
    )
    rows: dict[tuple[int, int], list[tuple[str, int | str]]] = {key: [] for key in segments}
    for node, port, interface in addressed:
        place = rows.setdefault((node, port), [])
        place.append((str(interface.ip), interface.network.prefixlen))
    for node, port in sorted(rows):
        name = network.device_names[node]
        nic = nic_name(network.wiring, node, port)
        mtu = LOOPBACK_MTU if port < 0 else network.mtu_of(node, port)
        for address, prefix_length in rows[node, port] or [("", "")]:
            yield (
                name,
                nic,
                segments.get((node, port), ""),
                address,
                prefix_length,
                mtu,
                bonds.get((node, port), ""),
            )


def bond_rows(network: Network) -> Iterator[tuple[object, ...]]:
    """Yield one row per bond, with its members and its mode."""
    names = bond_names(network.wiring)
    for node, first, n_ports in network.wiring.bonds.tolist():
        members = [nic_name(network.wiring, node, port) for port in range(first, first + n_ports)]
        bond, mtu = names[node, first], network.mtu_of(node, first)
        yield network.device_names[node], bond, BOND_MODE, " ".join(members), mtu


def segment_names(network: Network) -> dict[tuple[int, int], str]:
    """Return the name of the broadcast domain that each NIC in use is plugged into.

    Names count from `s0` in the order of nodes and their NICs.

    Returns
    -------
    dict of (int, int) to str
        Segment per (node, port).
    """
    segment = network.core.fabric.port_segment
    ends = np.concatenate([network.wiring.cable_a, network.wiring.cable_b])
    nics = ends[ends[:, 0] < network.n_nodes]
    nics = nics[np.lexsort((nics[:, 1], nics[:, 0]))]
    found = segment[network.port_ids(nics)].tolist()
    number = {key: index for index, key in enumerate(dict.fromkeys(found))}
    width = len(str(max(len(number) - 1, 0)))
    return {
        (node, port): f"s{number[key]:0{width}}"
        for (node, port), key in zip(nics.tolist(), found, strict=True)
    }


def route_rows(network: Network) -> Iterator[tuple[object, ...]]:
    """Yield every node's routes in the order of nodes, destinations, tables and metrics.

    With rules each has its table, empty for the main one.

    Raises
    ------
    PlanError
        If there would be too many to write.
    """
    _check_number_of_routes(network)
    main = network.core.routes(with_fallback=network.fallback)
    by_source = source_routes(network)
    columns: list[Sequence[Any]] = [
        main.node.tolist(),
        prefix_texts(main.destination, main.is_v6, main.prefix_length),
        main.via.tolist(),
        main.port.tolist(),
        main.metric.tolist(),
        network.addresses.identities(main.node, main.is_v6).tolist(),
    ]
    if network.by_interface or by_source is not None:
        columns.append(["" if one < 0 else FIRST_TABLE + one for one in main.table.tolist()])
    rows = _numbered_rows(network, *columns)
    if by_source is not None:
        rows = merge(rows, _rows_by_source(network, by_source), key=itemgetter(0))
    yield from (row for _, row in rows)


def _rows_by_source(network: Network, routes: SourceRoutes) -> Iterator[_NumberedRow]:
    """Yield the routes in tables by source address, which follow those of the main table."""
    return _numbered_rows(
        network,
        routes.node.tolist(),
        prefix_texts(routes.bits, routes.is_v6, routes.length),
        routes.via.tolist(),
        routes.port.tolist(),
        routes.metric.tolist(),
        routes.source.tolist(),
        routes.table.tolist(),
    )


def _numbered_rows(network: Network, *columns: Sequence[Any]) -> Iterator[_NumberedRow]:
    """Yield rows behind the number of their node; the columns are node, destination, gateway, port,
    metric, source and, if there are any, table.
    """
    names, bonds = network.device_names, bond_names(network.wiring)
    addresses = [*(str(interface.ip) for interface in network.addresses.ip), ""]  # via may be -1
    for node, destination, via, port, metric, source, *table in zip(*columns, strict=True):
        nic = bonds.get((node, port)) or nic_name(network.wiring, node, port)
        row = (names[node], destination, addresses[via], nic, metric, addresses[source], *table)
        yield node, row


def rule_rows(network: Network) -> Iterator[tuple[object, ...]]:
    """Yield the rules that choose a table of routes for the packets that come in by a NIC, or for
    those from an address.
    """
    routes = network.core.routes(with_fallback=network.fallback)
    came_by = routes.table >= 0
    rules = np.unique(np.column_stack([routes.node, routes.table])[came_by], axis=0)
    for node, port in rules.tolist():
        yield (
            network.device_names[node],
            RULE_PRIORITY,
            nic_name(network.wiring, node, port),
            FIRST_TABLE + port,
            "",
        )
    by_source = source_routes(network)
    if by_source is None:
        return
    columns = (by_source.node, by_source.table, by_source.source)
    for node, table, source in np.unique(np.column_stack(columns), axis=0).tolist():
        address = str(network.addresses.ip[source].ip)
        yield network.device_names[node], SOURCE_PRIORITY, "", table, address


def _check_number_of_routes(network: Network) -> None:
    """Estimate the number from two nodes, which resemble the others in a regular shape."""
    fallback = network.fallback
    some = {0, network.n_nodes // 2}
    most = max(len(network.core.routes_of(node, with_fallback=fallback).node) for node in some)
    if most * network.n_nodes > MOST_ROUTES:
        raise PlanError(
            f"'{network.name}' would have some {most * network.n_nodes:,} routes, at most "
            f"{MOST_ROUTES:,} are written into a plan",
            "choose fewer nodes, or a network whose segments hold more of them",
        )
    n_bytes = BYTES_PER_ROUTE * most * network.n_nodes
    expect_room(f"the plan of {network.n_nodes:,} nodes", n_bytes, "its table of routes")


def prefix_texts(
    destination: npt.NDArray[np.uint8],
    is_v6: npt.NDArray[np.bool_],
    prefix_length: npt.NDArray[np.uint8],
) -> list[str]:
    """Return each route's destination; every prefix is formatted once and then looked up."""
    columns = (destination, is_v6, prefix_length)
    keys = np.column_stack(columns).astype(np.uint8).tobytes()
    step = destination.shape[1] + 2
    written: dict[bytes, str] = {}
    texts = []
    for start in range(0, len(keys), step):
        key = keys[start : start + step]
        text = written.get(key)
        if text is None:
            text = written[key] = _prefix_text(key)
        texts.append(text)
    return texts


def _prefix_text(key: bytes) -> str:
    bits, is_v6, length = key[:16], key[16], key[17]
    if is_v6:
        return str(ipaddress.IPv6Network((bits, length)))
    return str(ipaddress.IPv4Network((bits[12:], length)))


def host_rows(network: Network) -> Iterator[tuple[object, ...]]:
    """Yield the address that applications use for each node, one row per family."""
    nodes = np.arange(network.n_nodes)
    families = [
        network.addresses.identities(nodes, np.full(len(nodes), is_v6)).tolist()
        for is_v6 in sorted(set(network.addresses.is_v6.tolist()))
    ]
    for node, *identities in zip(nodes.tolist(), *families, strict=True):
        name = network.device_names[node]
        for address in identities:
            yield name, str(network.addresses.ip[address].ip), name


def bom_rows(cost: Cost) -> Iterator[tuple[object, ...]]:
    """Yield one row per item to order."""
    for line in cost.units_bought:
        yield (
            line.item,
            line.part,
            line.quantity,
            f"{line.unit_price:.2f}",
            line.currency,
            line.price_date.isoformat(),
            line.source,
            f"{line.total:.2f}",
            line.name,
        )
