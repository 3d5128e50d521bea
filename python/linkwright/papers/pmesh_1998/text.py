"""Numbers printed in the text around the tables: sizes, addresses, break-even price, diameter,
route rule, failed switches.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from linkwright.network import Network
from linkwright.papers.entry import Entry
from linkwright.papers.pmesh_1998.clusters import figures, network
from linkwright.papers.printed import printed_numbers
from linkwright.plan import price
from linkwright.plan.properties import bisection
from linkwright.plan.resilience import rerouting

CLUSTERS: Mapping[str, str] = MappingProxyType(
    {
        "tree": "tree-768",
        "torus": "torus-4x4",
        "p-mesh": "p-mesh-4x4",
        "p-mesh-24x24": "p-mesh-24x24",
        "p-mesh-5x7x3": "p-mesh-5x7x3",
        "p-mesh-grows-to-2048": "p-mesh-grows-to-2048",
        "p-mesh-nonblocking": "p-mesh-nonblocking-4x4",
    }
)
"""Design file of each row."""


def text() -> list[Entry]:
    """Return the numbers of the text beside ours."""
    return [
        number.beside(
            network(CLUSTERS[number.row]), _MEASURES[number.metric](network(CLUSTERS[number.row]))
        )
        for number in printed_numbers(__package__).table("text")
    ]


def address_bits(built: Network) -> int:
    """Return how many low bits the addresses of a network differ in."""
    values = [int(interface.ip) for interface in built.address_ip]
    low, high = min(values), max(values)
    return (low ^ high).bit_length()


def routes_per_node(built: Network) -> float:
    """Return the subnets that each node can send to, connected ones included, averaged over the
    nodes.
    """
    n_connected = len(built.address_ip)
    return (len(built.core.routes().node) + n_connected) / built.n_nodes


def gigabit_port_break_even(tree: Network) -> float:
    """Return the price of a gigabit port at which the tree costs as much per node as the P-Mesh, in
    USD.
    """
    per_role = {role: used for role, (used, _) in price(tree).per_role().items()}
    ports = sum(line.quantity for line in price(tree).ports_used if line.part_role == "root_switch")
    without_gigabit = sum(per_role.values()) - per_role["root_switch"]
    p_mesh = figures("p-mesh-4x4").cost.ports_used_per_node
    return (p_mesh - without_gigabit) * tree.n_compute / ports


def forwards_worst(built: Network) -> float:
    """Return the forwards of the worst pair, for every address of the destination."""
    return built.core.reachability(built.n_compute).forwards_worst


def switches(built: Network) -> float:
    """Return the number of switches, each line on one of its own."""
    return sum(kind == "switch" for kind in built.device_part_roles)


def diameter(built: Network) -> float:
    """Return the hops of the worst pair."""
    return forwards_worst(built) + 1


def total_bisection_each_way(built: Network) -> float:
    """Return what crosses the worst equal split in one direction, in bytes per second."""
    return bisection(built).total_Bps / 2


def switches_survived(built: Network) -> float:
    """Return how many single switches may fail without cutting off any pair, new tables given."""
    return sum(
        impact.kind == "switch" and not impact.n_cut_off for impact in rerouting(built).impacts
    )


def nodes_lost_to_two_switches(built: Network) -> float:
    """Return how many nodes the worst failure of two switches cuts off from all others."""
    worst = max(impact.n_cut_off for impact in rerouting(built, "pairs:switch").impacts)
    return worst / (2 * (built.n_compute - 1))


_MEASURES: Mapping[str, Callable[[Network], float]] = MappingProxyType(
    {
        "nodes": lambda built: built.n_compute,
        "address_bits": address_bits,
        "routes_per_node": routes_per_node,
        "gigabit_port_break_even": gigabit_port_break_even,
        "forwards_worst": forwards_worst,
        "switches": switches,
        "diameter": diameter,
        "switches_survived": switches_survived,
        "nodes_lost_to_two_switches": nodes_lost_to_two_switches,
        "total_bisection_each_way": total_bisection_each_way,
    }
)
