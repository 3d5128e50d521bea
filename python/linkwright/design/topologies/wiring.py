"""The output of a topology, devices and cables as arrays, and its input, the port counts of parts.

Index arithmetic only, no object per port. Devices are compute nodes, then forwarders, then routed
switches, then the front end if any, then hubs and switches. All before hubs and switches have
addresses and routes: `n_nodes` and `node` count them, and `kind` tells computers from switches.
Other modules add names, addresses, routes, rates and prices.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from linkwright.errors import DesignError
from linkwright.records.read_only import ArrayRecord, ReadOnly

__all__ = [
    "CROSSOVER",
    "END_ROLES",
    "HUB",
    "MOST_CABLES",
    "MOST_NODES",
    "NODE",
    "NODE_SPEED",
    "PART_ROLES",
    "STRAIGHT",
    "SWITCH",
    "UPLINK",
    "UPLINK_SPEED",
    "Boxes",
    "Cables",
    "Limits",
    "Particulars",
    "Wiring",
    "assemble",
    "plain_role",
    "require_ports",
]

_Scalar = TypeVar("_Scalar", bound=np.generic)

NODE, HUB, SWITCH = 0, 1, 2
NO_ROLE, COMPUTE, FRONT_END, FORWARDER = 0, 1, 2, 3
STRAIGHT, CROSSOVER, UPLINK, STACK = 0, 1, 2, 3
NODE_SPEED, UPLINK_SPEED = 0, 1
PART_ROLES = ("node", "hub", "switch", "root_switch")
"""Roles of the parts of devices: `Wiring.part_roles` begins with them."""
END_ROLES = ("nic", *PART_ROLES[1:])
"""Roles of the parts with the connectors at the ends of cables."""

MOST_NODES = 1_000_000
MOST_CABLES = 4_000_000
"""Largest number of cables that is built: about a gigabyte of tables."""


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Port counts of the parts; None if the design has no such part, or for a node without a known
    limit.
    """

    node_slots: int | None = None
    hub_ports: int | None = None
    switch_ports: int | None = None
    leaf_ports: int | None = None
    """Node ports of the largest switch with extra uplink ports."""
    root_switch_ports: int | None = None
    switch_stack_units: int | None = None
    """Units of the switch part that can be stacked to act as one."""


@dataclass(frozen=True, kw_only=True)
class Boxes(ReadOnly):
    """A row of equal hubs or switches, or of equal nodes."""

    part_role: str
    """Role: node, hub, switch or root_switch, or one of these with a key, such as switch:crs309."""
    stem: str
    """First part of their names; they are counted from 0."""
    coordinates: NDArray[np.int32]
    """shape (n, d): -1 on axes along which a box extends."""
    stack_units: int = 1
    is_multipath: bool = False
    """Whether they are switches that spread flows over all shortest paths."""
    chassis: NDArray[np.int32] | None = None
    """shape (n,): chassis of each, or None if they are separate boxes."""


@dataclass(frozen=True, kw_only=True)
class Cables(ReadOnly):
    """A row of equal cables: device and port of both ends, each of shape (m, 2)."""

    a: NDArray[np.int64]
    b: NDArray[np.int64]
    kind: int = STRAIGHT
    speed: int = NODE_SPEED


class Particulars(ArrayRecord):
    """Names and parts that a design gives to single devices, ports and cables."""

    device_names: tuple[str, ...]
    port_names: tuple[tuple[str, ...], ...]
    """Per device and port."""
    end_roles: tuple[str, ...]
    """Roles of the parts with the connectors at the ends of cables: nic, nic:usb4, switch."""
    end_role: NDArray[np.uint8]
    """shape (m, 2): index into `end_roles`."""
    cable_roles: tuple[str, ...]
    """Roles of the cables' parts: cable, cable:usb4-cable."""
    cable_role: NDArray[np.uint8]
    """shape (m,): index into `cable_roles`."""


class Wiring(ArrayRecord):
    """Devices and cables; `n` devices, `m` cables, `d` axes."""

    shape: tuple[int, ...]
    n_compute: int
    n_nodes: int
    """Devices with addresses and routes: nodes and routed switches."""
    kind: NDArray[np.uint8]
    """shape (n,): NODE, HUB or SWITCH."""
    role: NDArray[np.uint8]
    """shape (n,): 0 none, 1 compute, 2 front end, 3 forwarder."""
    part_role: NDArray[np.uint8]
    """shape (n,): index into `part_roles`."""
    stem: NDArray[np.str_]
    """shape (n,): first part of the name."""
    coordinates: NDArray[np.int32]
    """shape (n, d): -1 on axes along which a device extends or has no coordinate."""
    n_ports: NDArray[np.uint32]
    """shape (n,): connectors in use."""
    stack_units: NDArray[np.uint32]
    """shape (n,): physical units of this device; port p is port `p // units` of unit `p % units`.
    """
    is_multipath: NDArray[np.bool_]
    """shape (n,): whether it is a switch that spreads flows over all shortest paths."""
    chassis: NDArray[np.int32]
    """shape (n,): chassis this device is a part of, or -1."""
    cable_a: NDArray[np.uint32]
    """shape (m, 2): device and port."""
    cable_b: NDArray[np.uint32]
    """shape (m, 2): device and port."""
    cable_kind: NDArray[np.uint8]
    """shape (m,): 0 straight, 1 crossover, 2 uplink, 3 stack."""
    cable_class: NDArray[np.uint8]
    """shape (m,): 0 node speed, 1 uplink speed."""
    bonds: NDArray[np.uint32]
    """shape (b, 3): node, its first port and the number of ports that are one interface."""
    part_roles: tuple[str, ...] = PART_ROLES
    """Roles of the parts of devices; those behind PART_ROLES have a key: switch:crs309."""
    particulars: Particulars | None = None
    """Names and parts of single devices; None where names follow from the arrays, and every part
    from its role.
    """

    @property
    def front_end(self) -> int | None:
        """The front end's node id, or None."""
        last = self.n_nodes - 1
        return last if self.role[last] == FRONT_END else None

    @property
    def is_routed_switch(self) -> NDArray[np.bool_]:
        """Shape (n_nodes,): whether a device with routes is a switch."""
        found: NDArray[np.bool_] = self.kind[: self.n_nodes] == SWITCH
        return found

    @property
    def bridges(self) -> NDArray[np.bool_]:
        """Shape (n,): whether a device joins its cables to one segment: a hub, or a switch that
        does not route.
        """
        found = np.zeros(len(self.kind), dtype=np.bool_)
        found[self.n_nodes :] = True
        return found

    @property
    def is_trunk(self) -> NDArray[np.bool_]:
        """Shape (m,): whether a cable joins two hubs or switches that do not route."""
        a, b = self.bridges[self.joined_devices].T
        found: NDArray[np.bool_] = a & b
        return found

    @property
    def joined_devices(self) -> NDArray[np.int64]:
        """Shape (m, 2): the devices at both ends of each cable."""
        return np.stack([self.cable_a[:, 0], self.cable_b[:, 0]], axis=1).astype(np.int64)

    @property
    def n_chassis(self) -> int:
        """Number of physical switches that contain several logical ones."""
        return int(self.chassis.max(initial=-1)) + 1

    @property
    def stacks(self) -> NDArray[np.int64]:
        """Devices that consist of several units."""
        return np.flatnonzero((self.kind != NODE) & (self.stack_units > 1))

    @property
    def n_stack_cables(self) -> int:
        """Number of cables between the units of stacks; they come with the units, not here."""
        return int((self.stack_units[self.stacks].astype(np.int64) - 1).sum())

    @property
    def part_roles_in_use(self) -> tuple[str, ...]:
        """Roles of the parts of devices, in the order of `part_roles`, then those of the NICs and
        cables that the design gives.
        """
        used = np.flatnonzero(np.bincount(self.part_role)).tolist()
        found = [self.part_roles[code] for code in used]
        if self.particulars is not None:
            found += [*self.particulars.end_roles, *self.particulars.cable_roles]
        return tuple(dict.fromkeys(found))

    @property
    def end_roles(self) -> tuple[tuple[str, ...], NDArray[np.uint8]]:
        """Roles of the parts at the ends of cables, and the index of each end's, shape (m, 2)."""
        if self.particulars is not None:
            return self.particulars.end_roles, self.particulars.end_role
        return END_ROLES, self.part_role[self.joined_devices]

    @property
    def nic_ports(self) -> dict[str, NDArray[np.int64]]:
        """Number of each node's ports with a cable, by the role of the NIC that has them."""
        roles, codes = self.end_roles
        ends = self.joined_devices
        of_nodes = self.kind[ends] == NODE
        ends, codes = ends[of_nodes], codes[of_nodes]
        return {
            roles[code]: np.bincount(ends[codes == code], minlength=self.n_nodes)
            for code in np.flatnonzero(np.bincount(codes)).tolist()
        }

    @property
    def cable_roles(self) -> tuple[tuple[str, ...], NDArray[np.uint8]]:
        """Roles of the parts of cables, and the index of each cable's, shape (m,)."""
        if self.particulars is not None:
            return self.particulars.cable_roles, self.particulars.cable_role
        return ("cable",), np.zeros(len(self.cable_a), dtype=np.uint8)

    def part_role_of(self, device: int) -> str:
        """Return the role of a device's part, such as node, hub or switch."""
        return self.part_roles[int(self.part_role[device])]

    def with_cables(self, alive: NDArray[np.bool_]) -> Wiring:
        """Return the wiring with some of its cables; devices and ports stay."""
        given = self.particulars
        return replace(
            self,
            particulars=given
            and replace(given, end_role=given.end_role[alive], cable_role=given.cable_role[alive]),
            cable_a=self.cable_a[alive],
            cable_b=self.cable_b[alive],
            cable_kind=self.cable_kind[alive],
            cable_class=self.cable_class[alive],
        )


def assemble(
    *,
    shape: tuple[int, ...],
    nodes: NDArray[np.int32],
    forwarders: NDArray[np.int32] | None = None,
    routed: Sequence[Boxes] = (),
    boxes: Sequence[Boxes] = (),
    cables: Sequence[Cables] = (),
    front_end: bool = False,
    front_end_at: Sequence[int] = (0,),
    is_bonded: bool = False,
) -> Wiring:
    """Return the arrays of a wiring.

    Parameters
    ----------
    shape : tuple of int
        Sides, the fastest-varying last.
    nodes : ndarray, shape (n_compute, d)
        Coordinates of the compute nodes.
    forwarders : ndarray, shape (n_forwarders, d), optional
        Coordinates of nodes that only forward; they are numbered after the compute nodes.
    routed : sequence
        Switches that forward by routes; they are numbered after the forwarders.
    boxes, cables : sequence
        Hubs and switches in order of their device numbers, which start after the nodes and the
        front end.
    front_end : bool
        Whether there is a front end; it has no coordinates.
    front_end_at : sequence of int
        Devices that the front end is plugged into with a NIC each, at the next free port.
    is_bonded : bool
        Whether all NICs of a node are one interface, including those of the front end.
    """
    with_routes = _with_routes(nodes, forwarders, routed, int(front_end))
    n_nodes = sum(len(row.coordinates) for _, row in with_routes)
    roles = [role for role, _ in with_routes] + [NO_ROLE] * len(boxes)
    rows = [row for _, row in with_routes] + list(boxes)
    counts = [len(row.coordinates) for row in rows]
    if front_end:
        hosts = np.array(front_end_at, dtype=np.int64)
        n_computers = n_nodes - sum(len(row.coordinates) for row in routed)
        on_node = hosts[0] < n_computers - 1
        cables = [
            *cables,
            _of_front_end(n_nodes, hosts, cables, CROSSOVER if on_node else STRAIGHT),
        ]
    ends_a, ends_b, kind, speed = _joined(cables)
    n_ports = _ports_in_use(sum(counts), ends_a, ends_b)
    part_roles = tuple(dict.fromkeys([*PART_ROLES, *(row.part_role for row in rows)]))
    return Wiring(
        shape=shape,
        n_compute=len(nodes),
        n_nodes=n_nodes,
        kind=_per_device([_kind(row.part_role) for row in rows], counts, np.uint8),
        role=_per_device(roles, counts, np.uint8),
        part_role=_per_device([part_roles.index(row.part_role) for row in rows], counts, np.uint8),
        stem=np.repeat(np.array([row.stem for row in rows]), counts),
        coordinates=np.vstack([row.coordinates for row in rows]).astype(np.int32),
        n_ports=n_ports,
        stack_units=_per_device([row.stack_units for row in rows], counts, np.uint32),
        is_multipath=_per_device([int(row.is_multipath) for row in rows], counts, np.bool_),
        chassis=np.concatenate([_chassis(row) for row in rows]),
        cable_a=ends_a.astype(np.uint32),
        cable_b=ends_b.astype(np.uint32),
        cable_kind=kind,
        cable_class=speed,
        bonds=_bonds(n_ports[:n_nodes] if is_bonded else n_ports[:0]),
        part_roles=part_roles,
    )


def _with_routes(
    nodes: NDArray[np.int32],
    forwarders: NDArray[np.int32] | None,
    routed: Sequence[Boxes],
    n_front_ends: int,
) -> list[tuple[int, Boxes]]:
    """Return the devices that have routes, row by row, with the role of each row."""
    lone = np.full((n_front_ends, nodes.shape[1]), -1, dtype=np.int32)
    beyond = np.empty((0, nodes.shape[1]), dtype=np.int32) if forwarders is None else forwarders
    return [
        (COMPUTE, Boxes(part_role="node", stem="n", coordinates=nodes)),
        (FORWARDER, Boxes(part_role="node", stem="fw", coordinates=beyond)),
        *((FORWARDER, box) for box in routed),
        (FRONT_END, Boxes(part_role="node", stem="fe", coordinates=lone)),
    ]


def plain_role(role: str) -> str:
    """Return a role without the key of a part: switch for switch:crs309."""
    return role.partition(":")[0]


def require_ports(
    *, role: str, needed: int, available: int | None, thing: str, remedy: str
) -> None:
    """Check that a part has the ports a device needs.

    Raises
    ------
    DesignError
        If the design has no part for `role`, or the part has too few ports.
    """
    if available is None:
        raise DesignError(
            f"{thing} needs a part for the role '{role}', which the catalogue does not have",
            f"add '{role}' under 'parts', or choose another catalogue",
        )
    if needed > available:
        raise DesignError(
            f"{thing} needs {needed} ports, the part for '{role}' has at most {available}", remedy
        )


def _of_front_end(
    n_nodes: int, hosts: NDArray[np.int64], cables: Sequence[Cables], kind: int
) -> Cables:
    """Return the cables of the front end, the last node, to the next free port of each host."""
    ends_a, ends_b, _, _ = _joined(cables)
    n_ports = _ports_in_use(int(hosts.max()) + 1, ends_a, ends_b)
    return Cables(
        a=np.column_stack([np.full_like(hosts, n_nodes - 1), np.arange(len(hosts))]),
        b=np.column_stack([hosts, n_ports[hosts]]),
        kind=kind,
    )


def _joined(
    cables: Sequence[Cables],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.uint8], NDArray[np.uint8]]:
    none = np.empty((0, 2), dtype=np.int64)
    counts = [len(row.a) for row in cables]
    return (
        np.vstack([none, *(row.a for row in cables)]),
        np.vstack([none, *(row.b for row in cables)]),
        np.repeat(np.array([row.kind for row in cables], dtype=np.uint8), counts),
        np.repeat(np.array([row.speed for row in cables], dtype=np.uint8), counts),
    )


def _ports_in_use(n_devices: int, a: NDArray[np.int64], b: NDArray[np.int64]) -> NDArray[np.uint32]:
    ends = np.vstack([a, b])
    n_ports = np.zeros(max(n_devices, int(ends[:, 0].max(initial=-1)) + 1), dtype=np.uint32)
    np.maximum.at(n_ports, ends[:, 0], (ends[:, 1] + 1).astype(np.uint32))
    return n_ports


def _bonds(n_ports: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Return a bond of all ports for each node that has several."""
    nodes = np.flatnonzero(n_ports > 1)
    return np.column_stack([nodes, np.zeros_like(nodes), n_ports[nodes]]).astype(np.uint32)


def _per_device(of_rows: list[int], counts: list[int], dtype: type[_Scalar]) -> NDArray[_Scalar]:
    return np.repeat(np.array(of_rows, dtype=dtype), counts)


def _kind(part_role: str) -> int:
    return {"node": NODE, "hub": HUB}.get(plain_role(part_role), SWITCH)


def _chassis(box: Boxes) -> NDArray[np.int32]:
    return np.full(len(box.coordinates), -1, np.int32) if box.chassis is None else box.chassis
