"""Every engine finishes what the packet engine finishes, on either side of each threshold.

Sizes around those at which the message protocol changes, under the calibration whose writes block:
the one where ranks can wait for each other.
"""

from __future__ import annotations

import pytest
from tests.kinds import figure
from tests.workloads.every import workload_of

import linkwright
from linkwright import calibrations, engines, workloads

PENTIUM_PRO = "pentium-pro-200-linux-2.0"
CONSTANTS = calibrations.load(PENTIUM_PRO).messages
THRESHOLDS = (CONSTANTS.long_from.value, CONSTANTS.rendezvous_from.value)
SIZES = sorted({size - 1 for size in THRESHOLDS} | set(THRESHOLDS) | {131072})
SHAPES = {
    "switch": "{kind: switch, nodes: 4}",
    "hub": "{kind: hub, nodes: 4}",
    "p-mesh": "{kind: p-mesh, shape: [2, 3], lines_per_switch: 1}",
    "torus": "{kind: torus, shape: [3, 3]}",
}
SIZED = [
    name
    for name, kind in workloads.WORKLOADS.items()
    if "size_bytes" in kind.model_fields and not workload_of(name).sends_datagrams
]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", SIZED)
def test_every_engine_finishes(shape: str, name: str) -> None:
    text = f"{{name: test, topology: {SHAPES[shape]}}}"
    network = linkwright.compile(linkwright.Cluster.parse(text))
    for size in SIZES:
        workload = workload_of(name, size_bytes=str(size))
        for engine in ("packet", "flow", "analytic"):
            result = engines.run(network, workload, engine=engine, calibration=PENTIUM_PRO)
            assert figure(result, "simulated_s") > 0, (engine, size)
