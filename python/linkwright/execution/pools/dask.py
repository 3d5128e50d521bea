"""Workers of a Dask scheduler, which their owner has started: by `dask worker`, SSH or Helm.

They need the same version of Linkwright. Those that see the folder of the study write into it, the
others send their rows back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from linkwright.errors import CapabilityError, UsageError, shown
from linkwright.execution.pools import Pool

__all__ = ["dask"]

_ADDRESS = re.compile(r"[\w.-]+:\d{1,5}|\[[0-9a-fA-F:]+\]:\d{1,5}")
ANSWER_S = 10
"""Time in which a scheduler answers."""
LEAST_S = 2.0
"""Duration of a chunk, against some milliseconds of the scheduler."""


@contextmanager
def dask(address: str, jobs: int | None, files: Path) -> Iterator[Pool]:
    """Open the workers of the scheduler at HOST:PORT; `jobs` limits the chunks under way, and no
    files are needed.
    """
    del files
    try:
        from distributed import Client
    except ImportError as error:
        raise CapabilityError(
            "Dask is not installed", "install it: pip install 'linkwright[dask]'"
        ) from error
    make: Any = Client
    if not _ADDRESS.fullmatch(address):
        raise UsageError(f"{shown(address)} is no HOST:PORT", "write --on dask://HOST:PORT")
    try:
        client = make(f"tcp://{address}", timeout=ANSWER_S, set_as_default=False)
    except (OSError, ValueError) as error:
        raise CapabilityError(
            f"no Dask scheduler answers at {shown(address)}",
            "start one: dask scheduler, then dask worker HOST:PORT on each machine",
        ) from error
    with client:
        n_threads = sum(client.nthreads().values())
        if not n_threads:
            raise CapabilityError(
                f"the Dask scheduler at {shown(address)} has no workers",
                f"start one on each machine: dask worker {address}",
            )

        def renewed() -> Executor:
            executor: Executor = client.get_executor(pure=False, retries=0)
            return executor

        n_workers = min(jobs or n_threads, n_threads)
        yield Pool(
            renewed(),
            n_workers,
            renewed,
            LEAST_S,
            share_fate=False,
            is_alive=lambda: client.status != "closed",
        )
