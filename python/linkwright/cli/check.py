"""`linkwright check`: what is wrong or worth knowing about a design, or about what is left of it
when parts died, as a table, a page, JSON or CSV.
"""

from __future__ import annotations

from dataclasses import asdict, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from linkwright.cli.invocation import manifest_since
from linkwright.cli.output import (
    Format,
    FormatOption,
    OutputOption,
    QuietOption,
    csv_text,
    destination,
    json_text,
)
from linkwright.cli.plan import WithoutOption, part_names
from linkwright.cli.terminal import Report, work

if TYPE_CHECKING:
    from linkwright.network import Network
    from linkwright.plan import Finding

__all__ = ["check"]


def check(
    design: Annotated[Path, typer.Argument(metavar="DESIGN", help="Design file.")],
    lan: Annotated[
        list[str] | None,
        typer.Option("--lan", help="Prefix in use around the cluster; may be given several times."),
    ] = None,
    without: WithoutOption = None,
    shown: FormatOption = None,
    output: OutputOption = None,
    quiet: QuietOption = False,
) -> None:
    """Prove a design, or say what is wrong with it.

    Addresses, reachability, loops, slots and ports, forwarding load; with --without those of what
    is left. Ends with exit code 1 when a finding is an error. -o takes .json, .csv, .txt and .html:
    a page with the drawing of the network, in which one fails a part and sees who loses what.
    """
    from linkwright import plan
    from linkwright.design.cluster import Cluster
    from linkwright.network import compile as compile_network
    from linkwright.views.check_page import check_page
    from linkwright.views.tables import findings_table

    target = destination(shown, output, quiet=quiet, has_page=True)
    started = datetime.now(UTC)
    cluster = Cluster.load(design)

    def prove(_: Report) -> tuple[Network, list[Finding]]:
        network = compile_network(cluster, without=part_names(without))
        return network, plan.check(network, lan=lan or ())

    network, findings = work(prove, "checking", quiet=quiet)
    headings = [column.name for column in fields(plan.Finding)]
    records = [{name: str(value) for name, value in asdict(one).items()} for one in findings]
    target.deliver(
        {
            Format.TABLE: lambda: findings_table(findings),
            Format.JSON: lambda: json_text(records),
            Format.CSV: lambda: csv_text(headings, [list(one.values()) for one in records]),
            Format.HTML: lambda: check_page(network, findings, manifest_since(started)),
        }
    )
    if any(finding.severity is plan.Severity.ERROR for finding in findings):
        raise typer.Exit(1)
