"""The compiled program: what every rank does, operation by operation.

`compile_program` goes from a workload's table of steps to the operations of each rank, collectives
expanded by a named set of algorithms. After it, the workload is needed only to read the marks. This
file adds no rule to those of the compiled core; it only puts names into its messages.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from linkwright import _core
from linkwright.errors import UsageError, unknown_name
from linkwright.workloads import Workload

__all__ = ["ALGORITHM_SETS", "Program", "compile_program", "goal_text"]

ALGORITHM_SETS: tuple[str, ...] = tuple(_core.ALGORITHM_SETS)
"""How collectives can be carried out: names of message-passing libraries."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Program:
    """What `n_ranks` ranks do; immutable. Every engine plays it."""

    n_ranks: int
    algorithms: str
    """The set of algorithms by which collectives were expanded."""
    core: _core.Program

    @property
    def n_operations(self) -> int:
        """Operations of all ranks, each counted once however often it is repeated."""
        return self.core.n_operations


def compile_program(workload: Workload, n_nodes: int, *, algorithms: str = "mpich-1.1") -> Program:
    """Return the program of a workload on a cluster.

    Parameters
    ----------
    workload : Workload
        What runs.
    n_nodes : int
        Compute nodes of the cluster; rank i runs on node i.
    algorithms : str
        One of `ALGORITHM_SETS`.

    Raises
    ------
    UsageError
        When the workload does not fit the cluster, the set of algorithms is unknown, or the
        workload's steps make no program.
    """
    if algorithms not in ALGORITHM_SETS:
        raise UsageError(
            f"unknown set of algorithms '{algorithms}'", unknown_name(algorithms, ALGORITHM_SETS)
        )
    n_ranks = workload.n_ranks(n_nodes)
    steps = workload.steps(n_ranks)
    try:
        core = _core.Program(
            n_ranks,
            algorithms,
            kind=steps.kind,
            rank=steps.rank,
            peer=steps.peer,
            size_bytes=steps.size_bytes,
            tag=steps.tag,
            compute_s=steps.compute_s,
            number=steps.number,
        )
    except UsageError as error:
        raise UsageError(f"workload {workload.name}: {error.message}", error.hint) from None
    return Program(n_ranks=n_ranks, algorithms=algorithms, core=core)


def goal_text(program: Program) -> Iterator[str]:
    r"""Return a program as GOAL text, the trace format of LogGOPSim, in pieces of about 1 MB.

    Loops are unrolled and collectives stand as their messages; marks are left out, computations are
    in whole nanoseconds.

    Raises
    ------
    UsageError
        When the program does what GOAL has no word for, such as datagrams.

    Examples
    --------
    >>> from linkwright.workloads import PingPong
    >>> "".join(goal_text(compile_program(PingPong(size_bytes=1, repeats=1), 2)))[:12]
    'num_ranks 2\n'
    """
    return _core.GoalWriter(program.core)
