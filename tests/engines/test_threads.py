"""Parallel runs: no result depends on their number, and all of them end on request.

That the reference workloads give the same bits on one thread and two is in test_exact_results.
"""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

import linkwright
from linkwright import comparison, engines, workloads
from linkwright.errors import UsageError

HUB = "{name: hub, topology: {kind: hub, nodes: 5}, parts: {catalogue: whitney-1998}}"

ENDLESS = """
import signal, time
import linkwright
from linkwright import engines, workloads

def interrupt(*_):
    raise KeyboardInterrupt

network = linkwright.compile(linkwright.Cluster.parse("topology: {kind: direct}"))
forever = workloads.Barrier(repeats=10**9)
signal.signal(signal.SIGALRM, interrupt)
signal.setitimer(signal.ITIMER_REAL, 0.5)
try:
    engines.run(network, forever, repeats=4, n_jobs=2)
except KeyboardInterrupt:
    print("interrupted")
"""


def test_repeats_do_not_depend_on_how_many_are_played_at_once() -> None:
    network = linkwright.compile(linkwright.Cluster.parse(HUB))
    storm = workloads.Shift(size_bytes=20_000)
    found = {
        engines.run(network, storm, seed=3, repeats=5, n_jobs=n).reproducible().to_json()
        for n in (1, 2, 5)
    }
    assert len(found) == 1


def test_a_comparison_does_not_depend_on_how_many_runs_are_played_at_once() -> None:
    def compared(n_jobs: int) -> str:
        found = comparison.compare(4, workloads=[workloads.Barrier()], n_jobs=n_jobs)
        runs = [
            one.result.reproducible().to_json()
            for row in found.architectures
            for one in row.measured
        ]
        return json.dumps(runs)

    assert compared(1) == compared(3)


def test_an_interrupt_ends_the_runs_of_every_thread() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", ENDLESS], capture_output=True, text=True, check=True, timeout=60
    )
    assert ended.stdout.split() == ["interrupted"]


def test_no_run_at_a_time_is_refused() -> None:
    network = linkwright.compile(linkwright.Cluster.parse(HUB))
    with pytest.raises(UsageError, match="0 runs at the same time"):
        engines.run(network, workloads.Barrier(), repeats=2, n_jobs=0)
