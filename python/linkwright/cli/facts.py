"""`linkwright facts`: the facts of machines that are up, asked by ssh, as one file.

Nothing is changed on a machine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from linkwright.cli.formats import Format, json_text
from linkwright.cli.options import FormatOption, OutputOption, QuietOption
from linkwright.cli.output import destination
from linkwright.cli.work import Report, work

if TYPE_CHECKING:
    from linkwright.facts import ClusterFacts

__all__ = ["facts"]


def facts(
    hosts: Annotated[
        list[str],
        typer.Argument(
            metavar="HOSTS",
            help="Machines: n0=root@10.0.0.1 n1=box1, a file with hosts, an inventory of Ansible, "
            "or a design.",
        ),
    ],
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", min=1, max=256, help="Machines asked at the same time.")
    ] = 32,
    timeout_s: Annotated[
        float,
        typer.Option(
            "--timeout", metavar="S", min=1, max=3600, help="Seconds in which a machine answers."
        ),
    ] = 60,
    sudo: Annotated[
        bool, typer.Option("--sudo", help="Ask the questions that need root by `sudo -n`.")
    ] = False,
    shown: FormatOption = None,
    output: OutputOption = None,
    quiet: QuietOption = False,
) -> None:
    """Ask machines over ssh for all that matters to their network.

    One session per machine, which only reads: links, addresses, routes of all tables, rules,
    neighbours, offloads, kernel parameters, and the manager of the network. The list of missing
    facts has the remedy of each. Exit code: 1 if a machine does not answer.
    """
    from linkwright.facts import gather
    from linkwright.machines.inventory import inventory
    from linkwright.machines.ssh import connections
    from linkwright.views.facts_table import facts_csv, facts_table

    target = destination(shown, output, quiet=quiet)
    chosen = inventory(",".join(hosts))

    def ask(report: Report) -> ClusterFacts:
        with connections(chosen) as machines:
            return gather(machines, at_once=jobs, timeout_s=timeout_s, as_root=sudo, report=report)

    found = work(ask, "asking machines", quiet=quiet)
    target.deliver(
        {
            Format.TABLE: lambda: facts_table(found),
            Format.JSON: lambda: json_text(found.to_json()),
            Format.CSV: lambda: facts_csv(found),
        }
    )
    if any(one.failure is not None for one in found.machines):
        raise typer.Exit(1)
