"""Rules that choose the table of a packet: those of the plan, and others that capture its packets.

A rule of another program is left alone if it selects nothing of the plan, or asks a table that has
routes, but none to the plan's addresses.
"""

from __future__ import annotations

from collections.abc import Iterator

from linkwright.as_built.checks.routes import prefix_of
from linkwright.as_built.deviation import Deviation
from linkwright.as_built.matched import Matched, MatchedNode
from linkwright.as_built.planned import Planned
from linkwright.facts import Rule
from linkwright.plan.exporters.node_plan import RulePlan

__all__ = ["check_rules"]

BY_KERNEL = ("local", "main", "default")
"""Tables of the rules that every kernel begins with."""


def check_rules(planned: Planned, machines: Matched) -> Iterator[Deviation]:
    """Yield the findings about rules."""
    for node in machines.nodes.values():
        if node.lacks("rules"):
            continue
        rest = [rule for rule in node.facts.rules if rule.table not in BY_KERNEL]
        for wanted in node.plan.rules:
            same = [rule for rule in rest if _is(node, rule, wanted)]
            if same:
                rest.remove(same[0])
            else:
                yield _missing(node, wanted)
        for rule in rest:
            if _captures(planned, node, rule):
                yield _stale(node, rule)


def _is(node: MatchedNode, rule: Rule, wanted: RulePlan) -> bool:
    is_same = rule.family == (6 if wanted.is_v6 else 4) and rule.table == str(wanted.table)
    selects = (
        (rule.src or "").partition("/")[0] == wanted.source
        if wanted.source
        else node.names.get(rule.iif or "", "") == wanted.interface
    )
    return is_same and selects and rule.priority == wanted.priority


def _missing(node: MatchedNode, wanted: RulePlan) -> Deviation:
    text = f"{wanted.priority}: {wanted.words} lookup {wanted.table}"
    return Deviation(
        kind="missing-rule",
        node=node.name,
        nic=wanted.interface,
        planned=text,
        reason=f"the rule '{text}' is missing on {node.name}",
        fix=f"load the files of the plan on {node.name} again",
    )


def _captures(planned: Planned, node: MatchedNode, rule: Rule) -> bool:
    """Return whether a rule may take packets of the plan to another table."""
    if rule.iif or rule.oif:
        names = {node.names.get(one) for one in (rule.iif, rule.oif) if one}
        return bool(names & set(node.interfaces))
    for text in (rule.src, rule.dst):
        if text not in (None, "all"):
            prefix = prefix_of(text or "", rule.family)
            return prefix is None or planned.covers(prefix)
    if rule.fwmark or not rule.table:
        return False
    routes = [one for one in node.facts.routes if one.table == rule.table]
    to = [prefix_of(one.dst, one.family) for one in routes]
    return not to or any(
        one is not None and (one.prefixlen == 0 or planned.covers(one)) for one in to
    )


def _stale(node: MatchedNode, rule: Rule) -> Deviation:
    words = [f"from {rule.src or 'all'}{_length(rule.srclen)}"]
    words += [f"to {rule.dst}{_length(rule.dstlen)}"] * bool(rule.dst)
    words += [f"iif {rule.iif}"] * bool(rule.iif) + [f"oif {rule.oif}"] * bool(rule.oif)
    text = f"{rule.priority}: {' '.join(words)} lookup {rule.table or 'nothing'}"
    nic = node.names.get(rule.iif or rule.oif or "")
    family = "-6 " if rule.family == 6 else ""
    return Deviation(
        kind="stale-rule",
        node=node.name,
        nic=nic,
        found=text,
        reason=f"the rule '{text}' on {node.name} is not of the plan, and takes its packets to "
        "another table",
        fix=f"ip {family}rule del priority {rule.priority}, and look for its origin: an older plan",
    )


def _length(length: int | None) -> str:
    return f"/{length}" if length is not None else ""
