"""The proofs of `linkwright check`: one file per family of rules.

Each family is a function from a network (and facts about its surroundings) to findings in a stable
order. Nothing here changes a network or ends a program; the command line sets the exit code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from linkwright.errors import expect_kind
from linkwright.network import Network
from linkwright.plan.checks.bonds import check_bonds
from linkwright.plan.checks.by_interface import check_by_interface
from linkwright.plan.checks.connections import check_connections
from linkwright.plan.checks.hosts import check_hosts
from linkwright.plan.checks.islands import check_islands
from linkwright.plan.checks.lan import check_lan
from linkwright.plan.checks.load import check_load
from linkwright.plan.checks.management import check_management
from linkwright.plan.checks.marks import check_marks
from linkwright.plan.checks.mtu import check_mtu
from linkwright.plan.checks.ports import check_ports
from linkwright.plan.checks.reachability import check_reachability
from linkwright.plan.checks.shared_segments import check_shared_segments
from linkwright.plan.checks.soundness import check_soundness
from linkwright.plan.checks.switches import check_switches
from linkwright.plan.facts import Facts
from linkwright.plan.finding import Finding, Findings, Severity
from linkwright.progress import Report

__all__ = ["Finding", "Findings", "Severity", "check", "findings_of"]

_BY_SEVERITY = {severity: rank for rank, severity in enumerate(Severity)}


def check(
    network: Network,
    *,
    lan: Sequence[str] = (),
    report: Report | None = None,
) -> Findings:
    """Return all findings about a network, errors first.

    Parameters
    ----------
    network : Network
        The compiled network.
    lan : sequence of str
        Prefixes in use around the cluster, for example "10.0.0.0/16", which the plan must not
        overlap.
    report : callable, optional
        Called with the number of finished families of rules, of all, and the next one.

    Returns
    -------
    Findings
        A list, empty for a network without findings.

    Raises
    ------
    UsageError
        If `network` is not a Network, or `lan` has an entry that is not a prefix.
    """
    expect_kind("check", network, Network)
    return findings_of(Facts(network), lan=lan, report=report)


def findings_of(facts: Facts, *, lan: Sequence[str] = (), report: Report | None = None) -> Findings:
    """Return all findings about a network; else as `check`."""
    network = facts.network
    families: dict[str, Callable[[], Iterable[Finding]]] = {
        "checking addresses and cables": lambda: check_soundness(network),
        "looking for islands": lambda: check_islands(network),
        "following packets": lambda: check_reachability(network),
        "checking bonds": lambda: check_bonds(network),
        "checking tables by interface": lambda: check_by_interface(network),
        "checking marks": lambda: check_marks(network),
        "checking shared segments": lambda: check_shared_segments(network),
        "checking connections": lambda: check_connections(network),
        "checking ports": lambda: check_ports(network, facts.racked),
        "checking switches": lambda: check_switches(network),
        "checking packets": lambda: check_mtu(network),
        "checking the LAN ports": lambda: check_management(network),
        "checking the surroundings": lambda: check_lan(network, lan),
        "checking constants": lambda: check_hosts(network),
        "counting loads": lambda: check_load(network, facts.forwarding),
    }
    findings: list[Finding] = []
    for n_done, (what, family) in enumerate(families.items()):
        if report is not None:
            report(n_done, len(families), what)
        findings.extend(family())
    return Findings(sorted(findings, key=lambda finding: _BY_SEVERITY[finding.severity]))
