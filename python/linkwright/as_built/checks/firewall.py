"""The firewall of relays: whether packets between two ports of the plan pass the chain FORWARD.

Rules are followed in their order for a new packet that comes in by one port and leaves by another.
Rules with further conditions are passed over: most of them are about known connections.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import permutations

from linkwright.as_built.deviation import Deviation
from linkwright.as_built.matched import Matched, MatchedNode
from linkwright.as_built.planned import Planned

__all__ = ["check_firewall"]

_RULE = re.compile(r"^-A (\S+)((?: -[io] \S+)*) -[jg] (\S+)(.*)$")
_PORT = re.compile(r" -([io]) (\S+)")
OURS = "LINKWRIGHT"
"""Chain of the plan's own script, which accepts packets that leave by its ports."""
ENDS = {"ACCEPT": True, OURS: True, "DROP": False, "REJECT": False}
TOP = "FORWARD"
MOST_DEPTH = 4
"""Chains that are followed below each other; no firewall may make this endless."""


def check_firewall(planned: Planned, machines: Matched) -> Iterator[Deviation]:
    """Yield relays whose firewall drops packets that they should pass on."""
    del planned
    for node in machines.nodes.values():
        if node.plan.is_relay:
            yield from _of_relay(node)


def _of_relay(node: MatchedNode) -> Iterator[Deviation]:
    firewall = node.facts.firewall
    policy = firewall.forward_policy
    ports = {one.name: node.interfaces[one.name].name for one in node.plan.ports
             if one.name in node.interfaces}  # fmt: skip
    dropped = [
        (came, left)
        for came, left in permutations(ports, 2)
        if not _passes(firewall.forward_rules, policy, ports[came], ports[left])
    ]
    if not dropped:
        return
    pairs = ", ".join(f"{came} to {left}" for came, left in dropped[:2])
    more = f" and {len(dropped) - 2} more" if len(dropped) > 2 else ""
    because = ", as Docker sets it" if firewall.has_docker else ""
    how = f"its policy is {policy}{because}" if policy == "DROP" else "a rule rejects them"
    yield Deviation(
        kind="dropped-forwards",
        node=node.name,
        planned="FORWARD accepts packets between the ports of the plan",
        found=f"FORWARD {policy}",
        reason=f"the chain FORWARD of {node.name} drops packets from {pairs}{more}: {how}",
        fix=_remedy(list(ports.values()), docker=bool(firewall.has_docker)),
    )


def _passes(rules: Sequence[str], policy: str | None, came: str, left: str) -> bool:
    """Return whether a new packet passes; it does where the firewall is not known."""
    found = _through(rules, TOP, came, left)
    return (policy or "ACCEPT").upper() != "DROP" if found is None else found


def _through(
    rules: Sequence[str], chain: str, came: str, left: str, depth: int = MOST_DEPTH
) -> bool | None:
    """Return the decision of a chain; None if it has none."""
    for rule in rules:
        parts = _RULE.match(rule)
        if parts is None or parts[1] != chain or not _is_end(parts[3], parts[4]):
            continue
        ports = dict(_PORT.findall(parts[2]))
        if _is_port(ports.get("i"), came) and _is_port(ports.get("o"), left):
            decision = ENDS.get(parts[3])
            if decision is None and depth:
                decision = _through(rules, parts[3], came, left, depth - 1)
            if decision is not None:
                return decision
    return None


def _is_end(target: str, rest: str) -> bool:
    """Return whether a rule has no condition behind its target but the kind of the refusal."""
    return not rest.strip() or target == "REJECT"


def _is_port(pattern: str | None, name: str) -> bool:
    if pattern is None:
        return True
    return name.startswith(pattern[:-1]) if pattern.endswith("+") else name == pattern


def _remedy(ports: Sequence[str], *, docker: bool) -> str:
    if docker:
        return f"accept packets between {' and '.join(ports)} in the chain DOCKER-USER"
    rules = " and ".join(f"iptables -I FORWARD -i {port} -j ACCEPT" for port in ports)
    return f"{rules}, and keep the rules for the next boot"
