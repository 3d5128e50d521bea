"""`linkwright verify`: real machines against the plan, by their facts, and the moves of cables that
mend it, as a table, a page, JSON or CSV.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from linkwright.cli.asking_options import AskingOptions
from linkwright.cli.formats import Format, json_text
from linkwright.cli.given import refuse_unused
from linkwright.cli.invocation import manifest_since
from linkwright.cli.options import DesignArgument, FormatOption, OutputOption, QuietOption
from linkwright.cli.output import destination
from linkwright.cli.streams import outlive_readers
from linkwright.cli.terminal import say
from linkwright.cli.work import Report, work
from linkwright.errors import UsageError

if TYPE_CHECKING:
    from linkwright.facts import ClusterFacts
    from linkwright.network import Network

__all__ = ["verify"]


@dataclass(frozen=True)
class SourceOptions:
    """Where the facts come from."""

    facts: Annotated[
        Path | None,
        typer.Option("--facts", metavar="FILE", help="Facts, as `linkwright facts` writes them."),
    ] = None
    hosts: Annotated[
        list[str] | None,
        typer.Option(
            "--hosts",
            metavar="HOSTS",
            help="Machines to ask now: n0=root@10.0.0.1,n1=box1, or a file; repeatable.",
        ),
    ] = None
    files: Annotated[
        Path | None,
        typer.Option(
            "--files",
            metavar="DIR",
            help="Files of network managers, a folder per machine, which namespaces load; root.",
        ),
    ] = None
    probe: Annotated[
        bool,
        typer.Option(
            "--probe", help="With --hosts: find the cables by frames of the ports; needs root."
        ),
    ] = False

    def check(self) -> None:
        """Refuse options that give no source, several, or have no effect.

        Raises
        ------
        UsageError
            If they do.
        """
        if sum((self.facts is not None, bool(self.hosts), self.files is not None)) != 1:
            raise UsageError(
                "facts of machines are compared with a design, and come from one source",
                "give --facts FILE, --hosts HOSTS to ask the machines now, or --files DIR",
            )
        if not self.hosts:
            reason = "no machine is asked without --hosts"
            refuse_unused(reason, "probe", "jobs", "timeout_s", "sudo")

    def read(self, network: Network, asking: AskingOptions, report: Report) -> ClusterFacts:
        """Return the facts of a file, or those that machines give now."""
        from linkwright.as_built.loaded_files import facts_of_files
        from linkwright.facts import ClusterFacts
        from linkwright.machines.inventory import inventory

        if self.facts is not None:
            return ClusterFacts.load(self.facts)
        if self.files is not None:
            return facts_of_files(network, self.files, report)
        chosen = inventory(",".join(self.hosts or []))
        return asking.ask(chosen, report, probed_for=network if self.probe else None)


def verify(
    design: DesignArgument,
    source: SourceOptions,
    asking: AskingOptions,
    shown: FormatOption = None,
    output: OutputOption = None,
    quiet: QuietOption = False,
) -> None:
    """Compare real machines with the plan.

    Finds swapped, missing, extra and slow cables, wrong ports, MTUs, addresses, routes, rules and
    kernel parameters, firewalls that drop forwarded packets, addresses that no boot keeps, and
    settings of jobs that name another network; and lists the fewest moves of plugs that mend the
    cabling. `linkwright list findings` shows all kinds. -o takes .json, .csv, .txt and .html: a
    page for the phone in front of the rack, with wrong cables in red and the moves numbered. Exit
    code: 0 if the machines are as planned, 1 with findings.
    """
    outlive_readers()
    from linkwright import as_built
    from linkwright.design.cluster import Cluster
    from linkwright.network import compile as compile_network
    from linkwright.views.verdict_page import verdict_page
    from linkwright.views.verdict_table import verdict_csv, verdict_table

    target = destination(shown, output, quiet=quiet, files_only=(Format.HTML,))
    started = datetime.now(UTC)
    source.check()
    cluster = Cluster.load(design)

    def compare(report: Report) -> as_built.Verdict:
        network = compile_network(cluster, report=report)
        return as_built.verify(network, source.read(network, asking, report))

    verdict = work(compare, "comparing", quiet=quiet)
    target.deliver(
        {
            Format.TABLE: lambda: verdict_table(verdict),
            Format.JSON: lambda: json_text(verdict.to_json()),
            Format.CSV: lambda: verdict_csv(verdict),
            Format.HTML: lambda: verdict_page(verdict, manifest_since(started)),
        }
    )
    if target.shown is None:
        say(verdict.answer, quiet=quiet)
    if verdict.findings:
        raise typer.Exit(1)
