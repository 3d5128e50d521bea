"""The compiled program: the operations of every rank.

`compile_program` turns a workload's table of steps into the operations of each rank, with
computations at the speed of the hosts and collectives by the algorithms of their library, which
write their messages when a rank enters them.
The ranks of a background follow those of the workload. After compilation the workload is needed
only to read the marks. All rules are those of the compiled core; names are added to its messages.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from operator import index
from typing import Any, NamedTuple

from linkwright import _core
from linkwright.calibrations import Calibration
from linkwright.errors import UsageError
from linkwright.progress import Report
from linkwright.workloads import Background, Marks, Measurement, Workload
from linkwright.workloads.libraries import ALGORITHMS, ByAlgorithm, ByLibrary
from linkwright.workloads.readings import Reading, readings
from linkwright.workloads.steps import Steps, join

__all__ = ["ALGORITHM_SETS", "Program", "Recipe", "compile_program", "goal_text", "written_out"]

ALGORITHM_SETS: tuple[str, ...] = tuple(_core.ALGORITHM_SETS)
"""Sets of algorithms for collectives: names of message-passing libraries, the default first."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Program:
    """The operations of `n_ranks` ranks; immutable. Every engine runs it.

    A pickle holds the arguments of its compilation, and compiles them again where it is loaded.
    """

    n_ranks: int
    n_awaited: int
    """Number of ranks that a run waits for, those of the workload; background ranks run until
    then."""
    workload: Workload
    """The workload at the speed of the hosts; it reads the marks of a run."""
    algorithms: str
    """The set of algorithms of the collectives."""
    core: _core.Program
    recipe: Recipe
    """The arguments of its compilation."""

    def __reduce__(self) -> tuple[Callable[[Recipe, str], Program], tuple[Recipe, str]]:
        return _compiled_again, (self.recipe, self.recipe.ingredients().digest)

    @property
    def n_operations(self) -> int:
        """Operations of all ranks; a repeated operation counts once, and so does a collective."""
        return self.core.n_operations

    def measure(self, marks: Marks) -> list[Measurement]:
        """Return the figures of the workload, with the library and the algorithm of collectives."""
        return [
            replace(one, parameters=self._named(one.parameters))
            for one in self.workload.measure(marks)
        ]

    def readings(self) -> list[Reading] | None:
        """Return the same figures as formulas; None if they are none."""
        found = readings(self.workload, self.n_awaited)
        if found is None:
            return None
        return [replace(one, parameters=self._named(one.parameters)) for one in found]

    def _named(self, parameters: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the parameters of a figure with the names of library and algorithm."""
        workload = self.workload
        if not isinstance(workload, ByLibrary):
            return parameters
        named = {**parameters, "library": self.algorithms}
        if isinstance(workload, ByAlgorithm):
            size_bytes = parameters.get("size_bytes", 0)
            kind = workload.collective.name.lower()
            code = ALGORITHMS.index(workload.algorithm) + 1 if workload.algorithm else 0
            named["algorithm"] = _core.algorithm_of(
                self.algorithms, kind, size_bytes, self.n_awaited, code
            )
        return named


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """The arguments of `compile_program`."""

    workload: Workload
    n_nodes: int
    hosts: Calibration | None
    background: Background | None

    def ingredients(self) -> _Ingredients:
        """Return the arguments of the compiled core."""
        workload, n_nodes, algorithms = self.workload, self.n_nodes, ALGORITHM_SETS[0]
        if self.hosts is not None:
            workload = workload.at_speed(self.hosts.compute, n_nodes)
            algorithms = self.hosts.algorithms
        if isinstance(workload, ByLibrary) and workload.library is not None:
            algorithms = workload.library
        n_ranks = workload.n_ranks(n_nodes)
        steps, n_background = workload.steps(n_ranks), 0
        if self.background is not None:
            n_background = self.background.n_background_ranks(n_ranks, n_nodes)
            steps = join(steps, self.background.background_steps(n_ranks, n_nodes))
        return _Ingredients(workload, algorithms, steps, n_ranks + n_background, n_background)


class _Ingredients(NamedTuple):
    """The arguments of the compiled core, with the workload that they are from."""

    workload: Workload
    algorithms: str
    steps: Steps
    n_ranks: int
    n_background: int

    @property
    def digest(self) -> str:
        """Digest of the steps, which a workload may have read from files."""
        found = hashlib.sha256(f"{self.algorithms} {self.n_ranks} {self.n_background}".encode())
        for column in fields(Steps):
            found.update(getattr(self.steps, column.name).tobytes())
        return found.hexdigest()


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
    recipe = Recipe(workload=workload, n_nodes=index(n_nodes), hosts=hosts, background=background)
    return _compiled(recipe, recipe.ingredients())


def _compiled(recipe: Recipe, given: _Ingredients) -> Program:
    try:
        core = _core.Program(
            given.n_ranks, given.algorithms, given.steps, n_background=given.n_background
        )
    except UsageError as error:
        raise UsageError(f"workload {given.workload.name}: {error.message}", error.hint) from None
    return Program(
        n_ranks=core.n_ranks,
        n_awaited=core.n_awaited,
        workload=given.workload,
        algorithms=given.algorithms,
        core=core,
        recipe=recipe,
    )


def _compiled_again(recipe: Recipe, digest: str) -> Program:
    """Return the program of a pickle.

    Raises
    ------
    UsageError
        If its workload has other steps here.
    """
    given = recipe.ingredients()
    if given.digest != digest:
        raise UsageError(
            f"workload {given.workload.name} has other steps here than where its program was "
            "pickled",
            "restore the files that it reads, and use one version of Linkwright in all processes",
        )
    return _compiled(recipe, given)


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


def written_out(steps: Steps, n_ranks: int, algorithms: str) -> Steps:
    """Return steps with the messages of collectives in place of them, as the core writes them.

    Loops are unrolled and marks are left out, as in GOAL text. Tags and numbers of requests are
    those of the text.

    Parameters
    ----------
    steps : Steps
        Steps without datagrams, disks and sleeps.
    n_ranks : int
        Number of ranks.
    algorithms : str
        One of `ALGORITHM_SETS`.
    """
    writer = _core.GoalWriter(_core.Program(n_ranks, algorithms, steps))
    return Steps(**_core.read_goal("".join(writer).encode())[1])


def _reported(writer: _core.GoalWriter, n_ranks: int, report: Report) -> Iterator[str]:
    for piece in writer:
        yield piece
        report(writer.n_written, n_ranks, "writing ranks")
