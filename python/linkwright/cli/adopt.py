"""`linkwright adopt`: a design file from the facts of machines that are cabled already.

Remarks go to stderr, the design to stdout or to a file.
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

__all__ = ["adopt"]


def adopt(
    facts: Annotated[
        Path, typer.Argument(metavar="FACTS", help="Facts, as `linkwright facts` writes them.")
    ],
    leave_out: Annotated[
        list[str] | None,
        typer.Option(
            "--leave-out", metavar="NIC", help="Interface that is not of the fabric; repeatable."
        ),
    ] = None,
    catalogue: Annotated[
        str,
        typer.Option("--catalogue", "-c", autocompletion=completion.catalogues, help="Parts."),
    ] = "ethernet-2026",
    output: DesignFileOption = None,
    force: ForceOption = False,
    quiet: QuietOption = False,
) -> None:
    """Make a design from machines that are cabled already.

    The design has the known kind that the cables form (ring, torus, P-Mesh, full mesh, switch, ...)
    or else kind custom, and keeps names, addresses, prefixes and MTUs. Ports with the default
    route, and networks on which all addresses come from DHCP, are left out. Routes that no scheme
    has are kept as a table beside the file: ours-routes.csv beside ours.yaml. Remarks say what
    could not be kept. Facts that do not show where a cable leads are refused.
    """
    from linkwright.adoption import adopt as adopted
    from linkwright.facts import ClusterFacts

    file = design_file(output, force=force)
    name = (file or facts).name.partition(".")[0].strip("-")[:100] or "adopted"
    table = file.with_name(f"{file.stem}-routes.csv") if file else None
    found = adopted(
        ClusterFacts.load(facts),
        name=name,
        catalogue=catalogue,
        leave_out=frozenset(leave_out or ()),
        routes_file=table.name if table else "",
    )
    for remark in found.remarks:
        say(remark, quiet=quiet)
    beside = {table: found.routes} if table and found.routes else {}
    deliver_design(found.text, file, beside=beside, force=force, quiet=quiet)
