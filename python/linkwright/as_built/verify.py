"""The comparison of real machines with the plan of a network.

A fact that a machine could not give is no finding: a sentence says that it was not checked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from linkwright.as_built.cables import Cabling, compare_cables
from linkwright.as_built.checks import CHECKS
from linkwright.as_built.deviation import Deviation, worst_first
from linkwright.as_built.matched import Matched, matched
from linkwright.as_built.planned import Planned
from linkwright.as_built.summary import Statement, statements
from linkwright.errors import expect_kind
from linkwright.facts import ClusterFacts
from linkwright.network import Network
from linkwright.notebook import counted, listed
from linkwright.plan.finding import Severity

__all__ = ["Verdict", "compare", "verify"]

MOST_NAMES = 8
"""Names that a sentence lists."""
MOST_LACKING = 3
"""Facts that the answer names as not compared."""


@dataclass(frozen=True, eq=False)
class Verdict:
    """The real machines beside their plan.

    Attributes
    ----------
    network : Network
        The planned network.
    when : str
        Time of the facts.
    nodes : tuple of str
        Nodes whose machines were compared.
    findings : tuple of Deviation
        Worst first.
    cabling : Cabling
        Planned and found cables, and the moves that mend them.
    not_checked : tuple of str
        Sentences about facts that are missing.
    """

    network: Network
    when: str
    nodes: tuple[str, ...]
    findings: tuple[Deviation, ...]
    cabling: Cabling
    not_checked: tuple[str, ...]

    @cached_property
    def statements(self) -> list[Statement]:
        """The findings, with those of one cause as one."""
        return statements(self.findings, self.nodes)

    @property
    def answer(self) -> str:
        """The answer in one or two sentences, and the facts that were not compared."""
        name = self.network.name
        compared = counted(len(self.nodes), "machine")
        on = f" on {compared}" if self.nodes else ", and no machine was compared"
        if not self.findings:
            cables = counted(len(self.cabling.given), "cable")
            if not self.not_checked:
                return f"{name} is as planned: {compared}, {cables}."
            return (
                f"{name} is as planned as far as it was compared: {compared}, {cables}. "
                f"Not compared: {self._lacking}."
            )
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
        lacking = f" Not compared: {self._lacking}." if self.not_checked else ""
        return (
            f"{name} is not as planned: {' and '.join(parts)}{on}{mended}. "
            f"First: {self.statements[0].reason}.{lacking}"
        )

    @property
    def _lacking(self) -> str:
        """The subjects of the facts that were not compared."""
        return listed([one.partition(":")[0] for one in self.not_checked], MOST_LACKING)

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
        nodes=tuple(machines.nodes),
        findings=tuple(worst_first(found)),
        cabling=cabling,
        not_checked=tuple(_not_checked(machines, cabling)),
    )


def _not_checked(machines: Matched, cabling: Cabling) -> Iterator[str]:
    """Yield a sentence for the cables of machines without facts, and for each missing fact."""
    if cabling.left_out:
        names = listed([one.name for one in cabling.left_out], MOST_NAMES)
        is_one = len(cabling.left_out) == 1
        noun, ends = ("cable", "its ends") if is_one else ("cables", "their ends")
        yield f"{noun} {names}: a machine at {ends} is not compared"
    lacking: dict[tuple[str, str], list[str]] = {}
    for node in machines.nodes.values():
        for one in node.facts.missing:
            key = (one.fact, one.needs or one.reason)
            lacking.setdefault(key, []).append(node.name)
    for (fact, needs), nodes in lacking.items():
        yield f"{fact} of {listed(nodes, MOST_NAMES)}: {needs}"
