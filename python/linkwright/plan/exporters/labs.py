"""Labs of containers: commands that give a container its part in the network, and its neighbours.

Commands run one by one, without a shell. Hubs and switches are containers with a bridge: a hub's
forgets at once where stations are, so that it repeats every frame to all.
"""

from __future__ import annotations

from collections.abc import Iterator

from linkwright.errors import CapabilityError
from linkwright.network import HUB, Network
from linkwright.plan.exporters.comments import (
    BOND,
    ROUTES,
    cable_of,
    grouped,
    rules_reason,
    sentence,
)
from linkwright.plan.exporters.network_plan import NetworkPlan
from linkwright.plan.exporters.node_plan import BOND_CHECK_MS, InterfacePlan, NodePlan
from linkwright.plan.tables import BOND_MODE

__all__ = [
    "BRIDGE",
    "Commands",
    "commands_of_box",
    "commands_of_node",
    "expect_no_daemon",
    "lab_port",
]

BRIDGE = "br0"
SHARED = "A hub repeats every frame: the bridge forgets at once where stations are."
LOOPS = "Cables between boxes form a loop, which the spanning tree of the bridges opens."

Commands = Iterator[tuple[str, list[str]]]
"""A reason, and the commands that have it."""


def expect_no_daemon(network: NetworkPlan, target: str) -> None:
    """Refuse a design whose routes come from routing daemons.

    Raises
    ------
    CapabilityError
        If it has them.
    """
    if network.network.daemon:
        raise CapabilityError(
            f"the routes of '{network.name}' come from routing daemons, which the lab lacks",
            f"leave out the target {target}, or try the design with `linkwright emulate`",
        )


def lab_port(network: NetworkPlan, device: int, port: int) -> str:
    """Return the name of an interface in a lab: on the machine, or "p0" and so on of a box."""
    if device < network.network.n_nodes:
        return network.port_on_machine(device, port)
    return f"p{port}"


def commands_of_node(node: NodePlan) -> Commands:
    """Yield the commands of a node, which leave the MTU of its ports to the lab."""
    for one in node.interfaces:
        if one.members:
            yield BOND, list(_bond(one))
        elif one.is_identity:
            yield cable_of(one), [f"ip link add dev {one.name} type dummy", _up(one.name)]
        elif not one.bond:
            yield cable_of(one), [_up(one.name)]
    for reason, settings in grouped(node.settings):
        # Slashes, since the name of an interface may have a dot.
        yield reason, [f"sysctl -w {one.key}={one.value}" for one in settings]
    addresses = [_address(one, address) for one in node.interfaces for address in one.addresses]
    yield "The addresses; IPv6 does not look for others that have them.", addresses
    for mark in node.marks:
        yield sentence(mark.reason), [f"ip6tables -t mangle -A {mark.rule}"]
    if node.rules:
        yield (
            rules_reason(node.rules),
            [
                f"ip {'-6' if rule.is_v6 else '-4'} rule add {rule.words} "
                f"lookup {rule.table} priority {rule.priority}"
                for rule in node.rules
            ],
        )
    if node.routes:
        yield ROUTES, list(_routes(node))


def _up(name: str) -> str:
    return f"ip link set dev {name} up"


def _bond(one: InterfacePlan) -> Iterator[str]:
    yield f"ip link add dev {one.name} type bond mode {BOND_MODE} miimon {BOND_CHECK_MS}"
    for member in one.members:
        yield f"ip link set dev {member} down"
        yield f"ip link set dev {member} master {one.name}"
    yield _up(one.name)


def _address(one: InterfacePlan, address: str) -> str:
    return f"ip address add {address} dev {one.name}{' nodad' if ':' in address else ''}"


def _routes(node: NodePlan) -> Iterator[str]:
    for one in node.routes:
        via = f" via {one.via}" if one.via else ""
        table = f" table {one.table}" if one.table else ""
        yield (
            f"ip route add {one.destination}{via} dev {one.interface} metric {one.metric} "
            f"src {one.source}{table}{one.onlink}"
        )


def commands_of_box(network: Network, box: int) -> Commands:
    """Yield the commands of a hub or a switch."""
    bridge = [f"ip link add dev {BRIDGE} type bridge"]
    if network.wiring.kind[box] == HUB:
        yield SHARED, [f"{bridge[0]} ageing_time 0"]
    elif _has_loop(network):
        # Two seconds until a port forwards, the least that the kernel takes.
        yield LOOPS, [f"{bridge[0]} stp_state 1 forward_delay 200"]
    else:
        yield "A switch.", bridge
    ports = [f"p{port}" for port in range(int(network.wiring.n_ports[box]))]
    members = [f"ip link set dev {port} master {BRIDGE} up" for port in ports]
    yield "Its ports.", [*members, _up(BRIDGE)]


def _has_loop(network: Network) -> bool:
    """Return whether the cables between boxes form a loop; parallel ones do."""
    group = list(range(len(network.device_names)))

    def root(box: int) -> int:
        while group[box] != box:
            box = group[box]
        return box

    for a, b in network.wiring.joined_devices.tolist():
        if min(a, b) >= network.n_nodes:
            if root(a) == root(b):
                return True
            group[root(a)] = root(b)
    return False
