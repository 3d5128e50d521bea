"""The end of `linkwright apply`: the machines that have the plan are compared with it, as by
`linkwright verify`. The plan stays, whatever is found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from linkwright.cli.asking_options import AskingOptions
from linkwright.cli.formats import Format
from linkwright.cli.terminal import say, show
from linkwright.cli.work import Report, work

if TYPE_CHECKING:
    from linkwright.as_built import Verdict
    from linkwright.cli.output import Destination
    from linkwright.machines.host import Host
    from linkwright.network import Network

__all__ = ["expect_as_planned"]


def expect_as_planned(
    network: Network, hosts: Sequence[Host], target: Destination, *, sudo: bool
) -> bool:
    """Compare machines with the plan that they have now, and show the findings.

    Parameters
    ----------
    network : Network
        The plan.
    hosts : sequence of Host
        The machines that have it, by the names of their nodes.
    target : Destination
        The destination of the command's answer: findings follow the table of changes; beside
        other formats there is the sentence alone, on stderr.
    sudo : bool
        Whether the questions that need root are asked by sudo.

    Returns
    -------
    bool
        Whether there is no finding that is an error.
    """
    from linkwright.plan.finding import Severity

    verdict = work(
        lambda report: _verdict(network, hosts, sudo, report), "comparing", quiet=target.quiet
    )
    if target.shown is Format.TABLE and verdict.findings:
        from linkwright.views.verdict_table import verdict_table

        show(verdict_table(verdict))
    else:
        say(verdict.answer, quiet=target.quiet)
    return not any(one.severity is Severity.ERROR for one in verdict.findings)


def _verdict(network: Network, hosts: Sequence[Host], sudo: bool, report: Report) -> Verdict:
    """Return the comparison of machines; nodes whose machines have not been changed are no loss."""
    from linkwright import as_built

    verdict = as_built.verify(network, AskingOptions(sudo=sudo).ask(hosts, report))
    names = {one.name for one in hosts}
    findings = (
        one for one in verdict.findings if one.kind != "missing-machine" or one.node in names
    )
    return replace(verdict, findings=tuple(findings))
