"""The cables as a graph, for records in the formats of other tools: what is plugged where.

Devices are those at the ends of cables: nodes, hubs, switches, and units of stacks, as in
`cables.csv`. Nodes and NICs have their names on the machines.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from linkwright.network import Network
from linkwright.plan.cabling import CABLE_COLUMNS, ROLE_NAMES, cable_rows
from linkwright.plan.exporters.network_plan import NetworkPlan
from linkwright.plan.units import KIND_NAMES, RackedUnits

__all__ = ["Cable", "CableGraph", "Device", "cable_graph"]


@dataclass(frozen=True)
class Device:
    """A device with cables.

    Attributes
    ----------
    name : str
        Host name of a node, or name of a hub, a switch or a unit of a stack.
    kind : str
        "node", "hub" or "switch".
    role : str
        Role of a node in the plan: "compute", "front-end" or "forwarder"; else empty.
    part : str
        Key of its part in the catalogue.
    planned : str
        Name in the tables of the plan.
    """

    name: str
    kind: str
    role: str
    part: str
    planned: str


@dataclass(frozen=True)
class Cable:
    """A cable as in `cables.csv`: its ends, its kind (straight, crossover, uplink, stack), its rate
    in Mb/s, and the group and the VLAN of its ports on switches.

    The family of its connectors is empty if the catalogue does not give it.
    """

    name: str
    a: str
    a_port: str
    b: str
    b_port: str
    kind: str
    rate_mbps: str
    label: str
    lag: str
    vlan: str
    connector: str


@dataclass(frozen=True)
class CableGraph:
    """Devices and cables, in the order of the tables of the plan."""

    devices: tuple[Device, ...]
    cables: tuple[Cable, ...]


def cable_graph(plan: NetworkPlan) -> CableGraph:
    """Return the graph of a plan's cables."""
    racked = RackedUnits.of(plan.network)
    on_machines = _on_machines(plan)
    cables = []
    connectors = itertools.chain(_connectors(plan.network), itertools.repeat(""))
    for row, connector in zip(cable_rows(plan.network, racked), connectors, strict=False):
        of = dict(zip(CABLE_COLUMNS, map(str, row), strict=True))
        a, b = (
            on_machines.get(end, end)
            for end in ((of["a_device"], of["a_port"]), (of["b_device"], of["b_port"]))
        )
        cables.append(
            Cable(
                name=of["cable"],
                a=a[0],
                a_port=a[1],
                b=b[0],
                b_port=b[1],
                kind=of["kind"],
                rate_mbps=of["rate_mbps"],
                label=of["label"],
                lag=of["lag"],
                vlan=of["vlan"],
                connector=connector,
            )
        )
    used = {name for cable in cables for name in (cable.a, cable.b)}
    devices = (*_nodes(plan), *_boxes(plan, racked))
    return CableGraph(tuple(one for one in devices if one.name in used), tuple(cables))


def _connectors(network: Network) -> list[str]:
    """Return the family of connectors of each cable; those within a stack have none."""
    roles, codes = network.wiring.cable_roles
    return [getattr(network.parts.get(roles[code]), "connector", None) or "" for code in codes]


def _on_machines(plan: NetworkPlan) -> dict[tuple[str, str], tuple[str, str]]:
    """Return the node and NIC on the machine of each NIC of the plan that has a cable."""
    wiring, network = plan.network.wiring, plan.network
    ends = [tuple(end) for end in [*wiring.cable_a.tolist(), *wiring.cable_b.tolist()]]
    return {
        (network.device_names[node], network.port_name(node, port)): (
            plan.hosts[node].name,
            plan.port_on_machine(node, port),
        )
        for node, port in ends
        if node < network.n_nodes
    }


def _nodes(plan: NetworkPlan) -> list[Device]:
    network = plan.network
    return [
        Device(
            name=host.name,
            kind=KIND_NAMES[network.wiring.kind[node]],
            role=ROLE_NAMES[network.wiring.role[node]],
            part=network.part_of(node).key,
            planned=host.node,
        )
        for node, host in enumerate(plan.hosts)
    ]


def _boxes(plan: NetworkPlan, racked: RackedUnits) -> list[Device]:
    network = plan.network
    found = {
        name: Device(name, KIND_NAMES[network.wiring.kind[box]], "", network.part_of(box).key, name)
        for box, name in enumerate(network.device_names)
        if box >= network.n_nodes
    }
    for unit in racked.units:
        if unit.parent:
            found[unit.name] = Device(unit.name, unit.kind, "", unit.part, unit.name)
    return list(found.values())
