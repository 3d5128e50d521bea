"""`linkwright measure`: a workload or the classes of paths on the machines of a cluster.

Nothing is measured here: the hardware engine and `measurement` do it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from linkwright.cli import completion
from linkwright.cli.asking_options import AskingOptions
from linkwright.cli.given import refuse_unused
from linkwright.cli.options import (
    CalibrationOption,
    DesignArgument,
    FormatOption,
    HostsOption,
    OutputOption,
    QuietOption,
    SettingsOption,
    settings_of,
)
from linkwright.cli.rows import row_destination, show_rows
from linkwright.cli.run_options import PlacementOption
from linkwright.cli.work import Report, work

if TYPE_CHECKING:
    from linkwright.measurement.machines import Site
    from linkwright.results import Result
    from linkwright.workloads import Workload

__all__ = ["measure"]

WorkloadOption = Annotated[
    str | None,
    typer.Option(
        "--workload",
        "-w",
        autocompletion=completion.workloads,
        help="Workload to play by a process per rank.",
        show_default=False,
    ),
]
RepeatOption = Annotated[int, typer.Option("--repeat", min=1, help="Number of measurements.")]


def measure(
    design: DesignArgument,
    asking: AskingOptions,
    hosts: HostsOption,
    workload: WorkloadOption = None,
    settings: SettingsOption = None,
    repeat: RepeatOption = 1,
    placement: PlacementOption = "row",
    calibration: CalibrationOption = None,
    toggle_offloads: Annotated[
        bool,
        typer.Option(
            "--toggle-offloads",
            help="Where a forwarded path is slow, switch each offload of its nodes off for a "
            "measurement, and on again; needs root there.",
        ),
    ] = False,
    shown: FormatOption = None,
    output: OutputOption = None,
    quiet: QuietOption = False,
) -> None:
    """Measure a cluster that is up.

    With --workload, a process per rank plays it on the machines, as the other engines do in models.
    Machines need python3 alone; nothing is written to them, and all processes end with the command.
    Traffic leaves by ports of the fabric only: a route by another one is refused by name. The
    answer is rows of the one result schema, with the origin "measured".

    Without a workload, every class of paths is measured: each cable, each switch, twins, and paths
    over nodes that forward, with latency, throughput, loss and the load of these nodes. Problems
    that they show (wrong plane, slow cable, offload) are named. Exit code: 1 if there is one.
    """
    from linkwright import calibrations
    from linkwright.design.cluster import Cluster
    from linkwright.machines.inventory import inventory, reachable
    from linkwright.machines.ssh import connections
    from linkwright.measurement.machines import site
    from linkwright.measurement.survey import surveyed
    from linkwright.network import compile as compile_network

    if workload is None:
        refuse_unused("settings and placement are those of a workload", "settings", "placement")
    else:
        refuse_unused("offloads are toggled on the paths of classes", "toggle_offloads")
    target = row_destination(shown, output, quiet=quiet)
    cluster = Cluster.load(design)
    chosen = reachable(inventory(",".join(hosts)), "measure")
    constants = calibrations.load(calibration or cluster.calibration)
    played = None if workload is None else _workload(workload, settings)

    def measured(report: Report) -> tuple[Result, int]:
        network = compile_network(cluster, report=report)
        facts = asking.ask(chosen, report)
        with connections(chosen) as machines, site(network, machines, facts) as found:
            if played is not None:
                inputs = {"calibration": constants, "placement": placement, "repeats": repeat}
                return _observed(found, played, inputs, report), 0
            made = surveyed(
                found,
                constants,
                repeats=repeat,
                has_parts=bool(cluster.parts.model_fields_set),
                with_toggles=toggle_offloads,
                report=report,
            )
            return made.result, len(made.problems)

    result, n_problems = work(measured, "measuring", quiet=quiet)
    show_rows(result, target)
    if n_problems:
        raise typer.Exit(1)


def _workload(name: str, settings: list[str] | None) -> Workload:
    from linkwright import workloads

    return workloads.parse(name, settings_of("--set", settings))


def _observed(found: Site, workload: Workload, inputs: dict[str, Any], report: Report) -> Result:
    """Return the rows of a workload on the machines."""
    from linkwright.engines import Run, observe

    run = Run.of(found.network, workload, engine="hardware", machines=found.fleet, **inputs)
    return observe(run, progress=report).result
