"""Keyfiles of NetworkManager, one connection per interface.

NetworkManager takes a connection down some seconds after its carrier, unless its settings
ignore the carrier. The proofs assume that addresses and routes stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

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
from linkwright.plan.exporters.networkd import ALONE, CARRIER
from linkwright.plan.exporters.node_plan import (
    BOND_CHECK_MS,
    InterfacePlan,
    NodePlan,
    RoutePlan,
    RulePlan,
)
from linkwright.plan.exporters.systemd_files import link_files, marks_file, sysctl_file
from linkwright.plan.tables import BOND_MODE

__all__ = ["NETWORKMANAGER", "with_sources"]

FOLDER = "etc/NetworkManager/system-connections/linkwright-"
SETTINGS = "etc/NetworkManager/conf.d/60-linkwright.conf"
LOAD = (
    "NetworkManager reads it only if root owns it and no other user may read it: install -m 600.",
    "Load it with: nmcli connection reload",
)
SOURCES = (
    "NetworkManager brings interfaces up in any order and gives routes up whose source it does not "
    "have yet: each port has the identity too."
)


def _files(network: NetworkPlan, node: NodePlan) -> Files:
    return {
        SETTINGS: _settings(network, node),
        **sysctl_file(network, node),
        **marks_file(network, node),
        **link_files(network, node),
        **{
            f"{FOLDER}{one.name}.nmconnection": _connection(network, node, one)
            for one in node.interfaces
        },
    }


def _settings(network: NetworkPlan, node: NodePlan) -> str:
    ports = ",".join(f"interface-name:{one.name}" for one in node.ports)
    lines = [*header(network, node, CARRIER), "[device-linkwright]", f"match-device={ports}"]
    return text_of([*lines, "ignore-carrier=yes"])


def _connection(network: NetworkPlan, node: NodePlan, one: InterfacePlan) -> str:
    kind = "dummy" if one.is_identity else "bond" if one.members else "ethernet"
    lines = [
        *header(network, node, cable_of(one), *LOAD),
        "[connection]",
        f"id=linkwright-{one.name}",
        f"type={kind}",
        f"interface-name={one.name}",
        "autoconnect=true",
    ]
    if one.bond:
        lines += [f"master={one.bond}", "slave-type=bond"]
    if one.members:
        lines += ["", *comment(BOND), "[bond]", f"mode={BOND_MODE}", f"miimon={BOND_CHECK_MS}"]
    if not one.is_identity:
        lines += ["", "[ethernet]", f"mtu={one.mtu}"]
    if one.cuts_segments:
        lines += ["", *comment(UNCUT_REASON), "[ethtool]", "feature-tso=false"]
    if not one.bond:
        routes, rules = node.routes_of(one), node.rules_of(one)
        lines += ["", *comment(ALONE)]
        lines += comment(f"{ROUTES} {SOURCES}") if routes else []
        lines += comment(rules_reason(rules)) if rules else []
        for is_v6 in (False, True):
            addresses = [each for each in with_sources(node, one) if (":" in each) == is_v6]
            of_family = [each for each in routes if each.is_v6 == is_v6]
            lines += _family("ipv6" if is_v6 else "ipv4", addresses, of_family)
            lines += _rules([each for each in rules if each.is_v6 == is_v6])
            lines.append("")
    return text_of(lines)


def with_sources(node: NodePlan, one: InterfacePlan) -> Iterator[str]:
    """Yield the addresses of an interface, and the sources of its routes that it lacks."""
    yield from one.addresses
    own = {each.partition("/")[0] for each in one.addresses}
    for source in dict.fromkeys(route.source for route in node.routes_of(one)):
        if source not in own:
            yield f"{source}/{128 if ':' in source else 32}"


def _family(name: str, addresses: Sequence[str], routes: Sequence[RoutePlan]) -> Iterator[str]:
    yield f"[{name}]"
    if not addresses:
        yield "method=disabled"
        return
    yield "method=manual"
    yield "never-default=true"
    yield from (f"address{number}={one}" for number, one in enumerate(addresses, start=1))
    for number, route in enumerate(routes, start=1):
        yield f"route{number}={route.destination},{route.via},{route.metric}"
        table = f",table={route.table}" if route.table else ""
        onlink = ",onlink=true" if route.is_onlink else ""
        yield f"route{number}_options=src={route.source}{table}{onlink}"


def _rules(rules: Sequence[RulePlan]) -> Iterator[str]:
    for number, rule in enumerate(rules, start=1):
        any_source = "::/0" if rule.is_v6 else "0.0.0.0/0"
        of = rule.words if rule.source else f"from {any_source} {rule.words}"
        yield f"routing-rule{number}=priority {rule.priority} {of} table {rule.table}"


START = (
    """
mount -t tmpfs tmpfs /run
mkdir -p /run/dbus
# With a read-only /sys it does not wait for udev.
mount -o remount,bind,ro /sys
mount -t tmpfs tmpfs /var/lib/NetworkManager
mount -t tmpfs tmpfs /etc/NetworkManager
cp -r "$folder"/etc/NetworkManager/* /etc/NetworkManager
chmod 600 /etc/NetworkManager/system-connections/*
cat > /etc/NetworkManager/NetworkManager.conf << END
[main]
plugins=keyfile
no-auto-default=*
hostname-mode=none
dns=none
rc-manager=unmanaged
[device]
managed=1
END
"""
    + LOAD_SYSTEM
    + """
# It leaves virtual interfaces that are down alone.
for file in "$folder"/etc/NetworkManager/system-connections/*; do
    port=${file##*/linkwright-}
    port=${port%.nmconnection}
    if [ "$port" = id0 ]; then ip link add dev id0 type ifb; fi
    ip link set dev "$port" up
done
# It asks for a bus of its own.
dbus-daemon --system --nofork --nopidfile 2> "$folder/bus.log" &
echo $$ $! > "$folder/pids"
until [ -e /run/dbus/system_bus_socket ]; do sleep 0.1; done
exec NetworkManager --debug --log-level=INFO > "$folder/log" 2>&1
"""
)
"""Script that starts NetworkManager."""
DAEMON = Program("/usr/sbin/NetworkManager", "network-manager")


def _of_taps(name: str, text: str) -> str:
    """Return a file for ports that are TAPs, and for an identity that is there already."""
    if not name.startswith(FOLDER):
        return text
    text = re.sub("type=(?:dummy|ifb)", "type=generic", text)
    if "type=ethernet" not in text:
        return text
    return text.replace("type=ethernet", "type=tun") + "[tun]\nmode=2\n"


NETWORKMANAGER = Exporter(
    reader="NetworkManager, udev and systemd-sysctl",
    of_node=_files,
    takes_ports=True,
    loading=Loading(script=START, programs=(DAEMON,), stays=True, adapted=_of_taps),
)
