"""The packet engine: every frame, every host's processor, TCP and the message library.

This file only passes names and numbers; the engine is in crates/packet.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from linkwright import _core
from linkwright.engines.capture import SNAP_BYTES, interface_names, pcapng
from linkwright.engines.core_faults import fault_columns
from linkwright.engines.engine import Engine, Outcome
from linkwright.engines.simulated import simulated
from linkwright.errors import CapabilityError
from linkwright.results import Run
from linkwright.version import VERSION

__all__ = ["PACKET", "connections", "counts"]


def _simulate(run: Run, snap_bytes: int | None = None) -> Outcome:
    """Run a workload once; `snap_bytes` makes it capture frames."""
    core_run = partial(_core.run_packet, snap_bytes=snap_bytes)
    if not run.faults:
        return simulated(run, core_run)
    if run.hosts.links.flow_control.value == "pause":
        raise CapabilityError(
            "links with pause frames cannot fail in a run", "set links.flow_control to none"
        )
    return simulated(
        run, partial(core_run, faults=fault_columns(run.faults, run.network, run.hosts))
    )


def _capture(run: Run) -> tuple[Outcome, bytes]:
    """Run a workload once and also return a capture of every port, a pcapng file."""
    outcome = _simulate(run, SNAP_BYTES)
    application = f"linkwright {VERSION}"
    names = interface_names(run.network)
    return outcome, pcapng(outcome.answer["captured"], names, application=application)


PACKET = Engine(
    name="packet", simulate=_simulate, capture=_capture, moves_frames=True, has_faults=True
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
