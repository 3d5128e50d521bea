"""One run of a compiled engine, from the workload to the rows: what all of them share.

An engine's file says which function of the core plays, and passes what it alone knows; names are
put on numbers here. The constants of the calibration cross as they are.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwright.calibrations import Calibration
from linkwright.core_errors import named
from linkwright.errors import CapabilityError, RunError, UsageError
from linkwright.memory import expect_room
from linkwright.network import Network
from linkwright.placement import IN_ORDER, nodes_beside, nodes_of_ranks
from linkwright.program import Program, compile_program
from linkwright.results import ENGINE_FIGURES, Result, result_of_run
from linkwright.workloads import Background, Datagrams, Marks, Measurement, Workload

__all__ = ["played"]

BYTES_PER_OPERATION, BYTES_PER_NODE = 200, 2000
"""Memory of a run, as measured on tori: twice what it takes in any engine without its messages."""

STARVED = ("run.Deadlock", "run.ConnectionLost")
"""Errors that a background causes too when it takes all the time of the processors."""

EVERY_FRAME = "packet"
"""The engine that moves every frame; the others know connections alone."""


def played(
    engine: str,
    play: Callable[..., dict[str, Any]],
    network: Network,
    workload: Workload,
    calibration: Calibration,
    *,
    seed: int,
    repeat: int = 0,
    study: str = "",
    placement: str = IN_ORDER,
    background: Background | None = None,
    conditions: Mapping[str, object] | None = None,
    more: Callable[[dict[str, Any]], Iterable[Measurement]] = lambda _: (),
) -> tuple[Result, dict[str, Any]]:
    """Play a workload once; parameters that `linkwright.engines.run` has are those.

    Parameters
    ----------
    play : callable
        Function of the core: takes the network, the program and a table of ``identities``,
        ``node_of_rank``, ``host`` and ``seed``; returns ``mark``, ``rank`` and ``time_s`` (of each
        mark passed), ``figures`` and, if it moves any, ``datagrams``: columns of `Datagrams`.
    conditions : mapping, optional
        What the workload runs under; stands among the parameters of every row.
    more : callable
        What is measured besides, from what the core returned.

    Returns
    -------
    Result, dict
        The rows, and all that the core returned, with ``n_ranks``, the ranks of the workload.
    """
    _check(engine, workload, background, calibration)
    begin_s = time.perf_counter()

    def once(workload: Workload) -> tuple[Program, dict[str, Any]]:
        program = compile_program(
            workload, network.n_compute, hosts=calibration, background=background
        )
        _expect_room(program, network)
        setup = {
            "identities": np.asarray(network.identity, dtype=np.uint32),
            "node_of_rank": _placed(program, placement, network, seed),
            "host": calibration.constants(network.mtu),
            "seed": seed,
        }
        try:
            return program, play(network.core, program.core, setup)
        except RunError as error:
            raise _with_names(error, network, background) from None

    workload, outcome, marks = _until_settled(once, workload)
    figures = {**outcome["figures"], **_of_this_machine(begin_s)}
    under = {} if placement == IN_ORDER else {"placement": placement}
    beside = {} if background is None else {"background": background.condition}
    result = result_of_run(
        workload,
        [*workload.measure(marks), *more(outcome)],
        {name: figures[name] for name in ENGINE_FIGURES if name in figures},
        design=network.name,
        design_hash=network.design_hash,
        engine=engine,
        calibration=calibration.name,
        study=study,
        repeat=repeat,
        seed=seed,
        conditions={**(conditions or {}), **under, **beside},
    )
    return result, outcome


def _expect_room(program: Program, network: Network) -> None:
    """Refuse a run that does not fit into memory."""
    needed = BYTES_PER_OPERATION * program.n_operations + BYTES_PER_NODE * network.n_nodes
    expect_room(f"a run of {program.n_ranks:,} ranks", needed, "their operations and hosts")


def _placed(program: Program, placement: str, network: Network, seed: int) -> NDArray[np.uint32]:
    """Return the node of every rank, those of the background among them."""
    nodes = nodes_of_ranks(placement, network, program.n_awaited, seed=seed)
    if program.n_awaited == program.n_ranks:
        return nodes
    return np.append(nodes, nodes_beside(network, nodes))


def _until_settled(
    once: Callable[[Workload], tuple[Program, dict[str, Any]]], workload: Workload
) -> tuple[Workload, dict[str, Any], Marks]:
    """Return the workload as it was played in the end, what the core returned, and the marks."""
    while True:
        program, outcome = once(workload)
        marks = _marks(outcome, program)
        longer = program.workload.longer(marks)
        if longer is None:
            return program.workload, {**outcome, "n_ranks": program.n_awaited}, marks
        workload = longer


def _marks(outcome: Mapping[str, Any], program: Program) -> Marks:
    """Return what the workload's ranks passed and sent each other."""
    found = None
    if "datagrams" in outcome:
        columns = outcome["datagrams"]
        own = (columns["source"] < program.n_awaited) & (columns["destination"] < program.n_awaited)
        found = Datagrams(**{name: column[own] for name, column in columns.items()})
    return Marks(outcome["mark"], outcome["rank"], outcome["time_s"], found)


def _with_names(error: RunError, network: Network, background: Background | None) -> RunError:
    """Return an error of the core with the names of the nodes, and the remedy for starved ranks."""
    found = named(error, network.device_names)
    if background is not None and found.kind in STARVED:
        leaves = f"that background {background.name} leaves the nodes time"
        found.hint += f", and {leaves}: give it a larger spacing_s"
    return found


def _of_this_machine(begin_s: float) -> dict[str, float]:
    """Return the figures that differ from run to run."""
    # Linux counts the peak in KiB.
    peak_bytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return {"wall_s": time.perf_counter() - begin_s, "peak_rss_bytes": peak_bytes}


def _check(
    engine: str, workload: Workload, background: Background | None, calibration: Calibration
) -> None:
    """Refuse what the engine or the hosts do not have."""
    for one in (workload,) if background is None else (workload, background):
        if engine != EVERY_FRAME:
            _refuse_frames(engine, one, calibration)
        _require_disks(one, calibration)


def _refuse_frames(engine: str, workload: Workload, calibration: Calibration) -> None:
    """Refuse what only single frames show, rather than leave it out unsaid.

    Raises
    ------
    CapabilityError
        When something is asked for that the engine does not have.
    """
    links = calibration.links
    asked = {
        f"workload {workload.name} sends datagrams": workload.sends_datagrams,
        "links.arp is cold": links.arp.value == "cold",
        "links.flow_control is pause": links.flow_control.value == "pause",
    }
    for what, is_asked in asked.items():
        if is_asked:
            other = ", or protocol=tcp" if isinstance(workload, Background) else ""
            raise CapabilityError(
                f"{what}, which engine {engine} does not play",
                f"choose --engine {EVERY_FRAME}{other}",
            )


def _require_disks(workload: Workload, calibration: Calibration) -> None:
    """Refuse a workload that uses disks of which the calibration says nothing."""
    if workload.uses_disks and calibration.disk is None:
        raise UsageError(
            f"workload {workload.name} uses disks, of which calibration {calibration.name} says "
            "nothing",
            "give it a section [disk] with access, read, write and gather_bytes",
        )
