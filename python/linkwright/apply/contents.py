"""The forms of the files that a login may write by sudo: each line is one of a plan, and about its
ports alone.

It runs by itself on the machine, in one program (`program.py`). Managers of networks can do more
than plans need (default routes, tunnels, files for all ports), so that a file is refused for any
line that no plan has.
"""

from __future__ import annotations

import ipaddress
import re

from linkwright.apply.present import MADE

KINDS = "|".join(MADE)
NAME = r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,14}"
"""A name of an interface that a kernel allows and that is one word in files of all managers."""
PORT = rf"(?P<ports>{NAME})"
ADDRESS = r"[0-9a-f.:]{2,45}"
NETWORK = rf"(?P<networks>{ADDRESS}/\d{{1,3}})"
NUMBER = r"\d{1,10}"
TABLE = rf"(?P<table>{NUMBER})"
PRIORITY = rf"(?P<priority>{NUMBER})"
WORDS_OF_MODE = r"[a-z0-9-]{1,20}"
KEY = re.compile(
    r"net/(ipv4/ip_(forward|default_ttl)|ipv[46]/conf/"
    rf"(all/(forwarding|send_redirects)|{PORT}/[a-z0-9_]{{1,40}}))"
)
VALUE = re.compile(r"[0-9 \t-]{1,64}")
JOINTS = re.compile(r',interface-name:|", "')
PRIORITIES = (1000, 2000)
FIRST_TABLE, END_OF_TABLES = 1000, 10_000
"""Priorities and tables of plans: those of the kernel and the main table are none of them."""
LEAST_PREFIX = 8
"""Least length of a destination, in bits."""

RULE = (
    rf"From={ADDRESS}",
    f"IncomingInterface={PORT}",
    f"Table={TABLE}",
    f"Priority={PRIORITY}",
    "Family=ipv[46]",
)
OF_NETWORK: dict[str, tuple[str, ...]] = {
    "Match": (f"Name={PORT}",),
    "Link": (f"MTUBytes={NUMBER}", "RequiredForOnline=no"),
    "Network": (
        f"Bond={PORT}",
        "DHCP=no",
        "IPv6AcceptRA=no",
        "LinkLocalAddressing=(no|ipv6)",
        "(ConfigureWithoutCarrier|IgnoreCarrierLoss)=yes",
    ),
    "Address": (f"Address={NETWORK}", "DuplicateAddressDetection=none"),
    "RoutingPolicyRule": RULE,
    "Route": (
        f"Destination={NETWORK}",
        f"(Gateway|PreferredSource)={ADDRESS}",
        "GatewayOnLink=yes",
        f"Metric={NUMBER}",
        f"Table={TABLE}",
    ),
}
OF_NETDEV: dict[str, tuple[str, ...]] = {
    "NetDev": (f"Name={PORT}", f"Kind=({KINDS})"),
    "Bond": (f"Mode={WORDS_OF_MODE}", f"MIIMonitorSec={NUMBER}ms"),
}
OF_LINK: dict[str, tuple[str, ...]] = {
    "Match": (
        "PermanentMACAddress=[0-9a-f:]{17}",
        "Path=[A-Za-z0-9_.:-]{1,100}",
        f"OriginalName={PORT}",
    ),
    "Link": (
        f"Name={PORT}",
        "NamePolicy=keep kernel database onboard slot path",
        "TCPSegmentationOffload=no",
    ),
}
OF_FAMILY = (
    "method=(manual|disabled)",
    "never-default=true",
    rf"address\d+={NETWORK}",
    rf"route\d+={NETWORK},({ADDRESS})?,{NUMBER}",
    rf"route\d+_options=src={ADDRESS}(,table={TABLE})?(,onlink=true)?",
    rf"routing-rule\d+=priority {PRIORITY} from (0\.0\.0\.0/0|::/0) iif {PORT} table {TABLE}",
    rf"routing-rule\d+=priority {PRIORITY} from {ADDRESS} table {TABLE}",
)
OF_CONNECTION: dict[str, tuple[str, ...]] = {
    "connection": (
        f"(id=linkwright-|interface-name=|master=){PORT}",
        f"type=(ethernet|{KINDS})",
        "slave-type=bond",
        "autoconnect=true",
    ),
    "bond": (f"mode={WORDS_OF_MODE}", f"miimon={NUMBER}"),
    "ethernet": (f"mtu={NUMBER}",),
    "ethtool": ("feature-tso=false",),
    "ipv4": OF_FAMILY,
    "ipv6": OF_FAMILY,
}
OF_SETTINGS: dict[str, tuple[str, ...]] = {
    "device-linkwright": (
        rf"match-device=interface-name:(?P<ports>{NAME}(,interface-name:{NAME})*)",
        "ignore-carrier=yes",
    )
}
QUOTED_PORT = f'"{PORT}"'
OF_ROUTE = (
    f'to: "{NETWORK}", (via: "{ADDRESS}"|scope: "link")(, on-link: true)?'
    f', metric: {NUMBER}, from: "{ADDRESS}"(, table: {TABLE})?'
)
OF_NETPLAN: dict[str, tuple[str, ...]] = {
    "": (
        "network:",
        "  version: 2",
        "  (ethernets|bonds):",
        f"    {QUOTED_PORT}:",
        "      renderer: networkd",
        '      match: {macaddress: "[0-9a-f:]{17}"}',
        f"      set-name: {QUOTED_PORT}",
        rf'      interfaces: \["(?P<ports>{NAME}(", "{NAME})*)"\]',
        f'      parameters: {{mode: "{WORDS_OF_MODE}", mii-monitor-interval: {NUMBER}}}',
        "      (optional|ignore-carrier): true",
        "      (dhcp4|dhcp6|accept-ra|tcp-segmentation-offload): false",
        r'      link-local: \[("ipv6")?\]',
        f"      mtu: {NUMBER}",
        rf'      addresses: \["(?P<networks>{ADDRESS}/\d+(", "{ADDRESS}/\d+)*)"\]',
        "      routes:",
        f"      - {{{OF_ROUTE}}}",
    )
}
OF_PARAMETERS: dict[str, tuple[str, ...]] = {"": (f"{KEY.pattern} = {VALUE.pattern}",)}
MARK = "0x4c57"
"""The mark of plans, which no rule asks for."""
MARKED = rf"OUTPUT -d {NETWORK} -j MARK"
OF_MARKS: dict[str, tuple[str, ...]] = {
    "Unit": ("Description=[A-Za-z0-9 ,.]{1,100}",),
    "Service": (
        "Type=oneshot",
        "RemainAfterExit=yes",
        rf"Exec(Start|Stop)=ip6tables -w -t mangle -[AD] {MARKED} --set-mark {MARK}",
    ),
    "Install": (r"WantedBy=multi-user\.target",),
}
"""The unit that marks packets: no command but that of marks, and no specifiers of systemd."""
SYSTEMD = "/etc/systemd/network/10-"
DROP_INS = rf"{SYSTEMD}netplan-{PORT}\.network\.d"
MANAGER = "/etc/NetworkManager"
MARKS = "/etc/systemd/system/linkwright-marks.service"
WANTS = "/etc/systemd/system/multi-user.target.wants"
LINKS = {f"{WANTS}/linkwright-marks.service": MARKS}
"""Links that plans make, with their targets."""
FORMS: dict[str, dict[str, tuple[str, ...]]] = {
    rf"{SYSTEMD}linkwright-{PORT}\.network": OF_NETWORK,
    rf"{SYSTEMD}linkwright-{PORT}\.netdev": OF_NETDEV,
    rf"{SYSTEMD}linkwright-{PORT}\.link": OF_LINK,
    rf"{DROP_INS}/60-linkwright\.conf": {"RoutingPolicyRule": RULE},
    r"/etc/netplan/60-linkwright\.yaml": OF_NETPLAN,
    r"/etc/sysctl\.d/60-linkwright\.conf": OF_PARAMETERS,
    rf"{MANAGER}/system-connections/linkwright-{PORT}\.nmconnection": OF_CONNECTION,
    rf"{MANAGER}/conf\.d/60-linkwright\.conf": OF_SETTINGS,
    re.escape(MARKS): OF_MARKS,
}
"""Places of files -> section -> forms of its lines; the first section is in each file."""
FOLDERS = ("/etc/netplan", DROP_INS, re.escape(WANTS))
OF_GENERATOR = rf"/run/systemd/network/10-netplan-{PORT}\.(network|netdev|link)"
NEEDED = {
    "Match": ("Name=", "PermanentMACAddress=", "Path=", "OriginalName="),
    "NetDev": ("Name=",),
    "Address": ("Address=",),
    "Route": ("Destination=",),
    "Service": ("ExecStart=",),
    "RoutingPolicyRule": ("From=", "IncomingInterface="),
    "connection": ("interface-name=",),
    "ipv4": ("method=",),
    "ipv6": ("method=",),
    "device-linkwright": ("match-device=",),
}
"""Section -> beginnings of lines, one of which it needs: without it, it holds for all."""


def fits(form: str, text: str, ports: list[str]) -> bool:
    """Return whether a text has a form, and names ports, tables and destinations of a plan."""
    found = re.fullmatch(form, text)
    if found is None:
        return False
    values: dict[str, list[str]] = {
        key: JOINTS.split(one) for key, one in found.groupdict().items() if one is not None
    }
    return (
        all(one in ports for one in values.get("ports", ()))
        and all(is_narrow(one) for one in values.get("networks", ()))
        and all(int(one) in PRIORITIES for one in values.get("priority", ()))
        and all(is_table(one) for one in values.get("table", ()))
    )


def is_narrow(network: str) -> bool:
    """Return whether an address, or a destination, is not most of all addresses."""
    return ipaddress.ip_interface(network).network.prefixlen >= LEAST_PREFIX


def is_table(table: int | str) -> bool:
    """Return whether a table may be one of plans."""
    return FIRST_TABLE <= int(table) < END_OF_TABLES


def forms_of(place: str, ports: list[str]) -> dict[str, tuple[str, ...]] | None:
    """Return the forms of the file at a place; None if no plan about the ports has one there."""
    return next((forms for form, forms in FORMS.items() if fits(form, place, ports)), None)


def foreign_line(text: str, forms: dict[str, tuple[str, ...]], ports: list[str]) -> str | None:
    """Return a line, or the name of a section, that no plan about the ports has; None if none."""
    sections = sections_of(text)
    if next(iter(forms)) not in [name for name, _ in sections]:
        return text
    for name, lines in sections:
        if name not in forms:
            return name
        for line in lines:
            if not any(fits(form, line, ports) for form in forms[name]):
                return line
        if name in NEEDED and not any(one.startswith(NEEDED[name]) for one in lines):
            return name
    return None


def sections_of(text: str) -> list[tuple[str, list[str]]]:
    """Return the sections of a file with their lines, without its comments."""
    found: list[tuple[str, list[str]]] = []
    for line in text.split("\n"):
        header = re.fullmatch(r"\[([A-Za-z0-9-]+)\]", line)
        if header:
            found.append((header[1], []))
        # A line end of another kind would end a comment, too.
        elif line and not (line.isprintable() and re.match(" *#", line)):
            if not found:
                found.append(("", []))
            found[-1][1].append(line)
    return found
