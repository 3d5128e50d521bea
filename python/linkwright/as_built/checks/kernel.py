"""The kernel of a machine: parameters, its age, and offloads of its NICs.

Some parameters of a port and of the whole machine work together: the larger value of a reverse-path
filter and of ARP's restrictions is in force, and either value of the two allows local sources.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from linkwright.as_built.deviation import Deviation
from linkwright.as_built.matched import Matched, MatchedNode
from linkwright.as_built.planned import Planned
from linkwright.nodes.sysctls import Sysctl

__all__ = ["check_kernel"]

STRICT = "1"
LARGER_IN_FORCE = ("rp_filter", "arp_ignore", "arp_announce", "accept_local")
AT_LEAST = re.compile(r"gc_thresh\d|ip_default_ttl|hop_limit|arp_ignore|arp_announce|accept_local")
"""Parameters of which a larger value is as good."""
SINCE = {"ipv4/ignore_routes_with_linkdown": (4, 2), "ipv6/ignore_routes_with_linkdown": (4, 3)}
"""Kernels in which parameters came."""
_VERSION = re.compile(r"(\d{1,3})\.(\d{1,3})")


def check_kernel(planned: Planned, machines: Matched) -> Iterator[Deviation]:
    """Yield the findings about kernels."""
    del planned
    for node in machines.nodes.values():
        yield from _parameters(node)
        yield from _offloads(node)


def _parameters(node: MatchedNode) -> Iterator[Deviation]:
    too_old: dict[str, tuple[int, int]] = {}
    for one in node.plan.settings:
        since = _since(one)
        if since and _is_older(node.facts.kernel, since):
            too_old[one.key.rpartition("/")[2]] = since
            continue
        value = _in_force(node, one)
        if value is not None and not _is_fine(one, value):
            yield _wrong(node, one, value)
    for name, since in too_old.items():
        text = f"{since[0]}.{since[1]}"
        yield Deviation(
            kind="old-kernel",
            node=node.name,
            planned=f"Linux {text} or later",
            found=f"Linux {node.facts.kernel}",
            reason=f"{node.name} has Linux {node.facts.kernel}, and {name} came with {text}",
            fix=f"install a newer kernel on {node.name}, or plan without fallback",
        )
    yield from _forwarding_of_ports(node)


def _since(one: Sysctl) -> tuple[int, int] | None:
    _, family, *_, name = one.key.split("/")
    return SINCE.get(f"{family}/{name}")


def _is_older(kernel: str | None, since: tuple[int, int]) -> bool:
    found = _VERSION.match(kernel or "")
    return found is not None and (int(found[1]), int(found[2])) < since


def _name(node: MatchedNode, one: Sysctl, interface: str) -> str:
    """Return the name of a parameter as `sysctl` prints it, for an interface or the machine."""
    found = node.interfaces.get(interface)
    own = (found.name if found else interface).replace(".", "/")
    parts = [
        own if one.interface and part == one.interface else part for part in one.key.split("/")
    ]
    return ".".join(parts)


def _in_force(node: MatchedNode, one: Sysctl) -> str | None:
    """Return the value that the kernel uses; None if the facts do not have it."""
    value = node.facts.sysctls.get(_name(node, one, one.interface))
    if one.interface and one.key.endswith(LARGER_IN_FORCE):
        every = node.facts.sysctls.get(_name(node, one, "all"))
        values = [each for each in (value, every) if each is not None and each.isdigit()]
        return max(values, key=int, default=None) if value is not None else None
    return value


def _is_fine(one: Sysctl, value: str) -> bool:
    if one.key.endswith("rp_filter"):
        return value != STRICT
    if AT_LEAST.fullmatch(one.key.rpartition("/")[2]) and value.isdigit():
        return int(value) >= int(one.value)
    return value == one.value


def _wrong(node: MatchedNode, one: Sysctl, value: str) -> Deviation:
    name = _name(node, one, one.interface)
    return Deviation(
        kind="wrong-sysctl",
        node=node.name,
        nic=one.interface or None,
        planned=f"{name} = {one.value}",
        found=f"{name} = {value}",
        reason=f"{name} of {node.name} is {value} instead of {one.value}: {one.reason}",
        fix=f"sysctl -w {name}={one.value}, and keep it in /etc/sysctl.d"
        + _also_all(node, one, value),
    )


def _also_all(node: MatchedNode, one: Sysctl, value: str) -> str:
    """Return a remedy for a value that comes from that of the whole machine."""
    every = _name(node, one, "all")
    comes_from_all = node.facts.sysctls.get(_name(node, one, one.interface)) != value
    return f"; {every} is {value}, and the larger is in force" if comes_from_all else ""


def _forwarding_of_ports(node: MatchedNode) -> Iterator[Deviation]:
    """Yield ports of a relay that do not forward although the machine does."""
    if not node.plan.is_relay or node.facts.sysctls.get("net.ipv4.ip_forward") != "1":
        return
    for one in node.plan.ports:
        found = node.interfaces.get(one.name)
        name = f"net.ipv4.conf.{(found.name if found else one.name).replace('.', '/')}.forwarding"
        if not one.addresses[0].count(":") and node.facts.sysctls.get(name) == "0":
            yield Deviation(
                kind="wrong-sysctl",
                node=node.name,
                nic=one.name,
                planned=f"{name} = 1",
                found=f"{name} = 0",
                reason=f"{name} of {node.name} is 0: packets that come in by {one.name} are not "
                "relayed",
                fix=f"sysctl -w {name}=1, and look for the program that sets it to 0",
            )


def _offloads(node: MatchedNode) -> Iterator[Deviation]:
    for one, found in node.ports:
        wrong = []
        if one.cuts_segments and found.offloads.get("tso"):
            wrong.append(("tso", "segmentation offload: packets that it forwards over USB4 crawl"))
        if node.plan.is_relay and found.offloads.get("lro"):
            wrong.append(("lro", "large receive offload: it merges packets that it should forward"))
        for name, effect in wrong:
            yield Deviation(
                kind="segment-offload",
                node=node.name,
                nic=one.name,
                planned=f"{name} off",
                found=f"{name} on",
                reason=f"{node.name}:{one.name} has {effect}",
                fix=f"ethtool -K {found.name} {name} off, and keep it for the next boot",
            )
