"""Scripts of `ip` commands: `up.sh` gives a machine its part in the network, `undo.sh` takes it
back.

They need a shell and iproute2, and last until the next boot. Every step is noted down after it has
succeeded, as the command that takes it back, so that `undo.sh` removes nothing that was there
before, also after a step that failed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from linkwright.nodes.sysctls import Sysctl
from linkwright.plan.exporters.comments import (
    BOND,
    ROUTES,
    UNCUT_REASON,
    cable_of,
    comment,
    grouped,
    header,
    rules_reason,
    sentence,
    text_of,
)
from linkwright.plan.exporters.exporter import Exporter, Files
from linkwright.plan.exporters.loading import Loading
from linkwright.plan.exporters.network_plan import NetworkPlan
from linkwright.plan.exporters.node_plan import BOND_CHECK_MS, InterfacePlan, NodePlan
from linkwright.plan.tables import BOND_MODE

__all__ = ["IP", "LOAD", "TAKE_BACK"]

JOURNAL = """
PATH=/usr/sbin:/usr/bin:/sbin:/bin
# Commands that take back what was done, in the order of the steps.
journal=${LINKWRIGHT_JOURNAL:-/run/linkwright.undo}
"""

STEPS = """
fail() {
    echo "up.sh: $*" >&2
    exit 1
}

undo() {
    echo "$*" >> "$journal"
}

[ "$(id -u)" = 0 ] || fail "only root can set up interfaces: run it as root"
[ ! -e "$journal" ] || fail "this machine is up already: run undo.sh first"
here=$(dirname "$0")
: > "$journal"
trap '[ $? = 0 ] || { echo "up.sh: a step failed, all are taken back" >&2; sh "$here/undo.sh"; }' \\
    EXIT

# kept FILE...: parameters of ports that the kernel changes together with that of the machine.
kept() {
    for file in "$@"; do
        case $file in
        */conf/all/forwarding) ;;
        *) undo "echo '$(cat "$file")' > '$file'" ;;
        esac
    done
}

# setting FILE VALUE: sets a parameter of the kernel.
setting() {
    old=$(cat "/proc/sys/$1")
    case $1 in
    net/ipv4/ip_forward)
        kept /proc/sys/net/ipv4/conf/all/accept_redirects /proc/sys/net/ipv4/conf/*/forwarding
        ;;
    net/ipv6/conf/all/forwarding) kept /proc/sys/net/ipv6/conf/*/forwarding ;;
    esac
    echo "$2" > "/proc/sys/$1"
    undo "echo '$old' > '/proc/sys/$1'"
}

# own NIC: refuses a NIC that is not there, and one with the default route.
own() {
    [ -e "/sys/class/net/$1" ] || fail "there is no NIC $1: name it under 'nodes' of the design"
    if [ -n "$(ip -4 route show default dev "$1"; ip -6 route show default dev "$1")" ]; then
        fail "NIC $1 has the default route of the machine: name another under 'nodes' of the design"
    fi
    mtu=$(cat "/sys/class/net/$1/mtu")
    undo "ip link set dev '$1' mtu $mtu"
    is_up=$(($(cat "/sys/class/net/$1/flags") & 1))
}

# port NIC MTU: brings a NIC up.
port() {
    own "$1"
    ip link set dev "$1" mtu "$2"
    if [ $is_up = 0 ]; then
        ip link set dev "$1" up
        undo "ip link set dev '$1' down"
    fi
}

# made NAME TYPE [OPTION...]: makes an interface.
made() {
    name=$1
    shift
    ip link add dev "$name" type "$@"
    undo "ip link del dev '$name'"
}

# address NIC ADDRESS: IPv6 does not wait until it knows that no other node has the address.
address() {
    case $2 in
    *:*) ip address add "$2" dev "$1" nodad ;;
    *) ip address add "$2" dev "$1" ;;
    esac
    undo "ip address del '$2' dev '$1'"
}

# route DESTINATION WORD...
route() {
    ip route add "$@"
    undo "ip route del $*"
}
"""

MEMBER = """
# member NIC BOND: makes a NIC a member of a bond.
member() {
    own "$1"
    if [ $is_up = 1 ]; then
        ip link set dev "$1" down
        undo "ip link set dev '$1' up"
    fi
    ip link set dev "$1" master "$2"
    undo "ip link set dev '$1' down nomaster"
}
"""

WITH_MAC = """
# with_mac ADDRESS: the NIC with a hardware address. VLANs, bonds and bridges repeat one.
with_mac() {
    for nic in /sys/class/net/*; do
        set -- "$1" "$nic"/lower_*
        if [ "$(cat "$nic/address" 2> /dev/null)" = "$1" ] && [ ! -e "$2" ]; then
            echo "${nic##*/}"
            return
        fi
    done
    fail "no NIC has the hardware address $1"
}
"""

WITH_PATH = """
# with_path PATH: the NIC at a place in the machine.
with_path() {
    for nic in /sys/class/net/*; do
        if udevadm info --query=property --path="$nic" 2> /dev/null | grep -qxF "ID_PATH=$1"; then
            echo "${nic##*/}"
            return
        fi
    done
    fail "no NIC is at $1"
}
"""

UNCUT = """
# uncut NIC: switches segmentation offload off.
uncut() {
    case $(ethtool -k "$1" | grep '^tcp-segmentation-offload:') in
    *": on"*)
        ethtool -K "$1" tso off
        undo "ethtool -K '$1' tso on"
        ;;
    esac
}
"""

RULE = """
# rule FAMILY TABLE PRIORITY WORD...: some packets ask a table before the main one.
rule() {
    family=$1 table=$2 priority=$3
    shift 3
    if [ -n "$(ip "$family" route show table "$table" 2> /dev/null)" ]; then
        fail "table $table has routes already: remove them, this plan needs the table"
    fi
    ip "$family" rule add "$@" lookup "$table" priority "$priority"
    undo "ip $family rule del $* lookup $table priority $priority"
}
"""

MARKED = """
# marked DESTINATION MARK: marks the packets that the machine itself sends.
marked() {
    command -v ip6tables > /dev/null || fail "ip6tables is missing: install the package iptables"
    ip6tables -w -t mangle -A OUTPUT -d "$1" -j MARK --set-mark "$2"
    undo "ip6tables -w -t mangle -D OUTPUT -d '$1' -j MARK --set-mark $2"
}
"""

RELAYED = """
# relayed TABLES NIC...: Docker drops packets that a machine relays. Where it runs, packets between
# these NICs pass by its chain for rules of one's own; other machines keep their firewall.
relayed() {
    tables=$1
    shift
    "$tables" -w -n -L DOCKER-USER > /dev/null 2>&1 || return 0
    "$tables" -w -N LINKWRIGHT
    undo "$tables -w -X LINKWRIGHT"
    for nic in "$@"; do
        "$tables" -w -A LINKWRIGHT -o "$nic" -j ACCEPT
        undo "$tables -w -D LINKWRIGHT -o '$nic' -j ACCEPT"
        "$tables" -w -I DOCKER-USER -i "$nic" -j LINKWRIGHT
        undo "$tables -w -D DOCKER-USER -i '$nic' -j LINKWRIGHT"
    done
}
"""

UNDO = """
if [ ! -e "$journal" ]; then
    echo "undo.sh: nothing to take back" >&2
    exit 0
fi
[ "$(id -u)" = 0 ] || { echo "undo.sh: only root can take it back: run it as root" >&2; exit 1; }
tac "$journal" | while IFS= read -r step; do
    sh -c "$step" || { echo "undo.sh: not taken back: $step" >&2; echo "$step" >> "$journal.left"; }
done
rm "$journal"
[ ! -e "$journal.left" ] || echo "undo.sh: $journal.left has the steps that failed" >&2
"""


def _files(network: NetworkPlan, node: NodePlan) -> Files:
    use = "Run `sh up.sh` as root; `sh undo.sh` takes all of it back. Nothing survives a reboot."
    top = ["#!/bin/sh", *header(network, node, use)]
    nics = [one for one in node.interfaces if one.is_nic]
    needs = [
        (MEMBER, any(one.bond for one in nics)),
        (WITH_MAC, any(one.mac for one in nics)),
        (WITH_PATH, any(one.path and not one.mac for one in nics)),
        (UNCUT, any(one.cuts_segments for one in nics)),
        (RULE, bool(node.rules)),
        (MARKED, bool(node.marks)),
        (RELAYED, node.is_relay),
    ]
    functions = STEPS + "".join(text for text, is_needed in needs if is_needed)
    up = [*top, "set -eu", JOURNAL, functions, *_steps(node)]
    undo = [*top, "set -eu", JOURNAL, UNDO]
    return {"up.sh": _tidied(up), "undo.sh": _tidied(undo)}


def _tidied(blocks: list[str]) -> str:
    """Return blocks of lines as one text; blocks begin and end with the end of a line."""
    return text_of([block.removesuffix("\n") for block in blocks])


def _steps(node: NodePlan) -> Iterator[str]:
    words = {one.name: _word(one) for one in node.interfaces}
    for one in node.interfaces:
        if one.mac:
            yield f"{_variable(one)}=$(with_mac {one.mac})"
        elif one.path:
            yield f"{_variable(one)}=$(with_path {one.path})"
    yield ""
    yield from _settings([one for one in node.settings if not one.interface], words)
    for one in node.interfaces:
        if not one.bond:
            yield ""
            yield from comment(cable_of(one))
            yield from _interface(node, one, words)
    if node.is_relay:
        yield ""
        names = " ".join(words[one.name] for one in node.ports)
        addresses = [each for one in node.ports for each in one.addresses]
        for is_v6 in sorted({":" in each for each in addresses}):
            yield f"relayed {'ip6tables' if is_v6 else 'iptables'} {names}"
    for mark in node.marks:
        yield ""
        yield from comment(sentence(mark.reason))
        yield f"marked {mark.destination} {mark.value:#x}"
    yield from _rules_and_routes(node, words)


def _rules_and_routes(node: NodePlan, words: Mapping[str, str]) -> Iterator[str]:
    if node.rules:
        yield ""
        yield from comment(rules_reason(node.rules))
    for rule in node.rules:
        family = "-6" if rule.is_v6 else "-4"
        of = rule.words if rule.source else f"iif {words[rule.interface]}"
        yield f"rule {family} {rule.table} {rule.priority} {of}"
    if node.routes:
        yield ""
        yield from comment(ROUTES)
    for route in node.routes:
        via = f"via {route.via} " if route.via else ""
        table = f" table {route.table}" if route.table else ""
        yield (
            f"route {route.destination} {via}dev {words[route.interface]} metric {route.metric} "
            f"src {route.source}{table}{route.onlink}"
        )


def _word(interface: InterfacePlan) -> str:
    """Return the name of an interface as a word of the script: NICs that are looked up are in
    variables.
    """
    if interface.mac or interface.path:
        return f'"${_variable(interface)}"'
    return interface.name


def _variable(interface: InterfacePlan) -> str:
    """Return the variable of a NIC that is looked up: its name, with signs as hexadecimal digits,
    so that no two names give one variable, and none that the script has itself.
    """
    word = re.sub(r"[^A-Za-z0-9]", lambda sign: f"_{ord(sign[0]):x}", interface.nic)
    return f"port_{word}"


def _interface(node: NodePlan, one: InterfacePlan, words: Mapping[str, str]) -> Iterator[str]:
    name = words[one.name]
    if one.is_identity:
        yield f"made {name} dummy"
    if one.members:
        yield from comment(BOND)
        yield f"made {name} bond mode {BOND_MODE} miimon {BOND_CHECK_MS}"
        yield from (f"member {words[member]} {name}" for member in one.members)
    yield f"port {name} {one.mtu}"
    yield from _settings([each for each in node.settings if each.interface == one.name], words)
    if one.cuts_segments:
        yield from comment(UNCUT_REASON)
        yield f"uncut {name}"
    yield from (f"address {name} {address}" for address in one.addresses)


def _settings(settings: Sequence[Sysctl], words: Mapping[str, str]) -> Iterator[str]:
    for reason, members in grouped(settings):
        yield from comment(reason)
        for one in members:
            word = words.get(one.interface, "")
            key = one.key.replace(f"/{one.interface}/", f"/{word}/") if word else one.key
            yield f"setting {key} {one.value}"


LOAD = 'LINKWRIGHT_JOURNAL="$folder/journal" sh "$folder/up.sh"\n'
TAKE_BACK = 'LINKWRIGHT_JOURNAL="$folder/journal" sh "$folder/undo.sh"\n'
"""Scripts that run both; nodes of an emulation share the usual place of the journal."""

IP = Exporter(
    reader="a shell with iproute2: up.sh and undo.sh",
    of_node=_files,
    takes_ports=True,
    for_switches=True,
    loading=Loading(script=LOAD, undo=TAKE_BACK),
)
