"""`linkwright verify`: real machines against the plan, by their facts, and the moves of cables that
mend it, as a table, a page, JSON or CSV.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from linkwright.cli.formats import Format, json_text
from linkwright.cli.invocation import manifest_since
from linkwright.cli.options import DesignArgument, FormatOption, OutputOption, QuietOption
from linkwright.cli.output import destination
from linkwright.cli.terminal import say
from linkwright.cli.work import Report, work
from linkwright.errors import UsageError

if TYPE_CHECKING:
    from linkwright.facts import ClusterFacts

__all__ = ["verify"]


def verify(
    design: DesignArgument,
    facts: Annotated[
        Path | None,
        typer.Option("--facts", metavar="FILE", help="Facts, as `linkwright facts` writes them."),
    ] = None,
    hosts: Annotated[
        list[str] | None,
        typer.Option(
            "--hosts",
            metavar="HOSTS",
            help="Machines to ask now: n0=root@10.0.0.1,n1=box1, or a file; repeatable.",
        ),
    ] = None,
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
    from linkwright import as_built
    from linkwright.design.cluster import Cluster
    from linkwright.network import compile as compile_network
    from linkwright.views.verdict_page import verdict_page
    from linkwright.views.verdict_table import verdict_csv, verdict_table

    target = destination(shown, output, quiet=quiet, files_only=(Format.HTML,))
    started = datetime.now(UTC)
    if (facts is None) == (not hosts):
        raise UsageError(
            "verify compares facts of machines with a design, and needs one source of them",
            "give --facts FILE, or --hosts HOSTS to ask the machines now",
        )
    cluster = Cluster.load(design)

    def compare(report: Report) -> as_built.Verdict:
        found = _facts(facts, hosts or [], report)
        return as_built.verify(compile_network(cluster, report=report), found)

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


def _facts(file: Path | None, hosts: list[str], report: Report) -> ClusterFacts:
    """Return the facts of a file, or those that machines give now."""
    from linkwright.facts import ClusterFacts, gather
    from linkwright.machines.inventory import inventory
    from linkwright.machines.ssh import connections

    if file is not None:
        return ClusterFacts.load(file)
    with connections(inventory(",".join(hosts))) as machines:
        return gather(machines, report=report)
