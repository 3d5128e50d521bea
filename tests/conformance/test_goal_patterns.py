"""Patterns of LogGOPSim's generator take as long here as there, with equal constants: one switch of
1 GbE, and hosts without cost.

There a message that is received holds the processor that sends, so that a rank cannot send and
receive at once, as Ethernet can. Where this matters, LogGOPSim without it is the reference, and
its own time a bound.
"""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

import pytest
from tests.conformance.goal_patterns import PATTERNS, text_of

import linkwright
from linkwright import engines
from linkwright.workloads import Goal

ROWS = list(
    csv.DictReader(
        line
        for line in Path(__file__).with_name("loggopsim.csv").read_text().splitlines()
        if not line.startswith("#")
    )
)
TOLERANCE = {"analytic": 0.001, "flow": 0.02, "packet": 0.02}
SHARED_WITH_ACKNOWLEDGEMENTS = {
    "pipelinedring": 0.04,
    "pipelinedringdep": 0.04,
    "pipering_seg": 0.03,
}
"""Patterns with data on every wire all the time, on which acknowledgements take time too."""


@cache
def network(n_nodes: int) -> linkwright.Network:
    switch = (
        "{name: wide, ports: [64], vlans: false, max_stack_units: 1, rate_mbps: 1000, mtu: 9000, "
        "connector: rj45, mode: store-and-forward, latency_us: 3, queue_bytes: 10000000, "
        "price: 1, date: 2026-01-01}"
    )
    return linkwright.compile(
        linkwright.Cluster.parse(
            f"{{name: wide, topology: {{kind: switch, nodes: {n_nodes}}}, parts: {{catalogue: "
            f"ethernet-2026, node: server, nic: nic-1g, cable: cat-6a, switch: {switch}}}}}"
        )
    )


def time_us(text: str, n_ranks: int, engine: str, folder: Path) -> float:
    file = folder / "trace.goal"
    file.write_text(text, encoding="utf-8")
    result = engines.run(
        network(n_ranks), Goal(file=str(file)), engine=engine, calibration="ideal-reno"
    )
    return next(row.value for row in result if row.metric == "time") * 1e6


def test_every_pattern_has_its_times() -> None:
    assert {(row["pattern"], row["ranks"]) for row in ROWS} == {
        (pattern, n) for pattern in PATTERNS for n in ("16", "64")
    }


@pytest.mark.parametrize("engine", TOLERANCE)
@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['pattern']}-{row['ranks']}")
def test_a_pattern_takes_as_long_as_in_loggopsim(
    row: dict[str, str], engine: str, tmp_path: Path
) -> None:
    pattern, n_ranks = row["pattern"], int(row["ranks"])
    seen = time_us(text_of(pattern, n_ranks), n_ranks, engine, tmp_path)
    tolerance = TOLERANCE[engine]
    if engine == "packet":
        tolerance = SHARED_WITH_ACKNOWLEDGEMENTS.get(pattern, tolerance)
    assert seen == pytest.approx(float(row["full_duplex_us"]), rel=tolerance)
    assert seen <= float(row["loggopsim_us"]) * (1 + tolerance)


@pytest.mark.parametrize("engine", TOLERANCE)
def test_computations_on_several_processors_run_at_once(engine: str, tmp_path: Path) -> None:
    tasks = "\n".join(f"calc 1000000 cpu {cpu}" for cpu in range(4))
    text = f"num_ranks 1\nrank 0 {{\n{tasks}\n}}"
    assert time_us(text, 2, engine, tmp_path) == pytest.approx(1000)
    assert time_us(text.replace("cpu 3", "cpu 2"), 2, engine, tmp_path) == pytest.approx(2000)


@pytest.mark.parametrize("engine", TOLERANCE)
def test_messages_pass_while_their_rank_computes(engine: str, tmp_path: Path) -> None:
    """A message of 10 MB takes 0.08 s at 1 Gb/s, and its ranks compute for 0.1 s meanwhile."""
    text = (
        "num_ranks 2\nrank 0 {\nsend 10000000b to 1\ncalc 100000000\n}\n"
        "rank 1 {\nrecv 10000000b from 0\ncalc 100000000\n}"
    )
    assert time_us(text, 2, engine, tmp_path) == pytest.approx(100_000)
