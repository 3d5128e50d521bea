"""`linkwright import`: a graph of another tool as a design file.

Remarks and changed names go to stderr, the design to stdout or to a file.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from linkwright.cli import completion
from linkwright.cli.design_output import (
    DesignFileOption,
    ForceOption,
    deliver_design,
    design_file,
)
from linkwright.cli.options import QuietOption
from linkwright.cli.terminal import say
from linkwright.errors import shown_path

__all__ = ["import_"]

_MOST_SHOWN = 20
"""Changed names that are shown; the design has all in comments."""


def import_(
    graphs: Annotated[
        list[Path],
        typer.Argument(metavar="GRAPH...", help="File with a graph, a folder, or - for stdin."),
    ],
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            help="Format (default: by suffix and content); `linkwright list importers` has all.",
        ),
    ] = None,
    switches: Annotated[
        list[str] | None,
        typer.Option("--switch", metavar="PATTERN", help="Switches, such as leaf*; repeatable."),
    ] = None,
    hubs: Annotated[
        list[str] | None,
        typer.Option("--hub", metavar="PATTERN", help="Hubs; repeatable."),
    ] = None,
    routers: Annotated[
        list[str] | None,
        typer.Option("--router", metavar="PATTERN", help="Switches that route; repeatable."),
    ] = None,
    rename: Annotated[
        str,
        typer.Option(
            "--rename",
            metavar="rule|none|FILE",
            help="Names that a design does not accept: by the rule, refused, or by lines OLD,NEW.",
        ),
    ] = "rule",
    catalogue: Annotated[
        str,
        typer.Option("--catalogue", "-c", autocompletion=completion.catalogues, help="Parts."),
    ] = "ethernet-2026",
    output: DesignFileOption = None,
    force: ForceOption = False,
    quiet: QuietOption = False,
) -> None:
    """Make a design from a table of cables or a graph of another tool.

    The design is of kind custom. A device is a node unless the file says otherwise or a pattern
    matches its name. Switches whose cables form a loop route. Names that a design does not accept
    are changed and shown: gpu_box.example.org becomes gpu-box, a node 7 becomes n7. Remarks say
    what is left out. Parts other than those of the catalogue are added by hand.
    """
    from linkwright.design.importers import imported, read_drawing, read_renamings

    file = design_file(output, force=force)
    drawing = read_drawing(graphs, form)
    found = imported(
        drawing.with_kinds(switch=switches or [], hub=hubs or [], router=routers or []),
        name=graphs[0].name.partition(".")[0].strip("-")[:100] or "imported",
        where=shown_path(graphs[0]),
        catalogue=catalogue,
        given=read_renamings(Path(rename)) if rename not in ("rule", "none") else {},
        is_strict=rename == "none",
    )
    for remark in (*found.remarks, *_shown(list(map(str, found.renamings)))):
        say(remark, quiet=quiet)
    deliver_design(found.text, file, beside={}, force=force, quiet=quiet)


def _shown(renamings: list[str]) -> list[str]:
    """Return the first of the changed names, and the number of the others."""
    more = len(renamings) - _MOST_SHOWN
    return [*renamings[:_MOST_SHOWN], *([f"and {more} more names"] if more > 0 else [])]
