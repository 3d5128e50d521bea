"""Findings as people read them: those with one cause and one remedy are one statement.

Two causes make many findings. Machines that nothing was applied to yet lack all that the plan gives
them, and machines behind one fault of the management network do not answer. Files and JSON keep
every finding.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from linkwright.as_built.deviation import Deviation
from linkwright.facts.unreached import by_cause, reason_and_remedy
from linkwright.notebook import counted
from linkwright.plan.finding import Severity

__all__ = ["Statement", "statements"]

APPLY = "apply the plan: linkwright apply DESIGN --hosts HOSTS, or load its files"
NOT_YET = {
    "missing-interface": ("interfaces", "is missing", "are missing"),
    "interface-down": ("interfaces", "is off", "are off"),
    "wrong-mtu": ("MTUs", "differs", "differ"),
    "missing-address": ("addresses", "is missing", "are missing"),
    "missing-route": ("routes", "is missing", "are missing"),
    "missing-rule": ("rules", "is missing", "are missing"),
    "wrong-sysctl": ("kernel parameters", "differs", "differ"),
    "unkept-address": ("addresses in its files", "is in none", "are in none"),
    "wrong-name": ("names", "differs", "differ"),
    "segment-offload": ("offloads", "differs", "differ"),
}
"""Kinds of findings that go away when a plan is applied -> words for one and several of them."""
LEAST_NODES = 2
"""Machines from which a finding on all of them is one statement."""


@dataclass(frozen=True)
class Statement:
    """One or several findings of a kind.

    Attributes
    ----------
    kind : str
    severity : Severity
    place : str
        Node and interface, or the cable; empty where there are several.
    reason, fix : str
        As those of a finding.
    findings : tuple of Deviation
        Those that it stands for.
    """

    kind: str
    severity: Severity
    place: str
    reason: str
    fix: str
    findings: tuple[Deviation, ...]


def statements(findings: Sequence[Deviation], nodes: Collection[str]) -> list[Statement]:
    """Return findings as statements, in their order.

    Parameters
    ----------
    findings : sequence of Deviation
        Worst first.
    nodes : collection of str
        Nodes that were compared.
    """
    of_kind: dict[str, list[Deviation]] = {}
    for one in findings:
        of_kind.setdefault(one.kind, []).append(one)
    return [one for kind, own in of_kind.items() for one in _of_kind(kind, own, nodes)]


def _of_kind(
    kind: str, findings: Sequence[Deviation], nodes: Collection[str]
) -> Iterator[Statement]:
    if kind == "missing-machine":
        yield from _unreached(findings)
    elif kind in NOT_YET and len(nodes) >= LEAST_NODES and {o.node for o in findings} >= set(nodes):
        yield _not_yet(kind, findings)
    else:
        yield from (_alone(one) for one in findings)


def _alone(one: Deviation) -> Statement:
    return Statement(one.kind, one.severity, one.place, one.reason, one.fix, (one,))


def _not_yet(kind: str, findings: Sequence[Deviation]) -> Statement:
    noun, verb, verbs = NOT_YET[kind]
    n = len(findings)
    reason = f"no machine has all {noun} of the plan yet: {n:,} {verb if n == 1 else verbs}"
    return Statement(kind, findings[0].severity, "", reason, APPLY, tuple(findings))


def _unreached(findings: Sequence[Deviation]) -> Iterator[Statement]:
    """Yield a statement per cause."""
    by_node = {str(one.node): one for one in findings}
    lines = {node: f"{_cause(one)}; {one.fix}" for node, one in by_node.items()}
    for names, reason, fix in by_cause(lines):
        own = tuple(by_node[name] for name in names)
        if len(own) == 1:
            yield _alone(own[0])
        else:
            place = counted(len(own), "machine")
            yield Statement("missing-machine", own[0].severity, place, reason, fix, own)


def _cause(one: Deviation) -> str:
    """Return the sentence of a machine about itself."""
    _, between, cause = one.reason.partition(" is not compared: ")
    return reason_and_remedy(cause if between else one.reason)[0]
