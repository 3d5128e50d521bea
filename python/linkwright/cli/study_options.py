"""Options of the commands that run studies or read their folders."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = [
    "FolderArgument",
    "MetricOption",
    "WhereOption",
    "WorkersOption",
    "names_of",
]

FolderArgument = Annotated[Path, typer.Argument(metavar="FOLDER", help="Folder of a study.")]
MetricOption = Annotated[str, typer.Option("--metric", "-m", help="Metric of the rows.")]
WhereOption = Annotated[
    str, typer.Option(metavar="SQL", help="Condition on the rows, as \"engine = 'packet'\".")
]
WorkersOption = Annotated[
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
