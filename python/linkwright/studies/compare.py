"""Architectures side by side: each built, priced, proved and measured by the same workloads on one
engine.

A ping-pong runs between the nearest and between the farthest pair of compute nodes, every other
workload on all of them. Runs are spread over the machine's cores (an engine releases the
interpreter lock); the results do not depend on the number of cores. A design that cannot be loaded,
built or plugged together is left out, with the reason (docs/design/comparing-designs.md). Long
because `compare` documents every option.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from linkwright import calibrations
from linkwright.design import parts
from linkwright.design.cluster import Cluster
from linkwright.engines import run
from linkwright.engines.capabilities import engine_named
from linkwright.engines.threads import threads
from linkwright.errors import CapabilityError, DesignError, LinkwrightError, UsageError
from linkwright.network import SWITCH, Network
from linkwright.network import compile as compile_network
from linkwright.plan import Facts, PathModel, Severity, findings_of, path_model
from linkwright.plan.checks.ports import PORT_RULES
from linkwright.progress import Report
from linkwright.records.plain_numbers import plain
from linkwright.results import Result
from linkwright.studies.architectures import Candidate, candidates, given
from linkwright.studies.comparison import Architecture, ArchitectureComparison, LeftOut, Measured
from linkwright.studies.fitting import Wanted
from linkwright.study.calls import Calls
from linkwright.workloads import PingPong, Workload

__all__ = ["compare"]


T = TypeVar("T")

_MOST_NODES = 2000
"""Number of nodes up to which every pair is a candidate for the nearest and the farthest."""


def compare(
    n_nodes: int = 16,
    catalogue: str = "whitney-1998",
    workloads: Sequence[Workload] = (),
    *,
    engine: str = "packet",
    calibration: str | None = None,
    seed: int = 1,
    every_kind: bool = False,
    rate_mbps: float | None = None,
    ports_per_node: int | None = None,
    designs: Sequence[Cluster | str | Path] | None = None,
    draws: int | None = None,
    n_jobs: int | None = None,
    progress: Report | None = None,
) -> ArchitectureComparison:
    """Return the architectures for a number of nodes, or some designs, side by side.

    A design that cannot be plugged together has no row; it is in `ArchitectureComparison.left_out`.

    Parameters
    ----------
    n_nodes : int
        Compute nodes of each architecture; not used if designs are given.
    catalogue : str
        Source of parts and prices; not used if designs are given.
    workloads : sequence of Workload
        Workloads to run on each architecture.
    engine : str
        Name of the engine that runs them.
    calibration : str, optional
        Name or TOML file of the constants of the hosts. Default: those that the catalogue names.
    seed : int
        Seed of every run.
    every_kind : bool
        Whether all kinds of network are included, not only those of [PMESH-1998].
    rate_mbps : float, optional
        Rate of the NICs. Default: the catalogue's usual rate, or the next at which parts fit.
    ports_per_node : int, optional
        Largest number of ports of a node that a network may use.
    designs : sequence of Cluster or path, optional
        Designs, or files of them, to compare instead of architectures.
    draws : int, optional
        Number of runs of each workload, each with its own seed and its own draw of the hosts'
        fitted constants. Figures are then means with 90 % intervals.
    n_jobs : int, optional
        Runs at the same time. Default: one per core.
    progress : callable, optional
        Called at each step, from the calling thread.

    Raises
    ------
    LinkwrightError
        If an input is unknown, no design is left to compare, or a run fails.
    """
    n_nodes, seed = operator.index(n_nodes), operator.index(seed)
    wanted = Wanted(catalogue, plain(rate_mbps), plain(ports_per_node))
    asked = partial(candidates, n_nodes, wanted, every_kind=every_kind)
    chosen = asked() if designs is None else given(designs)
    calibration = calibration or _common_calibration(chosen, catalogue)
    play = partial(run, engine=engine, calibration=calibration, seed=seed, study="compare")
    if draws is not None:
        calibrations.load(calibration).drawn(draws)  # too many are refused before any work
        play = partial(play, draws=draws, n_jobs=1)
    with threads(engine_named(engine).jobs(n_jobs)) as pool:
        steps = Calls(pool, progress)
        built, left_out = _built(chosen, _model(calibration), steps)
        rows = _with_runs(built, workloads, play, steps)
    return ArchitectureComparison(
        architectures=rows,
        left_out=left_out,
        workloads=tuple(one.name for one in workloads),
        engine=engine,
        calibration=calibration,
        seed=seed,
        inputs=_inputs(n_nodes, wanted, None if designs is None else chosen),
        draws=draws,
    )


def _inputs(
    n_nodes: int, wanted: Wanted, designs: Sequence[Candidate | LeftOut] | None
) -> dict[str, Any]:
    """Return the parameters of the comparison as JSON values."""
    if designs is not None:
        return {"designs": [one.name for one in designs]}
    asked = {
        "nodes": n_nodes,
        "catalogue": wanted.catalogue,
        "rate_mbps": wanted.rate_mbps,
        "ports_per_node": wanted.ports_per_node,
    }
    return {name: value for name, value in asked.items() if value is not None}


def _common_calibration(chosen: Sequence[Candidate | LeftOut], catalogue: str) -> str:
    """Return the hosts that the catalogues of all designs name.

    Raises
    ------
    UsageError
        If they name different ones: a comparison has one kind of hosts.
    """
    named = sorted({one.design.calibration for one in chosen if isinstance(one, Candidate)})
    if not named:
        return parts.catalogue(catalogue).calibration
    if len(named) > 1:
        raise UsageError(
            f"the catalogues of the designs name different hosts: {', '.join(named)}",
            "choose one with --calibration",
        )
    return named[0]


def _built(
    chosen: Sequence[Candidate | LeftOut], model: PathModel | None, steps: Calls
) -> tuple[tuple[Architecture, ...], tuple[LeftOut, ...]]:
    """Return the rows without runs, and the designs that are left out.

    Raises
    ------
    LinkwrightError
        If no design is left; the message names all that were left out.
    """
    found = steps.run([(one.name, partial(_build, one, model)) for one in chosen])
    rows = tuple(one for one in found if isinstance(one, Architecture))
    left_out = tuple(one for one in found if isinstance(one, LeftOut))
    if not found:
        raise UsageError("there are no designs to compare", "give one or more")
    if not rows:
        named = "; ".join(f"'{one.name}': {one.reason}" for one in left_out)
        hints = dict.fromkeys(one.hint for one in left_out)
        raise DesignError(f"nothing is left to compare: {named}", "; ".join(hints))
    return rows, left_out


def _with_runs(
    rows: Sequence[Architecture],
    workloads: Sequence[Workload],
    play: Callable[[Network, Workload], Result],
    steps: Calls,
) -> tuple[Architecture, ...]:
    """Return each row with its runs."""

    def measure(row: Architecture, job: _Job) -> Measured:
        try:
            result = play(job.network, job.workload)
        except LinkwrightError as error:
            raise type(error)(f"{row.name}: {error.message}", error.hint) from None
        return Measured(job.workload.name, job.pair, job.nodes, result)

    jobs = [(index, job) for index, row in enumerate(rows) for job in _jobs(row, workloads)]
    runs = steps.run(
        [
            (f"{rows[i].name}: {job.workload.name}", partial(measure, rows[i], job))
            for i, job in jobs
        ]
    )
    measured: list[list[Measured]] = [[] for _ in rows]
    for (index, _), one in zip(jobs, runs, strict=True):
        measured[index].append(one)
    return tuple(replace(row, measured=tuple(its)) for row, its in zip(rows, measured, strict=True))


def _build(candidate: Candidate | LeftOut, model: PathModel | None) -> Architecture | LeftOut:
    """Return a row without runs: compiled, counted, priced and proved; or the reason for none."""
    if isinstance(candidate, LeftOut):
        return candidate
    name, is_given = candidate.given_as or candidate.name, bool(candidate.given_as)
    try:
        network = compile_network(candidate.design)
        facts = Facts(network, model)
        found = facts.properties
    except LinkwrightError as error:
        return LeftOut.because(error, name, is_given=is_given)
    findings = tuple(findings_of(facts))
    for finding in findings:
        if finding.rule in PORT_RULES and finding.severity is Severity.ERROR:
            return LeftOut(name, finding.reason, finding.fix, is_given)
    return Architecture(
        candidate.name,
        candidate.design,
        network,
        found,
        findings,
        candidate.chosen_parts,
        is_modelled=model is not None,
    )


def _model(calibration: str) -> PathModel | None:
    """Return the path model of a calibration, if it has constants for one."""
    try:
        return path_model(calibration)
    except CapabilityError:
        return None


@dataclass(frozen=True)
class _Job:
    """A workload to run on a network, with its two nodes if it has only two."""

    network: Network
    workload: Workload
    pair: str = ""
    nodes: tuple[int, int] | None = None


def _jobs(row: Architecture, workloads: Sequence[Workload]) -> Iterator[_Job]:
    for workload in workloads:
        if not isinstance(workload, PingPong):
            yield _Job(row.network, workload)
            continue
        pairs = _nearest_and_farthest(row.network)
        for name, nodes in pairs.items():
            src, dst = nodes
            between = workload.model_copy(update={"src": src, "dst": dst})
            yield _Job(row.network, between, name, nodes)


def _nearest_and_farthest(network: Network) -> dict[str, tuple[int, int]]:
    """Return the pair with the fewest and the pair with the most forwards, then switches; one pair
    if all are alike.

    The farthest pair is searched from the node of the pair with most forwards, the nearest from
    node
    0: all topologies look alike from every node, or are widest at their corners. In a very large
    network only pairs of some nodes are examined, including the first and the last.
    """
    step = max(1, network.n_compute / _MOST_NODES)
    nodes = np.unique(np.arange(0, network.n_compute, step).astype(np.int64))
    nodes = np.union1d(nodes, [1, network.n_compute - 1])
    forwards = network.core.forwards(network.addresses.identity[nodes])
    corner = int(np.unravel_index(np.argmax(forwards), forwards.shape)[0])
    others, distance = _distances(network, nodes, forwards, 0)
    first = np.lexsort((others, *distance))[0]
    pairs, nearest = {"nearest": (0, int(others[first]))}, tuple(distance[:, first])
    others, distance = _distances(network, nodes, forwards, corner)
    last = np.lexsort((-others, *distance))[-1]
    if tuple(distance[:, last]) != nearest:
        pairs["farthest"] = (int(nodes[corner]), int(others[last]))
    return pairs


def _distances(
    network: Network, nodes: NDArray[np.int64], forwards: NDArray[np.uint16], place: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the nodes other than `node`, with the switches (row 0) and forwards (row 1) on the
    path from it to each.
    """
    others = np.delete(nodes, place)
    origin = np.full(len(others), nodes[place], dtype=np.uint32)
    paths = network.core.paths(origin, network.addresses.identity[others])
    is_switch = network.wiring.kind[paths.device] == SWITCH
    n_switches = np.add.reduceat(is_switch, paths.start[:-1], dtype=np.int64)
    return others, np.stack([n_switches, np.delete(forwards[place], place).astype(np.int64)])
