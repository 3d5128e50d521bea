"""`linkwright study`: many runs from one file, on this machine or others, into one folder.

The questions to a folder are commands of their own: query, pivot, plot.
"""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from linkwright.cli.invocation import command_line
from linkwright.cli.options import QuietOption
from linkwright.cli.streams import outlive_readers
from linkwright.cli.study_options import (
    AgainFailedOption,
    AgainOption,
    JobsOption,
    StudyArgument,
    StudyFolderOption,
    WorkersOption,
)
from linkwright.cli.terminal import say, say_error
from linkwright.cli.work import work
from linkwright.errors import UsageError, shown_path

if TYPE_CHECKING:
    from linkwright.study.parts import Done
    from linkwright.study.repetition import Again

__all__ = ["study"]

MOST_SHOWN = 10
"""Failed runs that are named while the study runs, and remarks at its end."""


def study(
    file: StudyArgument = None,
    output: StudyFolderOption = None,
    on: WorkersOption = "local",
    jobs: JobsOption = None,
    again_failed: AgainFailedOption = False,
    again: AgainOption = None,
    quiet: QuietOption = False,
) -> None:
    """Make all runs of a study.

    The file names designs, workloads, hosts and seeds with axes; every combination is run. The
    same command resumes a study that was interrupted: only missing runs are made. A run that fails
    is named and ends nothing. `linkwright query`, `pivot`, `plot` and `sensitivity` read the
    folder.

    Exit code 1 if a run has failed, or if rows differ with --again.
    """
    from linkwright.study import Study, run
    from linkwright.study import again as make_again

    if (file is None) == (again is None):
        raise UsageError("a study is one file", "give FILE, or a folder with --again")
    outlive_readers()
    failures = _Failures(quiet=quiet)
    if again is not None:
        folder = again
        found = work(
            lambda report: make_again(
                folder, into=output, on=on, jobs=jobs, progress=report, failed=failures.add
            ),
            "running the study again",
            quiet=quiet,
        )
        _show_again(found)
        raise typer.Exit(0 if found.is_equal else 1)
    assert file is not None
    asked = Study.load(file)
    target = output or _folder_beside(file)
    made = work(
        lambda report: run(
            asked,
            target,
            on=on,
            jobs=jobs,
            again_failed=again_failed,
            command=command_line(),
            progress=report,
            failed=failures.add,
        ),
        "running the study",
        quiet=quiet,
    )
    progressed = made.progressed()
    for remark in progressed.remarks[:MOST_SHOWN]:
        say(f"note: {remark}", quiet=quiet)
    if (n_more := len(progressed.remarks) - MOST_SHOWN) > 0:
        say(f"note: and {n_more:,} remarks more", quiet=quiet)
    n_failed = sum(one.has_failed for one in progressed.done)
    typer.echo(f"{len(progressed.done):,} runs, {n_failed:,} failed, in {target}")
    if n_failed:
        question = (
            "select error, message, count(*) as runs from runs where error <> '' group by all"
        )
        say(f'linkwright query {shlex.quote(str(target))} "{question}"', quiet=quiet)
        raise typer.Exit(1)


def _folder_beside(file: Path) -> Path:
    """Return the folder that has the name of a study file without its suffix."""
    if not file.suffix:
        raise UsageError(
            f"{shown_path(file)} has no suffix to leave out for the name of the folder",
            "name the folder with -o",
        )
    return file.with_suffix("")


class _Failures:
    """Names the first runs that fail, each reason once."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet, self._seen = quiet, set[str]()

    def add(self, run: Done) -> None:
        """Name a failed run."""
        if self._quiet or run.message in self._seen or len(self._seen) >= MOST_SHOWN:
            return
        self._seen.add(run.message)
        say_error(f"{run.place}, seed {run.seed}: {run.message}", run.hint)


def _show_again(found: Again) -> None:
    then, now = found.builds
    typer.echo(f"{found.n_equal:,} of {found.n_rows:,} rows are equal")
    typer.echo("same build" if then == now else f"build then {then}, now {now}")
    if found.only_before or found.only_now:
        typer.echo(f"only before: {found.only_before:,} rows; only now: {found.only_now:,}")
    for design, workload, metric, seed, before, value in found.differences:
        typer.echo(f"{design}, {workload}, {metric}, seed {seed}: {before!r} before, {value!r} now")
