"""`linkwright measure`: a workload or the classes of paths on the machines of a cluster.

Nothing is measured here: the hardware engine and `measurement` do it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from linkwright.cli import completion
from linkwright.cli.asking_options import AskingOptions
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
    shown: FormatOption = None,
    output: OutputOption = None,
    quiet: QuietOption = False,
) -> None:
    """Measure a cluster that is up.

    With --workload, a process per rank plays it on the machines, as the other engines do in models.
    Machines need python3 alone; nothing is written to them, and all processes end with the command.
    Traffic leaves by ports of the fabric only: a route by another one is refused by name. The
    answer is rows of the one result schema, with the origin "measured".
    """
    from linkwright import calibrations, workloads
    from linkwright.design.cluster import Cluster
    from linkwright.engines import Run, observe
    from linkwright.machines.inventory import inventory, reachable
    from linkwright.machines.ssh import connections
    from linkwright.measurement.machines import site
    from linkwright.network import compile as compile_network

    target = row_destination(shown, output, quiet=quiet)
    cluster = Cluster.load(design)
    chosen = reachable(inventory(",".join(hosts)), "measure")
    constants = calibrations.load(calibration or cluster.calibration)

    def played(found: Site, report: Report) -> Result:
        assert workload is not None
        made = Run.of(
            found.network,
            workloads.parse(workload, settings_of("--set", settings)),
            engine="hardware",
            calibration=constants,
            placement=placement,
            repeats=repeat,
            machines=found.fleet,
        )
        return observe(made, progress=report).result

    def measured(report: Report) -> Result:
        network = compile_network(cluster, report=report)
        facts = asking.ask(chosen, report)
        with connections(chosen) as machines, site(network, machines, facts) as found:
            return played(found, report)

    show_rows(work(measured, "measuring", quiet=quiet), target)
