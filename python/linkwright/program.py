"""The compiled program: the operations of every rank.

`compile_program` turns a workload's table of steps into the operations of each rank, with
computations at the speed of the hosts and collectives expanded by the algorithms of their library.
The ranks of a background follow those of the workload. After compilation the workload is needed
only to read the marks. All rules are those of the compiled core; names are added to its messages.
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
"""Sets of algorithms for collectives: names of message-passing libraries, the default first."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Program:
    """The operations of `n_ranks` ranks; immutable. Every engine runs it."""

    n_ranks: int
    n_awaited: int
    """Number of ranks that a run waits for, those of the workload; background ranks run until
    then."""
    workload: Workload
    """The workload at the speed of the hosts; it reads the marks of a run."""
    algorithms: str
    """The set of algorithms that expanded the collectives."""
    core: _core.Program

    @property
    def n_operations(self) -> int:
        """Operations of all ranks; a repeated operation counts once."""
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
        The workload.
    n_nodes : int
        Compute nodes of the cluster; rank i runs on node i.
    hosts : Calibration, optional
        Hosts that compute, with the message library that carries out collectives. Default: a
        workload that computes must state its speed, and collectives are those of MPICH 1.1.
    background : Background, optional
        Background: ranks on the front end, and on every node without a rank of the workload.

    Raises
    ------
    UsageError
        If the workload does not fit the cluster or the hosts, or its steps are not a valid program.

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

    Loops are unrolled and collectives become messages; marks are left out, and computations are
    rounded to whole nanoseconds.

    Parameters
    ----------
    program : Program
        The program.
    report : callable, optional
        Called after each piece with the number of written ranks and of all ranks.

    Raises
    ------
    UsageError
        If GOAL cannot express the program, for example datagrams or a background.

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
