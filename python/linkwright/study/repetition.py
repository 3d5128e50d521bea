"""The same study once more, by this program, beside the rows that its folder has.

Rows are equal if their values agree except for rounding.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from linkwright.errors import OutputError, shown_path
from linkwright.progress import Report
from linkwright.study.code import code_digest
from linkwright.study.database import Database
from linkwright.study.folder import StudyFolder
from linkwright.study.parts import Done
from linkwright.study.runner import run
from linkwright.version import VERSION

__all__ = ["Again", "again"]

ROUNDING = 1e-9
"""Relative difference of values that counts as none."""
MOST_SHOWN = 10
"""Differing values that are listed."""


@dataclass(frozen=True)
class Again:
    """The comparison of two runs of a study.

    Attributes
    ----------
    n_rows, n_equal : int
        Rows of both, and those with equal values.
    only_before, only_now : int
        Rows that one of them alone has.
    differences : sequence of tuple
        The rows that differ most: design, workload, metric, seed, value before, value now.
    builds : tuple of str
        Version and build, then and now; equal if the program is the same.
    """

    n_rows: int
    n_equal: int
    only_before: int
    only_now: int
    differences: Sequence[tuple[str, str, str, int, float, float]]
    builds: tuple[str, str]

    @property
    def is_equal(self) -> bool:
        """Whether all rows are equal."""
        return self.n_equal == self.n_rows and not self.only_before and not self.only_now


def again(
    folder: str | os.PathLike[str],
    *,
    into: str | os.PathLike[str] | None = None,
    on: str = "local",
    jobs: int | None = None,
    progress: Report | None = None,
    failed: Callable[[Done], None] | None = None,
) -> Again:
    """Make all runs of a study again, from the inputs in its folder, and compare the rows.

    Parameters
    ----------
    folder : path-like
        The folder of the study.
    into : path-like, optional
        Folder for the new rows. Default: they are not kept.
    on, jobs, progress, failed
        As for `run`.

    Raises
    ------
    LinkwrightError
        As for `run`.
    """
    before = StudyFolder(folder)
    if into is not None and Path(into).exists() and any(Path(into).iterdir()):
        raise OutputError(
            f"folder {shown_path(into)} is not empty, and its rows would not be new",
            "choose another folder with -o",
        )
    with tempfile.TemporaryDirectory(prefix="linkwright-") as spare:
        # A folder of its own: `run` makes it.
        target = Path(spare) / "study" if into is None else Path(into)
        now = run(before.study, target, on=on, jobs=jobs, progress=progress, failed=failed)
        return _compared(before, now)


def _compared(before: StudyFolder, now: StudyFolder) -> Again:
    # The number of a row among those of its run and metric; a run has the same order each time.
    columns = (
        "select point, repeat, seed, metric, design, workload, parameters, value, "
        "row_number() over (partition by point, repeat, metric, parameters) as place from rows"
    )
    with Database(before) as old, Database(now) as new:
        joined = _joined(old, new, columns)
    found = f"{before.manifest['version']} ({before.manifest['code'][:12]})"
    return Again(*joined, (found, f"{VERSION} ({code_digest()[:12]})"))


def _joined(
    old: Database, new: Database, columns: str
) -> tuple[int, int, int, int, list[tuple[str, str, str, int, float, float]]]:
    import duckdb

    with duckdb.connect(":memory:") as connection:
        connection.register("before", old.query(columns).table)
        connection.register("now", new.query(columns).table)
        keys = "point, repeat, seed, metric, parameters, place"
        joined = f"from before full join now using ({keys})"
        is_equal = f"abs(before.value - now.value) <= {ROUNDING} * abs(before.value)"
        counts = connection.execute(
            f"select count(*) filter (before.value is not null and now.value is not null), "
            f"count(*) filter ({is_equal}), count(*) filter (now.value is null), "
            f"count(*) filter (before.value is null) {joined}"
        ).fetchall()
        rows = connection.execute(
            "select before.design, before.workload, metric, seed, before.value, now.value "
            f"{joined} where not ({is_equal}) order by abs(before.value - now.value) / "
            f"greatest(abs(before.value), 1e-300) desc, point, repeat limit {MOST_SHOWN}"
        ).fetchall()
    n_rows, n_equal, only_before, only_now = counts[0]
    return n_rows, n_equal, only_before, only_now, rows
