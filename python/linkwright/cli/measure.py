"""`linkwright measure`: a workload or the classes of paths on the machines of a cluster.

Nothing is measured here: the hardware engine and `measurement` do it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from linkwright.cli.asking_options import AskingOptions
from linkwright.cli.emulate_options import WorkloadOption
from linkwright.cli.given import refuse_unused
from linkwright.cli.options import (
    AnyHostsOption,
    CalibrationOption,
    DesignArgument,
    FormatOption,
    OutputOption,
    QuietOption,
    SettingsOption,
    settings_of,
)
from linkwright.cli.rows import page_of, paged_rows, show_rows
from linkwright.cli.run_options import PlacementOption
from linkwright.cli.streams import outlive_readers
from linkwright.cli.terminal import say
from linkwright.cli.work import Report, work
from linkwright.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from linkwright.calibrations import Calibration
    from linkwright.design.cluster import Cluster
    from linkwright.machines.host import Host
    from linkwright.measurement.machines import Site
    from linkwright.network import Network
    from linkwright.results import Result
    from linkwright.workloads import Workload

__all__ = ["measure"]

CommandArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[-- COMMAND...]",
        help="Command to run on the first node, with the settings of jobs of the plan.",
        show_default=False,
    ),
]
RepeatOption = Annotated[int, typer.Option("--repeat", min=1, help="Number of measurements.")]
LogOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--log",
        metavar="FILE",
        help="Log of iperf3 -J, OSU, NetPIPE, nccl-tests or perftest to read; repeatable. --set "
        "src=0 and dst=1 name the ends of point-to-point logs.",
        show_default=False,
    ),
]
ToggleOption = Annotated[
    bool,
    typer.Option(
        "--toggle-offloads",
        help="Where a forwarded path is slow, switch each offload of its nodes off for a "
        "measurement, and on again; needs root there.",
    ),
]


@dataclass(frozen=True)
class MeasureOptions:
    """The inputs of a measurement."""

    settings: SettingsOption = None
    repeat: RepeatOption = 1
    placement: PlacementOption = "row"
    calibration: CalibrationOption = None
    toggle_offloads: ToggleOption = False

    def expect_used(self, workload: str | None, command: list[str] | None) -> None:
        """Refuse options without an effect.

        Raises
        ------
        UsageError
            If there is one, or a workload and a command.
        """
        if command and workload is not None:
            raise UsageError("a workload and a command are two measurements", "ask for one of them")
        if command:
            names = ("settings", "repeat", "placement", "calibration", "toggle_offloads")
            refuse_unused("a command is no workload", *names, "shown", "output")
        elif workload is None:
            refuse_unused("settings and placement are those of a workload", "settings", "placement")
        else:
            refuse_unused("offloads are toggled on the paths of classes", "toggle_offloads")


def measure(
    design: DesignArgument,
    asking: AskingOptions,
    inputs: MeasureOptions,
    hosts: AnyHostsOption = None,
    command: CommandArgument = None,
    workload: WorkloadOption = None,
    log: LogOption = None,
    shown: FormatOption = None,
    output: OutputOption = None,
    quiet: QuietOption = False,
) -> None:
    """Measure a cluster that is up.

    With --workload, a process per rank plays it on the machines, as the other engines do in models.
    Machines need python3 alone; nothing remains on them, and all processes end with the command.
    Traffic leaves by ports of the fabric only: a route by another one is refused by name. The
    answer is rows of the one result schema, with the origin "measured".

    Without a workload, every class of paths is measured: each cable, each switch, twins, and paths
    over nodes that forward, with latency, throughput, loss and the load of these nodes. Problems
    that they show (wrong plane, slow cable, offload) are named. Exit code: 1 if there is one.

    -- COMMAND runs a program of yours on the first node, with lists of hosts and the settings of
    MPI, UCX, NCCL and Gloo in its environment, and exits with its code. --log reads the logs of
    programs that have run already, and asks no machine.
    """
    outlive_readers()
    from linkwright.design.cluster import Cluster
    from linkwright.machines.inventory import inventory, reachable
    from linkwright.network import compile as compile_network

    cluster, started = Cluster.load(design), datetime.now(UTC)
    if log:
        target, network = paged_rows(shown, output, quiet=quiet), compile_network(cluster)
        found = _with_design(_read(cluster, network, log, inputs), cluster)
        show_rows(found, target, page_of(network, found, started))
        return
    inputs.expect_used(workload, command)
    if not hosts:
        raise UsageError("no machines are named", "name them with --hosts, or logs with --log")
    chosen = reachable(inventory(",".join(hosts)), "measure")
    if command:
        raise typer.Exit(_call(compile_network(cluster), chosen, command, quiet=quiet))
    target, network = paged_rows(shown, output, quiet=quiet), compile_network(cluster)
    measured = _measurement(cluster, network, chosen, asking, workload, inputs)
    result, n_problems = work(measured, "measuring", quiet=quiet)
    found = _with_design(result, cluster)
    show_rows(found, target, page_of(network, found, started))
    if n_problems:
        raise typer.Exit(1)


def _read(cluster: Cluster, network: Network, logs: list[Path], inputs: MeasureOptions) -> Result:
    """Return the rows of logs."""
    from linkwright.measurement.logs import rows_of_logs

    unused = ("hosts", "workload", "command", "repeat", "placement", "toggle_offloads")
    refuse_unused("a log has been measured already", *unused)
    ends = settings_of("--set", inputs.settings)
    if ends.keys() - {"src", "dst"} or not all(one.isdecimal() for one in ends.values()):
        raise UsageError("--set of a log names its ends", "give numbers of nodes: src=0, dst=1")
    src, dst = int(ends.get("src", 0)), int(ends.get("dst", 1))
    calibration = inputs.calibration or cluster.calibration
    return rows_of_logs(network, logs, (src, dst), calibration)


def _with_design(result: Result, cluster: Cluster) -> Result:
    """Return rows with the design in their manifests."""
    fields = cluster.model_dump(mode="json", exclude_unset=True, by_alias=True)
    designs = dict.fromkeys(result.column("design_hash"), fields)
    changed = (one.model_copy(update={"designs": designs}) for one in result.manifests)
    return replace(result, manifests=tuple(changed))


def _measurement(
    cluster: Cluster,
    network: Network,
    chosen: Sequence[Host],
    asking: AskingOptions,
    workload: str | None,
    inputs: MeasureOptions,
) -> Callable[[Report], tuple[Result, int]]:
    """Return the measurement, whose inputs are all checked: rows, and the number of problems."""
    from linkwright import calibrations, workloads
    from linkwright.machines.ssh import connections
    from linkwright.measurement.machines import site
    from linkwright.measurement.survey import surveyed

    constants = calibrations.load(inputs.calibration or cluster.calibration)
    settings = settings_of("--set", inputs.settings)
    played = None if workload is None else workloads.parse(workload, settings)
    has_parts = bool(cluster.parts.model_fields_set)

    def measured(report: Report) -> tuple[Result, int]:
        facts = asking.ask(chosen, report)
        with connections(chosen) as machines, site(network, machines, facts) as found:
            if played is not None:
                return _observed(found, played, constants, inputs, report), 0
            made = surveyed(
                found,
                constants,
                repeats=inputs.repeat,
                has_parts=has_parts,
                with_toggles=inputs.toggle_offloads,
                report=report,
            )
            return made.result, len(made.problems)

    return measured


def _observed(
    found: Site, workload: Workload, hosts: Calibration, inputs: MeasureOptions, report: Report
) -> Result:
    """Return the rows of a workload on the machines."""
    from linkwright.engines import Run, observe

    run = Run.of(
        found.network,
        workload,
        engine="hardware",
        calibration=hosts,
        placement=inputs.placement,
        repeats=inputs.repeat,
        machines=found.fleet,
    )
    return observe(run, progress=report).result


def _call(network: Network, chosen: Sequence[Host], words: list[str], *, quiet: bool) -> int:
    """Run a command on the machine of the first node; return its exit code."""
    from linkwright.hardware.command import call
    from linkwright.machines.ssh import connections
    from linkwright.measurement.job import job_of

    job, first = job_of(network), network.device_names[0]
    if job.left_out:
        say(f"note: left out, as nodes differ in it: {', '.join(job.left_out)}", quiet=quiet)
    of_first = [one for one in chosen if one.name == first]
    if not of_first:
        names = ", ".join(one.name for one in chosen)
        raise UsageError(f"a command starts on {first}, which is not among {names}", "name it")
    with connections(of_first) as (machine,):
        return call(machine, words, texts=job.texts, environment=job.environment)
