"""The compiled network: names and parts on top of the ids of the extension module, and `compile`.

`compile` runs from left to right: parts -> wiring -> fabric -> addresses -> routes. It leaves every
decision to a topology, an address scheme or a routing scheme. After it, nothing reads the Cluster.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from linkwright import _core, choices
from linkwright._core import MOST_PROVED_NODES, FailureImpacts, Reachability, Routes
from linkwright.core_errors import named
from linkwright.design.addressing import (
    SCHEMES,
    Addresses,
    facing_addresses,
    node_ports,
    place,
    with_loopbacks,
)
from linkwright.design.cheapest import cheapest_form
from linkwright.design.cluster import Cluster, RoutingScheme
from linkwright.design.device_constants import DeviceConstants, device_constants
from linkwright.design.failed_parts import FailedParts, failed_parts
from linkwright.design.machines import RealMachine, machines_of
from linkwright.design.names import chassis_names, device_names, port_name
from linkwright.design.own_values import OwnValues
from linkwright.design.parts import HubPart, Part, SwitchPart
from linkwright.design.places import DevicePlace, places_of
from linkwright.design.role_parts import RoleParts
from linkwright.design.route_table import RouteTable, read_route_table
from linkwright.design.topologies import ClosedForms, Limits, Topology, Wiring
from linkwright.design.topologies.wiring import HUB, NODE, SWITCH
from linkwright.errors import DesignError, expect_kind
from linkwright.memory import expect_room
from linkwright.notebook import Shown, counted
from linkwright.progress import Report
from linkwright.records.read_only import ReadOnly

__all__ = [
    "HUB",
    "LEAST_ESTIMATED",
    "MOST_PROVED_NODES",
    "NODE",
    "SWITCH",
    "FailureImpacts",
    "Network",
    "Reachability",
    "Routes",
    "compile",
    "left_to_itself",
]

ETHERNET_MTU = 1500

LEAST_ESTIMATED = 2000
"""Nodes from which the memory of a design is estimated before it is built."""
BYTES_PER_ENTRY = 250
"""Address space per device, cable and address during compilation; 205 to 249 were measured."""
BYTES_PER_PAIR = 6
"""Bytes of the tables of shortest paths per pair of nodes."""
RULE_PRIORITY = 1000
"""Priority of the rules that choose tables: after the table of the node's own addresses (0), before
the main one (32766).
"""
FIRST_TABLE = 1000
"""Number of the table for packets that come in by `eth0`; that for `eth1` follows."""
MOST_PAIRS = 1 << 26
"""Pairs of nodes above which no tables of shortest paths are built."""


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Network(Shown, ReadOnly):
    """A design that is built, addressed and routed; immutable.

    Devices are numbered in this order: compute nodes `0..n_compute`, forwarders, routed switches,
    the front end if any, then hubs and switches. The columns of devices and cables are in `wiring`,
    those of addresses in `addresses`.
    """

    name: str
    kind: str
    """Topology kind, for example "p-mesh"."""
    design_hash: str
    """First 16 hex digits of the SHA-256 of the canonical design."""
    sides: tuple[int, ...]
    """Sides as the design gives them, such as (4, 4); empty for kinds without a shape."""

    wiring: Wiring
    """Devices and their cables, without failed cables."""
    device_names: tuple[str, ...]
    constants: DeviceConstants
    """Rates, delays, queues and backplanes of the devices and cables of `wiring`."""
    addresses: Addresses

    parts: Mapping[str, Part]
    """Part of each role in use: node, nic, cable, and hub, switch, root_switch if there are any;
    roles with a key, such as nic:usb4, have the parts that the design gives to single devices.
    """
    port_mtu: NDArray[np.uint32]
    """shape (p,): longest IP packet of the link of each port, in bytes."""
    calibration: str
    """Calibration of the hosts, named by the catalogue of the parts."""
    without: tuple[str, ...]
    """Names of the failed parts that the network was compiled without. Their devices and addresses
    are still listed, their cables are not.
    """
    is_dead: NDArray[np.bool_]
    """shape (n,): whether a device is among the failed parts."""
    closed: ClosedForms
    addressing: str
    routing: str
    fallback: bool
    cuts_survived: int
    """Number of cut cables that tables by incoming interface survive; 0 without such tables."""
    daemon: str | None
    """Protocol of the nodes' routing daemons: "ospf", "openfabric", or None."""
    machines: Mapping[int, RealMachine]
    """The real machine of each node that the design describes."""
    places: Mapping[int, DevicePlace]
    """Place of each device for which the design gives one, in the room and in the drawing."""
    core: _core.Network

    @property
    def summary(self) -> str:
        """The network in a few words."""
        n_nodes = int((self.wiring.kind == NODE).sum())
        n_others = len(self.device_names) - n_nodes
        others = f", {counted(n_others, 'hub or switch', 'hubs and switches')}" if n_others else ""
        cables = counted(len(self.wiring.cable_a), "cable")
        return f"{self.name}: {self.kind}, {n_nodes:,} nodes{others}, {cables}"

    @cached_property
    def mtu(self) -> int:
        """Longest IP packet that every link carries, in bytes."""
        ends = np.concatenate([self.wiring.cable_a, self.wiring.cable_b])
        return int(self.port_mtu[self.port_ids(ends)].min(initial=self.port_mtu.max()))

    def mtu_of(self, device: int, port: int) -> int:
        """Return the longest IP packet of the link of a connector, in bytes."""
        return int(self.port_mtu[self.port_id(device, port)])

    @property
    def by_interface(self) -> bool:
        """Whether fallback routes are in tables by incoming interface too."""
        return self.cuts_survived > 0

    @property
    def is_aggregated(self) -> bool:
        """Whether nodes have routes to prefixes over the blocks of several nodes."""
        return self.addresses.are_blocks_whole and self.routing != "explicit"

    @property
    def cable_rate_bps(self) -> NDArray[np.uint64]:
        """Rate of each cable of `wiring`, shape (m,)."""
        return self.constants.cable_rate_bps

    @property
    def n_nodes(self) -> int:
        """Number of nodes, forwarders, routed switches and the front end included."""
        return self.wiring.n_nodes

    @property
    def n_compute(self) -> int:
        """Number of nodes that run ranks."""
        return self.wiring.n_compute

    @property
    def shape(self) -> tuple[int, ...]:
        """Side lengths of the coordinates, which every kind has, the fastest-varying last."""
        return self.wiring.shape

    @property
    def front_end(self) -> int | None:
        """The front end's node id, or None."""
        return self.wiring.front_end

    @cached_property
    def chassis_names(self) -> tuple[str, ...]:
        """Name of each chassis."""
        return chassis_names(self.wiring.n_chassis)

    @cached_property
    def port_start(self) -> NDArray[np.uint32]:
        """Shape (n + 1,): id of the first port of each device, and the number of all ports."""
        return self.core.fabric.port_start

    @cached_property
    def facing(self) -> NDArray[np.int64]:
        """Shape (p,): address that the port across the segment borrows, of the ports of nodes with
        such a segment; -1 for all others.
        """
        rows = np.flatnonzero(self.addresses.is_borrowed)
        ends = np.column_stack([self.addresses.node[rows], self.addresses.port[rows]])
        fabric = self.core.fabric
        across = facing_addresses(self.addresses, fabric.port_start, fabric.port_segment)
        found = np.full(int(self.port_start[-1]), -1, dtype=np.int64)
        found[self.port_ids(ends)] = across[rows]
        return found

    def port_id(self, device: int, port: int) -> int:
        """Return the id, among all ports, of a connector of a device."""
        return int(self.port_start[device]) + int(port)

    def port_ids(self, ends: NDArray[np.integer]) -> NDArray[np.int64]:
        """Return the ids of connectors; `ends`, shape (k, 2), has the device and port of each."""
        first: NDArray[np.int64] = self.port_start[ends[:, 0]].astype(np.int64)
        return first + ends[:, 1].astype(np.int64)

    def port_of(self, port_id: int) -> tuple[int, int]:
        """Return the device and the port with an id."""
        device = int(np.searchsorted(self.port_start, port_id, side="right")) - 1
        return device, int(port_id) - int(self.port_start[device])

    def part_of(self, device: int) -> Part:
        """Return the part that a device is an instance of."""
        return self.parts[self.wiring.part_role_of(device)]

    def port_name(self, device: int, port: int) -> str:
        """Return the name of a connector: by default a NIC is `eth0`, a port of a box `p1`."""
        part = self.part_of(device)
        first = part.first_port if isinstance(part, HubPart | SwitchPart) else 1
        return port_name(self.wiring, device, port, first=first)


def compile(  # noqa: A001 - the verb of the field
    cluster: Cluster,
    *,
    without: Sequence[str] = (),
    may_lack_ports: bool = False,
    report: Report | None = None,
) -> Network:
    """Return the network that a design describes: built, addressed and routed.

    Parameters
    ----------
    cluster : Cluster
        The design.
    without : sequence of str
        Failed parts, by the names in the plan's tables; a NIC is written "n05:eth1". All other
        names, addresses and cables stay, and the routes are recomputed as shortest paths.
    may_lack_ports : bool
        Whether a node may have more cables than ports, for `check` to find.
    report : callable, optional
        Called with the number of finished steps, the number of all steps, and the next step.

    Raises
    ------
    DesignError
        If ports, slots or addresses are too few, a scheme does not fit the topology, a failed part
        is unknown, or no node is left.
    CapabilityError
        If a large design needs more memory than is free.

    Examples
    --------
    >>> compile(Cluster.parse("topology: {kind: torus, shape: [4, 4]}")).n_nodes
    16
    """
    expect_kind("compile", cluster, Cluster)
    tell = report or _no_report
    tell(0, 4, "plugging cables")
    topology, wiring, names, parts = _plugged(cluster, may_lack_ports=may_lack_ports)
    tell(1, 4, "finding segments")
    whole = _Fabric.of(wiring, device_constants(wiring, parts))
    tell(2, 4, "giving addresses")
    machines, own, addresses = _addressed(cluster, whole, names)
    failed = failed_parts(without, wiring, names)
    fabric = _left(cluster, whole, failed) if failed.names else whole
    scheme = _scheme(cluster, failed)
    tell(3, 4, "finding routes")
    return Network(
        name=cluster.name,
        kind=cluster.topology.kind,
        design_hash=cluster.design_hash,
        sides=cluster.topology.sides,
        wiring=fabric.wiring,
        device_names=names,
        constants=fabric.constants,
        addresses=addresses,
        parts=(used := parts.used(wiring.part_roles_in_use)),
        port_mtu=own.mtus(cluster.mtu or ETHERNET_MTU, used),
        calibration=cluster.calibration,
        without=failed.names,
        is_dead=failed.device,
        closed=_closed_forms(cluster, topology, parts.limits),
        addressing=cluster.addressing_scheme,
        routing=scheme,
        fallback=bool(cluster.routing.fallback),
        cuts_survived=_cuts_survived(cluster, is_left=bool(failed.names)),
        daemon=cluster.routing.daemon,
        machines=machines,
        places=places_of(cluster.places, names),
        core=_routed(cluster, scheme, fabric, addresses, names, is_left=bool(failed.names)),
    )


def left_to_itself(network: Network, alive: NDArray[np.bool_]) -> _core.Network:
    """Return the part of a network that survives, with the tables that are installed: nothing is
    recomputed, and a node uses the first of its routes whose own port has a living cable.

    Parameters
    ----------
    network : Network
        The compiled network, without tables by incoming interface.
    alive : ndarray of bool, shape (m,)
        Whether each cable survives.
    """
    wiring = network.wiring.with_cables(alive)
    fabric = _core.Fabric(wiring, network.constants.with_cables(alive))
    routes = network.core.routes(with_fallback=True)
    ends = np.concatenate([wiring.cable_a, wiring.cable_b])
    has_carrier = np.zeros(int(network.port_start[-1]), dtype=np.bool_)
    has_carrier[network.port_ids(ends)] = True
    port = network.port_start[routes.node] + routes.port
    prefix = np.unique(routes.destination, axis=0, return_inverse=True)[1].reshape(-1)
    target = np.stack([routes.node, prefix, routes.prefix_length], axis=1)
    rows = np.flatnonzero(has_carrier[port])
    rows = rows[np.lexsort((routes.metric[rows], *target[rows].T))]
    is_first = np.ones(len(rows), dtype=np.bool_)
    is_first[1:] = (target[rows][1:] != target[rows][:-1]).any(axis=1)
    rows = rows[is_first]
    # A gateway behind a dead part is asked forever: the route stays in use and leads nowhere.
    gateway = np.maximum(routes.via[rows], 0)
    at = network.port_start[network.addresses.node[gateway]] + network.addresses.port[gateway]
    segment = fabric.port_segment
    is_near = (routes.via[rows] < 0) | (segment[at] == segment[port[rows]])
    names = (field.name for field in fields(RouteTable))
    used = {name: getattr(routes, name)[rows[is_near]] for name in names}
    explicit = _core.ExplicitRoutes(RouteTable(**used))
    return _core.Network(fabric, network.addresses, routing="explicit", explicit=explicit)


def _closed_forms(cluster: Cluster, form: Topology, limits: Limits) -> ClosedForms:
    """Return the formulas of a form; the largest network may take another one."""
    most = cluster.topology.closed_forms(limits).max_nodes
    return replace(form.closed_forms(limits), max_nodes=most)


@dataclass(frozen=True, eq=False, kw_only=True)
class _Fabric:
    """A wiring with the constants of its parts, and the segments that the core finds in them."""

    wiring: Wiring
    constants: DeviceConstants
    core: _core.Fabric

    @classmethod
    def of(cls, wiring: Wiring, constants: DeviceConstants) -> _Fabric:
        """Return the fabric of a wiring."""
        return cls(wiring=wiring, constants=constants, core=_core.Fabric(wiring, constants))


def _plugged(
    cluster: Cluster, *, may_lack_ports: bool
) -> tuple[Topology, Wiring, tuple[str, ...], RoleParts]:
    """Return the topology of a design in its cheapest form, its wiring, the names of its devices,
    and its parts, which fit.

    Raises
    ------
    DesignError
        If they do not.
    CapabilityError
        If a large design needs more memory than is free.
    """
    of_roles = RoleParts.of(cluster.resolve_parts())
    _expect_room(cluster, of_roles.limits)
    topology = cheapest_form(cluster.topology, of_roles, front_end=cluster.front_end)
    wiring = topology.build(of_roles.limits, front_end=cluster.front_end)
    names = device_names(wiring, cluster.names)
    parts = of_roles.with_those_of(wiring, cluster.part)
    if not may_lack_ports:
        parts.check(wiring, names)
    parts.check_mtu(cluster.mtu or ETHERNET_MTU, wiring.part_roles_in_use)
    parts.check_layer_3(wiring, names)
    _expect_one_table(cluster, wiring, names)
    for role, part in parts.used(wiring.part_roles_in_use).items():
        choices.detail("%s: part %s for %s", cluster.name, part.key, role)
    return topology, wiring, names, parts


def _left(cluster: Cluster, whole: _Fabric, failed: FailedParts) -> _Fabric:
    """Return the surviving part of a fabric; devices and ports stay.

    Raises
    ------
    DesignError
        If no node is left, since every statement about such a network would be true.
    """
    if failed.device[whole.wiring.kind == NODE].all():
        raise DesignError(
            f"no node of '{cluster.name}' survives these failures",
            "name fewer parts: at least one node must survive",
        )
    alive = ~failed.cable
    return _Fabric.of(whole.wiring.with_cables(alive), whole.constants.with_cables(alive))


def _no_report(n_done: int, n_all: int, what: str) -> None:
    del n_done, n_all, what


def _expect_room(cluster: Cluster, limits: Limits) -> None:
    """Refuse a large design that does not fit in memory.

    Raises
    ------
    CapabilityError
        If its estimated need is more than is free.
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


def _expect_one_table(cluster: Cluster, wiring: Wiring, names: Sequence[str]) -> None:
    """Refuse tables by incoming interface with routed switches.

    Raises
    ------
    DesignError
        If the design has both.
    """
    routed = np.flatnonzero(wiring.is_routed_switch)
    if cluster.routing.cuts_survived and len(routed):
        raise DesignError(
            f"'routing.fallback: by-interface' needs a table per incoming interface, and the "
            f"hardware of the routed switch '{names[routed[0]]}' looks up one table",
            "use 'fallback: true', or recomputed tables after a failure",
        )


def _note_choices(cluster: Cluster, scheme: str) -> None:
    """Log the catalogue and the schemes of a network, with the reason for each."""

    def reason(is_given: bool) -> str:
        return "the design says so" if is_given else f"default of {cluster.topology.kind}"

    has_catalogue = "catalogue" in cluster.parts.model_fields_set
    said = "the design says so" if has_catalogue else "default of designs"
    choices.note("%s: catalogue %s, %s", cluster.name, cluster.parts.catalogue, said)
    addressing, routing = cluster.addressing_scheme, cluster.routing_scheme
    is_given = cluster.addressing.scheme is not None
    choices.note("%s: addresses %s, %s", cluster.name, addressing, reason(is_given))
    if scheme == routing:
        is_given = cluster.routing.scheme is not None or cluster.routing.table is not None
        choices.note("%s: routes %s, %s", cluster.name, scheme, reason(is_given))
    else:
        choices.note("%s: routes %s, since parts have failed", cluster.name, scheme)


def _scheme(cluster: Cluster, failed: FailedParts) -> RoutingScheme:
    """Return the routing scheme in use; a network that lost parts has no regular shape."""
    if not failed.names:
        _note_choices(cluster, cluster.routing_scheme)
        return cluster.routing_scheme
    if cluster.routing_scheme == "explicit":
        raise DesignError(
            f"the routes of '{cluster.name}' are an explicit table, which cannot be recomputed",
            "leave 'routing' out of the design, or edit its table",
        )
    _note_choices(cluster, "shortest-path")
    return "shortest-path"


def _cuts_survived(cluster: Cluster, *, is_left: bool) -> int:
    """Return the number of cuts that tables by interface survive; after failures one at most, since
    what is left need not have the cables for more.
    """
    cuts = cluster.routing.cuts_survived
    return min(cuts, 1) if is_left else cuts


def _addressed(
    cluster: Cluster, fabric: _Fabric, names: Sequence[str]
) -> tuple[Mapping[int, RealMachine], OwnValues, Addresses]:
    """Return the machines of the design, the addresses and MTUs that it gives to nodes and NICs,
    and all addresses.
    """
    machines = machines_of(cluster.nodes, fabric.wiring, names)
    own = OwnValues(
        cluster.nodes,
        wiring=fabric.wiring,
        names=names,
        port_start=fabric.core.port_start,
        port_segment=fabric.core.port_segment,
    )
    given = _addresses(cluster, fabric)
    return machines, own, own.addresses(given, cluster.addressing_scheme)


def _addresses(cluster: Cluster, fabric: _Fabric) -> Addresses:
    ports = node_ports(fabric.wiring, fabric.core.port_start, fabric.core.port_segment)
    layout = SCHEMES[cluster.addressing_scheme](ports, grow_to=cluster.addressing.grow_to)
    if cluster.has_loopback_identities and layout.loopbacks is None:
        layout = with_loopbacks(layout, fabric.wiring.n_nodes)
    return place(layout, cluster.addressing.bases)


def _for_core(addresses: Addresses, *, is_explicit: bool) -> Addresses:
    """Return the addresses for the compiled core, to which those that ports borrow are further ones
    of a loopback. In tables that the user gives, they are gateways at their ports.
    """
    if is_explicit or not addresses.is_borrowed.any():
        return addresses
    return replace(addresses, port=np.where(addresses.is_borrowed, -1, addresses.port))


def _routed(
    cluster: Cluster,
    scheme: RoutingScheme,
    fabric: _Fabric,
    addresses: Addresses,
    names: tuple[str, ...],
    *,
    is_left: bool,
) -> _core.Network:
    explicit = None
    if cluster.routing.table is not None:
        n_nodes = fabric.wiring.n_nodes
        table = read_route_table(
            cluster.folder / cluster.routing.table,
            node_names=names[:n_nodes],
            wiring=fabric.wiring,
            addresses=addresses,
            across=facing_addresses(addresses, fabric.core.port_start, fabric.core.port_segment),
        )
        explicit = _core.ExplicitRoutes(table)
    try:
        return _core.Network(
            fabric.core,
            _for_core(addresses, is_explicit=explicit is not None),
            routing=scheme,
            with_fallback=bool(cluster.routing.fallback),
            by_interface=_cuts_survived(cluster, is_left=is_left),
            explicit=explicit,
            ties=cluster.routing.ties or "spread",
        )
    except DesignError as unnamed:
        error = named(unnamed, names)
        if is_left:
            raise DesignError(
                f"{cluster.topology.label} without the failed parts cannot be routed: "
                f"{error.message}",
                "plan a smaller design: recomputed routes need tables between all pairs of nodes",
            ) from None
        raise DesignError(
            f"{scheme} routing does not fit {cluster.topology.label}: {error.message}",
            error.hint or "choose another scheme under 'routing'",
        ) from None
