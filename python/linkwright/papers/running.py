"""Running the experiments of tables: in parallel, and each only once.

An experiment that several tables need is run once and given to each. With a folder, an interrupted
reproduction goes on where it ended: all of them take twenty minutes (`study.kept_runs`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from linkwright.papers.run_table import RunTable
from linkwright.progress import Report
from linkwright.records.plain_numbers import plain
from linkwright.results import Result, expect_parquet
from linkwright.study.kept_runs import results_of
from linkwright.views.plots import expect_matplotlib

__all__ = ["Runner", "check_extras"]


@dataclass(frozen=True, kw_only=True)
class Runner:
    """Runs experiments."""

    is_brief: bool = False
    """Whether long runs are shortened as their experiment defines."""
    n_jobs: int = 1
    n_draws: int = 0
    """Number of draws of the hosts' constants behind intervals. Default: seeds alone make them."""
    folder: Path | None = None
    """Folder of saved results. Default: none."""
    command: tuple[str, ...] = ()
    """Command line for the manifests of saved results."""
    progress: Report = lambda done, total, name: None

    def __post_init__(self) -> None:
        object.__setattr__(self, "n_draws", plain(self.n_draws))

    def run(self, tables: Mapping[str, RunTable]) -> dict[str, dict[str, Result]]:
        """Return the result of every experiment, by table and name, in the order given."""
        found = results_of(
            {
                f"{name}/{one.name}": one.run(f"{name}/{one.name}", is_brief=self.is_brief)
                for name, table in tables.items()
                for one in table.experiments
            },
            n_jobs=self.n_jobs,
            folder=None if self.folder is None else self.folder / "runs",
            command=self.command,
            progress=self.progress,
        )
        return {
            name: {one.name: found[f"{name}/{one.name}"] for one in table.experiments}
            for name, table in tables.items()
        }

    def drawn(self, tables: Mapping[str, RunTable]) -> dict[str, dict[str, Result]]:
        """Return results with drawn constants for the printed numbers; none without draws."""
        if not self.n_draws:
            return {name: {} for name in tables}
        return self.run({name: table.drawn(self.n_draws) for name, table in tables.items()})


def check_extras() -> None:
    """Refuse to begin work whose output could not be saved or drawn.

    Raises
    ------
    CapabilityError
        If the library that writes Parquet or draws figures is missing.
    """
    expect_parquet()
    expect_matplotlib()
