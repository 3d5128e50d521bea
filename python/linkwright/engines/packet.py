"""The packet engine: every frame, every host's processor, TCP and the message library.

This file only carries names and numbers across; the engine is in crates/packet.
"""

from __future__ import annotations

import resource
import time
from importlib import metadata
from typing import Any

import numpy as np

from linkwright import _core
from linkwright.calibrations import Calibration
from linkwright.engines.capture import SNAP_BYTES, interface_names, pcapng
from linkwright.network import Network
from linkwright.program import compile_program
from linkwright.results import ENGINE_FIGURES, Result, result_of_run
from linkwright.workloads import Marks, Workload

__all__ = ["counts", "run", "trace"]


def run(
    network: Network,
    workload: Workload,
    calibration: Calibration,
    *,
    seed: int,
    repeat: int = 0,
    study: str = "",
) -> Result:
    """Play a workload once; see `linkwright.engines.run`."""
    result, _ = _play(network, workload, calibration, seed=seed, repeat=repeat, study=study)
    return result


def trace(
    network: Network, workload: Workload, calibration: Calibration, *, seed: int
) -> tuple[Result, bytes]:
    """Play a workload once and return the result with a capture of every port, as a pcapng file."""
    result, outcome = _play(network, workload, calibration, seed=seed, snap_bytes=SNAP_BYTES)
    application = f"linkwright {metadata.version('linkwright')}"
    return result, pcapng(outcome["captured"], interface_names(network), application=application)


def counts(
    network: Network, workload: Workload, calibration: Calibration, *, seed: int
) -> dict[str, float]:
    """Play a workload once and return all that the engine counted, beyond what a result shows.

    Returns
    -------
    dict
        Frames created, consumed, dropped (by reason) and in flight, forwards, time-outs,
        connections, and the bytes held by nodes, connections and frames; names as in
        ``crates/binding/src/packet.rs``.
    """
    _, outcome = _play(network, workload, calibration, seed=seed)
    found: dict[str, float] = outcome["figures"]
    return found


def _play(
    network: Network,
    workload: Workload,
    calibration: Calibration,
    *,
    seed: int,
    repeat: int = 0,
    study: str = "",
    snap_bytes: int | None = None,
) -> tuple[Result, dict[str, Any]]:
    program = compile_program(workload, network.n_compute, algorithms=calibration.algorithms)
    begin_s = time.perf_counter()
    outcome = _core.run_packet(
        network.core,
        program.core,
        identities=np.asarray(network.identity, dtype=np.uint32),
        node_of_rank=np.arange(program.n_ranks, dtype=np.uint32),
        host=calibration.constants(),
        seed=seed,
        snap_bytes=snap_bytes,
    )
    figures: dict[str, float] = {
        **outcome["figures"],
        "wall_s": time.perf_counter() - begin_s,
        # Linux counts the peak in KiB.
        "peak_rss_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
    }
    marks = Marks(outcome["mark"], outcome["rank"], outcome["time_s"])
    result = result_of_run(
        workload,
        workload.measure(marks),
        {name: figures[name] for name in ENGINE_FIGURES},
        design=network.name,
        design_hash=network.design_hash,
        engine="packet",
        calibration=calibration.name,
        study=study,
        repeat=repeat,
        seed=seed,
    )
    return result, outcome
