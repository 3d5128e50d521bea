"""The runner: makes the runs of a study that are left, on any pool, in chunks.

A chunk lasts half a second at first and a minute at most. When a worker dies, the chunks that were
under way are tried again one at a time and halved, until the run that kills workers is alone; it is
noted as failed, and the study goes on (docs/design/studies.md).
"""

from __future__ import annotations

import operator
import os
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from pathlib import Path

from linkwright.engines.engine import engine_named
from linkwright.errors import LinkwrightError, RunError
from linkwright.progress import Report, time_left
from linkwright.study.confidence import Confidence
from linkwright.study.folder import MANIFEST, StudyFolder
from linkwright.study.inputs import Inputs
from linkwright.study.outlook import Outlook, expect_few, tried_s
from linkwright.study.parts import Done
from linkwright.study.points import Planned, Point, first_runs, plan
from linkwright.study.pools import Pool, opener, pool
from linkwright.study.study_file import SeedsUntil, Study
from linkwright.study.worker import Chunk, Ended, ended, run_chunk
from linkwright.threads import n_cores

__all__ = ["Work", "jobs_of", "run"]

MOST_S = 60.0
"""Duration of a chunk at most: what a killed worker loses."""
SHARE = 0.25
"""Duration of a chunk as a share of the time so far."""
LOOK_S = 0.5
"""Time between two reports."""
MOST_DEATHS = 3
"""Workers that die of one run, before it is given up."""
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
        work = Work(place, again_failed=again_failed, failed=failed or (lambda _: None))
        expect_few(len(work.todo), most_runs)
        jobs = jobs_of(place.study, jobs)
        if begun is not None:
            begun(work.outlook(on, jobs))
        if work.todo:
            with pool(on, jobs, place.pool_files) as workers:
                _Runner(work, workers, progress).run()
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


class Work:
    """The runs that are left, and what comes of those that end."""

    def __init__(
        self, folder: StudyFolder, *, again_failed: bool, failed: Callable[[Done], None]
    ) -> None:
        self.folder, self.failed, self.todo = folder, failed, deque[Planned]()
        self.n_done = 0
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

    def take(self, chunk: Ended) -> None:
        """Note the end of some runs, and add the seeds that they ask for."""
        if chunk.part is not None:
            self.folder.write_part(*chunk.part)
        for one in chunk.runs:
            self.n_done += 1
            if one.has_failed:
                self.failed(one)
            else:
                point = self._points[one.point]
                self.todo += self._further(point, one.repeat, chunk.values.get(one.key, ()))

    def give_up(self, planned: Planned) -> None:
        """Note a run that ends every worker that makes it."""
        error = (
            "WorkerLost",
            "the worker that made the run died, also when it had nothing else to do",
            "look for a lack of memory, and run it alone with `linkwright simulate`",
        )
        lost = ended(planned, self.folder.axes, 0.0, error)
        self.folder.write_failures([lost])
        self.take(Ended([lost], {}, None))


class _Runner:
    """Chunks under way."""

    def __init__(self, work: Work, workers: Pool, progress: Report | None) -> None:
        self._work, self._pool, self._progress = work, workers, progress
        self._executor = workers.executor
        self._setting = work.folder.setting
        self._running: dict[Future[Ended], Chunk] = {}
        self._suspects: deque[Sequence[Planned]] = deque()
        self._deaths: Counter[str] = Counter()
        self._begin_s = time.monotonic()
        self._n_begun_with = work.n_done
        self._busy_s, self._n_timed = 0.0, 0

    def run(self) -> None:
        """Make all runs."""
        while self._work.todo or self._running or self._suspects:
            self._hand_out()
            answers, _ = wait(self._running, timeout=LOOK_S, return_when=FIRST_COMPLETED)
            for future in [one for one in self._running if one in answers]:
                # A broken pool has put all its chunks among the suspects.
                if future in self._running:
                    self._end(future)
            if not self._pool.is_alive():
                raise RunError(
                    f"the workers of study '{self._setting.name}' are lost",
                    "start them again, then the same command: only missing runs are made",
                )
            self._report()

    def _hand_out(self) -> None:
        if self._suspects:
            # Alone, so that it is known which chunk a worker died of.
            if not self._running:
                self._submit(self._suspects.popleft())
            return
        while self._work.todo and len(self._running) < self._pool.n_workers + 1:
            n = min(self._size(), len(self._work.todo))
            self._submit([self._work.todo.popleft() for _ in range(n)])

    def _size(self) -> int:
        """Return the number of runs in the next chunk."""
        if not self._n_timed:
            return 1
        lasting_s = (time.monotonic() - self._begin_s) * SHARE
        lasting_s = min(max(lasting_s, self._pool.least_s), MOST_S)
        by_time = int(lasting_s * self._n_timed / max(self._busy_s, 1e-9))
        share = len(self._work.todo) // (2 * self._pool.n_workers)
        return max(1, min(by_time, share))

    def _submit(self, runs: Sequence[Planned]) -> None:
        chunk = Chunk(self._setting, runs, MOST_S)
        try:
            self._running[self._executor.submit(run_chunk, chunk)] = chunk
        except RuntimeError:  # broken since the last look
            self._suspects.append(runs)
            self._renew()

    def _end(self, future: Future[Ended]) -> None:
        chunk = self._running.pop(future)
        try:
            made = future.result()
        except LinkwrightError:
            raise  # Rows cannot be written.
        except (Exception, CancelledError) as error:
            if not _is_loss(error):
                raise
            self._blame(chunk.runs)
            return
        self._work.take(made)
        self._busy_s += sum(one.wall_s for one in made.runs)
        self._n_timed += len(made.runs)
        self._work.todo.extendleft(reversed(chunk.runs[len(made.runs) :]))

    def _blame(self, runs: Sequence[Planned]) -> None:
        """Put a lost chunk, and all that are lost with it, among the suspects."""
        was_alone = not self._running
        if was_alone and len(runs) == 1:
            self._deaths[runs[0].key] += 1
            if self._deaths[runs[0].key] == MOST_DEATHS:
                self._work.give_up(runs[0])
            else:
                self._suspects.appendleft(runs)
        elif was_alone:
            half = len(runs) // 2
            self._suspects.extendleft([runs[half:], runs[:half]])
        else:
            self._suspects.append(runs)
        self._renew()

    def _renew(self) -> None:
        """Take new workers if all calls of the old ones are lost."""
        if self._pool.share_fate:
            self._suspects.extend(chunk.runs for chunk in self._running.values())
            self._running.clear()
            self._executor = self._pool.renewed()

    def _report(self) -> None:
        if self._progress is None:
            return
        n_done, name = self._work.n_done, self._setting.name
        n_left = len(self._work.todo)
        n_left += sum(len(chunk.runs) for chunk in self._running.values())
        n_left += sum(map(len, self._suspects))
        n_new = n_done - self._n_begun_with
        passed_s = time.monotonic() - self._begin_s
        left = time_left(n_new / max(n_new + n_left, 1), passed_s)
        self._progress(n_done, n_done + n_left, f"{name}{left}")


def _is_loss(error: BaseException) -> bool:
    """Return whether an error means that a worker died.

    Executors of other libraries have their own classes: KilledWorker of Dask, UncompletedJobError
    of submitit.
    """
    names = {one.__name__ for one in type(error).__mro__}
    losses = {"BrokenExecutor", "CancelledError", "KilledWorker", "UncompletedJobError"}
    return bool(names & losses)
