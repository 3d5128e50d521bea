"""Files of systemd-networkd: one `.network` per interface, with its addresses and routes.

By default, networkd removes the addresses and routes of an interface that loses its carrier. The
proofs assume that they stay and that the kernel passes over the routes, so that the files say so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from linkwright.plan.exporters.comments import (
    ROUTES,
    cable_of,
    comment,
    header,
    rules_reason,
    text_of,
)
from linkwright.plan.exporters.exporter import Exporter, Files
from linkwright.plan.exporters.loading import LOAD_SYSTEM, Loading, Program
from linkwright.plan.exporters.network_plan import NetworkPlan
from linkwright.plan.exporters.node_plan import InterfacePlan, NodePlan, RoutePlan, RulePlan
from linkwright.plan.exporters.systemd_files import (
    SYSTEMD,
    link_files,
    made_interfaces,
    marks_file,
    sysctl_file,
)

__all__ = ["NETWORKD", "network_file", "rule_sections"]

CARRIER = (
    "Addresses and routes stay while the link is dark, as the proofs assume: others reach the "
    "addresses by other ports, and the kernel passes over the routes (ignore_routes_with_linkdown)."
)
ALONE = "Nothing but the plan: no DHCP, no advertised routes, so no default route."


def _files(network: NetworkPlan, node: NodePlan) -> Files:
    return {
        **sysctl_file(network, node),
        **marks_file(network, node),
        **link_files(network, node),
        **made_interfaces(network, node),
        **{
            f"{SYSTEMD}{one.name}.network": network_file(network, node, one)
            for one in node.interfaces
        },
    }


def network_file(network: NetworkPlan, node: NodePlan, one: InterfacePlan) -> str:
    """Return the file of one interface."""
    lines = [*header(network, node, cable_of(one)), "[Match]", f"Name={one.name}", "", "[Link]"]
    if not one.is_identity:
        lines.append(f"MTUBytes={one.mtu}")
    lines += [
        *comment("The machine starts without waiting for this link."),
        "RequiredForOnline=no",
        "",
        "[Network]",
    ]
    if one.bond:
        return text_of([*lines, f"Bond={one.bond}"])
    lines += [
        *comment(ALONE),
        "DHCP=no",
        "IPv6AcceptRA=no",
        f"LinkLocalAddressing={'ipv6' if network.has_v6 else 'no'}",
    ]
    if not one.is_identity:
        lines += [*comment(CARRIER), "ConfigureWithoutCarrier=yes", "IgnoreCarrierLoss=yes"]
    for address in one.addresses:
        lines += ["", "[Address]", f"Address={address}"]
        if ":" in address:
            lines += [
                *comment("Usable at once, also while the link is dark."),
                "DuplicateAddressDetection=none",
            ]
    return text_of([*lines, *rule_sections(node.rules_of(one)), *_routes(node.routes_of(one))])


def rule_sections(rules: Sequence[RulePlan]) -> Iterator[str]:
    """Yield the lines of rules."""
    for index, rule in enumerate(rules):
        yield ""
        if not index:
            yield from comment(rules_reason(rules))
        yield "[RoutingPolicyRule]"
        if rule.source:
            yield f"From={rule.source}"
        else:
            yield f"IncomingInterface={rule.interface}"
        yield f"Table={rule.table}"
        yield f"Priority={rule.priority}"
        yield f"Family={'ipv6' if rule.is_v6 else 'ipv4'}"


def _routes(routes: Sequence[RoutePlan]) -> Iterator[str]:
    for index, route in enumerate(routes):
        yield ""
        if not index:
            yield from comment(ROUTES)
        yield "[Route]"
        yield f"Destination={route.destination}"
        if route.via:
            yield f"Gateway={route.via}"
        if route.is_onlink:
            yield "GatewayOnLink=yes"
        yield f"Metric={route.metric}"
        yield f"PreferredSource={route.source}"
        if route.table:
            yield f"Table={route.table}"


START = (
    """
mount -t tmpfs tmpfs /run
mkdir -p /run/systemd/network /run/systemd/netif/links /run/systemd/netif/leases \\
    /run/systemd/netif/lldp /run/dbus /run/udev/data
# With a read-only /sys it does not wait for udev.
mount -o remount,bind,ro /sys
for files in "$folder"/etc/systemd/network "$folder"/run/systemd/network; do
    if [ -e "$files" ]; then cp -r "$files"/* /run/systemd/network; fi
done
chown -R systemd-network /run/systemd/netif
"""
    + LOAD_SYSTEM
    + """
echo $$ > "$folder/pids"
NOTIFY_SOCKET= SYSTEMD_LOG_TARGET=console exec /lib/systemd/systemd-networkd > "$folder/log" 2>&1
"""
)
"""Script that starts networkd; files of its own and generated ones are read."""
DAEMON = Program("/lib/systemd/systemd-networkd", "systemd")

NETWORKD = Exporter(
    reader="systemd-networkd, udev and systemd-sysctl",
    of_node=_files,
    takes_ports=True,
    loading=Loading(script=START, programs=(DAEMON,), stays=True),
)
