"""`linkwright check`: findings about a design, or about the rest of it after failures, as a table,
a page, JSON or CSV.
"""

from __future__ import annotations

from dataclasses import fields
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from linkwright.cli import completion
from linkwright.cli.formats import Format, json_text
from linkwright.cli.given import refuse_unused
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
from linkwright.cli.played import played_check
from linkwright.cli.terminal import say
from linkwright.cli.work import Report, work
from linkwright.text.csv_text import csv_text

if TYPE_CHECKING:
    from rich.console import RenderableType

    from linkwright.comparison.detours import Detours
    from linkwright.network import Network
    from linkwright.plan import FailureProof, Finding

__all__ = ["check"]


def check(
    design: DesignArgument,
    lan: Annotated[
        list[str] | None,
        typer.Option("--lan", help="Prefix in use around the cluster; repeatable."),
    ] = None,
    without: WithoutOption = None,
    failures: Annotated[
        str,
        typer.Option(
            "--failures",
            metavar="WHICH",
            autocompletion=completion.failures,
            help="single, pairs or none; append a kind of part to try only that, as pairs:switch.",
        ),
    ] = "single",
    return_paths: Annotated[
        bool,
        typer.Option(
            "--return-paths", help="Count drops by reverse-path filters even if that takes long."
        ),
    ] = False,
    shown: FormatOption = None,
    output: OutputOption = None,
    quiet: QuietOption = False,
) -> None:
    """Prove a design, or list its mistakes.

    Checks addresses, reachability, loops, slots and ports, and forwarding load. For each single
    failure of a cable, NIC, hub, switch or node: whether it heals by itself, needs new tables or
    cuts nodes off, and which connections end. With --without, the same for the surviving network.
    Exit code 1 if a finding is an error. -o takes .json, .csv, .txt and .html: a page with the
    drawing of the network, in which a click fails a part and shows the lost connections.
    """
    from linkwright import plan
    from linkwright.design.cluster import Cluster
    from linkwright.network import compile as compile_network
    from linkwright.views.rerouting import rerouting_record

    target = destination(shown, output, quiet=quiet, files_only=(Format.HTML,))
    _refuse_ignored(failures)
    started = datetime.now(UTC)
    cluster = Cluster.load(design)

    def prove(report: Report) -> tuple[Network, list[Finding], FailureProof | None, str, Detours]:
        gone = part_names(without)
        network = compile_network(cluster, without=gone, may_lack_ports=not gone, report=report)
        findings = plan.check(network, lan=lan or (), report=report)
        tried = _failures(network, failures, report, return_paths=return_paths)
        return network, findings, *tried, _detours(network, tried[0])

    network, findings, proof, left_out, detours = work(prove, "checking", quiet=quiet)
    records = [finding.to_json() for finding in findings]
    costs = None if proof is None else rerouting_record(proof, detours)
    target.deliver(
        {
            Format.TABLE: lambda: _table(network, findings, proof, detours),
            Format.JSON: lambda: json_text({"findings": records, "rerouting": costs}),
            Format.CSV: lambda: _csv(records),
            Format.HTML: lambda: _page(network, findings, proof, started, quiet=quiet),
        }
    )
    say(left_out, quiet=quiet or not left_out)
    if any(finding.severity is plan.Severity.ERROR for finding in findings):
        raise typer.Exit(1)


def _table(
    network: Network, findings: list[Finding], proof: FailureProof | None, detours: Detours
) -> RenderableType:
    """Return the answer, the findings and the cost of failures for the terminal."""
    from rich.console import Group
    from rich.text import Text

    from linkwright.views.check_answer import check_answer
    from linkwright.views.rerouting import rerouting_table
    from linkwright.views.tables import findings_table

    answer = check_answer(network.name, findings, proof)
    parts = [Text(answer.text, "bold"), findings_table(findings)]
    return Group(*parts, *([] if proof is None else [rerouting_table(proof, detours)]))


def _csv(records: list[dict[str, str]]) -> str:
    from linkwright.plan import Finding

    headings = [column.name for column in fields(Finding)]
    return csv_text(headings, [list(one.values()) for one in records])


def _refuse_ignored(failures: str) -> None:
    if failures == "none":
        refuse_unused("drops are counted while parts fail, and none does", "return_paths")


def _page(
    network: Network,
    findings: list[Finding],
    proof: FailureProof | None,
    started: datetime,
    *,
    quiet: bool,
) -> str:
    """Return the page of the check, with a broadcast on the network played where it can be."""
    from linkwright.views.check_page import check_page

    origin = manifest_since(started)
    played = work(lambda report: played_check(network, origin, report), "playing", quiet=quiet)
    return check_page(network, findings, proof, origin, played=played)


def _detours(network: Network, proof: FailureProof | None) -> Detours:
    """Return the pairs of nodes that take another way after failures."""
    from linkwright.comparison.detours import detours, hop_times
    from linkwright.plan.failures import failures_of

    if proof is None or not any(one.n_rerouted for one in proof.impacts):
        return {}
    return detours(network, failures_of(network, proof.failures), proof, hop_times(network))


def _failures(
    network: Network, failures: str, report: Report, *, return_paths: bool
) -> tuple[FailureProof | None, str]:
    """Return the cost of failures, or None and the reason why none was tried."""
    from linkwright import plan

    left_out = "" if failures == "none" else plan.why_not_proved(network)
    if failures == "none" or left_out:
        return None, left_out

    def tell(n_done: int, n_all: int) -> None:
        report(n_done, n_all, "trying failures")

    return plan.rerouting(network, failures, return_paths=return_paths, report=tell), ""
