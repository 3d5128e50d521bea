"""`linkwright saturate`: the loads of traffic patterns on a design, and the rate at which the first
resource is full.

No workload is run: the loads follow from the routes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from linkwright.cli import completion
from linkwright.cli.options import (
    CalibrationOption,
    ConstantsOption,
    DesignArgument,
    FormatOption,
    OutputOption,
    QuietOption,
    settings_of,
)
from linkwright.cli.rows import row_destination, show_rows
from linkwright.cli.run_options import hosts_named
from linkwright.cli.work import Report, work

if TYPE_CHECKING:
    from linkwright.results import Result

__all__ = ["saturate"]


def saturate(
    design: DesignArgument,
    pattern: Annotated[
        str | None,
        typer.Option(
            "--pattern",
            "-p",
            autocompletion=completion.patterns,
            help="Pattern of senders and receivers (default: all patterns).",
        ),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Setting of the pattern; repeatable."),
    ] = None,
    calibration: CalibrationOption = None,
    constants: ConstantsOption = None,
    shown: FormatOption = None,
    output: OutputOption = None,
    quiet: QuietOption = False,
) -> None:
    """Find the rate at which a network is full.

    For each pattern of traffic: the user data per second and node at which the first link, hub,
    backplane or processor is full, the name of that resource, and the loads of the busiest link and
    forwarder per packet that a node injects.
    """
    from linkwright import engines, workloads
    from linkwright.design.cluster import Cluster
    from linkwright.errors import UsageError
    from linkwright.network import compile as compile_network

    target = row_destination(shown, output, quiet=quiet)
    if settings and pattern is None:
        raise UsageError("--set needs a pattern", "name it with --pattern")
    chosen = None
    if pattern is not None:
        chosen = [workloads.parse_pattern(pattern, settings_of("--set", settings))]
    cluster = Cluster.load(design)
    hosts = hosts_named(calibration or cluster.calibration, constants)

    def count(_: Report) -> Result:
        return engines.saturate(compile_network(cluster), chosen, calibration=hosts)

    result = work(count, "counting loads", quiet=quiet)
    show_rows(result, target)
