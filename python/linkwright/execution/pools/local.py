"""Processes on this machine; a single worker is a thread of this process.

A worker ends with the program that started it, also if that is killed.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from linkwright.errors import UsageError
from linkwright.execution.pools import Pool
from linkwright.threads import n_cores, threads

__all__ = ["local", "processes"]


@contextmanager
def local(address: str, jobs: int | None, files: Path) -> Iterator[Pool]:
    """Open a pool of processes on this machine; `address` is empty, and no files are needed."""
    del files
    if address:
        raise UsageError("'local' has no address", "write --on local, and --jobs N for workers")
    n_workers = jobs or n_cores()
    if n_workers == 1:
        with threads(1) as alone:
            yield Pool(alone, 1, lambda: alone)
        return
    others = set(multiprocessing.active_children())
    executors: list[Executor] = []

    def renewed() -> Executor:
        executors.append(processes(n_workers))
        return executors[-1]

    try:
        yield Pool(renewed(), n_workers, renewed)
    except BaseException:
        # A chunk under way is lost, and made again next time.
        for worker in set(multiprocessing.active_children()) - others:
            worker.kill()
        raise
    finally:
        for executor in executors:
            executor.shutdown(cancel_futures=True)


def processes(n: int) -> ProcessPoolExecutor:
    """Return an executor with a number of processes that can run what a worker does."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["linkwright.study.worker"])
    return ProcessPoolExecutor(n, context, initializer=_begin)


def _begin() -> None:
    """Prepare a worker: Ctrl-C is for its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
