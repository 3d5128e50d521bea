"""The fabric that facts show: machines, the ports that belong to it, and the segments between them.

Ports with the default route, and ports on a segment on which all addresses come from DHCP, are the
machine's own and left out. Facts that do not show all cables are refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from functools import cached_property
from ipaddress import ip_interface

from linkwright.errors import UsageError
from linkwright.facts import ClusterFacts, Interface, MachineFacts, Route
from linkwright.facts.cabling import SHARED, FoundCable, cables_of, is_port

__all__ = ["Port", "Sighted", "gateway_of", "metric_of", "sighted"]

Port = tuple[str, str]
"""Machine and interface."""
MOST_NAMES = 5
DEFAULT_METRIC_V6 = 1024
REMEDY = (
    "plug the cable in, let the machines ping each other over it or run lldpd on them, and ask "
    "again; or name a port of another network with --leave-out"
)


@dataclass(frozen=True, eq=False)
class Sighted:
    """The fabric of a cluster that is cabled.

    Attributes
    ----------
    machines : mapping of str to MachineFacts
        Machines by name, in the order of the facts.
    segments : tuple of tuple of Port
        Ports that hear each other: two ends of a cable, or all of a switch.
    is_cable : tuple of bool
        Whether each segment is a cable between two machines.
    remarks : tuple of str
        Things that are left out, a sentence each.
    has_hubs : bool
        Whether ports with half duplex are on a hub; else they are on a switch.
    """

    machines: Mapping[str, MachineFacts]
    segments: tuple[tuple[Port, ...], ...]
    is_cable: tuple[bool, ...]
    remarks: tuple[str, ...]
    has_hubs: bool = True

    @cached_property
    def segment_of(self) -> Mapping[Port, int]:
        """Number of the segment of each port of the fabric."""
        return {port: n for n, ports in enumerate(self.segments) for port in ports}

    @cached_property
    def ports(self) -> Mapping[str, tuple[str, ...]]:
        """Ports of the fabric of each machine, in the order of the facts."""
        return {
            name: tuple(
                one.name for one in machine.interfaces if (name, one.name) in self.segment_of
            )
            for name, machine in self.machines.items()
        }

    @cached_property
    def bonds(self) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
        """Members on the fabric of each bond, by machine and bond."""
        found: dict[str, dict[str, tuple[str, ...]]] = {}
        for name, machine in self.machines.items():
            kinds = {one.name: one.kind for one in machine.interfaces}
            for port in self.ports[name]:
                master = self.interface((name, port)).master
                if master and kinds.get(master) in ("bond", "team"):
                    own = found.setdefault(name, {})
                    own[master] = (*own.get(master, ()), port)
        return found

    def interface(self, port: Port) -> Interface:
        """Return the facts of an interface."""
        return next(one for one in self.machines[port[0]].interfaces if one.name == port[1])

    def is_half(self, number: int) -> bool:
        """Return whether all ports of a segment are half duplex, as on a hub."""
        return all(self.interface(port).duplex == "half" for port in self.segments[number])

    def is_hub(self, number: int) -> bool:
        """Return whether a segment is adopted as a hub."""
        return self.has_hubs and self.is_half(number)

    def carrier(self, port: Port) -> Interface:
        """Return the interface that has the addresses of a port: itself, its bond or bridge."""
        own = self.interface(port)
        names = {one.name: one for one in self.machines[port[0]].interfaces}
        return names.get(own.master or "", own)

    def routes(self, machine: str) -> Iterator[Route]:
        """Yield the routes of a machine's main table by the fabric, without those that the kernel
        makes of addresses.
        """
        nics = {self.carrier((machine, port)).name for port in self.ports[machine]}
        for route in self.machines[machine].routes:
            is_of_fabric = route.dev in nics and route.dst != "default"
            is_made = route.gateway is not None or route.protocol != "kernel"
            if is_made and is_of_fabric and route.table == "main" and not route.nexthops:
                yield route


def gateway_of(route: Route) -> str:
    """Return the gateway of a route; empty if the destination itself is on the link."""
    gateway = route.gateway or ""
    return "" if gateway == route.dst.partition("/")[0] else gateway


def metric_of(route: Route) -> int:
    """Return the metric of a route, that of the kernel where none is shown."""
    if route.metric is not None:
        return route.metric
    return DEFAULT_METRIC_V6 if route.family == 6 else 0


def sighted(facts: ClusterFacts, leave_out: Set[str] = frozenset()) -> Sighted:
    """Return the fabric of the facts.

    Parameters
    ----------
    facts : ClusterFacts
        Facts of all machines.
    leave_out : set of str
        Names of interfaces that are not of the fabric, such as mgmt0.

    Raises
    ------
    UsageError
        If a machine did not answer, or the other end of a cable is not known.
    """
    machines = {one.name: one for one in facts.machines}
    _expect_answers(facts)
    own = {port for one in facts.machines for port in _own_ports(one, leave_out)}
    seen = {end for cable in cables_of(facts) for end in cable.ends}
    own |= set(_shared_by_all(machines, own | seen))
    kept, remarks = _segments(facts, machines, own)
    found = Sighted(
        machines,
        tuple(ports for ports, _ in kept),
        tuple(is_cable for _, is_cable in kept),
        tuple(dict.fromkeys(remarks)),
    )
    _expect_all_cables(found, own)
    return found


def _expect_answers(facts: ClusterFacts) -> None:
    if len(facts.machines) < 2:
        raise UsageError(
            "a design needs at least two machines, and the facts have "
            f"{len(facts.machines) or 'none'}",
            "name all machines: linkwright facts n0=root@10.0.0.1,n1=... -o facts.json",
        )
    for machine in facts.machines:
        if machine.failure is not None or not machine.interfaces:
            reason = machine.failure or "its facts have no interfaces"
            raise UsageError(
                f"{machine.name} gave no facts: {reason}",
                "ask again when it answers, or ask only the other machines",
            )


def _segments(
    facts: ClusterFacts, machines: Mapping[str, MachineFacts], own: Set[Port]
) -> tuple[list[tuple[tuple[Port, ...], bool]], list[str]]:
    """Return the segments of the fabric, in the order of machines, and remarks on the others."""
    rank = {
        (name, one.name): (place, number)
        for place, (name, machine) in enumerate(machines.items())
        for number, one in enumerate(machine.interfaces)
    }
    kept, remarks = [], []
    for cable in _by_switch(cables_of(facts), machines):
        ports = tuple(sorted((end for end in cable.ends if end in rank), key=rank.__getitem__))
        is_cable = len(cable.ends) == 2 == len(ports) and cable.certainty != SHARED
        named = ", ".join(":".join(end) for end in ports[:MOST_NAMES])
        if not ports:
            continue
        if own & set(ports) or _is_dynamic(machines, ports):
            remarks.append(f"left out {named}: the machines' own network")
        else:
            kept.append((ports, is_cable))
            if cable.certainty == "likely":
                remarks.append(
                    f"{named} seem to be one cable, by {cable.evidence} alone; a probe is sure"
                )
    used = {port for ports, _ in kept for port in ports}
    for bond in _bonded(machines):
        members = tuple(port for port in bond if port in used)
        if len(members) > 1:
            kept.append((members, False))
    merged = _merged(kept)
    return sorted(merged, key=lambda one: rank[one[0][0]]), remarks


def _by_switch(
    cables: Iterable[FoundCable], machines: Mapping[str, MachineFacts]
) -> Iterator[FoundCable]:
    """Yield cables, and those to a switch that announces itself as one segment per subnet."""
    on: dict[object, list[Port]] = {}
    for cable in cables:
        known = [end for end in cable.ends if end[0] in machines]
        if len(known) == len(cable.ends):
            yield cable
        for end in known if len(known) < len(cable.ends) else ():
            own = [each for each in machines[end[0]].interfaces if each.name == end[1]]
            switch = next(name for name, _ in cable.ends if name not in machines)
            subnets = [_subnet(text) for one in own for text in one.addresses]
            on.setdefault(subnets[0] if subnets else switch, []).append(end)
    for ports in on.values():
        yield FoundCable(tuple(ports), "lldp", "shared")


def _bonded(machines: Mapping[str, MachineFacts]) -> Iterator[tuple[Port, ...]]:
    """Yield the members of each bond, whose segments are one for the machine."""
    for name, machine in machines.items():
        for bond in machine.interfaces:
            if bond.kind in ("bond", "team"):
                own = (one.name for one in machine.interfaces if one.master == bond.name)
                yield tuple((name, port) for port in own)


def _merged(found: list[tuple[tuple[Port, ...], bool]]) -> list[tuple[tuple[Port, ...], bool]]:
    """Return the segments with those joined that share a port."""
    segments: list[tuple[tuple[Port, ...], bool]] = []
    for ports, is_cable in found:
        met = [one for one in segments if set(one[0]) & set(ports)]
        if met:
            segments = [one for one in segments if one not in met]
        joined = [port for one, _ in met for port in one]
        segments.append((tuple(dict.fromkeys([*joined, *ports])), is_cable and not met))
    return segments


def _own_ports(machine: MachineFacts, leave_out: Set[str]) -> Iterator[Port]:
    """Yield the ports of a machine that are left out, or that its default route leaves by, also
    below a bridge, a bond or a VLAN.
    """
    devices = set(leave_out)
    for route in machine.routes:
        if route.dst == "default":
            devices |= {dev for dev in (route.dev, *(h.dev for h in route.nexthops or ())) if dev}
    devices |= {one.parent for one in machine.interfaces if one.name in devices and one.parent}
    for one in machine.interfaces:
        if one.name in devices or one.master in devices:
            yield machine.name, one.name


def _is_dynamic(machines: Mapping[str, MachineFacts], ports: tuple[Port, ...]) -> bool:
    """Return whether all addresses of ports come from DHCP, and there are some."""
    of_ports = [
        one for name, port in ports for one in machines[name].interfaces if one.name == port
    ]
    addresses = {address for one in of_ports for address in one.addresses}
    dynamic = {address for one in of_ports for address in one.dynamic_addresses}
    return bool(addresses) and addresses <= dynamic


def _expect_all_cables(found: Sighted, own: Set[Port]) -> None:
    """Refuse facts that lack a cable: a machine without one, or a port with an address.

    Raises
    ------
    UsageError
        If there is one.
    """
    for name, machine in found.machines.items():
        for one in machine.interfaces:
            port = name, one.name
            if port not in found.segment_of and port not in own and _is_used(one):
                raise UsageError(
                    f"{name}: the other end of the cable at {one.name} is not known", REMEDY
                )
        if not found.ports[name]:
            raise UsageError(f"{name}: no cable of the fabric is known", REMEDY)


def _is_used(one: Interface) -> bool:
    """Return whether an interface is a connector with a live cable and a fixed address."""
    is_connector = is_port(one.kind) and one.kind != "loopback" and not one.master
    return is_connector and one.carrier is not False and bool(_fixed(one))


def _fixed(one: Interface) -> set[str]:
    return set(one.addresses) - set(one.dynamic_addresses)


def _shared_by_all(machines: Mapping[str, MachineFacts], sure: Set[Port]) -> Iterator[Port]:
    """Yield the ports without a known cable on a subnet in which every one of three machines or
    more has such a port: a network of their own, over which they do not talk to each other.
    """
    on: dict[object, list[Port]] = {}
    for name, machine in machines.items():
        for one in machine.interfaces:
            if (name, one.name) not in sure and _is_used(one):
                for text in _fixed(one):
                    on.setdefault(_subnet(text), []).append((name, one.name))
    for ports in on.values():
        if len(machines) > 2 and {name for name, _ in ports} == set(machines):
            yield from ports


def _subnet(address: str) -> object:
    try:
        return ip_interface(address).network
    except ValueError:
        return address
