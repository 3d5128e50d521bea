"""Forwarding: the kernel parameters of a machine, and the FORWARD chain of its firewall."""

from __future__ import annotations

import re
from typing import Any

from linkwright.facts.fact import Answers, Command, Fact, Files

__all__ = ["FORWARDING"]

_IPV4 = "/proc/sys/net/ipv4/"
PARAMETERS = ("forwarding", "rp_filter", "arp_ignore", "arp_announce", "accept_redirects")
_POLICY = re.compile(r"^-P FORWARD (\w+)$", re.MULTILINE)


def read(answers: Answers) -> dict[str, Any]:
    """Return parameters and firewall of a machine."""
    parameters: dict[str, dict[str, str]] = {}
    for one in PARAMETERS:
        for path, value in answers.files(one).items():
            interface = path.removeprefix(f"{_IPV4}conf/").partition("/")[0]
            parameters.setdefault(interface, {})[one] = value
    found = _POLICY.search(answers.output("iptables") or "")
    return {
        "parameters": parameters,
        "multipath_hash": next(iter(answers.files("fib_multipath_hash_policy").values()), None),
        "forward_policy": found[1] if found else None,
        "has_nft_rules": bool((answers.output("nft") or "").strip()),
    }


FORWARDING = Fact(
    "forwarding",
    "Kernel parameters of forwarding, and the policy of the firewall for forwarded packets.",
    {
        **{one: Files(f"{_IPV4}conf/*/{one}") for one in PARAMETERS},
        "fib_multipath_hash_policy": Files(f"{_IPV4}fib_multipath_hash_policy"),
        "iptables": Command(("iptables", "-S", "FORWARD")),
        "nft": Command(("nft", "list", "ruleset")),
    },
    read,
    needs_root=True,
)
