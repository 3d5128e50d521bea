"""A run packed for a page that plays it: its inputs for the packet engine as the page has it, and
the names and formulas from which the page makes the rows of the run.

The bytes are the length of a JSON text in four bytes, the text, and what the compiled core packs.
The page (frontend/src/play/engine.ts) reads both; crates/page runs them.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwright import _core
from linkwright.core_errors import in_page
from linkwright.design.names import nic_names, plugged_cable_names
from linkwright.engines.fault_costs import COSTS, REASONS
from linkwright.engines.inputs import Run
from linkwright.engines.simulated import placed
from linkwright.errors import UsageError
from linkwright.faults.columns import fault_columns
from linkwright.network import Network
from linkwright.observations.observation import MOST_HOPS
from linkwright.placement import is_random, most_ranks
from linkwright.program import Program, compile_program
from linkwright.results import ENGINE_FIGURES, UNREPEATABLE_FIGURES

if TYPE_CHECKING:
    from linkwright.faults import Fault

__all__ = ["pack", "packed_inputs"]


def pack(runs: Sequence[Run]) -> bytes:
    """Return runs that differ in their workloads only, packed for a page.

    Raises
    ------
    UsageError
        If there is none, or a workload does not fit the cluster.
    """
    if not runs:
        raise UsageError("there is no run to pack", "give at least one workload")
    programs = [_program(one) for one in runs]
    return _joined(_header(runs, programs), packed_inputs(runs, programs))


def packed_inputs(runs: Sequence[Run], programs: Sequence[Program]) -> bytes:
    """Return runs that differ in their programs only, as crate `page` reads them."""
    run = runs[0]
    return _core.packed_run(
        run.network.core,
        {
            "identities": np.asarray(run.network.addresses.identity, dtype=np.uint32),
            "host": run.hosts.constants(run.network.mtu),
            "seed": run.seed or 0,
            "faults": fault_columns(run.faults, run.network, run.hosts),
            "most_hops": MOST_HOPS,
            "programs": [
                _for_core(one, program) for one, program in zip(runs, programs, strict=True)
            ],
        },
    )


def _joined(header: Mapping[str, Any], packed: bytes) -> bytes:
    text = json.dumps(header, separators=(",", ":"), allow_nan=False).encode()
    return len(text).to_bytes(4, "little") + text + packed


def _program(run: Run) -> Program:
    return compile_program(
        run.workload,
        most_ranks(run.placement, run.network),
        hosts=run.hosts,
        background=run.background,
    )


def _for_core(run: Run, program: Program) -> dict[str, object]:
    given = program.recipe.ingredients()
    return {
        "n_ranks": given.n_ranks,
        "n_background": given.n_background,
        "algorithms": given.algorithms,
        "steps": given.steps,
        "node_of_rank": placed(program, run),
    }


def _header(runs: Sequence[Run], programs: Sequence[Program]) -> dict[str, Any]:
    """Return names, texts and formulas, from which the page makes rows."""
    run = runs[0]
    figures = {
        name: unit for name, unit in ENGINE_FIGURES.items() if name not in UNREPEATABLE_FIGURES
    }
    return {
        "seed": str(run.seed or 0),
        "seed_moves_ranks": is_random(run.placement),
        "programs": [_described(one, program) for one, program in zip(runs, programs, strict=True)],
        "conditions": replace(run, faults=()).conditions,
        "faults": [_told(fault) for fault in run.faults],
        "figures": figures,
        "reasons": REASONS,
        "costs": COSTS,
        "errors": in_page("run"),
        "names": _names(run.network),
    }


def _described(run: Run, program: Program) -> dict[str, Any]:
    """Return the settings of a workload and its figures as formulas, null without any."""
    workload = program.workload
    found = program.readings()
    return {
        "workload": run.workload.name,
        "parameters": dict(workload.parameters),
        "readings": None if found is None else [asdict(one) for one in found],
    }


def _told(fault: Fault) -> dict[str, Any]:
    """Return the text of a fault, its part and its times; null for one that never ends."""
    until_s = None if math.isinf(fault.until_s) else fault.until_s
    part = fault.text.partition(" ")[0]
    return {"text": fault.text, "part": part, "from_s": fault.from_s, "until_s": until_s}


def _names(network: Network) -> dict[str, Any]:
    """Return the names of the parts that can be pulled, as faults name them."""
    nics = {
        network.port_id(node, port): f"{network.device_names[node]}:{name}"
        for node in range(network.n_nodes)
        for port, name in enumerate(nic_names(network.wiring, node))
    }
    return {
        "cable": list(plugged_cable_names(network.wiring)),
        "nic": nics,
        "device": list(network.device_names),
    }
