"""Settings of jobs that contradict the plan: variables, parameter files and host files.

A library that is given an interface by name must find it on this machine, and it must be one of the
plan. Host files must name nodes, by names or addresses of the plan.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from ipaddress import ip_address, ip_network
from pathlib import PurePosixPath

from linkwright.as_built.checks.addresses import interface_of
from linkwright.as_built.checks.names import place_of
from linkwright.as_built.deviation import Deviation
from linkwright.as_built.matched import Matched, MatchedNode
from linkwright.as_built.planned import Planned
from linkwright.text.strict_json import strict_json

__all__ = ["check_jobs"]

EXACT, PREFIX, DEVICE, DEVICES = "exact", "prefix", "device", "prefix of devices"
INCLUDED: Mapping[str, str] = {
    "NCCL_SOCKET_IFNAME": PREFIX,
    "NCCL_IB_HCA": DEVICES,
    "GLOO_SOCKET_IFNAME": EXACT,
    "TP_SOCKET_IFNAME": EXACT,
    "UCX_NET_DEVICES": DEVICE,
    "HYDRA_IFACE": EXACT,
    "FI_TCP_IFACE": EXACT,
    "btl_tcp_if_include": EXACT,
    "oob_tcp_if_include": EXACT,
    "opal_if_include": EXACT,
    "prte_if_include": EXACT,
    "ptl_base_if_include": EXACT,
}
"""Setting that names interfaces -> the way in which it does."""
EXCLUDED = {name.replace("_include", "_exclude") for name in INCLUDED if "_include" in name}
MEETING = ("MASTER_ADDR", "VLLM_HOST_IP", "RAY_NODE_IP_ADDRESS")
"""Settings with an address or name by which processes find each other."""
EXPANDED = "$`"
"""Signs of values that a shell makes when the job starts, so that facts do not have them."""
_PREFIXES = re.compile(r"^(?:OMPI_MCA_|PRTE_MCA_|PMIX_MCA_)")
_LINE = re.compile(r"^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*?)\s*$")
_HOST_FILE = re.compile(r"(?:.*[-_])?(?:host|machine|node)s?[-_]?(?:file|list)?", re.IGNORECASE)
_HOST = re.compile(r"^(?:[^@\s]+@)?([A-Za-z0-9_.:-]+?)(?::\d+)?(?:\s|,|$)")


@dataclass(frozen=True)
class _Setting:
    """A setting, and the file or environment that has it."""

    name: str
    value: str
    place: str


def check_jobs(planned: Planned, machines: Matched) -> Iterator[Deviation]:
    """Yield the findings about settings of jobs."""
    for node in machines.nodes.values():
        settings = list(_settings(node))
        for one in settings:
            for reason in _contradictions(planned, machines, node, one):
                yield _finding(node, one, reason)
        yield from _both_ways(node, settings)
        yield from _host_files(planned, machines, node)


def _settings(node: MatchedNode) -> Iterator[_Setting]:
    for name, value in node.facts.settings.environment.items():
        yield _Setting(_PREFIXES.sub("", name), value, "its environment")
    for path, text in node.facts.settings.files.items():
        for line in text.splitlines():
            found = _LINE.match(line)
            if found:
                value = found[2].partition(" #")[0].strip().strip("\"'")
                yield _Setting(_PREFIXES.sub("", found[1]), value, path)


def _contradictions(
    planned: Planned, machines: Matched, node: MatchedNode, one: _Setting
) -> Iterator[str]:
    if any(sign in one.value for sign in EXPANDED):
        return
    if one.name in INCLUDED:
        yield from _of_interfaces(node, one)
    elif one.name in EXCLUDED:
        for entry in one.value.split(","):
            for name in _chosen(node, entry.strip(), EXACT):
                if node.names.get(name) in node.interfaces:
                    yield f"excludes {name}, a port of the plan"
    elif one.name in MEETING:
        yield from _of_host(planned, machines, node, one.value)


def _of_interfaces(node: MatchedNode, one: _Setting) -> Iterator[str]:
    how = INCLUDED[one.name]
    value = one.value
    is_negated = value.startswith("^")
    if how != EXACT and value[:1] in ("^", "="):
        is_exact = value.lstrip("^").startswith("=")
        value = value.lstrip("^=")
        how = {PREFIX: EXACT, DEVICES: DEVICE}.get(how, how) if is_exact else how
    for entry in filter(None, (each.strip() for each in value.split(","))):
        if entry == "all":
            continue
        names = _chosen(node, entry, how)
        of_plan = [name for name in names if node.names.get(name) in node.interfaces]
        if is_negated:
            yield from (f"excludes {name}, a port of the plan" for name in of_plan)
        elif not names and not (how in (DEVICE, DEVICES) and node.lacks("rdma")):
            yield f"names {entry}, which {node.name} does not have"
        else:
            for name in (name for name in names if name not in of_plan):
                yield f"chooses {name}, which is outside the plan"


def _chosen(node: MatchedNode, entry: str, how: str) -> list[str]:
    """Return the interfaces that an entry of a list chooses: a name, a subnet, a device of RDMA."""
    names = [one.name for one in node.facts.interfaces]
    device = entry.partition(":")[0]
    of_device = [
        one.interface
        for one in node.facts.rdma
        if one.interface
        and (one.device == device or (how == DEVICES and one.device.startswith(device)))
    ]
    if how in (DEVICE, DEVICES) and (of_device or device not in names):
        return of_device
    if "/" in entry:
        try:
            subnet = ip_network(entry, strict=False)
        except ValueError:
            return []
        return [
            one.name
            for one in node.facts.interfaces
            if any((found := interface_of(text)) and found.ip in subnet for text in one.addresses)
        ]
    if how == PREFIX:
        return [name for name in names if name.startswith(entry)]
    return [name for name in names if name == device]


def _both_ways(node: MatchedNode, settings: list[_Setting]) -> Iterator[Deviation]:
    """Yield pairs of lists of which Open MPI takes one alone."""
    names = {one.name: one for one in settings}
    for name in sorted(EXCLUDED & set(names)):
        include = name.replace("_exclude", "_include")
        if include in names:
            yield _finding(node, names[name], f"is set beside {include}: only one of them may be")


def _host_files(planned: Planned, machines: Matched, node: MatchedNode) -> Iterator[Deviation]:
    for path, text in node.facts.settings.files.items():
        for host in _hosts_of(path, text):
            for reason in _of_host(planned, machines, node, host):
                yield _finding(node, _Setting("", host, path), reason)


def _hosts_of(path: str, text: str) -> Iterator[str]:
    """Yield the hosts of a host file; those of MLX are a JSON list with addresses."""
    name = PurePosixPath(path).name
    if name.endswith(".json"):
        yield from _hosts_of_json(text)
    elif _HOST_FILE.fullmatch(PurePosixPath(path).stem) and path != "/etc/hosts":
        for line in text.splitlines():
            plain = line.partition("#")[0].strip()
            found = _HOST.match(plain)
            if found and not _LINE.match(plain):
                yield found[1]


def _hosts_of_json(text: str) -> Iterator[str]:
    try:
        given = strict_json(text)
    except ValueError:
        return
    hosts = given.get("hosts") if isinstance(given, dict) else given
    for one in hosts if isinstance(hosts, list) else []:
        addresses = one.get("ips") if isinstance(one, dict) else None
        yield from (each for each in addresses or () if isinstance(each, str))


def _of_host(planned: Planned, machines: Matched, node: MatchedNode, host: str) -> Iterator[str]:
    """Yield the reason why a host is not one of the plan."""
    nodes = planned.nodes_by_name
    try:
        address = str(ip_address(host))
    except ValueError:
        resolved = node.facts.names.get(host, ())
        is_node = host.lower() in nodes or host.partition(".")[0].lower() in nodes
        if not is_node and not any(one in planned.addresses for one in resolved):
            yield f"names {host}, which is no node of the plan"
        return
    if address not in planned.addresses:
        yield f"names {address}, {place_of(planned, machines, address)}"


def _finding(node: MatchedNode, one: _Setting, reason: str) -> Deviation:
    text = f"{one.name}={one.value}" if one.name else one.value
    subject = one.name or PurePosixPath(one.place).name
    identity = next(each.name for each in node.plan.interfaces if node.plan.has_identity(each))
    return Deviation(
        kind="wrong-setting",
        node=node.name,
        planned=f"{identity} with {', '.join(node.plan.host.identities)}",
        found=f"{text} in {one.place}",
        reason=f"{subject} in {one.place} on {node.name} {reason}",
        fix="take the settings of the plan: linkwright plan --for nccl,openmpi,mpich,ucx,gloo",
    )
