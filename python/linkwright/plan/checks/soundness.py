"""Checks of addresses, subnets and cables, before any route is followed.

The compiled core finds the faults on ids; names, reasons and remedies are added here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from linkwright.plan.finding import Finding, Severity

if TYPE_CHECKING:
    from linkwright.network import Network


def check_soundness(network: Network) -> Iterator[Finding]:
    """Yield an error per duplicate address, overlap, misplaced address and loop of bridges.

    Consequences of the parts that the network was compiled without are no fault of the design.
    """
    for kind, first, second in network.core.soundness():
        is_expected = network.without and kind in _AFTER_FAILURES
        if not is_expected and not _is_unnumbered(network, kind, first):
            yield _FINDINGS[kind](network, first, second)


def _is_unnumbered(network: Network, kind: str, number: int) -> bool:
    """Return whether a finding is that a port borrows the address of its node."""
    if kind == "no-address":
        port_ids = network.port_ids(
            np.column_stack([network.addresses.node, network.addresses.port])
        )
        return bool((network.addresses.is_borrowed & (port_ids == number)).any())
    if kind in ("duplicate-address", "subnet-spans-segments"):
        owners = network.addresses.owners
        return bool((network.addresses.is_borrowed & (owners == owners[number])).any())
    return False


def _duplicate_address(network: Network, first: int, second: int) -> Finding:
    ip = network.addresses.ip[first].ip
    return Finding(
        Severity.ERROR,
        str(ip),
        "duplicate-address",
        f"{_owner(network, first)} and {_owner(network, second)} both have {ip}",
        "give one of them another address",
    )


def _overlapping_subnets(network: Network, first: int, second: int) -> Finding:
    outer, inner = _subnets(network)[first], _subnets(network)[second]
    return Finding(
        Severity.ERROR,
        inner,
        "overlapping-subnets",
        f"subnet {inner} lies within subnet {outer}",
        "renumber one of them",
    )


def _subnet_spans_segments(network: Network, first: int, second: int) -> Finding:
    subnet = str(network.addresses.ip[first].network)
    return Finding(
        Severity.ERROR,
        subnet,
        "subnet-spans-segments",
        f"{_owner(network, first)} and {_owner(network, second)} are in subnet {subnet} but share "
        "no segment",
        "give each segment a subnet of its own",
    )


def _unplugged_interface(network: Network, address: int, _: int) -> Finding:
    place = _owner(network, address)
    return Finding(
        Severity.ERROR,
        place,
        "unplugged-interface",
        f"{place} has {network.addresses.ip[address].ip} but no cable",
        "plug it in or drop the address",
    )


def _reserved_address(network: Network, address: int, _: int) -> Finding:
    interface = network.addresses.ip[address]
    return Finding(
        Severity.ERROR,
        str(interface.ip),
        "reserved-address",
        f"{_owner(network, address)} has {interface.ip}, the first or last address of "
        f"{interface.network}, which no host may have",
        "number hosts from 1, or use a larger subnet",
    )


def _no_address(network: Network, port_id: int, _: int) -> Finding:
    device, port = network.port_of(port_id)
    place = f"{network.device_names[device]} {network.port_name(device, port)}"
    return Finding(
        Severity.ERROR,
        place,
        "no-address",
        f"{place} has a cable but no address",
        "give it an address of its segment's subnet",
    )


def _bridge_loop(network: Network, cable: int, _: int) -> Finding:
    ends = network.wiring.cable_a[cable, 0], network.wiring.cable_b[cable, 0]
    first, second = (network.device_names[end] for end in ends)
    return Finding(
        Severity.ERROR,
        f"{first} - {second}",
        "bridge-loop",
        f"the cable between {first} and {second} closes a ring of hubs and switches, in which a "
        "broadcast never ends",
        "take the cable out, or bundle parallel links between the same two switches",
    )


_FINDINGS: dict[str, Callable[[Network, int, int], Finding]] = {
    "duplicate-address": _duplicate_address,
    "overlapping-subnets": _overlapping_subnets,
    "subnet-spans-segments": _subnet_spans_segments,
    "unplugged-interface": _unplugged_interface,
    "reserved-address": _reserved_address,
    "no-address": _no_address,
    "bridge-loop": _bridge_loop,
}


_AFTER_FAILURES = {"unplugged-interface", "subnet-spans-segments"}
"""Findings that dead cables cause; routes still lead to these addresses."""


def _owner(network: Network, address: int) -> str:
    node, port = int(network.addresses.node[address]), int(network.addresses.port[address])
    return f"{network.device_names[node]} {'lo' if port < 0 else network.port_name(node, port)}"


def _subnets(network: Network) -> list[str]:
    """Return the subnets in the order of the core: by family, first address and length."""
    subnets = {interface.network for interface in network.addresses.ip}
    order = sorted(subnets, key=lambda net: (net.version, int(net.network_address), net.prefixlen))
    return [str(net) for net in order]
