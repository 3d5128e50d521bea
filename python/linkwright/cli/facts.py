"""`linkwright facts`: the facts of machines that are up, asked by ssh, as one file.

Nothing is changed on a machine.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from linkwright.cli.asking_options import AskingOptions
from linkwright.cli.formats import Format, json_text
from linkwright.cli.options import FormatOption, OutputOption, QuietOption
from linkwright.cli.output import destination, file_of
from linkwright.cli.streams import outlive_readers
from linkwright.cli.terminal import say_error, show
from linkwright.cli.work import Report, work
from linkwright.errors import UsageError
from linkwright.files import write_atomically

if TYPE_CHECKING:
    from linkwright.facts import ClusterFacts

__all__ = ["facts"]


HostsArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="HOSTS",
        help="Machines: n0=root@10.0.0.1 n1=box1 n2=n2.tar, a file with hosts, an inventory of "
        "Ansible, or a design.",
    ),
]
ProbeOption = Annotated[
    Path | None,
    typer.Option(
        "--probe",
        metavar="DESIGN",
        help="Find the cables by frames that the ports of this design send; needs root.",
    ),
]
BringUpOption = Annotated[
    bool, typer.Option("--bring-up", help="Bring ports that are down up for the time of --probe.")
]


AnonymousOption = Annotated[
    bool,
    typer.Option(
        "--anonymous",
        help="Replace names, hardware addresses, serial numbers and public addresses by others.",
    ),
]
ScriptOption = Annotated[
    bool,
    typer.Option(
        "--script",
        help="Write a script for machines without ssh or Python, whose archives are HOSTS.",
    ),
]


def facts(
    asking: AskingOptions,
    hosts: HostsArgument = None,
    probe: ProbeOption = None,
    bring_up: BringUpOption = False,
    anonymous: AnonymousOption = False,
    script: ScriptOption = False,
    shown: FormatOption = None,
    output: OutputOption = None,
    quiet: QuietOption = False,
) -> None:
    """Ask machines over ssh for all that matters to their network.

    One session per machine, which only reads: links, addresses, routes of all tables, rules,
    neighbours, offloads, kernel parameters, and the manager of the network. The list of missing
    facts has the remedy of each. With --probe, frames of a local EtherType pass the cables for some
    seconds. Exit code: 1 if a machine does not answer.
    """
    outlive_readers()
    from linkwright.design.cluster import Cluster
    from linkwright.facts.anonymous import anonymous as disguised
    from linkwright.facts.unreached import by_cause
    from linkwright.machines.inventory import inventory
    from linkwright.network import compile as compile_network
    from linkwright.views.facts_table import facts_csv, facts_table

    if script:
        _write_script(output, hosts)
        return
    target = destination(shown, output, quiet=quiet)
    if bring_up and probe is None:
        raise UsageError("--bring-up is for --probe", "give --probe DESIGN too")
    chosen = inventory(",".join(hosts or []))
    network = None if probe is None else compile_network(Cluster.load(probe))

    def ask(report: Report) -> ClusterFacts:
        return asking.ask(chosen, report, probed_for=network, bring_up=bring_up)

    asked = work(ask, "asking machines", quiet=quiet)
    found = disguised(asked) if anonymous else asked
    target.deliver(
        {
            Format.TABLE: lambda: facts_table(found),
            Format.JSON: lambda: json_text(found.to_json()),
            Format.CSV: lambda: facts_csv(found),
        }
    )
    failures = {one.name: one.failure for one in found.machines if one.failure is not None}
    for _, reason, remedy in by_cause(failures):
        say_error(reason, remedy)
    if failures:
        raise typer.Exit(1)


def _write_script(output: Path | None, hosts: list[str] | None) -> None:
    """Write the script for machines without ssh or Python."""
    from linkwright.facts.script import script_text

    if hosts:
        raise UsageError(
            "--script writes a script and asks no machine", "leave HOSTS out, or --script"
        )
    file = file_of(output)
    if file is None:
        show(script_text())
    else:
        write_atomically(file, script_text())
