"""The cost of each fault of a run, from the answer of the compiled core."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from linkwright.engines.inputs import Run
from linkwright.workloads import Measurement

__all__ = ["COSTS", "REASONS", "fault_costs"]

REASONS = ("lost_on_wire", "no_carrier", "corrupted", "at_dead_device")
"""Reasons for frames lost by faults, as the engine counts them."""

COSTS = (
    ("frames_lost", "frames_lost", "1"),
    ("stalled_connections", "stalled", "1"),
    ("unrecovered_connections", "unrecovered", "1"),
    ("recovery_s", "longest_stall_s", "s"),
)
"""Metric, column of the core, and unit."""


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
