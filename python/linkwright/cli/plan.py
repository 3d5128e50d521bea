"""`linkwright plan`: the folder with cables, addresses, routes and the bill of materials, and the
changes from one plan to another.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from linkwright.cli.formats import Format, Shown, json_text
from linkwright.cli.given import refuse_unused
from linkwright.cli.options import (
    DesignArgument,
    FormatOption,
    QuietOption,
    TargetsOption,
    WithoutOption,
    part_names,
)
from linkwright.cli.output import expect_folder
from linkwright.cli.terminal import say, say_error, show
from linkwright.cli.work import Report, work
from linkwright.text.csv_text import csv_text

if TYPE_CHECKING:
    from rich.console import RenderableType

    from linkwright.errors import LinkwrightError
    from linkwright.network import Network
    from linkwright.plan import Difference, Exported, Planned

__all__ = ["plan"]

RanksPerNodeOption = Annotated[
    int, typer.Option(min=1, metavar="N", help="Slots of each node in host files of MPI launchers.")
]


def plan(
    design: DesignArgument,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="DIR", help="Folder to write.", show_default=False),
    ] = None,
    targets: TargetsOption = None,
    ranks_per_node: RanksPerNodeOption = 1,
    without: WithoutOption = None,
    diff: Annotated[
        Path | None,
        typer.Option("--diff", metavar="OLD_DIR", help="List the changes from this earlier plan."),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Write into a folder that holds other files, too.")
    ] = False,
    shown: FormatOption = None,
    quiet: QuietOption = False,
) -> None:
    """Write the plan of a design into a folder, or list the changes from an earlier one.

    The folder holds devices, cables, addresses, routes, hosts, parts to buy and a summary. With
    --format the summary is also printed. `cables.html` is for printing: a sheet of the cables, the
    ports of every machine, and labels.

    With --for, it also holds files for the machines: `nodes/NODE/TARGET/`. The section `nodes` of
    the design gives the names of real machines and NICs; `nodes/missing.csv` lists what it lacks.
    A target that cannot express the design has no files, with its reason on stderr and an exit
    code of 2 or 3; everything else is written.

    With --without, the plan keeps all names, addresses and cables, and its routes are recomputed
    for the surviving network. With --diff, the command lists the changes from an earlier plan and
    writes a folder only if -o names one. Both options list the changes per node, and
    `changes.csv` in the folder has those of routes.
    """
    from linkwright import plan as answers
    from linkwright.design.cluster import Cluster
    from linkwright.files.folder import write_folder
    from linkwright.network import compile as compile_network
    from linkwright.views.cables_page import cables_page

    _check_folders(output, diff)
    chosen = _targets(targets, output)
    old = None if diff is None else answers.read_plan(diff)
    cluster = Cluster.load(design)

    refused: dict[str, LinkwrightError] = {}
    exported_from = _exporter(chosen, refused, ranks_per_node)

    def make(report: Report) -> tuple[Planned, str, Exported | None]:
        report(0, 0, "compiling")
        whole = compile_network(cluster)
        report(0, 0, "planning")
        left = compile_network(cluster, without=part_names(without)) if without else None
        made = answers.planned(whole, left, earlier=old)
        exported = exported_from(whole, left) if chosen else None
        cables = cables_page(whole) if output is not None else ""
        return made, cables, exported

    made, cables, exported = work(make, "planning", quiet=quiet)
    files = {**made.files, **({"cables.html": cables} if cables else {})}
    files |= exported.files if exported else {}
    if output is not None:
        write_folder(files, output, force=force)
    _show(made, shown)
    _say_gaps(made, exported, output, quiet=quiet)
    if output is not None:
        no_page = "" if cables else "; cables.html would be too long to print"
        say(f"wrote {len(files)} files into {output}{no_page}", quiet=quiet)
    _say_refused(refused)


def _exporter(
    targets: Sequence[str], refused: dict[str, LinkwrightError], ranks_per_node: int
) -> Callable[[Network, Network | None], Exported]:
    """Return the export of a network and of what is left of it."""
    from linkwright import plan as answers

    def exported(whole: Network, left: Network | None) -> Exported:
        return answers.export(
            whole, targets, routed=left, refused=refused, ranks_per_node=ranks_per_node
        )

    return exported


def _say_refused(refused: Mapping[str, LinkwrightError]) -> None:
    """Give the reason of each refused target, and end with an exit code of its kind."""
    for target, error in refused.items():
        say_error(f"no files for {target}: {error.message}", error.hint)
    if refused:
        raise typer.Exit(max(error.exit_code for error in refused.values()))


def _show(made: Planned, shown: Shown | None) -> None:
    """Show the changes, or the summary if a format is given."""
    if made.changes is not None:
        show(_difference_forms(made.changes)[Format(shown or Format.TABLE)]())
    elif shown is not None:
        show(_summary_forms(made)[Format(shown)]())


def _say_gaps(
    made: Planned, exported: Exported | None, output: Path | None, *, quiet: bool
) -> None:
    """List disconnected nodes, and count the missing facts about machines."""
    disconnected = made.summary.get("disconnected")
    if disconnected:
        say(f"disconnected: {', '.join(disconnected)}", quiet=False)
    if exported is not None and exported.n_missing:
        say(
            f"the design lacks {exported.n_missing} facts about the machines under 'nodes': "
            f"{output}/nodes/missing.csv lists them, and what was used instead",
            quiet=quiet,
        )


def _targets(given: list[str] | None, output: Path | None) -> tuple[str, ...]:
    """Return the names of targets, each once."""
    from linkwright.errors import UsageError
    from linkwright.plan.exporters import target_named

    names = [target_named(name) for one in given or () for name in one.split(",")]
    if names and output is None:
        raise UsageError("--for writes files into the plan folder", "name one with --output DIR")
    return tuple(dict.fromkeys(names))


def _check_folders(output: Path | None, diff: Path | None) -> None:
    from linkwright.errors import UsageError, shown_path

    expect_folder(output)
    if output is None and diff is None:
        raise UsageError("no folder to write is named", "name one with --output DIR (-o)")
    if output is None:
        refuse_unused("there is no folder to write without -o", "force")
    if output and diff and _real(output).is_relative_to(_real(diff)):
        raise UsageError(
            f"{shown_path(output)} lies in the folder to compare with, which stays as it is",
            "choose another folder with -o",
        )


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))  # Path.resolve raises if a link leads to itself


def _summary_forms(
    made: Planned,
) -> dict[Format, Callable[[], RenderableType | str]]:
    from linkwright.records.nested import flat
    from linkwright.views.tables import listing_table

    rows = [[name, str(value)] for name, value in flat(made.summary).items()]
    return {
        Format.TABLE: lambda: listing_table(["figure", "value"], rows),
        Format.JSON: lambda: str(made.files["summary.json"]),
        Format.CSV: lambda: csv_text(["figure", "value"], rows),
    }


def _difference_forms(
    changes: Difference,
) -> dict[Format, Callable[[], RenderableType | str]]:
    from linkwright.plan import Change
    from linkwright.views.tables import difference_table

    headings = [column.name for column in fields(Change)]
    records = [asdict(one) for one in changes.changes]
    return {
        Format.TABLE: lambda: difference_table(changes),
        Format.JSON: lambda: json_text(records),
        Format.CSV: lambda: csv_text(headings, [list(one.values()) for one in records]),
    }
