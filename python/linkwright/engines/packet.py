"""The packet engine: every frame, every host's processor, TCP and the message library.

This file only passes names and numbers; the engine is in crates/packet.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from linkwright import _core
from linkwright.engines.engine import Engine, Outcome
from linkwright.engines.inputs import Run
from linkwright.engines.simulated import simulated
from linkwright.errors import CapabilityError
from linkwright.faults.columns import fault_columns
from linkwright.observations.capture import SNAP_BYTES
from linkwright.observations.observation import ROWS_ALONE, Observation
from linkwright.observations.traffic import SPAN_S

__all__ = ["PACKET", "connections", "counts"]


def _simulate(run: Run, wanted: Observation = ROWS_ALONE) -> Outcome:
    """Run a workload once."""
    core_run = partial(
        _core.run_packet,
        snap_bytes=SNAP_BYTES if wanted.capture else None,
        traffic_span_s=SPAN_S if wanted.traffic else None,
    )
    if not run.faults:
        return simulated(run, core_run, wanted)
    if run.hosts.links.flow_control.value == "pause":
        raise CapabilityError(
            "links with pause frames cannot fail in a run", "set links.flow_control to none"
        )
    faults = fault_columns(run.faults, run.network, run.hosts)
    return simulated(run, partial(core_run, faults=faults), wanted)


PACKET = Engine(
    name="packet",
    simulate=_simulate,
    has_traffic=True,
    has_pages=True,
    moves_frames=True,
    has_faults=True,
)


def counts(run: Run) -> dict[str, float]:
    """Run a workload once and return all counters of the engine, including those not in a result.

    Returns
    -------
    dict
        Frames created, consumed, dropped (by reason) and in flight, forwards, time-outs,
        connections, and the bytes held by nodes, connections and frames; names as in
        ``crates/binding/src/packet.rs``.
    """
    found: dict[str, float] = _simulate(run).answer["figures"]
    return found


def connections(run: Run) -> dict[str, NDArray[np.int64]]:
    """Run a workload once and return the counters of each direction of each connection.

    Returns
    -------
    dict of ndarray, shape (n_directions,)
        ``source`` and ``destination``, ranks; ``size_bytes``, written by the source;
        ``retransmissions``, segments that the source sent again.
    """
    columns = _simulate(run).answer["connections"]
    return {name: column.astype(np.int64) for name, column in columns.items()}
