"""The runner: makes the runs of a study that are left, on any pool, by the executor.

A run that kills workers is noted as failed, and the study goes on (docs/design/studies.md).
"""

from __future__ import annotations

import operator
import os
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from linkwright.engines.engine import engine_named
from linkwright.errors import RunError
from linkwright.execution.executor import MOST_S, Executor, Work
from linkwright.execution.pools import opener, pool
from linkwright.progress import Report, time_left
from linkwright.study.confidence import Confidence
from linkwright.study.folder import MANIFEST, StudyFolder
from linkwright.study.inputs import Inputs
from linkwright.study.outlook import Outlook, expect_few, tried_s
from linkwright.study.parts import Done
from linkwright.study.points import Planned, Point, first_runs, plan
from linkwright.study.study_file import SeedsUntil, Study
from linkwright.study.worker import Chunk, Ended, ended, run_chunk
from linkwright.threads import n_cores

__all__ = ["StudyWork", "jobs_of", "run"]

FINAL = frozenset({"DesignError", "UsageError", "RunError", "PlanError"})
"""Errors that the same run would have again."""


def run(
    study: Study | str | Path,
    folder: str | os.PathLike[str],
    *,
    on: str = "local",
    jobs: int | None = None,
    again_failed: bool = False,
    most_runs: int | None = None,
    command: Sequence[str] = (),
    begun: Callable[[Outlook], None] | None = None,
    progress: Report | None = None,
    failed: Callable[[Done], None] | None = None,
) -> StudyFolder:
    """Make the runs of a study that its folder does not have, and merge their rows.

    Parameters
    ----------
    study : Study or path
        The study, or its file.
    folder : path-like
        The folder of the study; made if it does not exist.
    on : str
        The workers: `local`, `dask://HOST:PORT`, `slurm` or `slurm://PARTITION`.
    jobs : int, optional
        Number of workers. Default: one per core, or as many as the cluster has.
    again_failed : bool
        Whether all runs that failed are made again, and not only those that another attempt may
        help: a killed worker, too little memory, a missing capability.
    most_runs : int, optional
        Largest number of runs to make. Default: no limit.
    command : sequence of str
        Command line, for the manifest.
    begun, progress, failed : callable, optional
        Called before the first run with the outlook, for which some runs are tried; with the
        numbers of runs done and known, and the time left; and with each run that fails.

    Raises
    ------
    LinkwrightError
        If the study, the folder, the number of runs or the pool is wrong, or rows cannot be
        written. A run that fails is in the folder and ends nothing.

    Examples
    --------
    >>> import tempfile
    >>> found = run(Study.parse('''
    ... designs: [{design: {topology: {kind: ring}}, axes: {topology.shape: [[4], [8]]}}]
    ... workloads: [broadcast]
    ... engines: [analytic]
    ... '''), tempfile.mkdtemp(), jobs=1)
    >>> len(found.progressed().done)
    2
    """
    asked = study if isinstance(study, Study) else Study.load(study)
    _expect_possible(asked, on, Path(folder), most_runs)
    place = StudyFolder.create(folder, asked)
    with place.locked():
        place.tidy()
        work = StudyWork(place, again_failed=again_failed, failed=failed, progress=progress)
        expect_few(len(work.todo), most_runs)
        jobs = jobs_of(place.study, jobs)
        if begun is not None:
            begun(work.outlook(on, jobs))
        if work.todo:
            with pool(on, jobs, place.pool_files) as workers:
                Executor(work, workers).run()
        place.merge()
        work.check()
        place.finished(command)
    return place


def _expect_possible(study: Study, on: str, folder: Path, most_runs: int | None) -> None:
    """Refuse unknown workers, and too many runs, before their folder is made."""
    opener(on)
    if most_runs is None or (folder / MANIFEST).exists():
        return
    whole = Inputs.of(study).study
    expect_few(sum(1 for point in plan(whole) for _ in first_runs(whole, point)), most_runs)


def jobs_of(study: Study, jobs: int | None) -> int | None:
    """Return the number of workers that the engines of a study allow."""
    jobs = None if jobs is None else operator.index(jobs)
    for engine in study.engines:
        jobs = engine_named(engine).jobs(jobs)
    return jobs


class StudyWork(Work[Planned, Ended]):
    """The runs that are left, and what comes of those that end."""

    def __init__(
        self,
        folder: StudyFolder,
        *,
        again_failed: bool,
        failed: Callable[[Done], None] | None = None,
        progress: Report | None = None,
    ) -> None:
        self.folder, self.failed, self.todo = folder, failed, deque()
        self.n_done, self._n_new, self._progress = 0, 0, progress
        self._begin_s: float | None = None
        points, seeds = plan(folder.study), folder.study.seeds
        self._points = points
        self._confidence = Confidence(seeds) if isinstance(seeds, SeedsUntil) else None
        known = {one.key: one for one in folder.progressed().done}
        values = folder.values(seeds.metric) if isinstance(seeds, SeedsUntil) else {}
        waiting = deque(planned for point in points for planned in first_runs(folder.study, point))
        while waiting:
            planned = waiting.popleft()
            before = known.get(planned.key)
            if before is None or (before.has_failed and (again_failed or before.kind not in FINAL)):
                self.todo.append(planned)
                continue
            self.n_done += 1
            if not before.has_failed:
                waiting += self._further(planned.point, planned.repeat, values.get(planned.key, ()))

    def _further(self, point: Point, repeat: int, values: tuple[float, ...]) -> Iterator[Planned]:
        if self._confidence is None:
            return iter(())
        return self._confidence.more(point, repeat, values)

    def outlook(self, on: str, jobs: int | None) -> Outlook:
        """Return the outlook of the runs; some of them are tried."""
        n_workers = jobs or (n_cores() if on == "local" else 1)
        tried, is_cut = tried_s(self.folder.setting, self.todo) if self.todo else ([], False)
        is_least = self._confidence is not None
        return Outlook(len(self.todo), self.n_done, is_least, n_workers, tried, is_cut)

    def check(self) -> None:
        """Check that the seeds could be added that the study asks for.

        Raises
        ------
        UsageError
            If no run has the metric that decides.
        """
        if self._confidence is not None:
            self._confidence.expect_values()

    def call(self, items: Sequence[Planned]) -> tuple[Callable[[Chunk], Ended], Chunk]:
        """Return the function that makes runs, and the chunk of some of them."""
        self._begin_s = self._begin_s or time.monotonic()
        return run_chunk, Chunk(self.folder.setting, items, MOST_S)

    def take(self, answer: Ended) -> tuple[int, float]:
        """Note the end of some runs, and add the seeds that they ask for."""
        if answer.part is not None:
            self.folder.write_part(*answer.part)
        for one in answer.runs:
            self.n_done += 1
            self._n_new += 1
            if one.has_failed:
                if self.failed is not None:
                    self.failed(one)
            else:
                point = self._points[one.point]
                self.todo += self._further(point, one.repeat, answer.values.get(one.key, ()))
        return len(answer.runs), sum(one.wall_s for one in answer.runs)

    def looked(self, n_left: int) -> None:
        """Report the runs that are done, and the time left."""
        if self._progress is not None and self._begin_s is not None:
            share = self._n_new / max(self._n_new + n_left, 1)
            left = time_left(share, time.monotonic() - self._begin_s)
            label = f"{self.folder.setting.name}{left}"
            self._progress(self.n_done, self.n_done + n_left, label)

    def lost(self) -> RunError:
        """Return the error of workers that are all lost."""
        return RunError(
            f"the workers of study '{self.folder.setting.name}' are lost",
            "start them again, then the same command: only missing runs are made",
        )

    def give_up(self, item: Planned) -> None:
        """Note a run that ends every worker that makes it."""
        error = (
            "WorkerLost",
            "the worker that made the run died, also when it had nothing else to do",
            "look for a lack of memory, and run it alone with `linkwright simulate`",
        )
        lost = ended(item, self.folder.axes, 0.0, error)
        self.folder.write_failures([lost])
        self.take(Ended([lost], {}, None))
