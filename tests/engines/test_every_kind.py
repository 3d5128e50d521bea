"""Every engine runs every workload on every kind of network, with every calibration.

Every two of these meet in one run at least; `pytest -m slow` runs every combination.
"""

from __future__ import annotations

from itertools import product

import pytest
from tests.engines.soundness import expect_sound_run
from tests.kinds import KINDS, network
from tests.pairwise import pairwise
from tests.workloads.every import workload_of

from linkwright import calibrations, engines, workloads

EVERY = {name: workload_of(name) for name in workloads.WORKLOADS}
HOSTS = {name: calibrations.load(name) for name in calibrations.names()}
PLAYS = [
    (kind, name, engine, hosts)
    for kind, name, engine, hosts in product(KINDS, EVERY, engines.predictive(), HOSTS)
    if engine == "packet" or not EVERY[name].sends_datagrams
    if HOSTS[hosts].disk or not EVERY[name].uses_disks
]


@pytest.mark.parametrize(("kind", "name", "engine", "hosts"), pairwise(PLAYS))
def test_nothing_is_lost(kind: str, name: str, engine: str, hosts: str) -> None:
    expect_sound_run(network(kind), EVERY[name], engine, HOSTS[hosts])


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_lost_in_any_combination(kind: str) -> None:
    for _, name, engine, hosts in (play for play in PLAYS if play[0] == kind):
        try:
            expect_sound_run(network(kind), EVERY[name], engine, HOSTS[hosts])
        except Exception as error:
            error.add_note(f"{name}, {engine}, {hosts}")
            raise
