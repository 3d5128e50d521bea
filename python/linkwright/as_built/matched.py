"""The machines of the facts as nodes of the plan, and their interfaces as its NICs.

A machine is the node that has its name, else its serial number, else its host name, else the
hardware address of one of its NICs. A machine with the name of a node that answers as another one
is not compared: each of its cables would seem to be in a wrong port. A NIC of the plan is found by
the hardware address or path that the design gives, else by its name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from linkwright.as_built.planned import Planned
from linkwright.errors import UsageError, shown
from linkwright.facts import ClusterFacts, Interface, MachineFacts
from linkwright.facts.cabling import is_port
from linkwright.notebook import listed
from linkwright.plan.exporters.node_plan import InterfacePlan, NodePlan, answers_as

__all__ = ["Matched", "MatchedNode", "matched"]


@dataclass(frozen=True, eq=False)
class MatchedNode:
    """A node of the plan, and the facts of its machine."""

    plan: NodePlan
    facts: MachineFacts

    @property
    def name(self) -> str:
        """Name of the node in the design."""
        return self.plan.node

    def lacks(self, fact: str) -> bool:
        """Return whether a fact, or a part of it that the plan needs, could not be asked for."""
        has_v6 = any(one.has_v6 for one in self.plan.interfaces)
        return any(
            one.fact == fact and (has_v6 or " -6 " not in one.reason) for one in self.facts.missing
        )

    @cached_property
    def interfaces(self) -> Mapping[str, Interface]:
        """The interface of each one of the plan, by the plan's name; missing ones are left out."""
        pairs = ((one.name, _interface(one, self.facts)) for one in self.plan.interfaces)
        return {name: found for name, found in pairs if found is not None}

    @cached_property
    def names(self) -> Mapping[str, str]:
        """The plan's name of each interface, by its name on the machine."""
        planned = {found.name: name for name, found in self.interfaces.items()}
        return {one.name: planned.get(one.name, one.name) for one in self.facts.interfaces}

    @property
    def ports(self) -> Iterator[tuple[InterfacePlan, Interface]]:
        """Connectors of the plan with their interfaces."""
        for one in self.plan.interfaces:
            if one.is_nic and one.name in self.interfaces:
                yield one, self.interfaces[one.name]

    @cached_property
    def others(self) -> tuple[Interface, ...]:
        """Interfaces that are none of the plan, without the loopback."""
        of_plan = {one.name for one in self.interfaces.values()}
        return tuple(
            one
            for one in self.facts.interfaces
            if one.name not in of_plan and one.kind != "loopback"
        )


@dataclass(frozen=True, eq=False)
class Matched:
    """All machines that are nodes, and what is left on both sides.

    Attributes
    ----------
    nodes : mapping of str to MatchedNode
        Nodes whose machines answered.
    silent : mapping of str to str
        Nodes without usable facts, with the reason.
    mixed_up : frozenset of str
        Those of them whose machine is that of another node.
    strangers : tuple of MachineFacts
        Machines that are no node.
    node_of : mapping of str to str
        Node of each machine by the name of the machine in the facts.
    """

    nodes: Mapping[str, MatchedNode]
    silent: Mapping[str, str]
    mixed_up: frozenset[str]
    strangers: tuple[MachineFacts, ...]
    node_of: Mapping[str, str]


def matched(planned: Planned, facts: ClusterFacts) -> Matched:
    """Return the machines as nodes of the plan.

    Raises
    ------
    UsageError
        If no machine is a node.
    """
    node_of: dict[str, str] = {}
    for by in (_by_name, _by_serial, _by_host_name, _by_mac):
        for machine in facts.machines:
            node = by(planned, machine)
            if machine.name not in node_of and node and node not in node_of.values():
                node_of[machine.name] = node
    if not node_of:
        raise UsageError(*_of_another_cluster(planned, facts))
    mixed_up = dict(_mixed_up(planned, facts, node_of))
    nodes, silent = {}, dict(mixed_up)
    for machine in facts.machines:
        node = node_of.get(machine.name, "")
        if node in mixed_up:
            continue
        if machine.failure is not None and node:
            silent[node] = machine.failure
        elif node and not machine.interfaces:
            silent[node] = "its facts have no interfaces"
        elif node:
            nodes[node] = MatchedNode(planned.nodes[node], machine)
    for name, plan in planned.nodes.items():
        if name not in node_of.values() and not plan.host.is_switch:
            silent[name] = "the facts do not have it"
    ordered = {name: nodes[name] for name in planned.nodes if name in nodes}
    strangers = tuple(one for one in facts.machines if one.name not in node_of)
    return Matched(ordered, silent, frozenset(mixed_up), strangers, node_of)


def _mixed_up(
    planned: Planned, facts: ClusterFacts, node_of: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """Yield the nodes whose machine is that of another node, each with a sentence."""
    known: dict[frozenset[str], str] = {}
    for machine in facts.machines:
        node = node_of.get(machine.name)
        if node is None:
            continue
        other = _answers_as(planned, machine, node)
        macs = frozenset(one.mac for one in machine.interfaces if one.mac and is_port(one.kind))
        if other:
            yield node, f"{node} answers as {other}"
        elif macs in known:
            yield node, f"{node} is the machine of {known[macs]}: its hardware addresses are equal"
        elif macs:
            known[macs] = node


def _answers_as(planned: Planned, machine: MachineFacts, node: str) -> str | None:
    """Return the other node that a machine says it is: by serial number, else by the hardware
    address of a NIC, else by its own name.
    """
    for by in (_by_serial, _by_mac):
        found = by(planned, machine)
        if found:
            return found if found != node else None
    hosts = (one.host for one in planned.nodes.values())
    other = answers_as(machine.hostname or "", planned.nodes[node].host, hosts)
    return other.node if other else None


def _by_name(planned: Planned, machine: MachineFacts) -> str | None:
    return machine.name if machine.name in planned.nodes else None


def _by_serial(planned: Planned, machine: MachineFacts) -> str | None:
    for node, plan in planned.nodes.items():
        described = planned.network.machines.get(plan.number)
        if machine.serial and described and described.serial == machine.serial:
            return node
    return None


def _by_host_name(planned: Planned, machine: MachineFacts) -> str | None:
    full = (machine.hostname or machine.name).lower()
    names = {full, full.partition(".")[0], machine.name.lower()}
    for node, plan in planned.nodes.items():
        if {node.lower(), plan.host.name.lower()} & names:
            return node
    return None


def _by_mac(planned: Planned, machine: MachineFacts) -> str | None:
    own = {mac.lower() for one in machine.interfaces for mac in (one.mac, one.permanent_mac) if mac}
    for node, plan in planned.nodes.items():
        if own.intersection(one.mac for one in plan.interfaces if one.mac):
            return node
    return None


def _interface(one: InterfacePlan, facts: MachineFacts) -> Interface | None:
    """Return the interface of a machine that is one of the plan."""
    for found in facts.interfaces:
        macs = {mac.lower() for mac in (found.permanent_mac, found.mac) if mac}
        if one.mac and one.mac in macs and found.kind not in ("vlan", "bridge", "bond"):
            return found
    for found in facts.interfaces:
        if one.path and found.pci and found.pci.path and one.path.endswith(found.pci.path):
            return found
    named = next((found for found in facts.interfaces if found.name == one.name), None)
    if named is None and one.is_identity:
        return _carrier_of_identity(one, facts)
    return named


def _carrier_of_identity(one: InterfacePlan, facts: MachineFacts) -> Interface | None:
    """Return the interface that has the identity: another name of it, or the loopback, will do."""
    loopback = None
    for found in facts.interfaces:
        if set(one.addresses) & set(found.addresses) and found.kind in ("loopback", "dummy"):
            return found
        loopback = found if found.kind == "loopback" else loopback
    return loopback


def _of_another_cluster(planned: Planned, facts: ClusterFacts) -> tuple[str, str]:
    nodes = listed(list(planned.nodes))
    if not facts.machines:
        return "the facts have no machines", "gather them: linkwright facts HOSTS -o facts.json"
    machines = listed([one.name for one in facts.machines])
    design = shown(planned.network.name)
    return (
        f"no machine of the facts ({machines}) is a node of {design} ({nodes})",
        "give the facts of this cluster, or name its machines: n0=root@10.0.0.1,n1=...",
    )
