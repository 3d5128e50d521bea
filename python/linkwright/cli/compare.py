"""`linkwright compare`: architectures side by side, as a table, a page, JSON or CSV.

The study chooses the architectures for a number of nodes, and their parts.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from linkwright.cli.compare_measured import compare_measured
from linkwright.cli.compare_options import (
    CatalogueOption,
    DesignsArgument,
    DrawsOption,
    EveryKindOption,
    ManySettingsOption,
    NodesOption,
    PortsOption,
    RateOption,
    SeedOption,
    WorkloadsOption,
)
from linkwright.cli.formats import Format, json_text
from linkwright.cli.given import refuse_unused
from linkwright.cli.invocation import manifest_since
from linkwright.cli.options import (
    CalibrationOption,
    EngineOption,
    FormatOption,
    JobsOption,
    MeasuredOption,
    OutputOption,
    QuietOption,
    settings_of,
)
from linkwright.cli.output import destination
from linkwright.cli.played import played_comparison
from linkwright.cli.terminal import say, say_error
from linkwright.cli.work import work
from linkwright.errors import DesignError, UsageError, unknown_name
from linkwright.errors import shown as quoted
from linkwright.text.csv_text import csv_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from linkwright.comparison import ArchitectureComparison
    from linkwright.results import Manifest
    from linkwright.workloads import Workload

__all__ = ["compare"]

DEFAULT_WORKLOADS = ["ping-pong", "broadcast", "barrier"]
PAGES = (Format.HTML,)
DEFAULT_PAGE = Path("compare.html")


def compare(
    designs: DesignsArgument = None,
    nodes: NodesOption = None,
    catalogue: CatalogueOption = None,
    every_kind: EveryKindOption = False,
    rate: RateOption = None,
    ports: PortsOption = None,
    workload: WorkloadsOption = None,
    settings: ManySettingsOption = None,
    engine: EngineOption = "packet",
    calibration: CalibrationOption = None,
    seed: SeedOption = 1,
    draws: DrawsOption = None,
    jobs: JobsOption = None,
    measured: MeasuredOption = None,
    shown: FormatOption = None,
    output: OutputOption = None,
    quiet: QuietOption = False,
) -> None:
    """Compare architectures side by side.

    Shows cost, speed, outcomes of failures and workloads, of the cheapest parts of the catalogue
    that fit; a note gives the reason if none fit. A DESIGN that cannot be built is named, and the
    exit code is 2. Without --format and -o the command writes compare.html (or .json, .csv, .txt).
    With --measured, rows of `linkwright measure` stand beside their predictions.
    """
    if measured:
        compare_measured(measured, designs, engine, calibration, (shown, output, quiet))
        return
    from linkwright import comparison
    from linkwright.design.rates import mbps_of
    from linkwright.views.columns import comparison_rows
    from linkwright.views.tables import comparison_table

    target = destination(shown, output, quiet=quiet, files_only=PAGES, default_file=DEFAULT_PAGE)
    _refuse_ignored(designs)
    wanted = _workloads(list(dict.fromkeys(workload or DEFAULT_WORKLOADS)), settings)
    started = datetime.now(UTC)
    found = work(
        lambda report: comparison.compare(
            16 if nodes is None else nodes,
            catalogue or "whitney-1998",
            wanted,
            engine=engine,
            calibration=calibration,
            seed=seed,
            every_kind=every_kind,
            rate_mbps=None if rate is None else mbps_of(rate),
            ports_per_node=ports,
            designs=designs or None,
            draws=draws,
            n_jobs=jobs,
            progress=report,
        ),
        "comparing",
        quiet=quiet,
    )
    _say_remarks(found, quiet=quiet, is_table=target.shown is Format.TABLE)
    target.deliver(
        {
            Format.TABLE: lambda: comparison_table(found),
            Format.JSON: lambda: json_text(found.to_json()),
            Format.CSV: lambda: csv_text(*comparison_rows(found)),
            Format.HTML: lambda: _page(
                found, wanted, manifest_since(started, found.seeds), quiet=quiet
            ),
        }
    )
    if any(one.is_given for one in found.left_out):
        raise typer.Exit(DesignError.exit_code)


def _page(
    found: ArchitectureComparison, wanted: Sequence[Workload], manifest: Manifest, *, quiet: bool
) -> str:
    """Return the page of a comparison, with runs played where they can be."""
    from linkwright.views.report import comparison_page

    played = work(
        lambda report: played_comparison(found, wanted, manifest, report), "playing", quiet=quiet
    )
    return comparison_page(found, manifest, played=played)


def _refuse_ignored(designs: list[Path] | None) -> None:
    if designs:
        refuse_unused(
            "designs have their own nodes, catalogue and parts",
            *("nodes", "catalogue", "every_kind", "rate", "ports"),
        )


def _workloads(names: Sequence[str], settings: list[str] | None) -> list[Workload]:
    """Return the workloads, each with the settings that are its own.

    Raises
    ------
    UsageError
        If a name is unknown, or no workload has a setting.
    """
    from linkwright import workloads

    plain = [workloads.parse(name) for name in names]
    own: list[dict[str, str]] = [{} for _ in plain]
    for key, value in settings_of("--set", settings).items():
        only, _, setting = key.rpartition(".")
        takers = [
            place
            for place, one in enumerate(plain)
            if setting in one.setting_names() and only in ("", one.name)
        ]
        if not takers:
            known = dict.fromkeys(name for one in plain for name in one.setting_names())
            raise UsageError(
                f"no workload here has the setting {quoted(key)}", unknown_name(setting, known)
            )
        for place in takers:
            own[place][setting] = value
    return [workloads.parse(name, given) for name, given in zip(names, own, strict=True)]


def _say_remarks(found: ArchitectureComparison, *, quiet: bool, is_table: bool) -> None:
    """Say the remarks, and report missing architectures: an error for each design of the user, a
    note otherwise, which a table has itself.
    """
    for remark in found.remarks:
        say(f"note: {remark}", quiet=quiet)
    for one in found.left_out:
        if one.is_given:
            say_error(f"'{one.name}' is left out: {one.reason}", one.hint)
        else:
            say(f"note: {one.name} is left out: {one.reason}", quiet=quiet or is_table)
