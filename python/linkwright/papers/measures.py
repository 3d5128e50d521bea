"""Measures: pure functions that count one thing in a built network, by the names claims give them.

A row of `claims.toml` without a `measure` counts the quantity named by its metric. Measures that
compare take the networks in the order of the row's `cluster`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType

from linkwright.network import SWITCH, Network
from linkwright.plan import Facts, path_model, price, rerouting
from linkwright.plan.forwarding import forwarding_load
from linkwright.plan.path_model import WHITNEY
from linkwright.plan.properties import bisection

__all__ = ["MEASURES", "calibration_of", "facts_of", "nodes_at_hops"]


@cache
def facts_of(network: Network) -> Facts:
    """Return the facts of a network, computed as they are read, with Whitney's path model."""
    return Facts(network, path_model(WHITNEY))


def calibration_of(measure: str) -> str:
    """Return the calibration behind a measure: that of the path model, or none."""
    return WHITNEY if measure.startswith(("latency", "bandwidth")) else ""


def nodes(network: Network) -> float:
    """Return the number of compute nodes."""
    return network.n_compute


def switches(network: Network) -> float:
    """Return the number of switches, each unit of a stack counted."""
    return float(network.wiring.stack_units[network.wiring.kind == SWITCH].sum())


def stacks(network: Network) -> float:
    """Return the number of stacks, each of which acts as one switch."""
    return float((network.wiring.kind == SWITCH).sum())


def nodes_at_hops(network: Network, *, hops: int) -> float:
    """Return the number of nodes at a distance of `hops` hops from a node, a mean over nodes."""
    histogram = network.core.reachability(network.n_compute).hops_histogram
    return float(histogram[hops] * (network.n_compute - 1) / sum(histogram))


def forwards_worst(network: Network) -> float:
    """Return the forwards of the worst pair, over all addresses of the destination."""
    return float(network.core.reachability(network.n_compute).forwards_worst)


def diameter(network: Network) -> float:
    """Return the hops of the worst pair."""
    return forwards_worst(network) + 1


def forwarding_balance(network: Network) -> float:
    """Return the balance of forwarding under uniform traffic."""
    load = forwarding_load(network)
    assert load is not None, "its nodes forward"
    assert load.balance is not None, "it is small enough for all packets to be followed"
    return load.balance


def address_bits(network: Network) -> float:
    """Return the number of low bits in which the addresses of a network differ."""
    values = [int(interface.ip) for interface in network.addresses.ip]
    return (min(values) ^ max(values)).bit_length()


def routes_per_node(network: Network) -> float:
    """Return the number of subnets each node can send to, connected ones included, a mean."""
    n_connected = len(network.addresses.ip)
    return (len(network.core.routes().node) + n_connected) / network.n_nodes


def bisection_each_way(network: Network) -> float:
    """Return the bandwidth across the worst equal split in one direction, in bytes per second."""
    return bisection(network).total_Bps / 2


def bisection_ratio(network: Network, other: Network) -> float:
    """Return the bisection as a multiple of another network's."""
    return bisection_each_way(network) / bisection_each_way(other)


def bisection_per_node(network: Network) -> float:
    """Return the bisection over the number of nodes, both directions counted, in B/s."""
    return facts_of(network).bisection.per_node_Bps


def cost_per_node(network: Network) -> float:
    """Return the price of the ports in use for each node, in USD."""
    return facts_of(network).cost.ports_used_per_node


def gigabit_port_break_even(tree: Network, other: Network) -> float:
    """Return the price of a gigabit port, in USD, at which a tree costs as much per node as another
    network.
    """
    cost = price(tree)
    per_role = {role: used for role, (used, _) in cost.per_role().items()}
    ports = sum(line.quantity for line in cost.ports_used if line.part_role == "root_switch")
    without_gigabit = sum(per_role.values()) - per_role["root_switch"]
    return (cost_per_node(other) - without_gigabit) * tree.n_compute / ports


def latency_best(network: Network) -> float:
    """Return the latency of the nearest pair, in s."""
    return _known(facts_of(network).latency_s.best)


def latency_worst(network: Network) -> float:
    """Return the latency of the farthest pair, in s."""
    return _known(facts_of(network).latency_s.worst)


def bandwidth_best(network: Network) -> float:
    """Return the bandwidth of the nearest pair, in B/s."""
    return _known(facts_of(network).bandwidth_Bps.best)


def bandwidth_worst(network: Network) -> float:
    """Return the bandwidth of the farthest pair, in B/s."""
    return _known(facts_of(network).bandwidth_Bps.worst)


def switches_survived(network: Network) -> float:
    """Return the number of single switches whose failure disconnects no pair."""
    impacts = rerouting(network).impacts
    return sum(impact.kind == "switch" and not impact.n_disconnected for impact in impacts)


def nodes_lost_to_two_switches(network: Network) -> float:
    """Return the number of nodes that the worst failure of two switches disconnects."""
    impacts = rerouting(network, "pairs:switch").impacts
    worst = max(impact.n_disconnected for impact in impacts)
    return worst / (2 * (network.n_compute - 1))


def _known(value: float | None) -> float:
    assert value is not None, "the path model holds for paths of up to four hops"
    return value


MEASURES: Mapping[str, Callable[..., float]] = MappingProxyType(
    {
        function.__name__: function
        for function in (
            nodes,
            switches,
            stacks,
            nodes_at_hops,
            forwards_worst,
            diameter,
            forwarding_balance,
            address_bits,
            routes_per_node,
            bisection_each_way,
            bisection_ratio,
            bisection_per_node,
            cost_per_node,
            gigabit_port_break_even,
            latency_best,
            latency_worst,
            bandwidth_best,
            bandwidth_worst,
            switches_survived,
            nodes_lost_to_two_switches,
        )
    }
)
"""Every measure by name."""
