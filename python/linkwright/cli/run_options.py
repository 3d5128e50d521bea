"""Options of a run, and the group of those that `linkwright simulate` turns into a `Run`.

An input of runs is added here: its option, its field, and its keyword of `Run.of`.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from linkwright.cli import completion
from linkwright.cli.options import (
    CalibrationOption,
    ConstantsOption,
    EngineOption,
    JobsOption,
    SettingsOption,
    settings_of,
)

if TYPE_CHECKING:
    from linkwright.calibrations import Calibration
    from linkwright.engines import Run
    from linkwright.network import Network
    from linkwright.workloads import Workload

__all__ = [
    "DrawsOption",
    "FaultOption",
    "RunOptions",
    "SeedOption",
    "TimelineOption",
    "TraceOption",
    "TrafficOption",
    "WorkloadOption",
    "hosts_named",
]

BackgroundOption = Annotated[
    str | None,
    typer.Option(
        "--background",
        metavar="NAME",
        autocompletion=completion.backgrounds,
        help="Background traffic of the front end: keep-alive or file-server.",
    ),
]
BackgroundSettingsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--background-set",
        metavar="KEY=VALUE",
        help="Setting of the background traffic; repeatable.",
    ),
]
FaultOption = Annotated[
    list[str] | None,
    typer.Option(
        "--fault",
        metavar="FAULT",
        help='Fault during the run, as "cable:12 down at 1.5s up at 2s"; repeatable.',
    ),
]
FaultFileOption = Annotated[
    Path | None,
    typer.Option("--fault-file", help="File of faults, one per line.", show_default=False),
]
DrawsOption = Annotated[
    int | None,
    typer.Option(
        "--draws",
        min=1,
        help="Uncertainty: number of runs, each with its own seed and its own draw of the hosts' "
        "fitted constants. The table shows their mean and 90 % interval.",
        show_default=False,
    ),
]
WorkloadOption = Annotated[
    str,
    typer.Option(
        "--workload",
        "-w",
        autocompletion=completion.workloads,
        help="Workload to run.",
        show_default=False,
    ),
]
RepeatOption = Annotated[
    int | None,
    typer.Option(
        "--repeat",
        min=1,
        help="Number of independent runs (default: 1 with --seed or without chance, else several).",
        show_default=False,
    ),
]
SeedOption = Annotated[
    int, typer.Option("--seed", min=0, max=2**32 - 1, help="Seed of the first run.")
]
OneSeedOption = Annotated[
    int | None,
    typer.Option(
        "--seed",
        min=0,
        max=2**32 - 1,
        help="Seed of the first run; later runs count up (default: 1). Without --repeat, one run.",
        show_default=False,
    ),
]
PlacementOption = Annotated[
    str,
    typer.Option(
        metavar="NODES",
        autocompletion=completion.placements,
        help="Node of each rank: row, random, 2x2, local-pairs, remote-pairs, 0,1,4,5 or @FILE; "
        "row:4 or 0:4,1:4 put four ranks on a node.",
    ),
]
PrecisionOption = Annotated[
    float | None,
    typer.Option(
        help="Flow engine: how long a rate update may be deferred, as a fraction of the transfer's "
        "duration (0 = exact). Bounds wasted capacity, not the error of dependent messages."
    ),
]
ExactFlowsOption = Annotated[
    int | None,
    typer.Option(
        min=0,
        help="Flow engine: messages up to which shares stay exact while no more drain at the same "
        "time (default: 32, or 0 with --precision). More cost time, and defer nothing.",
        show_default=False,
    ),
]
TraceOption = Annotated[
    Path | None,
    typer.Option("--trace", help="Packet capture to write (pcapng).", show_default=False),
]
TimelineOption = Annotated[
    Path | None,
    typer.Option(
        "--timeline",
        help="Time line of ranks, messages and frames to write (JSON for Perfetto).",
        show_default=False,
    ),
]
TrafficOption = Annotated[
    Path | None,
    typer.Option(
        "--traffic",
        help="Table of the traffic of every port over time to write (CSV).",
        show_default=False,
    ),
]


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """The inputs of a run except its design and the name of its workload."""

    engine: EngineOption = "packet"
    settings: SettingsOption = None
    repeat: RepeatOption = None
    draws: DrawsOption = None
    seed: OneSeedOption = None
    jobs: JobsOption = None
    placement: PlacementOption = "row"
    background: BackgroundOption = None
    background_settings: BackgroundSettingsOption = None
    calibration: CalibrationOption = None
    constants: ConstantsOption = None
    precision: PrecisionOption = None
    exact_flows: ExactFlowsOption = None
    fault: FaultOption = None
    fault_file: FaultFileOption = None

    def workload(self, name: str) -> Workload:
        """Return the workload with its settings."""
        from linkwright import workloads

        return workloads.parse(name, settings_of("--set", self.settings))

    def hosts(self, default: str) -> Calibration:
        """Return the hosts, by default those of a name, with the constants that are changed."""
        return hosts_named(self.calibration or default, self.constants)

    def run(
        self, network: Network, workload: Workload, hosts: Calibration, *, is_single: bool
    ) -> Run:
        """Return the inputs of the run, which is single if it is observed."""
        from linkwright.engines import Run
        from linkwright.faults import read_faults
        from linkwright.workloads.workload import FIRST_SEED

        filed = read_faults(self.fault_file) if self.fault_file else []
        return Run.of(
            network,
            workload,
            engine=self.engine,
            calibration=hosts,
            seed=FIRST_SEED if self.seed is None else self.seed,
            repeats=self.repeat or (1 if is_single or self.seed is not None else None),
            draws=self.draws,
            placement=self.placement,
            background=self._background(),
            faults=[*(self.fault or []), *filed],
            precision=self.precision,
            exact_flows=self.exact_flows,
        )

    def _background(self) -> Workload | None:
        from linkwright import workloads
        from linkwright.errors import UsageError

        given = self.background_settings
        if self.background is not None:
            return workloads.parse_background(
                self.background, settings_of("--background-set", given)
            )
        if given:
            raise UsageError("--background-set needs a background", "name it with --background")
        return None


def hosts_named(name: str, constants: list[str] | None) -> Calibration:
    """Return hosts by their name, with the constants that --host changes."""
    from linkwright import calibrations

    return calibrations.parse(name, settings_of("--host", constants))
