"""Addresses: missing, additional, given by DHCP, twice in the cluster, or two in one subnet.

Link-local addresses are not compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Interface, IPv6Interface, ip_interface

from linkwright.as_built.deviation import Deviation
from linkwright.as_built.matched import Matched, MatchedNode
from linkwright.as_built.planned import Planned
from linkwright.facts import Interface
from linkwright.plan.exporters.node_plan import InterfacePlan

__all__ = ["check_addresses", "interface_of"]


def check_addresses(planned: Planned, machines: Matched) -> Iterator[Deviation]:
    """Yield the findings about addresses."""
    for node in machines.nodes.values():
        if node.lacks("addresses"):
            continue
        for one in node.plan.interfaces:
            found = node.interfaces.get(one.name)
            if found is not None:
                yield from _of_interface(node, one, found)
        yield from _twins(node)
    yield from _duplicates(planned, machines)


def interface_of(text: str) -> IPv4Interface | IPv6Interface | None:
    """Return an address with its prefix; None for other text."""
    try:
        return ip_interface(text)
    except ValueError:
        return None


def _of_interface(node: MatchedNode, one: InterfacePlan, found: Interface) -> Iterator[Deviation]:
    wanted = {each: interface_of(each) for each in one.addresses}
    given = {each: interface_of(each) for each in found.addresses}
    place = {"node": node.name, "nic": one.name}
    there = ", ".join(found.addresses) or "none"
    has_v4 = any(address and address.version == 4 for address in given.values())
    for text, address in wanted.items():
        if text == one.borrowed and not has_v4:
            continue  # The kernel takes the address of another interface by itself.
        if address not in given.values() and one.is_identity and found.name != one.name:
            yield _missing_identity(node, one, text)
        elif address not in given.values():
            yield Deviation(
                kind="missing-address",
                **place,
                planned=text,
                found=there,
                reason=f"{node.name}:{one.name} lacks the address {text}; it has {there}",
                fix=f"ip address add {text} dev {found.name}, and keep it for the next boot",
            )
    if one.is_identity:
        return
    dynamic = {interface_of(each) for each in found.dynamic_addresses}
    # Managers without interfaces for an identity give it to each port besides.
    own = {
        interface_of(each)
        for identity in node.plan.interfaces
        if identity.is_identity
        for each in identity.addresses
    }
    for text, address in given.items():
        if address in dynamic:
            yield Deviation(
                kind="dhcp-address",
                **place,
                planned=", ".join(one.addresses) or None,
                found=text,
                reason=f"{node.name}:{one.name} got {text} by DHCP or from a router",
                fix=f"switch DHCP and router advertisements off for {found.name}",
            )
        elif address and address not in {*wanted.values(), *own} and not address.is_link_local:
            yield Deviation(
                kind="extra-address",
                **place,
                planned=", ".join(one.addresses) or None,
                found=text,
                reason=f"{node.name}:{one.name} has the address {text}, which is not of the plan",
                fix=f"ip address del {text} dev {found.name}, and remove it from its file",
            )


def _missing_identity(node: MatchedNode, one: InterfacePlan, text: str) -> Deviation:
    """Return the finding that no interface has the identity of a node."""
    return Deviation(
        kind="missing-address",
        node=node.name,
        nic=one.name,
        planned=text,
        found="none",
        reason=f"no interface of {node.name} has its identity {text}",
        fix=f"ip link add dev {one.name} type dummy, ip link set dev {one.name} up, ip address add "
        f"{text} dev {one.name}, and keep all three for the next boot",
    )


def _twins(node: MatchedNode) -> Iterator[Deviation]:
    """Yield interfaces of a machine in one subnet, unless the plan puts them there."""
    subnets = _subnets_of_plan(node)
    at: dict[object, str] = {}
    for found in node.facts.interfaces:
        own = node.names[found.name]
        for text in found.addresses:
            address = interface_of(text)
            if address is None or address.network.prefixlen == address.max_prefixlen:
                continue
            other = at.setdefault(address.network, own)
            is_planned = {own, other} <= subnets.get(address.network, set())
            if other != own and not is_planned and {own, other} & set(node.interfaces):
                yield Deviation(
                    kind="shared-subnet",
                    node=node.name,
                    nic=own if own in node.interfaces else other,
                    planned="a subnet each",
                    found=f"{other} and {own} in {address.network}",
                    reason=f"{other} and {own} of {node.name} are both in {address.network}: the "
                    "kernel sends by one of them, and answers for both by either",
                    fix="give each the address of the plan",
                )


def _subnets_of_plan(node: MatchedNode) -> dict[object, set[str]]:
    found: dict[object, set[str]] = {}
    for one in node.plan.interfaces:
        for text in one.addresses:
            address = interface_of(text)
            assert address is not None, "addresses of a plan are valid"
            found.setdefault(address.network, set()).add(one.name)
    return found


def _duplicates(planned: Planned, machines: Matched) -> Iterator[Deviation]:
    """Yield addresses of the plan on another machine than their own."""
    for node in machines.nodes.values():
        for found in node.facts.interfaces:
            for text in found.addresses:
                owner = planned.addresses.get(text.partition("/")[0])
                if owner is not None and owner != node.name:
                    yield Deviation(
                        kind="duplicate-address",
                        node=node.name,
                        nic=node.names[found.name],
                        planned=f"{text.partition('/')[0]} at {owner}",
                        found=f"{text} at {node.name}",
                        reason=f"{node.name}:{found.name} has {text}, the address of {owner}",
                        fix=f"ip address del {text} dev {found.name}, and remove it from its file",
                    )
