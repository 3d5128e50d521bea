"""Files of netplan, with networkd as its renderer.

The interface of the identity is a file of networkd: netplan has dummy interfaces from 1.0 on only.
So are the rules by incoming interface, which netplan has no words for; they are added to the files
of networkd that netplan generates.
"""

from __future__ import annotations

from collections.abc import Iterator

from linkwright.plan.exporters.comments import (
    BOND,
    ROUTES,
    UNCUT_REASON,
    cable_of,
    comment,
    header,
    text_of,
)
from linkwright.plan.exporters.exporter import Exporter, Files
from linkwright.plan.exporters.loading import Loading, Program
from linkwright.plan.exporters.network_plan import NetworkPlan
from linkwright.plan.exporters.networkd import (
    ALONE,
    CARRIER,
    DAEMON,
    START,
    network_file,
    rule_sections,
)
from linkwright.plan.exporters.node_plan import BOND_CHECK_MS, InterfacePlan, NodePlan
from linkwright.plan.exporters.systemd_files import (
    SYSTEMD,
    link_files,
    made_interfaces,
    marks_file,
    sysctl_file,
)
from linkwright.plan.exporters.yaml_text import flow, quoted
from linkwright.plan.tables import BOND_MODE

__all__ = ["NETPLAN"]

PLACE = "etc/netplan/60-linkwright.yaml"
LOAD = "Check and load it with: netplan try. Keep it readable for root alone (chmod 600)."
LATER = (
    "An IPv6 address of a port is usable from the first carrier of the port on: netplan cannot "
    "switch the search for duplicates off."
)
RULES_BESIDE = (
    "netplan has no rules by incoming interface: the rules of this plan are in files of networkd, "
    "/etc/systemd/network/10-netplan-NIC.network.d/60-linkwright.conf. Copy them too."
)
INDENT = " " * 6


def _files(network: NetworkPlan, node: NodePlan) -> Files:
    words = [LOAD, *(LATER,) * network.has_v6, *(RULES_BESIDE,) * bool(node.rules)]
    lines = [*header(network, node, *words), "network:", "  version: 2"]
    nics = [one for one in node.interfaces if one.is_nic]
    bonds = [one for one in node.interfaces if one.members]
    for kind, members in (("ethernets", nics), ("bonds", bonds)):
        if members:
            lines += ["", f"  {kind}:"]
            lines += [line for one in members for line in _interface(network, node, one)]
    identity = [one for one in node.interfaces if one.is_identity]
    return {
        PLACE: text_of(lines),
        **sysctl_file(network, node),
        **marks_file(network, node),
        **_links(network, node),
        **{
            name: text
            for name, text in made_interfaces(network, node).items()
            if name == f"{SYSTEMD}{identity[0].name if identity else ''}.netdev"
        },
        **{f"{SYSTEMD}{one.name}.network": network_file(network, node, one) for one in identity},
        **_rules(network, node),
    }


def _rules(network: NetworkPlan, node: NodePlan) -> Files:
    """Return the additions to the files of networkd that netplan generates."""
    return {
        f"etc/systemd/network/10-netplan-{one.name}.network.d/60-linkwright.conf": text_of(
            [*header(network, node, cable_of(one)), *rule_sections(rules)]
        )
        for one in node.interfaces
        if (rules := node.rules_of(one))
    }


def _links(network: NetworkPlan, node: NodePlan) -> Files:
    """Return udev's files for NICs that are found by their place, which netplan does not know."""
    by_place = {f"{SYSTEMD}{one.name}.link" for one in node.interfaces if one.path and not one.mac}
    return {name: text for name, text in link_files(network, node).items() if name in by_place}


def _interface(network: NetworkPlan, node: NodePlan, one: InterfacePlan) -> Iterator[str]:
    yield from comment(cable_of(one), "    ")
    yield f"    {quoted(one.name)}:"
    yield f"{INDENT}renderer: networkd"
    if one.mac:
        yield f"{INDENT}match: {{macaddress: {quoted(one.mac)}}}"
        yield f"{INDENT}set-name: {quoted(one.name)}"
    if one.members:
        yield from comment(BOND, INDENT)
        yield f"{INDENT}interfaces: {flow(one.members)}"
        parameters = {"mode": BOND_MODE, "mii-monitor-interval": BOND_CHECK_MS}
        yield f"{INDENT}parameters: {flow(parameters)}"
    yield from comment("The machine starts without waiting for this link.", INDENT)
    yield f"{INDENT}optional: true"
    yield from comment(ALONE, INDENT)
    yield f"{INDENT}dhcp4: false"
    yield f"{INDENT}dhcp6: false"
    yield f"{INDENT}accept-ra: false"
    link_local = ("ipv6",) if network.has_v6 and one.addresses else ()
    yield f"{INDENT}link-local: {flow(link_local)}"
    yield f"{INDENT}mtu: {one.mtu}"
    if one.cuts_segments and not (one.path and not one.mac):
        yield from comment(UNCUT_REASON, INDENT)
        yield f"{INDENT}tcp-segmentation-offload: false"
    if not one.addresses:
        return
    yield from comment(CARRIER, INDENT)
    yield f"{INDENT}ignore-carrier: true"
    yield f"{INDENT}addresses: {flow(one.addresses)}"
    yield from _routes(node, one)


def _routes(node: NodePlan, one: InterfacePlan) -> Iterator[str]:
    routes = node.routes_of(one)
    if not routes:
        return
    yield from comment(ROUTES, INDENT)
    yield f"{INDENT}routes:"
    for route in routes:
        values: dict[str, object] = {"to": route.destination}
        values |= {"via": route.via} if route.via else {"scope": "link"}
        values |= {"on-link": True} if route.is_onlink else {}
        values |= {"metric": route.metric, "from": route.source}
        values |= {"table": route.table} if route.table else {}
        yield f"{INDENT}- {flow(values)}"


GENERATOR = Program("/usr/libexec/netplan/generate", "netplan.io")
GENERATE = f"""
chmod 600 "$folder"/etc/netplan/*
{GENERATOR.place} --root-dir "$folder"
"""

NETPLAN = Exporter(
    reader="netplan with networkd (Ubuntu), udev",
    of_node=_files,
    takes_ports=True,
    loading=Loading(script=GENERATE + START, programs=(GENERATOR, DAEMON), stays=True),
)
