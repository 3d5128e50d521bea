"""The options of commands that ask machines over ssh, and the asking itself.

Connections end with the answers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from linkwright.cli.work import Report
    from linkwright.facts import ClusterFacts
    from linkwright.machines.host import Host
    from linkwright.network import Network

__all__ = ["AskingOptions"]


@dataclass(frozen=True)
class AskingOptions:
    """How machines are asked."""

    jobs: Annotated[
        int, typer.Option("--jobs", "-j", min=1, max=256, help="Machines asked at the same time.")
    ] = 32
    timeout_s: Annotated[
        float,
        typer.Option(
            "--timeout", metavar="S", min=1, max=3600, help="Seconds in which a machine answers."
        ),
    ] = 60
    sudo: Annotated[
        bool, typer.Option("--sudo", help="Ask the questions that need root by `sudo -n`.")
    ] = False

    def ask(
        self,
        hosts: Sequence[Host],
        report: Report,
        *,
        probed_for: Network | None = None,
        bring_up: bool = False,
    ) -> ClusterFacts:
        """Return the facts of machines; those of a network's ports with their cables, by a probe.

        Parameters
        ----------
        hosts : sequence of Host
            Machines to ask; those with an archive have answered already.
        report : callable
            Called with each machine that has answered or failed.
        probed_for : Network, optional
            Network whose ports send frames. Default: no probe.
        bring_up : bool
            Whether ports that are down are up for the time of the probe.
        """
        from linkwright.as_built.probed import probed
        from linkwright.facts import gather
        from linkwright.facts.carried import read_archive
        from linkwright.machines.ssh import connections

        carried = [read_archive(one.name, one.archive) for one in hosts if one.archive]
        with connections([one for one in hosts if not one.archive]) as machines:
            asked = gather(
                machines,
                at_once=self.jobs,
                timeout_s=self.timeout_s,
                as_root=self.sudo,
                report=report,
            )
            found = asked.joined(carried, [one.name for one in hosts])
            if probed_for is None:
                return found
            return probed(
                probed_for, machines, found, bring_up=bring_up, as_root=self.sudo, report=report
            )
