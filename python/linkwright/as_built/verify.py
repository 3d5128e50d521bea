"""The comparison of real machines with the plan of a network.

A fact that a machine could not give is no finding: a sentence says that it was not checked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from linkwright.as_built.cables import Cabling, compare_cables
from linkwright.as_built.checks import CHECKS
from linkwright.as_built.deviation import Deviation, worst_first
from linkwright.as_built.matched import Matched, matched
from linkwright.as_built.planned import Planned
from linkwright.errors import expect_kind
from linkwright.facts import ClusterFacts
from linkwright.network import Network
from linkwright.notebook import counted
from linkwright.plan.finding import Severity

__all__ = ["Verdict", "compare", "verify"]

MOST_NAMES = 8
"""Names that a sentence lists."""


@dataclass(frozen=True, eq=False)
class Verdict:
    """The real machines beside their plan.

    Attributes
    ----------
    network : Network
        The planned network.
    when : str
        Time of the facts.
    n_machines : int
        Number of machines that were compared.
    findings : tuple of Deviation
        Worst first.
    cabling : Cabling
        Planned and found cables, and the moves that mend them.
    not_checked : tuple of str
        Sentences about facts that are missing.
    """

    network: Network
    when: str
    n_machines: int
    findings: tuple[Deviation, ...]
    cabling: Cabling
    not_checked: tuple[str, ...]

    @property
    def answer(self) -> str:
        """The answer in one sentence."""
        n_cables = len(self.cabling.given)
        compared = counted(self.n_machines, "machine")
        if not self.findings:
            return f"{self.network.name} is as planned: {compared}, {counted(n_cables, 'cable')}."
        n_errors = sum(one.severity is Severity.ERROR for one in self.findings)
        n_warnings = len(self.findings) - n_errors
        parts = [
            *([counted(n_errors, "error")] if n_errors else []),
            *([counted(n_warnings, "warning")] if n_warnings else []),
        ]
        moves = self.cabling.moves
        mended = f"; {counted(len(moves), 'move')} of plugs mend the cabling" if moves else ""
        if len(moves) == 1:
            mended = "; 1 move of a plug mends the cabling"
        worst = self.findings[0].reason
        return (
            f"{self.network.name} is not as planned: {' and '.join(parts)} on {compared}{mended}. "
            f"First: {worst}."
        )

    def to_json(self) -> dict[str, Any]:
        """Return the verdict as a JSON value."""
        return {
            "findings": [one.to_json() for one in self.findings],
            "moves": [one.to_json() for one in self.cabling.moves],
            "not_checked": list(self.not_checked),
        }


def verify(network: Network, facts: ClusterFacts) -> Verdict:
    """Compare real machines with the plan of a network.

    Parameters
    ----------
    network : Network
        The compiled network, with all its parts.
    facts : ClusterFacts
        Facts of its machines.

    Raises
    ------
    UsageError
        If no machine of the facts is a node of the network.
    PlanError
        If the network cannot be set up on machines.
    """
    expect_kind("verify", network, Network)
    return compare(Planned(network), facts)


def compare(planned: Planned, facts: ClusterFacts) -> Verdict:
    """Compare real machines with a plan; else as `verify`."""
    machines = matched(planned, facts)
    cabling = compare_cables(planned, machines, facts)
    found = [*cabling.deviations, *(one for check in CHECKS for one in check(planned, machines))]
    return Verdict(
        network=planned.network,
        when=facts.when,
        n_machines=len(machines.nodes),
        findings=tuple(worst_first(found)),
        cabling=cabling,
        not_checked=tuple(_not_checked(machines, cabling)),
    )


def _not_checked(machines: Matched, cabling: Cabling) -> Iterator[str]:
    """Yield a sentence for the cables of machines without facts, and for each missing fact."""
    if cabling.left_out:
        names = ", ".join(one.name for one in cabling.left_out[:MOST_NAMES])
        more = len(cabling.left_out) - MOST_NAMES
        rest = f" and {more} more" if more > 0 else ""
        yield f"cables {names}{rest}: a machine at their ends has no facts"
    lacking: dict[tuple[str, str], list[str]] = {}
    for node in machines.nodes.values():
        for one in node.facts.missing:
            key = (one.fact, one.needs or one.reason)
            lacking.setdefault(key, []).append(node.name)
    for (fact, needs), nodes in lacking.items():
        yield f"{fact} of {', '.join(nodes)}: {needs}"
