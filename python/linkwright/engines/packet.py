"""The packet engine: every frame, every host's processor, TCP and the message library.

This file only carries names and numbers across; the engine is in crates/packet.
"""

from __future__ import annotations

from functools import partial
from importlib import metadata

from linkwright import _core
from linkwright.calibrations import Calibration
from linkwright.engines.capture import SNAP_BYTES, interface_names, pcapng
from linkwright.engines.played import played
from linkwright.network import Network
from linkwright.results import Result
from linkwright.workloads import Workload

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
    play = _core.run_packet
    return played(
        "packet", play, network, workload, calibration, seed=seed, repeat=repeat, study=study
    )[0]


def trace(
    network: Network, workload: Workload, calibration: Calibration, *, seed: int
) -> tuple[Result, bytes]:
    """Play a workload once and return the result with a capture of every port, as a pcapng file."""
    play = partial(_core.run_packet, snap_bytes=SNAP_BYTES)
    result, outcome = played("packet", play, network, workload, calibration, seed=seed)
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
    _, outcome = played("packet", _core.run_packet, network, workload, calibration, seed=seed)
    found: dict[str, float] = outcome["figures"]
    return found
