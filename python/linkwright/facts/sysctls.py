"""Kernel parameters that decide on forwarding, addresses, buffers and congestion."""

from __future__ import annotations

from typing import Any

from linkwright.facts.fact import Answers, Fact, Files

__all__ = ["SYSCTLS"]

_ROOT = "/proc/sys/"
IPV4 = (
    "accept_local", "accept_redirects", "arp_announce", "arp_ignore", "forwarding",
    "ignore_routes_with_linkdown", "proxy_arp", "rp_filter", "send_redirects",
)  # fmt: skip
IPV6 = ("accept_ra", "disable_ipv6", "forwarding", "ignore_routes_with_linkdown")
SINGLE = (
    "net/core/netdev_max_backlog", "net/core/rmem_max", "net/core/wmem_max",
    "net/bridge/bridge-nf-call-iptables", "net/ipv4/fib_multipath_hash_policy",
    "net/ipv4/ip_forward", "net/ipv4/tcp_congestion_control", "net/ipv4/tcp_mtu_probing",
    "net/ipv4/tcp_rmem", "net/ipv4/tcp_wmem",
)  # fmt: skip


def read(answers: Answers) -> dict[str, Any]:
    """Return the kernel parameters of a machine."""
    found = {
        path.removeprefix(_ROOT).replace(".", "\0").replace("/", ".").replace("\0", "/"): " ".join(
            value.split()
        )
        for key in SYSCTLS.questions
        for path, value in answers.files(key).items()
    }
    return {"sysctls": dict(sorted(found.items()))}


SYSCTLS = Fact(
    "sysctls",
    "Kernel parameters of forwarding, addresses, buffers and congestion.",
    {
        **{f"ipv4 {one}": Files(f"{_ROOT}net/ipv4/conf/*/{one}") for one in IPV4},
        **{f"ipv6 {one}": Files(f"{_ROOT}net/ipv6/conf/*/{one}") for one in IPV6},
        **{one: Files(f"{_ROOT}{one}") for one in SINGLE},
    },
    read,
)
