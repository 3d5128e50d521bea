"""The progress of a run: its share grows, and an exception of the receiver ends the run.

A run is asked every 50 ms, so that short ones report nothing.
"""

from __future__ import annotations

import pytest

from linkwright import Cluster, engines, workloads
from linkwright.network import compile as compile_network
from linkwright.progress import Report

TORUS = compile_network(Cluster.parse("topology: {kind: torus, shape: [4, 4]}"))
LONG = {
    "packet": workloads.AllToAll(size_bytes=16384, repeats=100),
    "flow": workloads.AllToAll(size_bytes=16384, repeats=300),
    "analytic": workloads.AllToAll(size_bytes=64, repeats=2000),
}
"""A workload that takes a second or more, for each engine."""


def run(engine: str, progress: Report, *, repeats: int = 1) -> None:
    engines.run(TORUS, LONG[engine], engine=engine, repeats=repeats, progress=progress)


@pytest.mark.parametrize("engine", LONG)
def test_share_grows_to_the_end(engine: str) -> None:
    told: list[tuple[int, int, str]] = []
    run(engine, lambda *step: told.append(step))
    shares = [done for done, _, _ in told]
    assert shares == sorted(shares)
    assert 0 < shares[-1] <= 100
    assert {n_all for _, n_all, _ in told} == {100}
    assert all(label.startswith("all-to-all") for *_, label in told)


def test_repeats_are_one_share() -> None:
    told: list[int] = []
    run("packet", lambda done, *_: told.append(done), repeats=2)
    assert told == sorted(told)
    assert told[-1] > 50


@pytest.mark.parametrize("engine", LONG)
def test_receiver_ends_the_run(engine: str) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(engine, stop)
