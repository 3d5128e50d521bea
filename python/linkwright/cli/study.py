"""`linkwright study`: many runs from one file, on this machine or others, into one folder.

The questions to a folder are commands of their own: query, pivot, plot.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from linkwright.cli.given import refuse_unused
from linkwright.cli.invocation import command_line
from linkwright.cli.options import QuietOption
from linkwright.cli.output import expect_folder
from linkwright.cli.streams import outlive_readers
from linkwright.cli.study_options import (
    MOST_RUNS,
    AgainFailedOption,
    AgainOption,
    DryRunOption,
    JobsOption,
    ManyOption,
    StudyArgument,
    StudyFolderOption,
    WorkersOption,
)
from linkwright.cli.terminal import say, say_error
from linkwright.cli.work import work
from linkwright.errors import UsageError, shown_path

if TYPE_CHECKING:
    from linkwright.study.folder import Progressed
    from linkwright.study.parts import Done
    from linkwright.study.repetition import Again

__all__ = ["study"]

MOST_SHOWN = 10
"""Reasons of failed runs that are named, and remarks at the end."""


def study(
    file: StudyArgument = None,
    output: StudyFolderOption = None,
    on: WorkersOption = "local",
    jobs: JobsOption = None,
    again_failed: AgainFailedOption = False,
    again: AgainOption = None,
    dry_run: DryRunOption = False,
    many: ManyOption = False,
    quiet: QuietOption = False,
) -> None:
    """Make all runs of a study.

    The file names designs, workloads, hosts and seeds with axes; every combination is run. The
    number of runs and an estimate of their time, for which a few are tried, come first. The
    same command resumes a study that was interrupted: only missing runs are made. A run that fails
    is named and ends nothing. `linkwright query`, `pivot`, `plot` and `sensitivity` read the
    folder.

    Exit code 1 if a run has failed, or if rows differ with --again.
    """
    from linkwright.study import Study, rehearse, run
    from linkwright.study import again as make_again

    if (file is None) == (again is None):
        raise UsageError("a study is one file", "give FILE, or a folder with --again")
    expect_folder(output)
    outlive_readers()
    failures = _Failures(quiet=quiet)
    if again is not None:
        refuse_unused("--again makes all runs of its folder", "again_failed", "dry_run", "many")
        found = work(
            lambda report: make_again(
                again, into=output, on=on, jobs=jobs, progress=report, failed=failures.add
            ),
            "running the study again",
            quiet=quiet,
        )
        _show_again(found)
        raise typer.Exit(0 if found.is_equal else 1)
    assert file is not None
    asked = Study.load(file)
    target = output or _folder_beside(file)
    how: dict[str, Any] = {"on": on, "jobs": jobs, "again_failed": again_failed}
    if dry_run:
        rehearsed = work(lambda _: rehearse(asked, target, **how), "trying runs", quiet=quiet)
        typer.echo(rehearsed.text)
        return
    made = work(
        lambda report: run(
            asked,
            target,
            most_runs=None if many else MOST_RUNS,
            command=command_line(),
            begun=None if quiet else lambda outlook: say(outlook.text, quiet=False),
            progress=report,
            failed=failures.add,
            **how,
        ),
        "running the study",
        quiet=quiet,
    )
    _show(made.progressed(), target, failures, quiet=quiet)


def _show(progressed: Progressed, target: Path, failures: _Failures, *, quiet: bool) -> None:
    """Show remarks, the numbers of runs and failures, and the way to all reasons."""
    for remark in progressed.remarks[:MOST_SHOWN]:
        say(f"note: {remark}", quiet=quiet)
    if (n_more := len(progressed.remarks) - MOST_SHOWN) > 0:
        say(f"note: and {n_more:,} remarks more", quiet=quiet)
    failed = [one for one in progressed.done if one.has_failed]
    failures.count(failed)
    typer.echo(f"{len(progressed.done):,} runs, {len(failed):,} failed, in {target}")
    if failed:
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
    """Names the first run of each reason to fail, and counts the others.

    Messages that differ in numbers alone have one reason.
    """

    def __init__(self, *, quiet: bool) -> None:
        self._quiet, self._named = quiet, set[str]()

    def add(self, run: Done) -> None:
        """Name a failed run, unless one has failed for the same reason."""
        reason = _reason(run)
        if self._quiet or reason in self._named or len(self._named) >= MOST_SHOWN:
            return
        self._named.add(reason)
        say_error(f"{run.place}, seed {run.seed}: {run.message}", run.hint)

    def count(self, failed: Sequence[Done]) -> None:
        """Say how many runs failed for each reason; name runs that failed before this command."""
        groups: dict[str, list[Done]] = {}
        for run in failed:
            groups.setdefault(_reason(run), []).append(run)
            self.add(run)
        for reason, runs in groups.items():
            if reason in self._named and len(runs) > 1:
                first = f"{runs[0].place}, seed {runs[0].seed}"
                say(f"{len(runs):,} runs failed for the reason of {first}", quiet=self._quiet)
        if (n_more := len(groups.keys() - self._named)) > 0:
            say(f"and {n_more:,} reasons more", quiet=self._quiet)


def _reason(run: Done) -> str:
    return f"{run.kind} {re.sub(r'[0-9][0-9.e+-]*', '#', run.message)}"


def _show_again(found: Again) -> None:
    then, now = found.builds
    typer.echo(f"{found.n_equal:,} of {found.n_rows:,} rows are equal")
    typer.echo("same build" if then == now else f"build then {then}, now {now}")
    if found.only_before or found.only_now:
        typer.echo(f"only before: {found.only_before:,} rows; only now: {found.only_now:,}")
    for design, workload, metric, seed, before, value in found.differences:
        typer.echo(f"{design}, {workload}, {metric}, seed {seed}: {before!r} before, {value!r} now")
