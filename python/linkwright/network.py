"""The compiled network: names and parts on top of the ids of the extension module, and `compile`.

`compile` goes left to right: parts -> wiring -> fabric -> addresses -> routes. It takes no
decision that a topology, an address scheme or a routing scheme could take. After it, nothing reads
the Cluster. Long because `compile` names every column of a Network.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from linkwright import _core
from linkwright._core import MOST_PROVED_NODES, Reachability, Tolls
from linkwright.core_errors import named
from linkwright.design.addressing import (
    SCHEMES,
    Addresses,
    NodePorts,
    place,
    with_loopbacks,
)
from linkwright.design.cluster import Cluster, RoutingScheme
from linkwright.design.device_constants import DeviceConstants, cable_rates, device_constants
from linkwright.design.failed_parts import FailedParts, failed_parts
from linkwright.design.names import chassis_names, device_names
from linkwright.design.parts import Part
from linkwright.design.role_parts import RoleParts
from linkwright.design.route_table import read_route_table
from linkwright.design.topologies import ClosedForms, Limits, Wiring
from linkwright.design.topologies.wiring import FRONT_END, HUB, NODE, PART_ROLES, SWITCH
from linkwright.errors import DesignError, expect_kind
from linkwright.memory import expect_room
from linkwright.progress import Report
from linkwright.read_only import ReadOnly

__all__ = [
    "HUB",
    "LEAST_ESTIMATED",
    "MOST_PROVED_NODES",
    "NODE",
    "SWITCH",
    "Interface",
    "Network",
    "Reachability",
    "Tolls",
    "compile",
]

ETHERNET_MTU = 1500

LEAST_ESTIMATED = 2000
"""Nodes from which the memory of a design is estimated before it is built."""
BYTES_PER_ENTRY = 250
"""Address space of each device, cable and address while it is compiled: measured, 205 to 249."""
BYTES_PER_PAIR = 6
"""What the tables of shortest paths hold of each pair of nodes."""
MOST_PAIRS = 1 << 26
"""Pairs of nodes beyond which there are no tables of shortest paths."""

Interface = ipaddress.IPv4Interface | ipaddress.IPv6Interface


@dataclass(frozen=True, eq=False, kw_only=True)
class Network(ReadOnly):
    """A design that is built, addressed and routed; immutable.

    Devices are what a frame sees: compute nodes `0..n_compute`, forwarders, the front end if any,
    then hubs and switches. `n` counts devices, `m` cables, `a` addresses, `d` axes of the shape.
    """

    name: str
    kind: str
    """Topology kind, for example "p-mesh"."""
    design_hash: str
    """First 16 hex digits of the SHA-256 of the canonical design."""
    n_nodes: int
    """Nodes, forwarders and the front end included."""
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
    """shape (n,): physical units that act as this device; port p is port `p // units` of unit `p %
    units`.
    """
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

    bonds: NDArray[np.uint32]
    """shape (b, 3): node, its first port and the number of ports that are one interface."""

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
    """Part of each role in use: node, nic, cable, and hub, switch, root_switch where there are
    any.
    """
    mtu: int
    """Longest IP packet of every interface, in bytes."""
    calibration: str
    """Calibration of the hosts that the catalogue of the parts names."""
    without: tuple[str, ...]
    """Names of the parts that the network was compiled without; their cables are not among those
    above, their devices and addresses are.
    """
    is_dead: NDArray[np.bool_]
    """shape (n,): devices that are among those parts."""
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
        last = self.n_nodes - 1
        return last if self.device_role[last] == FRONT_END else None

    def port_name(self, device: int, port: int) -> str:
        """Return the name of a connector: a node's NIC `eth0`, a hub's or switch's port `p0`."""
        return f"{'eth' if self.device_kind[device] == NODE else 'p'}{port}"


def compile(  # noqa: A001 - the verb of the field
    cluster: Cluster, *, without: Sequence[str] = (), report: Report | None = None
) -> Network:
    """Return the network that a design describes: built, addressed and routed.

    Parameters
    ----------
    cluster : Cluster
        The design.
    without : sequence of str
        Parts that died, by the names in the plan's tables; a NIC is written "n05:eth1". All other
        names, addresses and cables stay, and the routes are shortest paths of what is left.
    report : callable, optional
        Is told how many steps are done, of how many, and what is done next.

    Raises
    ------
    DesignError
        When a part has too few ports or slots, the address space is too small, a scheme does not
        fit the topology, a part to leave out is unknown, or nothing is left to be routed.
    CapabilityError
        When a large design needs more memory than there is.

    Examples
    --------
    >>> compile(Cluster.parse("topology: {kind: torus, shape: [4, 4]}")).n_nodes
    16
    """
    built = _build(cluster, without, report or _no_report)
    parts, roles, wiring, addresses = built.parts, built.roles, built.wiring, built.addresses
    scheme = _scheme(cluster, built.failed)
    n_chassis = int(wiring.chassis.max(initial=-1)) + 1
    keys = {role: part.key for role, part in parts.used(roles).items()}
    return Network(
        name=cluster.name,
        kind=cluster.topology.kind,
        design_hash=cluster.design_hash,
        n_nodes=wiring.n_nodes,
        n_compute=wiring.n_compute,
        shape=wiring.shape,
        device_names=built.names,
        device_kind=wiring.kind,
        device_role=wiring.role,
        device_parts=tuple(keys[role] for role in roles),
        device_part_roles=tuple(roles),
        device_ports=wiring.n_ports,
        device_coordinates=wiring.coordinates,
        stack_units=wiring.stack_units,
        chassis=wiring.chassis,
        chassis_names=chassis_names(n_chassis),
        chassis_parts=(keys["switch"],) * n_chassis if n_chassis else (),
        cable_a=wiring.cable_a,
        cable_b=wiring.cable_b,
        cable_kind=wiring.cable_kind,
        cable_class=wiring.cable_class,
        cable_rate_bps=built.rates,
        bonds=built.wiring.bonds,
        address_bits=addresses.bits,
        address_is_v6=addresses.is_v6,
        prefix_length=addresses.prefix_length,
        address_node=addresses.node,
        address_port=addresses.port,
        identity=addresses.identity,
        parts=parts.used(roles),
        mtu=built.mtu,
        calibration=cluster.calibration,
        without=built.failed.names,
        is_dead=built.failed.device,
        closed=cluster.topology.closed_forms(parts.limits),
        addressing=cluster.addressing_scheme,
        routing=scheme,
        fallback=cluster.routing.fallback,
        core=_routed(cluster, scheme, built),
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class _Built(ReadOnly):
    """A design that is built and addressed, with what is left of its cables."""

    parts: RoleParts
    roles: list[str]
    """Key of each device's part in `parts`."""
    mtu: int
    names: tuple[str, ...]
    wiring: Wiring
    rates: NDArray[np.uint64]
    fabric: _core.Fabric
    addresses: Addresses
    failed: FailedParts


def _build(cluster: Cluster, without: Sequence[str], tell: Report) -> _Built:
    """Return what is left of a design; its addresses are those of the whole."""
    expect_kind("compile", cluster, Cluster)
    parts = RoleParts.of(cluster.resolve_parts())
    _expect_room(cluster, parts.limits)
    tell(0, 4, "plugging cables")
    wiring = cluster.topology.build(parts.limits, front_end=cluster.front_end)
    names = device_names(wiring.stem)
    parts.check_slots(wiring, names)
    mtu = cluster.mtu or ETHERNET_MTU
    roles = [PART_ROLES[code] for code in wiring.part_role.tolist()]
    parts.check_mtu(mtu, roles)
    rates = cable_rates(wiring, parts)
    constants = device_constants(wiring, parts)
    tell(1, 4, "finding segments")
    fabric = _fabric(wiring, constants, rates)
    tell(2, 4, "giving addresses")
    addresses = _addresses(cluster, wiring, fabric)
    failed = failed_parts(without, wiring, names)
    if failed.names:
        _check_left(cluster, wiring, failed)
        wiring, rates = _left(wiring, rates, failed)
        fabric = _fabric(wiring, constants, rates)
    tell(3, 4, "finding routes")
    return _Built(
        parts=parts,
        roles=roles,
        mtu=mtu,
        names=names,
        wiring=wiring,
        rates=rates,
        fabric=fabric,
        addresses=addresses,
        failed=failed,
    )


def _check_left(cluster: Cluster, wiring: Wiring, failed: FailedParts) -> None:
    """Refuse what has no node any more, of which all that is asked would be true."""
    if failed.device[: wiring.n_nodes].all():
        raise DesignError(
            f"no node is left of '{cluster.name}' without the parts that died",
            "name fewer parts: some node must live",
        )


def _no_report(n_done: int, n_all: int, what: str) -> None:
    del n_done, n_all, what


def _expect_room(cluster: Cluster, limits: Limits) -> None:
    """Refuse a large design that does not fit into memory.

    Raises
    ------
    CapabilityError
        When it does not, by an estimate.
    """
    topology = cluster.topology
    n_nodes = topology.n_nodes
    if n_nodes < LEAST_ESTIMATED:
        return
    closed = topology.closed_forms(limits)
    n_devices = n_nodes + closed.n_hubs + closed.n_switches
    n_addresses = n_nodes * (closed.nics_per_node + 1) * len(cluster.addressing.bases)
    needed = BYTES_PER_ENTRY * (n_devices + closed.n_cables + n_addresses)
    if closed.diameter_hops > 1 and cluster.routing_scheme == "shortest-path":
        needed += BYTES_PER_PAIR * min(n_nodes**2, MOST_PAIRS)
    thing = f"a {topology.kind} of {n_nodes:,} nodes"
    expect_room(thing, needed, "its devices, cables, addresses and routes")


def _left(
    wiring: Wiring, rates: NDArray[np.uint64], failed: FailedParts
) -> tuple[Wiring, NDArray[np.uint64]]:
    """Return a wiring and the rates of its cables without those that died; ports stay."""
    alive = ~failed.cable
    left = replace(
        wiring,
        cable_a=wiring.cable_a[alive],
        cable_b=wiring.cable_b[alive],
        cable_kind=wiring.cable_kind[alive],
        cable_class=wiring.cable_class[alive],
    )
    return left, rates[alive]


def _scheme(cluster: Cluster, failed: FailedParts) -> RoutingScheme:
    """Return the routing scheme in use; what is left of a network is no regular shape."""
    if not failed.names:
        return cluster.routing_scheme
    if cluster.routing_scheme == "explicit":
        raise DesignError(
            f"the routes of '{cluster.name}' are a table of its own, which cannot be planned anew",
            "leave 'routing' out of the design, or edit its table",
        )
    return "shortest-path"


def _fabric(wiring: Wiring, constants: DeviceConstants, rates: NDArray[np.uint64]) -> _core.Fabric:
    return _core.Fabric(
        kind=wiring.kind,
        n_ports=wiring.n_ports,
        shape=list(wiring.shape),
        coordinates=wiring.coordinates,
        hub_delay_ps=constants.hub_delay_ps,
        switch_cut_through=constants.switch_cut_through,
        switch_latency_ps=constants.switch_latency_ps,
        switch_backplane=constants.switch_backplane,
        switch_queue_bytes=constants.switch_queue_bytes,
        switch_multipath=wiring.is_multipath,
        backplane_bps=constants.backplane_bps,
        cable_a=wiring.cable_a,
        cable_b=wiring.cable_b,
        cable_rate_bps=rates,
        cable_delay_ps=np.full(len(rates), constants.cable_delay_ps, dtype=np.uint64),
        bonds=wiring.bonds,
    )


def _addresses(cluster: Cluster, wiring: Wiring, fabric: _core.Fabric) -> Addresses:
    start = fabric.port_start[: wiring.n_nodes + 1].astype(np.int64)
    node = np.repeat(np.arange(wiring.n_nodes), np.diff(start))
    is_interface = np.ones(len(node), dtype=np.bool_)
    is_interface[_behind_the_first(wiring.bonds, start)] = False
    port = (np.arange(len(node)) - start[node])[is_interface]
    node, of_interfaces = node[is_interface], fabric.port_segment[: start[-1]][is_interface]
    ports = NodePorts(
        n_nodes=wiring.n_nodes,
        n_compute=wiring.n_compute,
        shape=wiring.shape,
        coordinates=wiring.coordinates[: wiring.n_nodes],
        node=node,
        port=port,
        segment=np.unique(of_interfaces, return_inverse=True)[1].astype(np.int64),
    )
    layout = SCHEMES[cluster.addressing_scheme](ports, grow_to=cluster.addressing.grow_to)
    if cluster.has_loopback_identities and layout.loopbacks is None:
        layout = with_loopbacks(layout, wiring.n_nodes)
    return place(layout, cluster.addressing.bases)


def _behind_the_first(bonds: NDArray[np.uint32], start: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the ports of all bonds but the first of each, which stands for the bond."""
    more = bonds[:, 2].astype(np.int64) - 1
    second = start[bonds[:, 0]] + bonds[:, 1] + 1
    step = np.arange(more.sum()) - np.repeat(np.cumsum(more) - more, more)
    behind: NDArray[np.int64] = np.repeat(second, more) + step
    return behind


def _routed(cluster: Cluster, scheme: RoutingScheme, built: _Built) -> _core.Network:
    addresses, n_nodes = built.addresses, built.wiring.n_nodes
    explicit = None
    if cluster.routing.table is not None:
        table = read_route_table(
            cluster.folder / cluster.routing.table,
            node_names=built.names[:n_nodes],
            n_ports=built.wiring.n_ports[:n_nodes],
            addresses=addresses,
        )
        explicit = _core.ExplicitRoutes(
            node=table.node,
            destination=table.destination,
            is_v6=table.is_v6,
            prefix_length=table.prefix_length,
            via=table.via,
            port=table.port,
            metric=table.metric,
        )
    try:
        return _core.Network(
            built.fabric,
            address_bits=addresses.bits,
            address_is_v6=addresses.is_v6,
            prefix_length=addresses.prefix_length,
            owner_node=addresses.node,
            owner_port=addresses.port,
            routing=scheme,
            with_fallback=cluster.routing.fallback,
            explicit=explicit,
            ties=cluster.routing.ties or "spread",
        )
    except DesignError as unnamed:
        error = named(unnamed, built.names)
        if built.failed.names:
            raise DesignError(
                f"what is left of {cluster.topology.label} cannot be planned: {error.message}",
                "plan a smaller design: what is left has tables between all pairs of nodes",
            ) from None
        raise DesignError(
            f"{scheme} routing does not fit {cluster.topology.label}: {error.message}",
            error.hint or "choose another scheme under 'routing'",
        ) from None
