"""Every setting that files for machines may have: the design on which its absence must be noticed,
or the reason why no test can notice it.

A pattern matches the whole setting; what no pattern matches is structure: section headers, comments
and names of interfaces.
"""

from __future__ import annotations

from dataclasses import dataclass

from linkwright.plan.exporters.systemd_files import NAMES

__all__ = ["EMITTED", "Emitted"]


@dataclass(frozen=True)
class Emitted:
    """A kind of setting in the files of a target: `design` or `reason` is given."""

    pattern: str
    design: str = ""
    reason: str = ""


def _needed(pattern: str, design: str = "ring") -> Emitted:
    return Emitted(pattern, design)


def _unseen(pattern: str, reason: str) -> Emitted:
    return Emitted(pattern, reason=reason)


SIX = "ring of six by interface"
SHARED = "two ports on a switch"
NO_BONDS = "the kernel of the tests has no bonds"
NO_UDEV = "no udev runs in the machines; udevadm is asked whether it knows each line"
DEFAULT = "repeats a default, against other versions and configurations"
AT_START = "concerns the start of a machine"
PRIORITY = "without it, the kernel takes a free priority before the main table too"
NO_ROUTERS = "no router advertises anything"
SMALL = "no design of the harness is large enough"
REDIRECTS = "nodes of the harness do not heed redirects"
WORKS_ALONE = "the other setting of the carrier does the same for a link that loses its carrier"
NO_SYSTEMD = "no systemd runs in the machines; its commands are run one by one"
OWN_QUESTIONS = "the tables by source keep packets of another port's address from a port"
GATEWAY_FIRST = "the program sets routes to gateways up before those by them"
DUPLICATES = "the harness gives every port a carrier, with which the search ends"


def _parameters(line: str) -> dict[str, Emitted]:
    """Return the parameters of kernels, of which `line` makes lines."""

    def written(key: str, value: str) -> str:
        return line.format(key=rf"net/{key}", value=value)

    return {
        "forwarding": _needed(written("ipv4/ip_forward", "1")),
        "forwarding of IPv6": _needed(written("ipv6/conf/all/forwarding", "1"), "chain of IPv6"),
        "redirects": _unseen(written(r"ipv4/conf/\S+/send_redirects", "0"), REDIRECTS),
        "backup routes": _needed(written(r"ipv4/conf/\S+/ignore_routes_with_linkdown", "1")),
        "backup routes of IPv6": _needed(
            written(r"ipv6/conf/\S+/ignore_routes_with_linkdown", "1"), "ring of IPv6"
        ),
        "filters": _needed(written(r"ipv4/conf/\S+/rp_filter", "2"), "torus"),
        "packets of one's own": _needed(written(r"ipv4/conf/\S+/accept_local", "1"), SIX),
        "answers for itself": _needed(written(r"ipv4/conf/\S+/arp_ignore", "1"), SHARED),
        "questions of its own": _unseen(written(r"ipv4/conf/\S+/arp_announce", "2"), OWN_QUESTIONS),
        "neighbours": _unseen(written(r"ipv[46]/neigh/\S+", r"\d+"), SMALL),
        "long paths": _unseen(
            written(r"ipv(?:4/ip_default_ttl|6/conf/\S+/hop_limit)", r"\d+"), SMALL
        ),
        "advertised routes": _unseen(written(r"ipv6/conf/\S+/accept_ra", "0"), NO_ROUTERS),
    }


RULE_SECTIONS = {
    "rule": _needed(r"IncomingInterface=\S+", SIX),
    "rule by source": _needed(r"From=\S+", SHARED),
    "table of a rule": _needed(r"Table=\d+(?=\nPriority)", SIX),
    "priority of a rule": _unseen(r"Priority=\d+", PRIORITY),
    "family of a rule": _needed(r"Family=ipv[46]", SIX),
}
MARKS = {
    "marks": _needed(r"ExecStart=ip6tables .*", "ring of IPv6"),
    "service": _unseen(
        r"Description=.*|Type=oneshot|RemainAfterExit=yes|ExecStop=.*|WantedBy=\S+", NO_SYSTEMD
    ),
}
LINKS = {
    "link": _unseen(r"(?:PermanentMACAddress|Path|OriginalName)=\S+", NO_UDEV),
    "name of a link": _unseen(rf"{NAMES}|(?<=\[Link\]\n)Name=\S+", NO_UDEV),
    "offload": _unseen(r"TCPSegmentationOffload=no", NO_UDEV),
}
MADE_INTERFACES = {
    "made interface": _needed(r"Kind=(?:dummy|ifb)"),
    "name of a made interface": _needed(r"(?<=\[NetDev\]\n)Name=\S+"),
}
MADE_BONDS = {
    "bond": _unseen(r"Kind=bond|Mode=\S+|MIIMonitorSec=\S+|Bond=\S+", NO_BONDS),
}
NETWORK_FILES = {
    "interface of a file": _needed(r"(?<=\[Match\]\n)Name=\S+"),
    "online": _unseen("RequiredForOnline=no", AT_START),
    "nothing but the plan": _unseen(
        r"DHCP=no|IPv6AcceptRA=no|LinkLocalAddressing=\S+", f"{DEFAULT}; {NO_ROUTERS}"
    ),
    "identity": _needed(r"Address=10\.128\.\S+"),
    "address of IPv6": _needed(r"Address=fd\S+", "ring of IPv6"),
    "duplicates": _unseen("DuplicateAddressDetection=none", DUPLICATES),
}
ROUTE_WORDS = {
    "gateway": _needed(r" via \S+"),
    "metric": _needed(r" metric \d+"),
    "source": _needed(r" src \S+"),
    "table of a route": _needed(r" table \d+", SIX),
    "gateway on the link": _needed(r" onlink$", "unnumbered"),
}

EMITTED: dict[str, dict[str, Emitted]] = {
    "ip": {
        **_parameters("setting {key} {value}"),
        "port": _needed(r"port (?!id0)\S+ \d+"),
        "port of the identity": _unseen(
            r"port id0 \d+", "MPI libraries pass over an interface that is down, kernels do not"
        ),
        "made interface": _needed(r"made id0 (?:dummy|ifb)"),
        "bond": _unseen(r"made bond.*|member .*|port bond\d+ \d+|address bond.*", NO_BONDS),
        "offload": _unseen(r"uncut \S+", "no port of the harness merges segments"),
        "identity": _needed(r"address id0 \S+"),
        "address of a port": _needed(r"address (?!id0)\S+ \d\S+"),
        "address of IPv6": _needed(r"address (?!id0)\S+ fd\S+", "ring of IPv6"),
        "marks": _needed(r"marked \S+ \S+", "ring of IPv6"),
        "relayed": _unseen(r"relayed ip6?tables .*", "Docker's chain is in test_ip.py alone"),
        "rule": _needed(r"rule -[46] .*", SIX),
        **ROUTE_WORDS,
        "route": _needed(r"route \d\S+ dev \S+|route fd\S+ dev \S+|route \S+.*"),
    },
    "sysctl.d": _parameters("{key} = {value}"),
    "networkd": {
        **MARKS,
        **RULE_SECTIONS,
        **LINKS,
        **MADE_INTERFACES,
        **MADE_BONDS,
        **NETWORK_FILES,
        "MTU": _needed(r"MTUBytes=\d+"),
        "carrier": _needed("(?:ConfigureWithoutCarrier|IgnoreCarrierLoss)=yes"),
        "carrier at the start": _unseen("ConfigureWithoutCarrier=yes", WORKS_ALONE),
        "carrier that is lost": _unseen("IgnoreCarrierLoss=yes", WORKS_ALONE),
        "address of a port": _needed(r"Address=\d\S+"),
        "destination": _needed(r"Destination=\S+"),
        "gateway": _needed(r"Gateway=\S+"),
        "metric": _needed(r"Metric=\d+"),
        "source": _needed(r"PreferredSource=\S+"),
        "table of a route": _needed(r"Table=\d+(?!\nPriority)", SIX),
        "gateway on the link": _unseen("GatewayOnLink=yes", GATEWAY_FIRST),
    },
    "netplan": {
        **MARKS,
        **RULE_SECTIONS,
        **LINKS,
        **MADE_INTERFACES,
        **NETWORK_FILES,
        "renderer": _unseen(r"renderer: networkd|version: 2|network:$", DEFAULT),
        "NIC by its address": _unseen(r"match: .*|set-name: .*", NO_UDEV),
        "online of netplan": _unseen("optional: true", AT_START),
        "nothing but netplan's": _unseen(
            r"(?:dhcp[46]|accept-ra): false|link-local: \[.*\]", f"{DEFAULT}; {NO_ROUTERS}"
        ),
        "MTU": _needed(r"mtu: \d+"),
        "offload of netplan": _unseen("tcp-segmentation-offload: false", NO_UDEV),
        "bond": _unseen(r"bonds:|interfaces: \[.*\]|parameters: .*", NO_BONDS),
        "carrier": _needed("ignore-carrier: true"),
        "addresses": _needed(r"^      addresses: .*"),
        "gateway": _needed(r", via: [^,}]+"),
        "metric": _needed(r", metric: \d+"),
        "source": _needed(r", from: [^,}]+"),
        "table of a route": _needed(r", table: \d+", SIX),
        "gateway on the link": _unseen(", on-link: true", GATEWAY_FIRST),
        "routes": _needed(r"routes:|- \{to: .*"),
    },
    "ifupdown2": {
        **MARKS,
        **LINKS,
        "made interface": _needed(r"link-type (?:dummy|ifb)"),
        # It sets 1,500 where there is none.
        "MTU": _needed(r"mtu \d+", "twins"),
        "bond": _unseen(r"bond-\S+ .*", NO_BONDS),
        "offload of ifupdown2": _unseen(
            r"up ethtool -K \S+ tso off", "no port of the harness merges segments"
        ),
        "identity": _needed(r"(?:pre-up ip address replace|address) 10\.128\.\S+(?: dev \S+)?"),
        "address at once": _unseen(
            r"pre-up ip address replace \S+ dev \S+", "another line has the same address"
        ),
        "address of IPv6": _needed(
            r"(?:address|up ip address (?:add|del)) fd\S+(?: dev .*)?", "ring of IPv6"
        ),
        "address of a port": _needed(r"address \d\S+"),
        "rule again": _unseen(r"up ip -[46] rule del .*", "concerns ifreload alone"),
        "rule": _needed(r"up ip -[46] rule add .*", SIX),
        "rule taken down": _unseen(r"down ip -[46] rule del .*", "concerns ifdown alone"),
        **ROUTE_WORDS,
        "route": _needed(r"up ip route replace .*"),
    },
    "frr": {
        "name": _unseen(r"hostname \S+", "names the machine in FRR's own messages"),
        "daemon": _needed(r"\S+=yes"),
        "gateway on the link": _unseen(r" onlink$", GATEWAY_FIRST),
        "metric": _needed(r"(?<=eth\d) \d+$"),
        "gateway": _needed(r"(?<=/\d\d) \d\S+"),
        "source": _needed(r" set src \d\S+"),
        "source of IPv6": _needed(r" set src fd\S+", "ring of IPv6"),
        "use of the source": _needed(r"ip(?:v6)? protocol static route-map \S+"),
        "route": _needed(r"ip(?:v6)? route \S+.*"),
        "map": _needed(r"route-map \S+ permit 10|exit"),
    },
    "networkmanager": {
        **MARKS,
        **LINKS,
        "carrier": _unseen(
            r"ignore-carrier=yes|match-device=\S+",
            "TAPs stay up without it; test_networkmanager.py cuts an Ethernet cable",
        ),
        "name of a connection": _unseen(
            r"^id=\S+|autoconnect=true", f"the name of the file serves too; {DEFAULT}"
        ),
        "type": _needed(r"^type=\S+"),
        "interface": _needed(r"interface-name=\S+"),
        "bond": _unseen(r"^(?:master|slave-type|mode|miimon)=\S+", NO_BONDS),
        "MTU": _needed(r"mtu=\d+"),
        "offload of NetworkManager": _unseen("feature-tso=false", "TAPs have no such setting"),
        "method": _needed("method=manual"),
        "no addresses of a family": _unseen("method=disabled", f"{DEFAULT}; {NO_ROUTERS}"),
        "no default route": _unseen("never-default=true", f"{DEFAULT}; {NO_ROUTERS}"),
        "identity": _needed(r"address\d=10\.128\.\S+"),
        "address of IPv6": _needed(r"address\d=fd\S+", "ring of IPv6"),
        "address of a port": _needed(r"address\d=\d\S+"),
        "rule": _needed(r"routing-rule\d=.*", SIX),
        "metric": _needed(r"(?<=\d),\d+$"),
        "table of a route": _needed(r",table=\d+", SIX),
        "gateway on the link": _unseen(",onlink=true", GATEWAY_FIRST),
        "source": _needed(r"route\d+_options=src=\S+"),
        "route": _needed(r"route\d+=.*"),
    },
}
"""Settings by target; `sysctl.d` is the file of parameters that several targets share.

A pattern may be used up by one that comes before it.
"""
