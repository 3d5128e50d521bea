"""Jobs of a Slurm cluster, each with one chunk, by submitit.

The folder of the study must be on a file system that all nodes see: the scripts of the jobs and
their logs are in it too, as long as the study runs.
"""

from __future__ import annotations

import logging
import shutil
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from linkwright.errors import CapabilityError
from linkwright.execution.pools import Pool

__all__ = ["slurm"]

JOBS = 4
"""Jobs at the same time by default."""
LEAST_S = 60.0
"""Duration of a chunk, against some seconds in the queue."""
TIMEOUT_MIN = 24 * 60
"""Longest time of a job: a single run may take longer than its chunk was meant to."""
LOOK_S = 1.0
"""Time between two looks at the jobs."""
LATE = 5
"""Looks without a job in the queue, before it counts as lost: its result may come late."""


@contextmanager
def slurm(address: str, jobs: int | None, files: Path) -> Iterator[Pool]:
    """Open a pool of jobs; `address` is a partition or empty."""
    try:
        import submitit
    except ImportError as error:
        raise CapabilityError(
            "submitit is not installed", "install it: pip install 'linkwright[slurm]'"
        ) from error
    if shutil.which("sbatch") is None:
        raise CapabilityError(
            "Slurm is not installed: there is no sbatch", "run on a node of the cluster"
        )
    # It warns at every look where Slurm keeps no accounts.
    logging.getLogger("submitit").setLevel(logging.ERROR)
    n_jobs = jobs or JOBS
    submits = submitit.SlurmExecutor(folder=files, max_num_timeout=0)
    options: dict[str, Any] = {"time": TIMEOUT_MIN, "job_name": "linkwright", "cpus_per_task": 1}
    if address:
        options["partition"] = address
    submits.update_parameters(**options)
    executor = _SlurmExecutor(submits)
    try:
        yield Pool(executor, n_jobs, lambda: executor, LEAST_S, share_fate=False)
    finally:
        executor.shutdown(cancel_futures=True)
        shutil.rmtree(files, ignore_errors=True)


class _SlurmExecutor(Executor):
    """submitit's jobs as futures."""

    def __init__(self, submits: Any) -> None:
        self._submits = submits
        self._jobs: dict[Future[Any], Any] = {}
        self._lock = threading.Lock()
        self._is_open = True
        threading.Thread(target=self._watch, daemon=True).start()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Submit a job."""
        future: Future[Any] = Future()
        future.set_running_or_notify_cancel()
        job = self._submits.submit(fn, *args, **kwargs)
        with self._lock:
            self._jobs[future] = job
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Cancel the jobs that are left."""
        del wait, cancel_futures
        self._is_open = False
        with self._lock:
            left, self._jobs = list(self._jobs.values()), {}
        for job in left:
            job.cancel()

    def _watch(self) -> None:
        missed: Counter[str] = Counter()
        while self._is_open:
            with self._lock:
                jobs = dict(self._jobs)
            queued = _queued() if jobs else set()
            for future, job in jobs.items():
                missed[job.job_id] += job.job_id not in queued
                if job.paths.result_pickle.exists():
                    _settle(future, job)
                elif missed[job.job_id] > LATE:
                    future.set_exception(BrokenExecutor(f"job {job.job_id} is lost"))
                else:
                    continue
                with self._lock:
                    self._jobs.pop(future, None)
            time.sleep(LOOK_S)


def _queued() -> set[str]:
    """Return the ids of the jobs that wait or run."""
    words = ["squeue", "--noheader", "--format", "%i"]
    listed = subprocess.run(words, capture_output=True, text=True, check=False)
    return set(listed.stdout.split())


def _settle(future: Future[Any], job: Any) -> None:
    """Give a future the result of its job, or the error that ended it."""
    try:
        future.set_result(job.result())
    except Exception as error:  # every kind belongs to the future
        future.set_exception(error)
