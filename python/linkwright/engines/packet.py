"""The packet engine: every frame, every host's processor, TCP and the message library.

This file only carries names and numbers across; the engine is in crates/packet.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwright import _core
from linkwright.calibrations import Calibration
from linkwright.engines.capture import SNAP_BYTES, interface_names, pcapng
from linkwright.engines.faults import Fault, columns, fault_rows, parse
from linkwright.engines.played import played
from linkwright.errors import CapabilityError, RunError
from linkwright.network import Network
from linkwright.placement import IN_ORDER
from linkwright.results import Result
from linkwright.version import VERSION
from linkwright.workloads import Background, Workload

__all__ = ["connections", "counts", "play", "run", "trace"]


def play(
    network: Network,
    workload: Workload,
    calibration: Calibration,
    *,
    seed: int,
    repeat: int = 0,
    study: str = "",
    placement: str = IN_ORDER,
    background: Background | None = None,
    faults: Sequence[str] = (),
    snap_bytes: int | None = None,
) -> tuple[Result, dict[str, Any]]:
    """Play a workload once; see `linkwright.engines.run`. With `snap_bytes` frames are captured."""
    parsed = parse(faults, network)
    play_core = partial(_core.run_packet, snap_bytes=snap_bytes)
    base = partial(
        played,
        "packet",
        network=network,
        workload=workload,
        calibration=calibration,
        seed=seed,
        repeat=repeat,
        study=study,
        placement=placement,
        background=background,
    )
    if not parsed:
        return base(play_core)
    if calibration.links.flow_control.value == "pause":
        raise CapabilityError(
            "links with pause frames cannot fail in a run", "set links.flow_control to none"
        )
    try:
        return base(
            partial(play_core, faults=columns(parsed, network, calibration.links)),
            conditions={"faults": [fault.text for fault in parsed]},
            more=partial(fault_rows, parsed, workload),
        )
    except RunError as error:
        raise _blamed(error, parsed) from None


def run(
    network: Network,
    workload: Workload,
    calibration: Calibration,
    *,
    seed: int,
    repeat: int = 0,
    study: str = "",
    placement: str = IN_ORDER,
    background: Background | None = None,
    faults: Sequence[str] = (),
) -> Result:
    """Play a workload once and return its rows alone; see `linkwright.engines.run`."""
    return play(
        network,
        workload,
        calibration,
        faults=faults,
        seed=seed,
        repeat=repeat,
        study=study,
        placement=placement,
        background=background,
    )[0]


def trace(
    network: Network,
    workload: Workload,
    calibration: Calibration,
    *,
    seed: int,
    placement: str = IN_ORDER,
    background: Background | None = None,
    faults: Sequence[str] = (),
) -> tuple[Result, dict[str, Any], bytes]:
    """Play a workload once; return the rows, all that the core returned, and a capture of every
    port as a pcapng file.
    """
    result, outcome = play(
        network,
        workload,
        calibration,
        faults=faults,
        seed=seed,
        placement=placement,
        background=background,
        snap_bytes=SNAP_BYTES,
    )
    application = f"linkwright {VERSION}"
    capture = pcapng(outcome["captured"], interface_names(network), application=application)
    return result, outcome, capture


def counts(
    network: Network,
    workload: Workload,
    calibration: Calibration,
    *,
    seed: int,
    background: Background | None = None,
    faults: Sequence[str] = (),
) -> dict[str, float]:
    """Play a workload once and return all that the engine counted, beyond what a result shows.

    Returns
    -------
    dict
        Frames created, consumed, dropped (by reason) and in flight, forwards, time-outs,
        connections, and the bytes held by nodes, connections and frames; names as in
        ``crates/binding/src/packet.rs``.
    """
    _, outcome = play(
        network, workload, calibration, faults=faults, seed=seed, background=background
    )
    found: dict[str, float] = outcome["figures"]
    return found


def connections(
    network: Network,
    workload: Workload,
    calibration: Calibration,
    *,
    seed: int,
    background: Background | None = None,
) -> dict[str, NDArray[np.int64]]:
    """Play a workload once and return what each direction of each connection moved.

    Returns
    -------
    dict of ndarray, shape (n_directions,)
        ``source`` and ``destination``, ranks; ``size_bytes``, written by the one; and
        ``retransmissions``, segments that it sent again.
    """
    _, outcome = play(network, workload, calibration, seed=seed, background=background)
    return {name: column.astype(np.int64) for name, column in outcome["connections"].items()}


def _blamed(error: RunError, faults: Sequence[Fault]) -> RunError:
    """Return the error of a run among faults, which says what they were."""
    texts = ", ".join(fault.text for fault in faults)
    return RunError(
        f"{error.message}; the run has faults: {texts}",
        "let the part come back (up at TIME), unless a rank dies with it; `linkwright check` shows "
        "the failures that the design survives by itself",
    )
