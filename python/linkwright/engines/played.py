"""A run bundled for the in-browser player: the packed inputs (playing.py) at several message sizes,
and the metadata that the page shows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from linkwright.engines.inputs import Run
from linkwright.engines.playing import pack
from linkwright.faults import Fault
from linkwright.placement import is_random, nodes_of_ranks
from linkwright.records.read_only import ArrayRecord
from linkwright.workloads import Workload
from linkwright.workloads.readings import readings
from linkwright.workloads.sizes import MAX_SIZE_BYTES

__all__ = ["PackedRun", "packed", "sizes_of"]

NEIGHBOUR = 4
"""A workload of one size has two sizes beside it: smaller and larger by this factor."""


class PackedRun(ArrayRecord):
    """A run as the engine in a page takes it."""

    packed: bytes
    """The inputs of the engine, one program per workload."""
    workloads: Sequence[Workload]
    """The workload of each program; the first is the one that was run."""
    node_of_rank: NDArray[np.uint32]
    """shape (n_ranks,): the node of each rank."""
    seed: int
    faults: Sequence[Fault]
    has_seeds: bool
    """Whether the page can take another seed: not where it also places the ranks."""
    has_figures: bool
    """Whether the page computes the figures of the workload, beside those of the engine."""


def packed(run: Run, n_ranks: int) -> PackedRun:
    """Return a run as the engine in a page takes it.

    Parameters
    ----------
    run : Run
        The inputs of a run that was made: its workload is long enough to be measured.
    n_ranks : int
        Ranks of the workload.
    """
    workloads = (run.workload, *sizes_of(run.workload))
    return PackedRun(
        packed=pack([replace(run, workload=workload) for workload in workloads]),
        workloads=workloads,
        node_of_rank=nodes_of_ranks(run.placement, run.network, n_ranks, seed=run.seed or 0),
        seed=run.seed or 0,
        faults=run.faults,
        has_seeds=not is_random(run.placement),
        has_figures=readings(run.workload, n_ranks) is not None,
    )


def sizes_of(workload: Workload) -> tuple[Workload, ...]:
    """Return a workload for single sizes of its message: each of several, or those next to one.

    Workloads without a size, and those that run longer where the network is fast, have no other.

    Examples
    --------
    >>> from linkwright.workloads import Broadcast
    >>> [one.size_bytes for one in sizes_of(Broadcast(size_bytes=4096))]
    [(1024,), (16384,)]
    """
    given = getattr(workload, "size_bytes", None)
    if given is None or type(workload).longer is not Workload.longer:
        return ()
    sizes = given if isinstance(given, tuple) else (given,)
    if len(sizes) == 1:
        smaller, larger = sizes[0] // NEIGHBOUR, sizes[0] * NEIGHBOUR
        sizes = tuple(size for size in (smaller, larger) if 1 <= size <= MAX_SIZE_BYTES)
    values = [(size,) if isinstance(given, tuple) else size for size in sizes]
    return tuple(workload.model_copy(update={"size_bytes": value}) for value in values)
