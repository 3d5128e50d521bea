"""`linkwright reproduce`: a paper's printed numbers beside ours.

The experiments and the rules for judging them are in the folder of the paper.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from linkwright.cli import completion
from linkwright.cli.invocation import command_line
from linkwright.cli.options import FormatOption, OutputOption, QuietOption
from linkwright.cli.output import expect_folder
from linkwright.cli.rows import deliver_rows, row_destination
from linkwright.cli.terminal import say
from linkwright.cli.work import Report, work
from linkwright.notebook import counted

if TYPE_CHECKING:
    from linkwright.papers import Reproduction

__all__ = ["reproduce"]

PAGE = "accuracy.md"
"""File of the folder that has its figures and numbers."""

AlsoOption = Annotated[
    list[str] | None,
    typer.Option(
        "--also",
        metavar="PATTERN",
        help='Runs beyond print to predict too, such as "bt.C.*"; repeatable. '
        "They are listed below the tables.",
        show_default=False,
    ),
]
DrawsOption = Annotated[
    int,
    typer.Option(
        min=0,
        help="Draws of the hosts' fitted constants behind each interval (0 = seeds alone).",
    ),
]
FolderOption = Annotated[
    Path | None,
    typer.Option(
        "--folder",
        help="Folder for the runs (Parquet), figures and the accuracy page; "
        "runs found there are not repeated.",
        show_default=False,
    ),
]


def reproduce(
    key: Annotated[
        str,
        typer.Argument(
            metavar="[PAPER[/TABLE]]",
            autocompletion=completion.papers,
            help="Paper, or one of its tables.",
        ),
    ] = "all",
    quick: Annotated[
        bool, typer.Option("--quick", help="Shorten long runs: a sketch, not the prediction.")
    ] = False,
    also: AlsoOption = None,
    draws: DrawsOption = 0,
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", min=1, help="Experiments at the same time.")
    ] = 1,
    folder: FolderOption = None,
    shown: FormatOption = None,
    output: OutputOption = None,
    quiet: QuietOption = False,
) -> None:
    """Compare a paper's printed numbers with ours.

    Builds the networks of the paper and runs its experiments. Each qualitative claim is judged by
    a number that represents it; results without a printed number are shown alone. Exit code 1 if a
    number or claim differs that is not recorded as known, or a number by more than recorded.
    """
    from linkwright import papers
    from linkwright.papers.further_runs import listed
    from linkwright.papers.running import check_extras
    from linkwright.views.reproduction import reproduction_table

    expect_folder(folder)
    target = row_destination(shown, output, quiet=quiet, has_manifests=False)
    if folder is not None:
        check_extras()
        _make(folder)

    def judged(report: Report) -> Reproduction:
        runner = papers.Runner(
            is_brief=quick,
            n_jobs=jobs,
            n_draws=draws,
            folder=folder,
            command=tuple(command_line()),
            progress=report,
        )
        return papers.reproduce(key, runner, also or ())

    found = work(judged, "reproducing", quiet=quiet)
    rows = found.rows()
    deliver_rows(rows, target, lambda: reproduction_table(rows, listed(found.run_tables)))
    if folder is not None:
        _fill(folder, found, quiet=quiet)
    for line in _summary(found):
        say(line, quiet=quiet)
    if found.unexplained:
        raise typer.Exit(1)


def _summary(found: Reproduction) -> Iterator[str]:
    """Yield lines that count the numbers inside our intervals, and the contradicted ones and
    claims, and name those not recorded.
    """
    inside, intervals = found.inside
    if intervals:
        yield f"{inside} of {intervals} printed numbers are inside the 90 % interval of ours"
    if not found.differs and not found.fails:
        return
    numbers = sum(map(len, found.numbers.values()))
    words = sum(map(len, found.qualitative.values()))
    yield f"{len(found.differs)} of {numbers} printed numbers differ"
    yield f"{len(found.fails)} of {words} qualitative claims do not hold"
    for entry in found.unexplained:
        error = "" if entry.claim.is_qualitative else f", {entry.error:+.1%}"
        yield f"not known before: {entry.claim.paper}/{entry.claim.table} {entry.claim.row}{error}"
    known = "the others are" if found.unexplained else "all are"
    yield f"{known} known: docs/design/papers.md has the reasons"


def _make(folder: Path) -> None:
    """Make the folder, and refuse one that cannot be written before hours of runs."""
    from linkwright.errors import OutputError, shown_path
    from linkwright.files import check_writable

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(
            f"folder {shown_path(folder)} cannot be made: {error.strerror}", "name another folder"
        ) from None
    check_writable(folder / PAGE)


def _fill(folder: Path, found: Reproduction, *, quiet: bool) -> None:
    """Write figures and the accuracy page next to the runs."""
    from linkwright.files import write_atomically
    from linkwright.papers.accuracy import accuracy_page

    captions = []
    for name, figure in found.plots():
        write_atomically(folder / f"{name}.svg", figure.svg())
        captions.append((f"{name}.svg", figure.caption))
    title = "# Accuracy of shortened runs (`--quick`)" if found.is_brief else "# Accuracy"
    page = f"{title}\n\n{accuracy_page(found, captions)}"
    write_atomically(folder / PAGE, page)
    say(f"wrote {counted(len(captions), 'figure')} and {folder / PAGE}", quiet=quiet)
