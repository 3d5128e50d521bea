"""The firewall for forwarded packets: the chain FORWARD of iptables, and rules of nftables."""

from __future__ import annotations

import re
from typing import Any

from linkwright.facts.fact import Answers, Command, Fact, Files

__all__ = ["FIREWALL"]

_POLICY = re.compile(r"^-P FORWARD (\w+)$", re.MULTILINE)


def read(answers: Answers) -> dict[str, Any]:
    """Return the firewall of a machine; None for parts that it has no program for."""
    policy = _POLICY.search(answers.output("iptables", is_optional=True) or "")
    rules = answers.output("nft", is_optional=True)
    return {
        "firewall": {
            "forward_policy": policy[1] if policy else None,
            "has_nft_rules": None if rules is None else bool(rules.strip()),
            "has_docker": bool(answers.files("docker0")),
        }
    }


FIREWALL = Fact(
    "firewall",
    "Policy of the firewall for forwarded packets, rules of nftables, and Docker.",
    {
        "iptables": Command(("iptables", "-S", "FORWARD")),
        "nft": Command(("nft", "list", "ruleset")),
        "docker0": Files("/sys/class/net/docker0/address"),
    },
    read,
    needs_root="the firewall",
)
