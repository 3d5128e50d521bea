"""`linkwright simulate`: one workload on one design, and the frames of it if they are asked for.

Result rows are shown as they are; questions over many runs are studies. Long because the options of
the command are the parameters of its function.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from linkwright.cli import completion
from linkwright.cli.output import (
    CalibrationOption,
    Destination,
    EngineOption,
    Format,
    FormatOption,
    OutputOption,
    QuietOption,
    destination,
)
from linkwright.cli.terminal import Report, say, work

if TYPE_CHECKING:
    from linkwright.calibrations import Calibration
    from linkwright.results import Result
    from linkwright.workloads import Workload

__all__ = ["deliver_result", "hosts_of", "settings_of", "simulate"]

ConstantsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--host", metavar="KEY=VALUE", help="Constant of the hosts to change; repeatable."
    ),
]
BackgroundOption = Annotated[
    str | None,
    typer.Option(
        "--background",
        metavar="NAME",
        autocompletion=completion.backgrounds,
        help="What the front end sends meanwhile: keep-alive or file-server.",
    ),
]
BackgroundSettingsOption = Annotated[
    list[str] | None,
    typer.Option("--background-set", metavar="KEY=VALUE", help="Setting of that; repeatable."),
]
FaultOption = Annotated[
    list[str] | None,
    typer.Option(
        "--fault",
        metavar="FAULT",
        help='What goes wrong, as "cable:12 down at 1.5s up at 2s"; repeatable.',
    ),
]
FaultFileOption = Annotated[
    Path | None,
    typer.Option("--fault-file", help="File of faults, one per line.", show_default=False),
]


def simulate(
    design: Annotated[Path, typer.Argument(metavar="DESIGN", help="Design file.")],
    workload: Annotated[
        str,
        typer.Option(
            "--workload",
            "-w",
            autocompletion=completion.workloads,
            help="What runs.",
            show_default=False,
        ),
    ],
    engine: EngineOption = "packet",
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Setting of the workload; repeatable."),
    ] = None,
    repeat: Annotated[int, typer.Option("--repeat", min=1, help="Independent runs.")] = 1,
    seed: Annotated[
        int, typer.Option("--seed", min=0, max=2**32 - 1, help="Seed of the first run.")
    ] = 1,
    jobs: Annotated[
        int | None,
        typer.Option("--jobs", "-j", min=1, help="Runs at the same time; one per core."),
    ] = None,
    placement: Annotated[
        str,
        typer.Option(
            metavar="NODES",
            autocompletion=completion.placements,
            help="Which node each rank runs on: row, random, 2x2, local-pairs, remote-pairs, "
            "0,1,4,5 or @FILE.",
        ),
    ] = "row",
    background: BackgroundOption = None,
    background_settings: BackgroundSettingsOption = None,
    calibration: CalibrationOption = None,
    constants: ConstantsOption = None,
    precision: Annotated[
        float | None,
        typer.Option(
            help="Flow engine: how late shares may be, as a part of a transfer's time; 0 is exact. "
            "It bounds what stands idle, not the result of messages that wait for each other."
        ),
    ] = None,
    fault: FaultOption = None,
    fault_file: FaultFileOption = None,
    trace: Annotated[
        Path | None,
        typer.Option("--trace", help="Packet capture to write (pcapng).", show_default=False),
    ] = None,
    shown: FormatOption = None,
    output: OutputOption = None,
    quiet: QuietOption = False,
) -> None:
    """Run a workload on a design.

    What it measured is shown as rows of the one result schema.
    """
    from linkwright import engines, workloads
    from linkwright.design.cluster import Cluster
    from linkwright.errors import CapabilityError, UsageError
    from linkwright.files import check_writable, write_atomically
    from linkwright.network import compile as compile_network
    from linkwright.results import manifest_path

    target = destination(shown, output, quiet=quiet, beside=manifest_path)
    if trace is not None:
        check_writable(trace)
    chosen = workloads.parse(workload, settings_of("--set", settings or []))
    beside = _beside(background, background_settings or [])
    faults = [*(fault or []), *_faults_in(fault_file)]
    cluster = Cluster.load(design)
    hosts = hosts_of(calibration or cluster.calibration, constants or [])

    if trace is not None and (engine != "packet" or precision is not None):
        raise CapabilityError(
            "only the packet engine has frames to capture",
            "leave out --trace, or --engine and --precision",
        )
    if trace is not None and repeat > 1:
        raise UsageError("--trace captures one run", "leave out --repeat")

    def play(_: Report) -> tuple[Result, bytes]:
        network = compile_network(cluster)
        if trace is not None:
            return engines.trace(
                network,
                chosen,
                calibration=hosts,
                seed=seed,
                placement=placement,
                background=beside,
                faults=faults,
            )
        result = engines.run(
            network,
            chosen,
            engine=engine,
            calibration=hosts,
            seed=seed,
            repeats=repeat,
            n_jobs=jobs,
            placement=placement,
            background=beside,
            faults=faults,
            precision=precision,
        )
        return result, b""

    result, capture = work(play, f"simulating {workload}", quiet=quiet)
    if trace is not None:
        write_atomically(trace, capture)
        say(f"wrote {trace}", quiet=quiet)
    deliver_result(result, target)


def deliver_result(result: Result, target: Destination) -> None:
    """Show rows or write them, with what they come from beside them and what they leave out."""
    from linkwright.results import save_manifests
    from linkwright.views.tables import result_table

    for remark in result.remarks:
        say(f"note: {remark}", quiet=target.quiet)

    target.deliver(
        {
            Format.TABLE: lambda: result_table(result),
            Format.JSON: result.to_json,
            Format.CSV: result.to_csv,
        }
    )
    if target.file is not None:
        save_manifests(result, target.file)


def _beside(name: str | None, settings: list[str]) -> Workload | None:
    from linkwright import workloads
    from linkwright.errors import UsageError, shown, unknown_name

    if name is None and settings:
        raise UsageError(
            "--background-set changes the background, and there is none",
            "name it with --background",
        )
    if name is None:
        return None
    if name not in workloads.WORKLOADS:
        known = unknown_name(name, workloads.BACKGROUNDS)
        raise UsageError(f"there is no background {shown(name)}", known)
    return workloads.parse(name, settings_of("--background-set", settings))


def _faults_in(file: Path | None) -> list[str]:
    from linkwright.engines.faults import fault_lines
    from linkwright.files import MEBIBYTE, read_text

    if file is None:
        return []
    text = read_text(file, "", most_bytes=16 * MEBIBYTE, hint="name a file of faults, one per line")
    return fault_lines(text)


def hosts_of(calibration: str, pairs: list[str]) -> Calibration:
    """Return a calibration with the constants changed that options give as KEY=VALUE."""
    from linkwright import calibrations

    hosts = calibrations.load(calibration)
    changes = settings_of("--host", pairs)
    if not changes:
        return hosts
    return hosts.changed({key: calibrations.parsed(text) for key, text in changes.items()})


def settings_of(option: str, pairs: list[str]) -> dict[str, str]:
    """Return what an option that may be repeated gives as KEY=VALUE."""
    from linkwright.errors import UsageError, shown

    found: dict[str, str] = {}
    for pair in pairs:
        key, sign, value = pair.partition("=")
        if not sign or not key.strip():
            raise UsageError(f"{option} {shown(pair)} is no setting", f"write {option} KEY=VALUE")
        if key.strip() in found:
            raise UsageError(f"{option} gives {shown(key.strip())} twice", "keep one of the two")
        found[key.strip()] = value.strip()
    return found
