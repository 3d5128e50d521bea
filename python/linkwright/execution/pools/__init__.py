"""Pools of workers, one file per kind, all behind `concurrent.futures.Executor`.

`local` has processes on this machine, `dask://HOST:PORT` the workers of a Dask scheduler, `slurm`
jobs of a Slurm cluster.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from linkwright.errors import UsageError, shown, unknown_name
from linkwright.registry import Registry

__all__ = ["POOLS", "Pool", "opener", "pool"]


@dataclass(frozen=True)
class Pool:
    """Workers, and how the executor divides its work among them.

    Attributes
    ----------
    executor : Executor
        Takes calls and returns futures.
    n_workers : int
        Calls that it makes at the same time.
    renewed : callable
        Returns a new executor after the loss of a worker has broken the old one.
    least_s : float
        Duration of a chunk at least, so that handing it over costs little.
    share_fate : bool
        Whether the loss of one worker ends the calls of all.
    is_alive : callable
        Whether the calls that have been made can still end.
    takes_one : bool
        Whether a call makes one item: where handing it over costs nothing.
    """

    executor: Executor
    n_workers: int
    renewed: Callable[[], Executor]
    least_s: float = 0.5
    share_fate: bool = True
    is_alive: Callable[[], bool] = lambda: True
    takes_one: bool = False


Opener = Callable[[str, int | None, Path], AbstractContextManager[Pool]]
"""Opens a pool at an address with a number of workers (default: as many as there are) and a folder
for files of its own.
"""

POOLS: Registry[Opener] = Registry(
    __name__, {"local": "local:local", "dask": "dask:dask", "slurm": "slurm:slurm"}
)
"""Every kind of pool by the beginning of its address."""


def pool(on: str, jobs: int | None, files: Path) -> AbstractContextManager[Pool]:
    """Open the pool at an address: `local`, `dask://HOST:PORT`, `slurm` or `slurm://PARTITION`.

    Parameters
    ----------
    on : str
        The address.
    jobs : int or None
        Number of workers. None: one per core, or as many as the cluster has.
    files : Path
        Folder that it may make for files of its own; all of the cluster see it.

    Raises
    ------
    UsageError
        If there is no such kind of pool.
    CapabilityError
        If its library is missing, or no scheduler answers.
    """
    return opener(on)(on.partition("://")[2], jobs, files)


def opener(on: str) -> Opener:
    """Return the function that opens the pool at an address; see `pool`.

    Raises
    ------
    UsageError
        If there is no such kind of pool.
    """
    kind = on.partition("://")[0]
    if kind not in POOLS:
        raise UsageError(f"studies do not run on {shown(on)}", unknown_name(kind, POOLS))
    return POOLS[kind]
