"""Kernel settings of the nodes as rows: `sysctl.csv`. Keys are as `sysctl` takes them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from linkwright.design.names import bond_names, nic_name
from linkwright.nodes.sysctls import demands, settings_of_node

if TYPE_CHECKING:
    from linkwright.network import Network

__all__ = ["SYSCTL_COLUMNS", "sysctl_rows"]

SYSCTL_COLUMNS = ("node", "key", "value", "reason")
_SWAPPED = str.maketrans("/.", "./")
"""Points take the place of slashes, and slashes that of points in the names of interfaces."""


def sysctl_rows(network: Network) -> Iterator[tuple[object, ...]]:
    """Yield the settings of every node, in the order of nodes."""
    asked = demands(network)
    for node, names in enumerate(_interfaces(network)):
        for setting in settings_of_node(asked, node, names):
            key = setting.key.translate(_SWAPPED)
            yield network.device_names[node], key, setting.value, setting.reason


def _interfaces(network: Network) -> list[list[str]]:
    """Return the names of each node's interfaces that have an address: NICs, or their bonds."""
    bonds = bond_names(network.wiring)
    addresses = network.addresses
    found: list[dict[str, None]] = [{} for _ in range(network.n_nodes)]
    for node, port in sorted(zip(addresses.node.tolist(), addresses.port.tolist(), strict=True)):
        if port >= 0:
            name = bonds.get((node, port)) or nic_name(network.wiring, node, port)
            found[node][name] = None
    return [list(names) for names in found]
