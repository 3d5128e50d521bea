"""`linkwright import`: a graph of another tool as a design file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from linkwright.cli import completion
from linkwright.cli.options import QuietOption
from linkwright.cli.terminal import say, show

__all__ = ["import_"]


def import_(
    graph: Annotated[
        Path, typer.Argument(metavar="GRAPH", help="Cables as .csv, or a graph: .dot, .graphml.")
    ],
    switches: Annotated[
        list[str] | None,
        typer.Option("--switch", metavar="PATTERN", help="Switches, such as leaf*; repeatable."),
    ] = None,
    hubs: Annotated[
        list[str] | None,
        typer.Option("--hub", metavar="PATTERN", help="Hubs; repeatable."),
    ] = None,
    catalogue: Annotated[
        str,
        typer.Option("--catalogue", "-c", autocompletion=completion.catalogues, help="Parts."),
    ] = "ethernet-2026",
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Design file to write (default: stdout)."),
    ] = None,
    quiet: QuietOption = False,
) -> None:
    """Make a design from a table of cables or a graph.

    The design is of kind custom. A device is a node unless the file says otherwise or a pattern
    matches its name; NICs without a name become eth0, eth1 and so on. Its names and cables are
    checked before it is written; parts other than the defaults of the catalogue are added by hand.
    """
    from linkwright.design.cluster import Cluster
    from linkwright.design.importers import design_text, read_drawing
    from linkwright.files import check_writable, write_atomically

    if output is not None:
        check_writable(output)
    drawing = read_drawing(graph).with_kinds(switches or [], hubs or [])
    text = design_text(drawing, name=graph.stem, catalogue=catalogue)
    Cluster.parse(text)
    if output is None:
        show(text)
        return
    write_atomically(output, [text])
    say(f"wrote {output}", quiet=quiet)
