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
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from linkwright import calibrations
from linkwright.comparison.architectures import Candidate, candidates, given
from linkwright.comparison.fitting import Wanted
from linkwright.comparison.paired_runs import PairedRun, paired_runs
from linkwright.comparison.result import Architecture, ArchitectureComparison, LeftOut, Measured
from linkwright.design import parts
from linkwright.design.cluster import Cluster
from linkwright.engines.engine import engine_named
from linkwright.errors import CapabilityError, DesignError, LinkwrightError, UsageError
from linkwright.execution.calls import called
from linkwright.network import Network
from linkwright.network import compile as compile_network
from linkwright.nodes.hosts import hosts_of
from linkwright.placement import IN_ORDER
from linkwright.plan import Facts, PathModel, Severity, findings_of, path_model
from linkwright.plan.checks.ports import PORT_RULES
from linkwright.progress import Report
from linkwright.records.plain_numbers import plain
from linkwright.workloads import Workload

__all__ = ["compare"]


def compare(
    n_nodes: int = 16,
    catalogue: str = "whitney-1998",
    workloads: Sequence[Workload] = (),
    *,
    engine: str = "packet",
    calibration: str | None = None,
    seed: int = 1,
    placement: str = IN_ORDER,
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
    placement : str
        Node of each rank, in a form of `simulate --placement`; a ping-pong has its own two nodes.
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
    if draws is not None:
        calibrations.load(calibration).drawn(draws)  # too many are refused before any work
    inputs = {"engine": engine, "calibration": calibration, "seed": seed, "draws": draws}
    inputs |= {"study": "compare", "placement": placement}
    steps = partial(called, n_jobs=engine_named(engine).jobs(n_jobs), progress=progress)
    built, left_out = _built(chosen, calibration, steps)
    rows = _with_runs(built, workloads, inputs, partial(steps, n_before=len(chosen)))
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
    chosen: Sequence[Candidate | LeftOut], calibration: str, steps: Callable[..., Any]
) -> tuple[tuple[Architecture, ...], tuple[LeftOut, ...]]:
    """Return the rows without runs, and the designs that are left out.

    Raises
    ------
    LinkwrightError
        If no design is left; the message names all that were left out.
    """
    found = steps([(one.name, partial(_build, one, calibration)) for one in chosen])
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
    inputs: Mapping[str, Any],
    steps: Callable[..., list[Measured]],
) -> tuple[Architecture, ...]:
    """Return each row with its runs."""

    def measure(row: Architecture, job: PairedRun) -> Measured:
        try:
            return job.measured()
        except LinkwrightError as error:
            raise type(error)(f"{row.name}: {error.message}", error.hint) from None

    jobs = [
        (index, job)
        for index, row in enumerate(rows)
        for job in paired_runs(row.network, workloads, **inputs)
    ]
    runs = steps(
        [
            (f"{rows[i].name}: {job.run.workload.name}", partial(measure, rows[i], job))
            for i, job in jobs
        ]
    )
    measured: list[list[Measured]] = [[] for _ in rows]
    for (index, _), one in zip(jobs, runs, strict=True):
        measured[index].append(one)
    return tuple(replace(row, measured=tuple(its)) for row, its in zip(rows, measured, strict=True))


def _build(candidate: Candidate | LeftOut, calibration: str) -> Architecture | LeftOut:
    """Return a row without runs: compiled, counted, priced and proved; or the reason for none."""
    if isinstance(candidate, LeftOut):
        return candidate
    name, is_given = candidate.given_as or candidate.name, bool(candidate.given_as)
    try:
        network = compile_network(candidate.design)
        model = _model(network, calibration)
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


def _model(network: Network, calibration: str) -> PathModel | None:
    """Return the path model of the hosts of a network, if they have constants for one."""
    try:
        return path_model(hosts_of(network, calibration))
    except CapabilityError:
        return None
