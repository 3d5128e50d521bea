"""`linkwright check`: what is wrong or worth knowing about a design, or about what is left of it
when parts died, as a table, a page, JSON or CSV.
"""

from __future__ import annotations

from dataclasses import fields
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from linkwright.cli import completion
from linkwright.cli.formats import Format, json_text
from linkwright.cli.invocation import manifest_since
from linkwright.cli.options import (
    DesignArgument,
    FormatOption,
    OutputOption,
    QuietOption,
    WithoutOption,
    part_names,
)
from linkwright.cli.output import destination
from linkwright.cli.terminal import Report, say, work
from linkwright.text.csv_text import csv_text

if TYPE_CHECKING:
    from linkwright.network import Network
    from linkwright.plan import FailureProof, Finding

__all__ = ["check"]


def check(
    design: DesignArgument,
    lan: Annotated[
        list[str] | None,
        typer.Option("--lan", help="Prefix in use around the cluster; may be given several times."),
    ] = None,
    without: WithoutOption = None,
    failures: Annotated[
        str,
        typer.Option(
            "--failures",
            metavar="WHICH",
            autocompletion=completion.failures,
            help="single, pairs or none; after a colon one kind of part only, as in pairs:switch.",
        ),
    ] = "single",
    return_paths: Annotated[
        bool,
        typer.Option(
            "--return-paths", help="Count what reverse-path filters drop even if it takes long."
        ),
    ] = False,
    shown: FormatOption = None,
    output: OutputOption = None,
    quiet: QuietOption = False,
) -> None:
    """Prove a design, or say what is wrong with it.

    Addresses, reachability, loops, slots and ports, forwarding load; and for every single failure
    of a cable, NIC, hub, switch or node who goes on by itself, who after new tables, and who is cut
    off. With --without all that of what is left. Ends with exit code 1 when a finding is an error.
    -o takes .json, .csv, .txt and .html: a page with the drawing of the network, in which one fails
    a part and sees who loses what.
    """
    from rich.console import Group

    from linkwright import plan
    from linkwright.design.cluster import Cluster
    from linkwright.network import compile as compile_network
    from linkwright.views.check_page import check_page
    from linkwright.views.rerouting import rerouting_record, rerouting_table
    from linkwright.views.tables import findings_table

    target = destination(shown, output, quiet=quiet, files_only=(Format.HTML,))
    started = datetime.now(UTC)
    cluster = Cluster.load(design)

    def prove(report: Report) -> tuple[Network, list[Finding], FailureProof | None, str]:
        network = compile_network(cluster, without=part_names(without), report=report)
        findings = plan.check(network, lan=lan or (), report=report)
        tried = _failures(network, failures, report, return_paths=return_paths)
        return network, findings, *tried

    network, findings, proof, left_out = work(prove, "checking", quiet=quiet)
    headings = [column.name for column in fields(plan.Finding)]
    records = [finding.to_json() for finding in findings]
    costs = None if proof is None else rerouting_record(proof)
    tables = [findings_table(findings), *([] if proof is None else [rerouting_table(proof)])]
    target.deliver(
        {
            Format.TABLE: lambda: Group(*tables),
            Format.JSON: lambda: json_text({"findings": records, "survival": costs}),
            Format.CSV: lambda: csv_text(headings, [list(one.values()) for one in records]),
            Format.HTML: lambda: check_page(network, findings, proof, manifest_since(started)),
        }
    )
    if left_out:
        say(left_out, quiet=quiet)
    if any(finding.severity is plan.Severity.ERROR for finding in findings):
        raise typer.Exit(1)


def _failures(
    network: Network, failures: str, report: Report, *, return_paths: bool
) -> tuple[FailureProof | None, str]:
    """Return what failures cost, or nothing and why they were not tried."""
    from linkwright import plan

    left_out = "" if failures == "none" else plan.why_not_proved(network)
    if failures == "none" or left_out:
        return None, left_out

    def tell(n_done: int, n_all: int) -> None:
        report(n_done, n_all, "trying failures")

    return plan.rerouting(network, failures, return_paths=return_paths, report=tell), ""
