"""`linkwright calibrate`: fits the constants of hosts to measurements between two of them.

The fit itself is in fit/calibrate.py.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from linkwright.cli import completion
from linkwright.cli.formats import Format, json_text
from linkwright.cli.given import refuse_unused
from linkwright.cli.options import FormatOption, OutputOption, QuietOption
from linkwright.cli.output import destination
from linkwright.cli.terminal import say
from linkwright.cli.work import work
from linkwright.errors import UsageError
from linkwright.text.csv_text import csv_text

if TYPE_CHECKING:
    from linkwright.calibrations.targets import Targets

__all__ = ["calibrate"]

MOST_DRAWS = 1024
"""Largest number of draws; each takes nine runs of all targets."""

DrawsOption = Annotated[
    int,
    typer.Option(
        min=0, max=MOST_DRAWS, help="Draws of the constants for -o FILE.toml (`simulate --draws`)."
    ),
]
MeasuredOption = Annotated[
    Path | None,
    typer.Option(
        "--from",
        metavar="FILE",
        help="Rows of `linkwright measure` (.json or .parquet) in place of targets.",
        show_default=False,
    ),
]
KeepOption = Annotated[
    bool,
    typer.Option("--keep", help="Keep the constants; only find their errors, and draw them."),
]


def calibrate(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME",
            autocompletion=completion.calibrations,
            help="Calibration: a name or a TOML file (default: that of the rows of --from).",
            show_default=False,
        ),
    ] = None,
    free: Annotated[
        list[str] | None,
        typer.Option(
            "--free",
            metavar="CONSTANT",
            help="Constant to fit; repeatable (default: those that the targets name).",
        ),
    ] = None,
    targets: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="TOML file of measurements (default: the shipped one)."),
    ] = None,
    measured: MeasuredOption = None,
    draws: DrawsOption = 16,
    keep: KeepOption = False,
    shown: FormatOption = None,
    output: OutputOption = None,
    quiet: QuietOption = False,
) -> None:
    """Fit a calibration to point-to-point measurements.

    Shows the packet engine's value for each measurement, the fitted constants with their errors and
    correlations, and the constants that the measurements do not determine. --from takes rows of
    `linkwright measure`: its ping-pongs, class of paths by class. With -o FILE.toml, the fitted
    calibration is written, with draws of the constants for `simulate --draws`.
    """
    from linkwright import calibrations
    from linkwright.fit.calibrate import fit
    from linkwright.views.calibration import CURVE_HEADINGS, calibration_table, fit_record

    target = destination(shown, output, quiet=quiet, files_only=(Format.TOML,))
    if target.file_format is not Format.TOML:
        refuse_unused("draws are written by -o FILE.toml", "draws")
    name, wanted = _wanted(name, targets, measured, quiet=quiet)
    text = calibrations.text_of(name)
    start = calibrations.load(name)
    found = work(
        lambda report: fit(
            start,
            free or [],
            targets=wanted,
            source="" if measured is None else measured.name,
            n_draws=draws if target.file_format is Format.TOML else 0,
            keeps=keep,
            report=report,
        ),
        f"fitting {name}",
        quiet=quiet,
    )
    record = fit_record(found)
    rows = [list(one.values()) for one in record["targets"]]
    target.deliver(
        {
            Format.TABLE: lambda: calibration_table(found),
            Format.JSON: lambda: json_text(record),
            Format.CSV: lambda: csv_text(CURVE_HEADINGS, rows),
            Format.TOML: lambda: found.rewritten(text),
        }
    )


def _wanted(
    name: str | None, targets: str | None, measured: Path | None, *, quiet: bool
) -> tuple[str, str | Targets]:
    """Return the name of the calibration, and its targets."""
    from linkwright import calibrations, results
    from linkwright.fit.measured import calibration_of, classes_of, fitted_from

    if measured is None:
        if name is None:
            raise UsageError(
                "NAME, a calibration, is missing", "give it, or measured rows with --from"
            )
        return name, targets or ""
    if targets is not None:
        raise UsageError("--from and --targets both give measurements", "give one of them")
    rows = results.load(measured)
    busy = [one.name for one in classes_of(rows) if one.is_busy]
    if busy:
        say(f"note: no faithful run of {', '.join(busy)}: their tolerance is 10 %", quiet=quiet)
    name = name or calibration_of(rows)
    if not name:
        raise UsageError("the rows are of several calibrations", "name the one to start from")
    return name, fitted_from(rows, calibrations.load(name), measured.name)
