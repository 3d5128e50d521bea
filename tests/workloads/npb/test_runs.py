"""The benchmarks as they are run: rates, memory, extrapolation, and what users get wrong.

Messages are compared in test_counts.py, printed times in tests/papers.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from linkwright import calibrations, engines, workloads
from linkwright.design.cluster import Cluster
from linkwright.errors import UsageError
from linkwright.network import Network
from linkwright.network import compile as compile_network
from linkwright.results import Result
from linkwright.workloads.npb.benchmark import NpbBenchmark


def network(topology: str) -> Network:
    text = f"{{name: c, topology: {topology}, parts: {{catalogue: whitney-1997}}}}"
    return compile_network(Cluster.parse(text))


TORUS = network("{kind: torus, shape: [4, 4]}")
HUB = network("{kind: hub, nodes: 16}")


def run(built: Network, name: str, engine: str = "packet", **settings: str) -> Result:
    return engines.run(built, workloads.parse(f"npb.{name}", settings), engine=engine, seed=1)


def time_s(built: Network, name: str, engine: str = "packet", **settings: str) -> float:
    return float(run(built, name, engine, **settings).filter(metric="time").values()[0])


@pytest.mark.parametrize(
    ("built", "name", "problem_class", "n_ranks"),
    [
        (TORUS, "bt", "A", 9),
        (TORUS, "sp", "S", 16),
        (TORUS, "lu", "A", 8),
        (TORUS, "mg", "B", 8),
        (TORUS, "cg", "S", 8),
        (HUB, "lu", "A", 4),
        (HUB, "bt", "S", 9),
    ],
    ids=lambda value: value.name if isinstance(value, Network) else str(value),
)
def test_settled_passes_stand_for_all(
    built: Network, name: str, problem_class: str, n_ranks: int
) -> None:
    settings = {"class": problem_class, "ranks": str(n_ranks)}
    exact = time_s(built, name, **settings, exact="true")
    assert time_s(built, name, **settings) == pytest.approx(exact, rel=0.01)


def test_a_benchmark_that_sends_next_to_nothing_takes_its_operations_over_its_rate() -> None:
    rows = run(TORUS, "ep", **{"class": "A", "ranks": "4"})
    assert rows.filter(metric="time").values()[0] == pytest.approx(2**29 / 4 / 0.56e6, rel=1e-3)
    assert rows.filter(metric="rate").values()[0] == pytest.approx(4 * 0.56e6, rel=1e-3)


def test_node_speed_scales_computation_and_nothing_else() -> None:
    settings = {"class": "A", "ranks": "2"}
    usual = time_s(TORUS, "lu", **settings)
    half = time_s(TORUS, "lu", **settings, node_speed="0.5")
    computed = 119296.8e6 / 2 / 30.9e6
    assert half - usual == pytest.approx(computed, rel=0.02)


@pytest.mark.parametrize("engine", ["analytic", "flow"])
def test_other_engines_play_the_same_benchmark(engine: str) -> None:
    settings = {"class": "A", "ranks": "4"}
    assert time_s(TORUS, "bt", engine, **settings) == pytest.approx(
        time_s(TORUS, "bt", **settings), rel=0.03
    )


def test_what_a_node_cannot_hold_is_flagged() -> None:
    rows = run(TORUS, "ft", **{"class": "A", "ranks": "4", "iterations": "1"})
    assert rows.filter(metric="time").parameter("exceeds_memory") == (True,)
    rows = run(TORUS, "ft", **{"class": "A", "ranks": "8", "iterations": "1"})
    assert rows.filter(metric="time").parameter("exceeds_memory") == (None,)


def test_bt_of_class_c_fits_36_nodes_as_it_did() -> None:
    node = calibrations.load("pentium-pro-200-linux-2.0").compute
    assert node.memory_bytes is not None
    bt = workloads.parse("npb.bt", {"class": "C"})
    assert isinstance(bt, NpbBenchmark)
    assert bt.working_set_bytes(36) < node.memory_bytes < bt.working_set_bytes(25)


@pytest.mark.parametrize(
    ("name", "n_ranks"), [("bt", 16), ("sp", 16), ("lu", 8), ("ft", 8), ("ep", 15), ("cg", 8)]
)
def test_the_most_ranks_that_a_cluster_holds(name: str, n_ranks: int) -> None:
    workload = workloads.parse(f"npb.{name}")
    n_nodes = 17 if n_ranks == 16 else 15
    assert workload.n_ranks(n_nodes) == n_ranks


@pytest.mark.parametrize(
    ("name", "problem_class", "n_ranks"),
    [("bt", "S", 16), ("sp", "W", 144), ("lu", "S", 16), ("ft", "W", 32), ("is", "S", 512)],
)
def test_a_small_problem_leaves_nodes_of_a_large_cluster_idle(
    name: str, problem_class: str, n_ranks: int
) -> None:
    workload = workloads.parse(f"npb.{name}", {"class": problem_class})
    assert workload.n_ranks(1024) == n_ranks


@pytest.mark.parametrize(
    ("name", "settings", "message"),
    [
        ("bt", {"ranks": "5"}, "does not run on 5 ranks"),
        ("lu", {"ranks": "12"}, "does not run on 12 ranks"),
        ("bt", {"ranks": "25"}, "25 ranks, at most 16 are possible"),
        ("lu", {"class": "S", "ranks": "32"}, "32 ranks, at most 16 are possible"),
        ("bt", {"class": "X"}, "setting 'class' cannot be 'X'"),
        ("bt", {"clas": "A"}, "has no setting 'clas'"),
    ],
)
def test_refused(name: str, settings: dict[str, str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        run(TORUS, name, **settings)


def test_a_calibration_without_rates_asks_for_one() -> None:
    lu = workloads.parse("npb.lu", {"class": "S", "ranks": "4"})
    with pytest.raises(UsageError, match="has no speed of") as raised:
        engines.run(TORUS, lu, calibration="ideal-reno")
    assert "--set rate=" in (raised.value.hint or "")


def test_working_sets_between_two_measured_ones_lie_between_their_rates() -> None:
    rates = [TORUS_COMPUTE.rate("lu", size) or 0.0 for size in np.geomspace(1e4, 1e9, 40).tolist()]
    assert rates[0] == 55.39e6
    assert rates[-1] == 30.82e6
    assert all(a >= b for a, b in itertools.pairwise(rates))


TORUS_COMPUTE = calibrations.load("pentium-pro-200-linux-2.0").compute
