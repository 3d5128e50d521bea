"""Every engine carries every workload on every kind of network, with every hosts."""

from __future__ import annotations

import pytest
from tests.kinds import KINDS, figure, network
from tests.workloads.every import workload_of

from linkwright import calibrations, engines, workloads

EVERY = {name: workload_of(name) for name in workloads.WORKLOADS}
PLAYS = [
    (calibration, engine, name)
    for calibration in calibrations.names()
    for engine in engines.ENGINES
    for name, workload in EVERY.items()
    if engine == "packet" or not workload.sends_datagrams
    if calibrations.load(calibration).disk or not workload.uses_disks
]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("calibration", "engine", "name"), PLAYS)
def test_every_kind_of_network_carries_every_workload(
    kind: str, calibration: str, engine: str, name: str
) -> None:
    built, workload = network(kind), workload_of(name)
    result = engines.run(built, workload, engine=engine, calibration=calibration)
    assert figure(result, "simulated_s") > 0
    # A benchmark that needs a square number of ranks has one on two nodes, and sends nothing.
    moved = figure(result, "frame_hops" if engine == "packet" else "events")
    assert moved > 0 or workload.n_ranks(built.n_compute) == 1
