"""Files of ifupdown2, the network manager of Proxmox VE.

Interfaces keep addresses and routes while their link is dark, as the kernel does. The routes are
commands: ifupdown2 has no words for a metric with a source, and none for addresses of IPv6 that are
usable without a carrier.
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
    rules_reason,
    text_of,
)
from linkwright.plan.exporters.exporter import Exporter, Files
from linkwright.plan.exporters.loading import LOAD_SYSTEM, Loading, Program
from linkwright.plan.exporters.network_plan import NetworkPlan
from linkwright.plan.exporters.node_plan import BOND_CHECK_MS, InterfacePlan, NodePlan
from linkwright.plan.exporters.systemd_files import link_files, marks_file, sysctl_file
from linkwright.plan.tables import BOND_MODE

__all__ = ["IFUPDOWN2"]

PLACE = "etc/network/interfaces.d/linkwright"
LOAD = (
    "/etc/network/interfaces must have the line: source /etc/network/interfaces.d/*",
    "Load it with: ifreload -a. Check it with: ifquery -c -a.",
)
PASSED_OVER = "ifupdown2 3.0 may pass over an 'address' of an interface that it has just made."
RULE_AGAIN = "ifreload runs these commands again, and rules have no 'replace'."
INDENT = " " * 4


def _files(network: NetworkPlan, node: NodePlan) -> Files:
    lines = header(network, node, *LOAD)
    # The identities come first: they are the sources of the routes.
    for one in sorted(node.interfaces, key=lambda each: not node.has_identity(each)):
        lines += ["", *comment(cable_of(one)), f"auto {one.name}", f"iface {one.name}"]
        lines += _interface(node, one)
    return {
        PLACE: text_of(lines),
        **sysctl_file(network, node),
        **marks_file(network, node),
        **link_files(network, node),
    }


def _interface(node: NodePlan, one: InterfacePlan) -> Iterator[str]:
    if one.is_identity:
        yield f"{INDENT}link-type dummy"
    else:
        yield f"{INDENT}mtu {one.mtu}"
    if one.members:
        yield from comment(BOND, INDENT)
        yield f"{INDENT}bond-slaves {' '.join(one.members)}"
        yield f"{INDENT}bond-mode {BOND_MODE}"
        yield f"{INDENT}bond-miimon {BOND_CHECK_MS}"
    if one.cuts_segments:
        yield from comment(UNCUT_REASON, INDENT)
        yield f"{INDENT}up ethtool -K {one.name} tso off"
    for address in one.addresses:
        if one.is_identity:
            yield from comment(PASSED_OVER, INDENT)
            yield f"{INDENT}pre-up ip address replace {address} dev {one.name}"
        yield f"{INDENT}address {address}"
        if ":" in address and not one.is_identity:
            yield from comment("Usable at once, also while the link is dark.", INDENT)
            yield f"{INDENT}up ip address del {address} dev {one.name}"
            yield f"{INDENT}up ip address add {address} dev {one.name} nodad"
    yield from _rules(node, one)
    yield from _routes(node, one)


def _rules(node: NodePlan, one: InterfacePlan) -> Iterator[str]:
    rules = node.rules_of(one)
    if rules:
        yield from comment(f"{rules_reason(rules)} {RULE_AGAIN}", INDENT)
    for rule in rules:
        command = f"ip {'-6' if rule.is_v6 else '-4'} rule"
        words = f"{rule.words} lookup {rule.table} priority {rule.priority}"
        yield f"{INDENT}up {command} del {words} 2> /dev/null || true"
        yield f"{INDENT}up {command} add {words}"
        yield f"{INDENT}down {command} del {words}"


def _routes(node: NodePlan, one: InterfacePlan) -> Iterator[str]:
    routes = node.routes_of(one)
    if routes:
        yield from comment(ROUTES, INDENT)
    for route in routes:
        via = f"via {route.via} " if route.via else ""
        table = f" table {route.table}" if route.table else ""
        yield (
            f"{INDENT}up ip route replace {route.destination} {via}dev {one.name} "
            f"metric {route.metric} src {route.source}{table}{route.onlink}"
        )


BRING_UP = (
    """
mount -t tmpfs tmpfs /run
mkdir -p /run/network
"""
    + LOAD_SYSTEM
    + """
file=$folder/etc/network/interfaces.d/linkwright
ifup --all --interfaces "$file"
checked=$(ifquery --all --check --interfaces "$file" || true)
case $checked in *"[fail]"*)
    echo "$checked" >&2
    exit 1
    ;;
esac
"""
)
"""Script that brings the interfaces up, and compares them with the file."""

IFUPDOWN2 = Exporter(
    reader="ifupdown2 (Proxmox VE), udev and systemd-sysctl",
    of_node=_files,
    takes_ports=True,
    for_switches=True,
    loading=Loading(
        script=BRING_UP, programs=(Program("/usr/share/ifupdown2/ifupdown2", "ifupdown2"),)
    ),
)
