"""The compiled program: what every rank does, operation by operation.

`compile_program` goes from a workload's table of steps to the operations of each rank, computations
at the speed of the hosts and collectives expanded by their library's algorithms; what goes on
beside it has ranks behind those. After it, the workload is needed only to read the marks. This file
adds no rule to those of the compiled core; it only puts names into its messages.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from operator import index

from linkwright import _core
from linkwright.calibrations import Calibration
from linkwright.errors import UsageError
from linkwright.progress import Report
from linkwright.workloads import Background, Workload
from linkwright.workloads.steps import join

__all__ = ["ALGORITHM_SETS", "Program", "compile_program", "goal_text"]

ALGORITHM_SETS: tuple[str, ...] = tuple(_core.ALGORITHM_SETS)
"""How collectives can be carried out: names of message-passing libraries, the usual one first."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Program:
    """What `n_ranks` ranks do; immutable. Every engine plays it."""

    n_ranks: int
    n_awaited: int
    """How many of them a run waits for, the workload's; the others run for as long."""
    workload: Workload
    """What it was compiled from, at the speed of the hosts; it reads the marks of a run."""
    algorithms: str
    """The set of algorithms by which collectives were expanded."""
    core: _core.Program

    @property
    def n_operations(self) -> int:
        """Operations of all ranks, each counted once however often it is repeated."""
        return self.core.n_operations


def compile_program(
    workload: Workload,
    n_nodes: int,
    *,
    hosts: Calibration | None = None,
    background: Background | None = None,
) -> Program:
    """Return the program of a workload on a cluster.

    Parameters
    ----------
    workload : Workload
        What runs.
    n_nodes : int
        Compute nodes of the cluster; rank i runs on node i.
    hosts : Calibration, optional
        Whose nodes compute and whose message library carries out collectives. Unless given, a
        workload that computes must say how fast, and collectives are those of MPICH 1.1.
    background : Background, optional
        What goes on beside it: ranks on the front end, and on every node where none of the
        workload runs.

    Raises
    ------
    UsageError
        When the workload does not fit the cluster or the hosts, or its steps make no program.

    Examples
    --------
    >>> from linkwright import calibrations, workloads
    >>> hosts = calibrations.load("pentium-pro-200-linux-2.0")
    >>> compile_program(workloads.Barrier(), 4, hosts=hosts).algorithms
    'mpich-1.1'
    """
    n_nodes = index(n_nodes)
    algorithms = ALGORITHM_SETS[0]
    if hosts is not None:
        workload, algorithms = workload.at_speed(hosts.compute, n_nodes), hosts.algorithms
    n_ranks = workload.n_ranks(n_nodes)
    steps, n_background = workload.steps(n_ranks), 0
    if background is not None:
        n_background = background.n_background_ranks(n_ranks, n_nodes)
        steps = join(steps, background.background_steps(n_ranks, n_nodes))
    try:
        core = _core.Program(
            n_ranks + n_background,
            algorithms,
            steps,
            n_background=n_background,
        )
    except UsageError as error:
        raise UsageError(f"workload {workload.name}: {error.message}", error.hint) from None
    return Program(
        n_ranks=core.n_ranks,
        n_awaited=core.n_awaited,
        workload=workload,
        algorithms=algorithms,
        core=core,
    )


def goal_text(program: Program, report: Report | None = None) -> Iterator[str]:
    r"""Return a program as GOAL text, the trace format of LogGOPSim, in pieces of about 1 MB.

    Loops are unrolled and collectives stand as their messages; marks are left out, computations are
    in whole nanoseconds.

    Parameters
    ----------
    program : Program
        The program.
    report : callable, optional
        Is told after each piece how many ranks are written, of how many.

    Raises
    ------
    UsageError
        When the program does what GOAL has no word for, such as datagrams or a background.

    Examples
    --------
    >>> from linkwright.workloads import PingPong
    >>> "".join(goal_text(compile_program(PingPong(size_bytes=1, repeats=1), 2)))[:12]
    'num_ranks 2\n'
    """
    writer = _core.GoalWriter(program.core)
    return writer if report is None else _reported(writer, program.n_ranks, report)


def _reported(writer: _core.GoalWriter, n_ranks: int, report: Report) -> Iterator[str]:
    for piece in writer:
        yield piece
        report(writer.n_written, n_ranks, "writing ranks")
