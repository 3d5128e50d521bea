"""Conversion of faults: columns for the compiled core, and the cost of each fault it returns.

The packet engine and the wires of the emulation take the same columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwright.results import Run
from linkwright.workloads import Measurement

if TYPE_CHECKING:
    from linkwright.calibrations import Calibration
    from linkwright.faults import Fault
    from linkwright.network import Network

__all__ = ["COSTS", "REASONS", "fault_columns", "fault_costs"]

REASONS = ("lost_on_wire", "no_carrier", "corrupted", "at_dead_device")
"""Reasons for frames lost by faults, as the engine counts them."""

COSTS = (
    ("frames_lost", "frames_lost", "1"),
    ("stalled_connections", "stalled", "1"),
    ("unrecovered_connections", "unrecovered", "1"),
    ("recovery_s", "longest_stall_s", "s"),
)
"""Metric, column of the core, and unit."""


def fault_columns(
    faults: Sequence[Fault], network: Network, hosts: Calibration
) -> dict[str, object]:
    """Return faults, and the reaction of nodes to them, as columns for the core."""
    ends = np.cumsum([0, *(len(fault.parts) for fault in faults)])
    parts = [part for fault in faults for part in fault.parts]
    return {
        "kind": [fault.kind for fault in faults],
        "probability": [fault.probability for fault in faults],
        "from_s": [fault.from_s for fault in faults],
        "until_s": [fault.until_s for fault in faults],
        "part_start": ends.tolist(),
        "part_kind": [kind for kind, _ in parts],
        "part_id": [part for _, part in parts],
        "with_fallback": network.fallback,
        "bond_poll_s": hosts.links.bond_poll_us.value / 1e6,
    }


def fault_costs(run: Run, answer: Mapping[str, Any]) -> Iterator[Measurement]:
    """Yield the frames lost in a run with faults, by reason, and the cost of each fault."""
    if not run.faults:
        return
    settings = run.workload.parameters
    for reason in REASONS:
        yield Measurement(reason, float(answer["figures"][reason]), "1", settings)
    costs = answer["faults"]
    for index, fault in enumerate(run.faults):
        for metric, column, unit in COSTS:
            if column not in costs:
                continue
            value = float(costs[column][index])
            yield Measurement(metric, value, unit, {**settings, "fault": fault.text})
