"""A model of Linux nodes with the files of a plan, written from those files alone.

Nothing of the package is used here but text: a node sends to the longest prefix, then the smallest
metric, among its connected subnets and its lines of routes.csv; it ignores interfaces without
carrier (`ignore_routes_with_linkdown`); packets that come in by a NIC of rules.csv have a table of
their own before that; and a frame reaches what the cables join, hubs and switches
passed through, nodes not.
"""

from __future__ import annotations

import csv
import io
import ipaddress
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

Ip = ipaddress.IPv4Address | ipaddress.IPv6Address
Prefix = ipaddress.IPv4Network | ipaddress.IPv6Network
End = tuple[str, str]
Way = tuple[tuple[End, ...], Ip | None]
"""The ports and the gateway of a route."""
CONNECTED_METRIC = {4: 0, 6: 256}
"""Metric that Linux gives the route of an interface's own subnet."""


@dataclass(frozen=True)
class Route:
    """One line of a node's table; `via` is None for what is on the link."""

    destination: Prefix
    metric: int
    via: Ip | None
    nic: str

    @property
    def is_connected(self) -> bool:
        """Whether an interface's own address makes it; routes of a plan have other metrics."""
        return self.via is None and self.metric == CONNECTED_METRIC[self.destination.version]


@dataclass(frozen=True)
class Cable:
    """A cable, and the boxes with which it dies: devices, and what they are part of."""

    name: str
    ends: tuple[End, End]
    boxes: frozenset[str]


@dataclass(frozen=True)
class Plan:
    """The tables of a plan, parsed."""

    nodes: tuple[str, ...]
    """Devices with routes: nodes and routed switches."""
    computers: tuple[str, ...]
    compute: tuple[str, ...]
    cables: tuple[Cable, ...]
    stacked: tuple[tuple[str, str], ...]
    owners: Mapping[Ip, tuple[End, ...]]
    """NICs of each address: several where ports borrow the one of their node."""
    bond_of: Mapping[End, tuple[End, ...]]
    tables: Mapping[str, tuple[Route, ...]]
    behind: Mapping[End, tuple[Route, ...]]
    identity: Mapping[str, Ip]
    _matching: dict[tuple[str, Ip, End | None], list[Way]] = field(default_factory=dict)

    @classmethod
    def read(cls, files: Mapping[str, str]) -> Plan:
        """Parse the texts of a plan folder."""
        devices, interfaces, hosts = (
            _rows(files[f"{name}.csv"]) for name in ("devices", "interfaces", "hosts")
        )
        joints = _rows(files["cables.csv"])
        addressed = [row for row in interfaces if row["address"]]
        computers = tuple(row["device"] for row in devices if row["kind"] == "node")
        nodes = tuple(row["device"] for row in devices if row["role"])
        parent = {row["device"]: row["parent"] for row in devices}
        return cls(
            nodes=nodes,
            computers=computers,
            compute=tuple(row["device"] for row in devices if row["role"] == "compute"),
            cables=tuple(_cable(row, parent) for row in joints if row["kind"] != "stack"),
            stacked=tuple(
                (row["a_device"], row["b_device"]) for row in joints if row["kind"] == "stack"
            ),
            owners=_owners(addressed),
            bond_of=_bonds(interfaces),
            tables=_tables(nodes, addressed, _rows(files["routes.csv"])),
            behind=_behind(_rows(files["routes.csv"]), _rows(files.get("rules.csv", ""))),
            # The first family.
            identity={row["node"]: ipaddress.ip_address(row["address"]) for row in reversed(hosts)},
        )

    def bond(self, nic: End) -> tuple[End, ...]:
        """Return the NICs of the bond that a NIC is of, or the one alone."""
        return self.bond_of.get(nic, (nic,))

    def matching(self, node: str, target: Ip, came_by: End | None) -> list[Way]:
        """Return the routes of a node to an address, the best first; no failure changes them."""
        key = node, target, came_by
        if key not in self._matching:
            behind = () if came_by is None else self.behind.get(came_by, ())
            routes = (one for one in (*behind, *self.tables[node]) if target in one.destination)
            self._matching[key] = [(self.bond((node, one.nic)), one.via) for one in routes]
        return self._matching[key]


@dataclass
class Running:
    """A plan as built and switched on, some cables and nodes of which are dead."""

    plan: Plan
    dead_cables: frozenset[str] = frozenset()
    dead_node: str = ""
    _steps: dict[tuple[str, End | None, Ip], End | str] = field(default_factory=dict)

    @cached_property
    def _alive(self) -> list[Cable]:
        return [
            cable
            for cable in self.plan.cables
            if cable.name not in self.dead_cables
            and self.dead_node not in (cable.ends[0][0], cable.ends[1][0])
        ]

    @cached_property
    def _wire(self) -> dict[End, object]:
        """The wire that each NIC with carrier is on: NICs of one wire hear each other."""
        wires = _Sets()
        nodes = set(self.plan.nodes)
        for a, b in self.plan.stacked:
            wires.join(a, b)
        for cable in self._alive:
            wires.join(*(end if end[0] in nodes else end[0] for end in cable.ends))
        nics = (end for cable in self._alive for end in cable.ends if end[0] in nodes)
        return {nic: wires.root(nic) for nic in nics}

    @property
    def living(self) -> list[str]:
        """Computers that are not dead."""
        return [node for node in self.plan.computers if node != self.dead_node]

    def joined(self) -> dict[str, object]:
        """Return for each living node which of the sets it is in that forwarding nodes join."""
        sets = _Sets()
        for nic, wire in self._wire.items():
            sets.join(nic[0], ("wire", wire))
        return {node: sets.root(node) for node in self.living}

    def step(self, node: str, target: Ip, came_by: End | None = None) -> End | str:
        """Return the NIC by which the next node hears a packet, or why there is none."""
        came_by = came_by if came_by in self.plan.behind else None
        key = node, came_by, target
        if key not in self._steps:
            self._steps[key] = self._look_up(node, target, came_by)
        return self._steps[key]

    def _look_up(self, node: str, target: Ip, came_by: End | None) -> End | str:
        senders, via = self._best(node, target, came_by)
        if not senders:
            return "no-route"
        return self._deliver([port for port in senders if port in self._wire], via or target)

    def leaves_by(self, node: str, target: Ip, came_by: End | None = None) -> End | None:
        """Return the NIC (of a bond the first) by which a node sends; None without a route."""
        return next(iter(self._best(node, target, came_by)[0]), None)

    def _best(self, node: str, target: Ip, came_by: End | None) -> Way:
        """Return the best route that has carrier."""
        for ports, via in self.plan.matching(node, target, came_by):
            if any(port in self._wire for port in ports):
                return ports, via
        return (), None

    def _deliver(self, senders: Iterable[End], to: Ip) -> End | str:
        """A bond sends by all of its ports in turn: one lost frame fails the path."""
        for owner in self.plan.owners.get(to, ()):
            receivers = self.plan.bond(owner)
            wires = {self._wire[port] for port in receivers if port in self._wire}
            if all(self._wire[port] in wires for port in senders):
                return receivers[0]
        return "unseen" if to in self.plan.owners else "nobody"

    def way(self, sender: str, receiver: str) -> list[End] | str:
        """Return the NICs that a packet comes in by, the receiver's last, or why it is lost."""
        target = self.plan.identity[receiver]
        node, came_by, way = sender, None, []
        while node != receiver:
            heard = self.step(node, target, came_by)
            if isinstance(heard, str):
                return heard
            way.append(heard)
            node, came_by = heard[0], heard
            if len(way) > len(self.plan.nodes) + len(self.plan.behind):
                return "loop"
        return way


class _Sets:
    """Disjoint sets."""

    def __init__(self) -> None:
        self._parent: dict[object, object] = {}

    def root(self, one: object) -> object:
        while (above := self._parent.setdefault(one, one)) != one:
            one = above
        return one

    def join(self, one: object, other: object) -> None:
        self._parent[self.root(one)] = self.root(other)


def _cable(row: Mapping[str, str], parent: Mapping[str, str]) -> Cable:
    a, b = (row["a_device"], row["a_port"]), (row["b_device"], row["b_port"])
    return Cable(row["cable"], (a, b), frozenset({a[0], b[0], parent[a[0]], parent[b[0]]}))


def _owners(addressed: Iterable[Mapping[str, str]]) -> dict[Ip, tuple[End, ...]]:
    owners: dict[Ip, tuple[End, ...]] = {}
    for row in addressed:
        address = ipaddress.ip_address(row["address"])
        owners[address] = (*owners.get(address, ()), (row["node"], row["nic"]))
    return owners


def _tables(
    nodes: Iterable[str], addressed: Iterable[Mapping[str, str]], lines: Iterable[Mapping[str, str]]
) -> dict[str, tuple[Route, ...]]:
    """Return each node's routes, the best first."""
    tables: dict[str, list[Route]] = {node: [] for node in nodes}
    for row in addressed:
        if row["nic"] != "lo":
            prefix = ipaddress.ip_interface(f"{row['address']}/{row['prefix_length']}").network
            metric = CONNECTED_METRIC[prefix.version]
            # An address alone is no subnet: nothing is connected by it.
            if prefix.prefixlen < prefix.max_prefixlen:
                tables[row["node"]].append(Route(prefix, metric, None, row["nic"]))
    for row in lines:
        if not row.get("table"):
            tables[row["node"]].append(_route(row))
    return {node: _best_first(table) for node, table in tables.items()}


def _behind(
    lines: Iterable[Mapping[str, str]], rules: Iterable[Mapping[str, str]]
) -> dict[End, tuple[Route, ...]]:
    """Return the table of each NIC that a rule names, the best routes first."""
    tables: dict[End, list[Route]] = {}
    for row in lines:
        tables.setdefault((row["node"], row.get("table") or ""), []).append(_route(row))
    return {
        (rule["node"], rule["from_nic"]): _best_first(tables[rule["node"], rule["table"]])
        for rule in rules
    }


def _route(row: Mapping[str, str]) -> Route:
    via = ipaddress.ip_address(row["via"]) if row["via"] else None
    prefix = ipaddress.ip_network(row["destination"])
    return Route(prefix, int(row["metric"]), via, row["nic"])


def _best_first(table: Iterable[Route]) -> tuple[Route, ...]:
    return tuple(sorted(table, key=lambda route: (-route.destination.prefixlen, route.metric)))


def _bonds(interfaces: Iterable[Mapping[str, str]]) -> dict[End, tuple[End, ...]]:
    members: dict[End, dict[End, None]] = {}
    for row in interfaces:
        if row["bond"]:
            members.setdefault((row["node"], row["bond"]), {})[row["node"], row["nic"]] = None
    found = {port: tuple(ports) for ports in members.values() for port in ports}
    # Routes name the bond.
    return found | {bond: tuple(ports) for bond, ports in members.items()}


def _rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))
