"""The firewall for forwarded packets: chains FORWARD of iptables, and chains of nftables.

A packet passes all of them, so that one that drops decides.
"""

from __future__ import annotations

import re
from typing import Any

from linkwright.facts.fact import Answers, Command, Fact, Files, objects

__all__ = ["FIREWALL"]

_POLICY = re.compile(r"^-P FORWARD (\w+)$", re.MULTILINE)
MOST_RULES = 1000


def read(answers: Answers) -> dict[str, Any]:
    """Return the firewall of a machine; None for parts that it has no program for."""
    rules = answers.output("iptables", is_optional=True)
    tables = answers.json("nft", is_optional=True)
    policies = [*_POLICY.findall(rules or ""), *_forward_policies(tables)]
    chains = (rules, answers.output("iptables of Docker", codes={0, 1}, is_optional=True))
    lines = [one for text in chains for one in (text or "").splitlines() if one[:2] == "-A"]
    of_ipv6 = _POLICY.search(answers.output("ip6tables", is_optional=True) or "")
    return {
        "firewall": {
            "forward_policy": "DROP" if "DROP" in policies else next(iter(policies), None),
            "forward_policy_ipv6": of_ipv6[1] if of_ipv6 else None,
            "forward_rules": lines[:MOST_RULES],
            "has_nft_rules": None if tables is None else _has_rules(tables),
            "has_docker": bool(answers.files("docker0")),
        }
    }


def _forward_policies(tables: Any) -> list[str]:
    """Return the policies of all chains for forwarded packets of IPv4."""
    chains = [one.get("chain") for one in objects(tables, "nftables")]
    return [
        str(chain.get("policy", "")).upper()
        for chain in chains
        if isinstance(chain, dict)
        and chain.get("hook") == "forward"
        and chain.get("family") in ("ip", "inet")
    ]


def _has_rules(tables: Any) -> bool:
    return any("rule" in one or "chain" in one for one in objects(tables, "nftables"))


FIREWALL = Fact(
    "firewall",
    "Policy and rules of the firewall for forwarded packets, and Docker.",
    {
        "iptables": Command(("iptables", "-S", "FORWARD"), as_root=True),
        "iptables of Docker": Command(("iptables", "-S", "DOCKER-USER"), as_root=True),
        "ip6tables": Command(("ip6tables", "-S", "FORWARD"), as_root=True),
        "nft": Command(("nft", "-j", "list", "ruleset"), as_root=True),
        "docker0": Files("/sys/class/net/docker0/address"),
    },
    read,
    needs_root="the firewall",
)
