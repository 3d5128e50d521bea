"""`linkwright simulate`: one workload on one design, with files of what happens on request.

The answer is the rows of the result; questions over many runs are studies.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from linkwright.cli.formats import Format
from linkwright.cli.invocation import manifest_since
from linkwright.cli.options import (
    CalibrationOption,
    ConstantsOption,
    DesignArgument,
    EngineOption,
    FormatOption,
    JobsOption,
    OutputOption,
    QuietOption,
    SettingsOption,
    settings_of,
)
from linkwright.cli.rows import row_destination, show_rows
from linkwright.cli.run_options import (
    BackgroundOption,
    BackgroundSettingsOption,
    DrawsOption,
    FaultFileOption,
    FaultOption,
    OneSeedOption,
    PlacementOption,
    PrecisionOption,
    RepeatOption,
    TimelineOption,
    TraceOption,
    TrafficOption,
    WorkloadOption,
)
from linkwright.cli.watching import WatchFiles
from linkwright.cli.work import Report, work

if TYPE_CHECKING:
    from linkwright.network import Network
    from linkwright.observations.watched import Watched
    from linkwright.results import Result
    from linkwright.workloads import Workload

__all__ = ["simulate"]

Page = Callable[[], str]
"""Makes the page of a run."""
PLAYED = "a page plays one run"
WATCHED = "--trace, --traffic and --timeline watch one run"


def simulate(
    design: DesignArgument,
    workload: WorkloadOption,
    engine: EngineOption = "packet",
    settings: SettingsOption = None,
    repeat: RepeatOption = None,
    draws: DrawsOption = None,
    seed: OneSeedOption = None,
    jobs: JobsOption = None,
    placement: PlacementOption = "row",
    background: BackgroundOption = None,
    background_settings: BackgroundSettingsOption = None,
    calibration: CalibrationOption = None,
    constants: ConstantsOption = None,
    precision: PrecisionOption = None,
    fault: FaultOption = None,
    fault_file: FaultFileOption = None,
    trace: TraceOption = None,
    traffic: TrafficOption = None,
    timeline: TimelineOption = None,
    shown: FormatOption = None,
    output: OutputOption = None,
    quiet: QuietOption = False,
) -> None:
    """Run a workload on a design.

    The answer is rows of the one result schema. Where chance matters (collisions on hubs, lost
    frames, random placement), several seeds are run: the table shows their mean and range, other
    formats every run. With -o FILE.html, one run is played in a page, and anew with changes.
    """
    from linkwright import calibrations, engines, workloads
    from linkwright.design.cluster import Cluster
    from linkwright.faults import read_faults
    from linkwright.network import compile as compile_network
    from linkwright.workloads.workload import FIRST_SEED

    target = row_destination(shown, output, quiet=quiet, has_page=True)
    is_played = target.file_format is Format.HTML
    files = WatchFiles(trace, traffic, timeline)
    _expect_one_run(repeat, draws, is_played=is_played, is_watched=bool(files))
    if repeat is None and (files or seed is not None):
        repeat = 1
    chosen = workloads.parse(workload, settings_of("--set", settings))
    options: dict[str, Any] = {
        "engine": engine,
        "seed": FIRST_SEED if seed is None else seed,
        "placement": placement,
        "background": _background(background, background_settings),
        "faults": [*(fault or []), *(read_faults(fault_file) if fault_file else [])],
        "precision": precision,
    }
    cluster = Cluster.load(design)
    hosts = calibrations.parse(calibration or cluster.calibration, settings_of("--host", constants))
    files.check()

    def run(report: Report) -> tuple[Result, Watched | None, Page | None]:
        network = compile_network(cluster)
        if is_played:
            return _played(network, chosen, {"calibration": hosts, **options})
        if files:
            watched = engines.watch(network, chosen, calibration=hosts, **files.options, **options)
            return *watched, None
        many: dict[str, Any] = {"repeats": repeat, "draws": draws, "n_jobs": jobs}
        many["progress"] = report
        return engines.run(network, chosen, calibration=hosts, **many, **options), None, None

    result, watched, page = work(run, f"simulating {workload}", quiet=quiet)
    if watched is not None:
        files.write(watched, quiet=quiet)
    show_rows(result, target, page)


def _played(
    network: Network, workload: Workload, options: dict[str, Any]
) -> tuple[Result, None, Page]:
    """Return the rows of a run, and the function that makes its page."""
    from linkwright import engines
    from linkwright.views.play_page import expect_playable, play_page

    expect_playable(network)
    started = datetime.now(UTC)
    result, packed = engines.play(network, workload, **options)
    return result, None, lambda: play_page(network, packed, result, manifest_since(started))


def _expect_one_run(
    repeat: int | None, draws: int | None, *, is_played: bool, is_watched: bool
) -> None:
    """Refuse several runs where one is played in a page or watched."""
    from linkwright.errors import UsageError

    if is_played and is_watched:
        raise UsageError("a page plays a run without a file of it", "write it by a second command")
    if (is_played or is_watched) and ((repeat or 1) > 1 or draws is not None):
        option = "--repeat" if draws is None else "--draws"
        raise UsageError(PLAYED if is_played else WATCHED, f"leave out {option}")


def _background(name: str | None, settings: list[str] | None) -> Workload | None:
    from linkwright import workloads
    from linkwright.errors import UsageError

    if name is not None:
        return workloads.parse_background(name, settings_of("--background-set", settings))
    if settings:
        raise UsageError(
            "--background-set needs a background",
            "name it with --background",
        )
    return None
