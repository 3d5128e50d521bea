"""Options of the commands that run studies or read their folders.

Several names of columns may be in one option.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = [
    "MOST_RUNS",
    "AgainFailedOption",
    "AgainOption",
    "DryRunOption",
    "FolderArgument",
    "JobsOption",
    "ManyOption",
    "MetricOption",
    "StudyArgument",
    "StudyFolderOption",
    "WhereOption",
    "WorkersOption",
    "names_of",
]

FolderArgument = Annotated[Path, typer.Argument(metavar="FOLDER", help="Folder of a study.")]
MetricOption = Annotated[str, typer.Option("--metric", "-m", help="Metric of the rows.")]
WhereOption = Annotated[
    str, typer.Option(metavar="SQL", help="Condition on the rows, as \"engine = 'packet'\".")
]
AgainFailedOption = Annotated[bool, typer.Option("--again-failed", help="Make failed runs again.")]
AgainOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER",
        help="Make all runs of this folder again and compare the rows; -o keeps the new ones.",
        show_default=False,
    ),
]
DryRunOption = Annotated[
    bool,
    typer.Option(
        "--dry-run", help="Show the number of runs and an estimate of their time, and make none."
    ),
]
MOST_RUNS = 10_000
"""Runs that the command makes without being asked for many."""
ManyOption = Annotated[bool, typer.Option("--many", help=f"Make more than {MOST_RUNS:,} runs.")]
StudyArgument = Annotated[
    Path | None, typer.Argument(metavar="FILE", help="Study file.", show_default=False)
]
StudyFolderOption = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FOLDER",
        help="Folder of the study (default: the name of the file, without its suffix).",
        show_default=False,
    ),
]
WorkersOption = Annotated[
    str,
    typer.Option(metavar="WORKERS", help="local, dask://HOST:PORT, slurm or slurm://PARTITION."),
]
JobsOption = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        "-j",
        min=1,
        help="Number of workers (default: one per core, or as many as the cluster has).",
    ),
]


def names_of(given: list[str] | None) -> list[str]:
    """Return the names of columns; one option may hold several."""
    return [name.strip() for one in given or [] for name in one.split(",") if name.strip()]
