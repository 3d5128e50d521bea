"""The compiled network: names and parts on top of the ids of the extension module, and `compile`.

`compile` goes left to right: parts -> wiring -> fabric -> addresses -> routes. It takes no decision that
a topology, an address scheme or a routing scheme could take. After it, nothing reads the Cluster.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from linkwright import _core
    from linkwright.design.parts import Part
    from linkwright.design.topologies import ClosedForms

__all__ = ["HUB", "NODE", "SWITCH", "Interface", "Network"]

NODE, HUB, SWITCH = 0, 1, 2
"""Codes of `Network.device_kind`."""

Interface = ipaddress.IPv4Interface | ipaddress.IPv6Interface


@dataclass(frozen=True, eq=False, kw_only=True)
class Network:
    """A design that is built, addressed and routed; immutable.

    Devices are what a frame sees: compute nodes `0..n_compute`, the front end if any, then hubs and
    switches. `n` counts devices, `m` cables, `a` addresses, `d` axes of the shape.
    """

    name: str
    kind: str
    """Topology kind, for example "p-mesh"."""
    design_hash: str
    """First 16 hex digits of the SHA-256 of the canonical design."""
    n_nodes: int
    """Nodes, the front end included."""
    n_compute: int
    shape: tuple[int, ...]

    device_names: tuple[str, ...]
    device_kind: NDArray[np.uint8]
    """shape (n,): NODE, HUB or SWITCH."""
    device_role: NDArray[np.uint8]
    """shape (n,): 0 none, 1 compute, 2 front end, 3 forwarder."""
    device_parts: tuple[str, ...]
    """Key of each device's part."""
    device_part_roles: tuple[str, ...]
    """Key of each device's part in `parts`: node, hub, switch or root_switch."""
    device_ports: NDArray[np.uint32]
    """shape (n,): connectors in use."""
    device_coordinates: NDArray[np.int32]
    """shape (n, d): -1 along axes on which a device extends or has no place."""
    stack_units: NDArray[np.uint32]
    """shape (n,): physical units that act as this device; port p is port `p // units` of unit `p % units`."""
    chassis: NDArray[np.int32]
    """shape (n,): index of the chassis whose part this device is, -1 when it stands alone."""
    chassis_names: tuple[str, ...]
    chassis_parts: tuple[str, ...]

    cable_a: NDArray[np.uint32]
    """shape (m, 2): device and port of one end."""
    cable_b: NDArray[np.uint32]
    """shape (m, 2): device and port of the other end."""
    cable_kind: NDArray[np.uint8]
    """shape (m,): 0 straight, 1 crossover, 2 uplink, 3 stack."""
    cable_class: NDArray[np.uint8]
    """shape (m,): 0 node speed, 1 uplink speed."""
    cable_rate_bps: NDArray[np.uint64]

    address_bits: NDArray[np.uint8]
    """shape (a, 16): big-endian; IPv4 in the last four bytes."""
    address_is_v6: NDArray[np.bool_]
    prefix_length: NDArray[np.uint8]
    address_node: NDArray[np.uint32]
    address_port: NDArray[np.int32]
    """shape (a,): port number on the node, -1 for its loopback."""
    identity: NDArray[np.uint32]
    """shape (n_nodes,): index of the address applications use."""

    parts: Mapping[str, Part]
    """Part of each role in use: node, nic, cable, and hub, switch, root_switch where there are any."""
    closed: ClosedForms
    addressing: str
    routing: str
    fallback: bool
    core: _core.Network

    @cached_property
    def address_ip(self) -> tuple[Interface, ...]:
        """Every address with its prefix length."""
        rows = zip(
            self.address_bits, self.address_is_v6.tolist(), self.prefix_length.tolist(), strict=True
        )
        return tuple(
            ipaddress.IPv6Interface((bits.tobytes(), length))
            if is_v6
            else ipaddress.IPv4Interface((bits[12:].tobytes(), length))
            for bits, is_v6, length in rows
        )

    @property
    def front_end(self) -> int | None:
        """The front end's node id, or None."""
        return self.n_compute if self.n_nodes > self.n_compute else None

    def port_name(self, device: int, port: int) -> str:
        """Return the name of a connector: a node's NIC `eth0`, a hub's or switch's port `p0`."""
        return f"{'eth' if self.device_kind[device] == NODE else 'p'}{port}"
