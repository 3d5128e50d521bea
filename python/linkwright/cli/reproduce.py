"""`linkwright reproduce`: a paper's printed numbers beside ours."""

from __future__ import annotations

from typing import Annotated

import typer

from linkwright.cli.output import Format, FormatOption, OutputOption, QuietOption, destination
from linkwright.cli.terminal import work

__all__ = ["reproduce"]


def reproduce(
    key: Annotated[
        str | None,
        typer.Argument(metavar="[PAPER[/TABLE]]", help="What; every paper unless given."),
    ] = None,
    shown: FormatOption = None,
    output: OutputOption = None,
    quiet: QuietOption = False,
) -> None:
    """Put a paper's printed numbers beside ours.

    The networks of the paper are built for it. Ends with exit code 1 when one differs that is not a
    known error of the paper.
    """
    from linkwright import papers
    from linkwright.results import Result
    from linkwright.views.tables import reproduction_table

    target = destination(shown, output, quiet=quiet)
    keys = [key] if key else list(papers.PAPERS)
    result = work(
        lambda _: Result.concatenate([papers.reproduce(one) for one in keys]),
        "reproducing",
        quiet=quiet,
    )
    target.deliver(
        {
            Format.TABLE: lambda: reproduction_table(result),
            Format.JSON: result.to_json,
            Format.CSV: result.to_csv,
        }
    )
    if papers.Verdict.DIFFERS in result.parameter("verdict"):
        raise typer.Exit(1)
