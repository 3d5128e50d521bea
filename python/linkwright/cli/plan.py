"""`linkwright plan`: the folder with cables, addresses, routes and the bill of materials."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer
from rich.console import RenderableType

from linkwright.cli.output import Format, FormatOption, QuietOption, csv_text
from linkwright.cli.terminal import say, show, work

__all__ = ["plan"]


def plan(
    design: Annotated[Path, typer.Argument(metavar="DESIGN", help="Design file.")],
    output: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="DIR", help="Folder to write.", show_default=False),
    ],
    force: Annotated[
        bool, typer.Option("--force", help="Also write into a folder that holds something else.")
    ] = False,
    shown: FormatOption = None,
    quiet: QuietOption = False,
) -> None:
    """Write the plan of a design into a folder.

    Devices, cables, addresses, routes, hosts, parts to buy and a summary. With --format the summary
    also goes to stdout.
    """
    from linkwright import plan as answers
    from linkwright.design.cluster import Cluster
    from linkwright.network import compile as compile_network
    from linkwright.plan.folder import write_folder
    from linkwright.views.columns import flat
    from linkwright.views.tables import listing_table

    cluster = Cluster.load(design)

    files = work(lambda _: answers.plan(compile_network(cluster)), "planning", quiet=quiet)
    write_folder(files, output, force=force)
    if shown is not None:
        rows = [
            [name, str(value)] for name, value in flat(json.loads(files["summary.json"])).items()
        ]
        forms: dict[Format, Callable[[], RenderableType | str]] = {
            Format.TABLE: lambda: listing_table(["figure", "value"], rows),
            Format.JSON: lambda: files["summary.json"],
            Format.CSV: lambda: csv_text(["figure", "value"], rows),
        }
        show(forms[Format(shown)]())
    say(f"wrote {len(files)} files into {output}", quiet=quiet)
