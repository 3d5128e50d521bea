"""`linkwright adopt`: a design file from the facts of machines that are cabled already.

Remarks go to stderr, the design to stdout or to a file.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from linkwright.cli import completion
from linkwright.cli.options import QuietOption
from linkwright.cli.output import file_of
from linkwright.cli.terminal import say, show

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
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Design file to write (default: stdout)."),
    ] = None,
    quiet: QuietOption = False,
) -> None:
    """Make a design from machines that are cabled already.

    The design has the known kind that the cables form (ring, torus, P-Mesh, full mesh, switch, ...)
    or else kind custom, and keeps names, addresses, prefixes and MTUs. Ports with the default
    route, and networks on which all addresses come from DHCP, are left out. Remarks say what could
    not be kept. Facts that do not show where a cable leads are refused.
    """
    from linkwright.adoption import adopt as adopted
    from linkwright.facts import ClusterFacts
    from linkwright.files import check_writable, write_atomically

    output = file_of(output)
    if output is not None:
        check_writable(output)
    name = (output or facts).name.partition(".")[0].strip("-")[:100] or "adopted"
    found = adopted(
        ClusterFacts.load(facts),
        name=name,
        catalogue=catalogue,
        leave_out=frozenset(leave_out or ()),
    )
    for remark in found.remarks:
        say(remark, quiet=quiet)
    if output is None:
        show(found.text)
        return
    write_atomically(output, [found.text])
    say(f"wrote {output}", quiet=quiet)
