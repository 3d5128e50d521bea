"""One run of a compiled engine, from the inputs to the figures, as all engines share it.

An engine's file names the function of the core that runs a program, and passes its own inputs;
names are added to numbers here. The constants of the calibration cross as they are.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwright import _core
from linkwright.engines.engine import Outcome
from linkwright.engines.fault_costs import fault_costs
from linkwright.engines.inputs import Run
from linkwright.engines.run_errors import explained
from linkwright.errors import RunError
from linkwright.memory import expect_room
from linkwright.network import Network
from linkwright.observations.observation import ROWS_ALONE, Observation
from linkwright.placement import background_nodes, most_ranks, nodes_of_ranks
from linkwright.program import Program, compile_program
from linkwright.results import ENGINE_FIGURES
from linkwright.workloads import Datagrams, Marks

__all__ = ["CoreRun", "Execute", "executed", "placed", "simulated"]

CoreRun = Callable[[_core.Network, _core.Program, dict[str, Any]], dict[str, Any]]
"""A function of the core.

It takes the network, the program and a table of ``identities``, ``node_of_rank``, ``host`` and
``seed``. It returns ``mark``, ``rank`` and ``time_s`` (of each mark passed), ``figures`` and, if it
moves any, ``datagrams``: columns of `Datagrams`.
"""

Execute = Callable[[Program, dict[str, Any]], dict[str, Any]]
"""The same of any engine, with the program under its name."""

BYTES_PER_OPERATION, BYTES_PER_NODE = 200, 2000
"""Memory of a run, from measurements on tori: twice the need of any engine, without messages."""


def simulated(run: Run, core_run: CoreRun, wanted: Observation = ROWS_ALONE) -> Outcome:
    """Run a workload in the core once, or repeatedly until it is long enough to measure."""

    def execute(program: Program, setup: dict[str, Any]) -> dict[str, Any]:
        return core_run(run.network.core, program.core, setup)

    return executed(run, execute, wanted)


def executed(run: Run, execute: Execute, wanted: Observation) -> Outcome:
    """Run a workload once, or repeatedly until it is long enough to measure."""
    begin_s = time.perf_counter()
    program, answer, marks = _until_settled(run, execute, wanted)
    figures = {**answer["figures"], **_of_this_machine(begin_s)}
    return Outcome(
        run=replace(run, workload=program.workload),
        n_ranks=program.n_awaited,
        measurements=[*program.measure(marks), *fault_costs(run, answer)],
        figures={name: figures[name] for name in ENGINE_FIGURES if name in figures},
        answer=answer,
    )


def _until_settled(
    run: Run, execute: Execute, wanted: Observation
) -> tuple[Program, dict[str, Any], Marks]:
    """Return the program that was long enough, the answer of the core, and the marks."""
    while True:
        program, answer = _once(run, execute, wanted)
        marks = _marks(answer, program)
        longer = program.workload.longer(marks)
        if longer is None:
            return program, answer, marks
        run = replace(run, workload=longer)


def _once(run: Run, execute: Execute, wanted: Observation) -> tuple[Program, dict[str, Any]]:
    """Return the program of a run, and the answer of the core."""
    network = run.network
    program = compile_program(
        run.workload,
        most_ranks(run.placement, network),
        hosts=run.hosts,
        background=run.background,
    )
    _expect_room(program, network)
    setup = {
        "identities": np.asarray(network.addresses.identity, dtype=np.uint32),
        "node_of_rank": placed(program, run),
        "host": run.hosts.constants(network.mtu),
        "seed": run.seed,
        "report": wanted.report,
        "record": wanted.timeline,
        "most_hops": wanted.most_hops,
    }
    try:
        answer = execute(program, setup)
    except RunError as error:
        raise explained(error, run) from None
    if wanted.timeline and "recording" in answer:
        answer["recording"] = {**answer["recording"], "places.node": setup["node_of_rank"]}
    return program, answer


def _expect_room(program: Program, network: Network) -> None:
    """Refuse a run that does not fit in memory."""
    needed = BYTES_PER_OPERATION * program.core.n_in_memory + BYTES_PER_NODE * network.n_nodes
    expect_room(f"a run of {program.n_ranks:,} ranks", needed, "their operations and hosts")


def placed(program: Program, run: Run) -> NDArray[np.uint32]:
    """Return the node of every rank, including those of the background."""
    nodes = nodes_of_ranks(run.placement, run.network, program.n_awaited, seed=run.seed or 0)
    if program.n_awaited == program.n_ranks:
        return nodes
    return np.append(nodes, background_nodes(run.network, nodes))


def _marks(answer: Mapping[str, Any], program: Program) -> Marks:
    """Return the marks and datagrams of the workload's ranks."""
    found = None
    if "datagrams" in answer:
        columns = answer["datagrams"]
        own = (columns["source"] < program.n_awaited) & (columns["destination"] < program.n_awaited)
        found = Datagrams(**{name: column[own] for name, column in columns.items()})
    return Marks(answer["mark"], answer["rank"], answer["time_s"], found)


def _of_this_machine(begin_s: float) -> dict[str, float]:
    """Return the figures that differ from run to run."""
    # Linux counts the peak in KiB.
    peak_bytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return {"wall_s": time.perf_counter() - begin_s, "peak_rss_bytes": peak_bytes}
