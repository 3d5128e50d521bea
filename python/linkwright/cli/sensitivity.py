"""`linkwright sensitivity`: the axes of a study that matter for a metric.

The figure is in views/sensitivity_plot.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from linkwright.cli.formats import Format
from linkwright.cli.options import FormatOption, OutputOption, QuietOption
from linkwright.cli.output import destination
from linkwright.cli.study_options import (
    FolderArgument,
    MetricOption,
    WhereOption,
    names_of,
)
from linkwright.cli.terminal import say

if TYPE_CHECKING:
    from linkwright.views.study_figure import StudyFigure

__all__ = ["sensitivity"]


def sensitivity(
    folder: FolderArgument,
    metric: MetricOption = "time",
    by: Annotated[
        list[str] | None,
        typer.Option(
            "--by",
            metavar="NAME",
            help="Names shown for each analysis, as workload or engine; axes of a grid with one "
            "analysis for each of their values.",
        ),
    ] = None,
    where: WhereOption = "true",
    shown: FormatOption = None,
    output: OutputOption = None,
    quiet: QuietOption = False,
) -> None:
    """Show the axes of a study that matter for a metric.

    The sampling of the study gives the method. morris: mean and deviation of elementary effects;
    saltelli: Sobol indices; grid and one-at-a-time: the metric at the lowest and the highest value
    of each axis, others at their first. The axis with the largest effect is first, and intervals
    have 90 % confidence. There is one analysis for each design, workload, calibration and engine.
    -o takes .csv, .json, .txt, .svg, .png and .html.
    """
    from linkwright.cli.tables import forms_of
    from linkwright.study import StudyFolder
    from linkwright.study import sensitivity as analyse
    from linkwright.views.sensitivity_plot import sensitivity_figure

    target = destination(
        shown, output, quiet=quiet, files_only=(Format.SVG, Format.PNG, Format.HTML)
    )
    place = StudyFolder(folder)
    found = analyse(place, metric, names_of(by), where=where)
    for note in found.notes:
        say(f"note: {note}", quiet=quiet)

    def figure() -> StudyFigure:
        return sensitivity_figure(found)

    target.deliver(
        {
            **forms_of(found.headings(), found.rows()),
            Format.SVG: lambda: figure().svg(),
            Format.PNG: lambda: figure().png(),
            Format.HTML: lambda: figure().page(place.study.question),
        }
    )
