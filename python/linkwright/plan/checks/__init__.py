"""What `linkwright check` proves of a network: one file per family of rules.

Each family is a function from a network (and what the user told about the surroundings) to findings
in a stable order. Nothing here changes a network or ends a program; the exit code is the command
line's.
"""

from __future__ import annotations

from collections.abc import Sequence

from linkwright.errors import expect_kind
from linkwright.network import Network
from linkwright.plan.checks.bonds import check_bonds
from linkwright.plan.checks.lan import check_lan
from linkwright.plan.checks.load import check_load
from linkwright.plan.checks.ports import check_ports
from linkwright.plan.checks.reachability import check_reachability
from linkwright.plan.checks.soundness import check_soundness
from linkwright.plan.finding import Finding, Severity

__all__ = ["Finding", "Severity", "check"]

_BY_SEVERITY = {severity: rank for rank, severity in enumerate(Severity)}


def check(network: Network, *, lan: Sequence[str] = ()) -> list[Finding]:
    """Return everything that is wrong or worth knowing about a network, errors first.

    Parameters
    ----------
    network : Network
        The compiled network.
    lan : sequence of str
        Prefixes in use around the cluster, for example "10.0.0.0/16"; the plan must not overlap
        with them.

    Returns
    -------
    list of Finding
        Empty for a network with nothing to say.

    Raises
    ------
    UsageError
        When `network` is no Network, or `lan` holds something that is not a prefix.
    """
    expect_kind("check", network, Network)
    findings = [
        *check_soundness(network),
        *check_reachability(network),
        *check_bonds(network),
        *check_ports(network),
        *check_lan(network, lan),
        *check_load(network),
    ]
    return sorted(findings, key=lambda finding: _BY_SEVERITY[finding.severity])
