"""Addresses, rules, host names and the bill of materials as rows: the short CSV tables of a plan.

All text is made from arrays of the network. `routes.py` makes the one long table.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from linkwright.design.names import bond_names, nic_name
from linkwright.network import FIRST_TABLE, RULE_PRIORITY
from linkwright.nodes.sources import SOURCE_PRIORITY, source_routes
from linkwright.plan.cost import Cost

if TYPE_CHECKING:
    from linkwright.network import Network

INTERFACE_COLUMNS = ("node", "nic", "segment", "address", "prefix_length", "mtu", "bond")
BOND_COLUMNS = ("node", "bond", "mode", "members", "mtu")
BOND_MODE = "balance-rr"
"""Frames take the members in turn."""
RULE_COLUMNS = ("node", "priority", "from_nic", "table", "from_address")
HOST_COLUMNS = ("node", "address", "hostname")
BOM_COLUMNS = (
    "item", "part", "quantity", "unit_price", "currency", "price_date", "source", "total", "name",
)  # fmt: skip

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


def rule_rows(network: Network) -> Iterator[tuple[object, ...]]:
    """Yield the rules that choose a table of routes for the packets that come in by a NIC, or for
    those from an address.
    """
    for node, name in enumerate(network.device_names[: network.n_nodes]):
        tables = network.core.routes_of(node, with_fallback=network.fallback).table
        for port in np.unique(tables[tables >= 0]).tolist():
            nic = nic_name(network.wiring, node, port)
            yield name, RULE_PRIORITY, nic, FIRST_TABLE + port, ""
    by_source = source_routes(network)
    if by_source is None:
        return
    columns = (by_source.node, by_source.table, by_source.source)
    for node, table, source in np.unique(np.column_stack(columns), axis=0).tolist():
        address = str(network.addresses.ip[source].ip)
        yield network.device_names[node], SOURCE_PRIORITY, "", table, address


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
