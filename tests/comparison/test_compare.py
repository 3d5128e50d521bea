"""The comparison: all architectures, the same on any number of threads, what is left out and why.

How right the engine is, is tested with the engine; which parts are chosen, in test_fitting.py.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from linkwright.comparison import ArchitectureComparison, compare
from linkwright.comparison.architectures import ARCHITECTURES, squarest_sides
from linkwright.comparison.result import Range
from linkwright.design.cluster import Cluster
from linkwright.design.parts import catalogue_names
from linkwright.design.topologies import TOPOLOGIES
from linkwright.errors import DesignError, UsageError
from linkwright.memory import Room
from linkwright.plan import Severity
from linkwright.results import interval_of
from linkwright.workloads import Barrier, PingPong

NAMES = ["direct", "hub", "switch", "torus", "tree", "p-mesh"]
"""The architectures of 16 nodes; a full mesh of them has more NICs than a node has slots."""
FEW = [PingPong(size_bytes=(1, 4096), repeats=2), Barrier(repeats=2)]


@pytest.fixture(scope="module")
def of_16() -> ArchitectureComparison:
    return compare(16, "whitney-1998", FEW)


def test_every_architecture_is_a_row(of_16: ArchitectureComparison) -> None:
    assert [row.name for row in of_16.architectures] == NAMES
    assert [*NAMES, "full-mesh"] == list(ARCHITECTURES)
    assert [row.n_nodes for row in of_16.architectures] == [2] + [16] * 5


def test_every_kind_of_network_on_request() -> None:
    found = compare(16, "whitney-1998", every_kind=True)
    left_out = {one.name for one in found.left_out}
    assert {row.name for row in found.architectures} == set(TOPOLOGIES) - {"custom"} - left_out
    assert left_out == {"full-mesh", "hyperx"}
    assert {row.n_nodes for row in found.architectures if row.name != "direct"} == {16}


def test_a_kind_that_cannot_have_so_many_nodes_says_which_it_can() -> None:
    left_out = {one.name: one for one in compare(7, every_kind=True).left_out}
    assert set(left_out) == {"hypercube", "full-mesh", "hyperx"}
    assert "2, 4, 8 ... nodes, not 7" in left_out["hypercube"].reason


@pytest.mark.parametrize(
    ("catalogue", "left_out"),
    [("beowulf-1996", []), ("stack-2001", ["hub"]), ("ethernet-2026", ["hub"])],
)
def test_three_nodes_of_every_catalogue(catalogue: str, left_out: list[str]) -> None:
    """A catalogue without hubs has no row for them; switches without uplinks give up node ports."""
    found = compare(3, catalogue)
    assert [one.name for one in found.left_out] == left_out
    findings = [one for row in found.architectures for one in row.findings]
    assert {one.rule for one in findings} <= {"mtu", "lag", "multipath"}


def test_the_json_has_what_scripts_rely_on(of_16: ArchitectureComparison) -> None:
    rows = {row["architecture"]: row for row in of_16.to_json()}
    json.dumps(of_16.to_json(), allow_nan=False)
    for row in rows.values():
        assert row["currency"] == "USD"
        assert set(row["latency_us"]) == set(row["bandwidth_MBps"]) == {"best", "worst"}
        assert set(row["forwards"]) == {"mean", "worst", "balance"}
        assert 0 <= row["heals"] <= row["survives"] <= 1
        assert row["failures"]["heal"] == round(row["heals"] * row["failures"]["tried"])
        assert row["workloads"]["barrier"]["time"] > 0
        assert not {"wall_s", "peak_rss_bytes"} & set(row["workloads"]["ping-pong"])
        assert not [
            name for name in row["workloads"]["barrier"] if name.endswith(("_low", "_high"))
        ]
    costs = [30, 80, 180, 120, 596.667, 360]
    assert [rows[name]["cost_per_node"] for name in NAMES] == pytest.approx(costs, rel=1e-5)
    assert rows["torus"]["forwards"]["worst"] == 3
    assert rows["p-mesh"]["forwards"] == {"mean": 0.6, "worst": 1, "balance": 1.0}
    assert rows["switch"]["forwards"]["balance"] is None
    assert rows["torus"]["max_nodes"] is None
    assert rows["torus"]["bisection_MBps_per_node"] == 12.5


def test_latency_is_that_of_the_nearest_and_farthest_pair(
    of_16: ArchitectureComparison,
) -> None:
    rows = {row.name: row for row in of_16.architectures}
    assert [one.nodes for one in rows["torus"].runs_of("ping-pong")] == [(0, 1), (0, 10)]
    assert [one.nodes for one in rows["p-mesh"].runs_of("ping-pong")] == [(0, 1), (0, 5)]
    assert [one.nodes for one in rows["hub"].runs_of("ping-pong")] == [(0, 1)]
    torus = rows["torus"].latency_s
    assert torus.best == pytest.approx(175e-6, rel=0.03)
    assert torus.worst == pytest.approx(295e-6, rel=0.03)


def test_a_full_mesh_beyond_the_slots_is_left_out(of_16: ArchitectureComparison) -> None:
    [one] = of_16.left_out
    assert (one.name, one.is_given) == ("full-mesh", False)
    assert one.reason == "needs 15 ports per node, 'pentium-pro-200' has slots for 5"
    assert not compare(6, "whitney-1998").left_out


def test_no_row_has_an_error_of_parts_that_do_not_fit() -> None:
    """Every compared design of every catalogue and many sizes can be plugged together."""
    for catalogue in catalogue_names():
        for n_nodes in (2, 5, 16, 24, 48):
            found = compare(n_nodes, catalogue, every_kind=True)
            errors = [
                (row.name, one.reason)
                for row in found.architectures
                for one in row.findings
                if one.severity is Severity.ERROR
            ]
            assert errors == [], f"{n_nodes} nodes of {catalogue}"
            assert (
                len(found.architectures) + len(found.left_out) == len(TOPOLOGIES) - 1
            )  # without custom
            assert all(one.reason for one in found.left_out)


@pytest.fixture(scope="module")
def drawn() -> ArchitectureComparison:
    designs = [Cluster.parse(f"topology: {{kind: torus, shape: [{n}]}}") for n in (3, 6)]
    return compare(workloads=FEW, designs=designs, engine="analytic", seed=5, draws=4)


def test_figures_of_draws_are_means_with_intervals(
    drawn: ArchitectureComparison,
) -> None:
    """Each figure is made for each draw, and then its mean and interval."""
    assert list(drawn.seeds) == [5, 6, 7, 8]
    assert sorted(set(drawn.result.column("seed"))) == [5, 6, 7, 8]
    for row in drawn.architectures:
        times = row.runs_of("barrier")[0].result.filter(metric="time").values().tolist()
        assert len(set(times)) == 4
        assert row.intervals_of("barrier")["time"] == interval_of(times)
        assert row.figures_of("barrier")["time"] == interval_of(times).mean
        ping = row.runs_of("ping-pong")[0].result
        best = [max(ping.filter(metric="throughput", repeat=k).values()) for k in range(4)]
        assert row.bandwidth_Bps.intervals is not None
        assert row.bandwidth_Bps.intervals[0] == interval_of([float(one) for one in best])
        assert row.bandwidth_Bps.best == pytest.approx(np.mean(best))


def test_the_json_of_draws_has_the_ends_of_every_interval(
    drawn: ArchitectureComparison,
) -> None:
    for row in drawn.to_json():
        for name in ("latency_us", "bandwidth_MBps"):
            for end in ("best", "worst"):
                found = row[name]
                assert found[f"{end}_low"] < found[end] < found[f"{end}_high"]
        time = row["workloads"]["barrier"]
        assert time["time_low"] < time["time"] < time["time_high"]
    # The farthest pair is another one on six nodes only.
    three, six = (row["workloads"]["ping-pong"] for row in drawn.to_json())
    assert "latency_farthest_low" in six
    assert "latency_farthest_low" not in three


def test_draws_of_all_designs_are_the_same_and_any_number_of_threads_gives_them(
    drawn: ArchitectureComparison,
) -> None:
    designs = [Cluster.parse(f"topology: {{kind: torus, shape: [{n}]}}") for n in (6, 3)]
    again = compare(workloads=FEW, designs=designs, engine="analytic", seed=5, draws=4, n_jobs=1)
    assert again.to_json() == drawn.to_json()[::-1]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"draws": 17}, "has 16 draws, not 17"),
        ({"draws": 0}, "has 16 draws, not 0"),
        ({"draws": 2, "calibration": "linux-6-desktop"}, "has no draws"),
    ],
)
def test_draws_that_a_calibration_does_not_have_are_refused(
    changes: dict[str, Any], reason: str
) -> None:
    with pytest.raises(UsageError, match=reason):
        compare(4, workloads=FEW, **changes)


@pytest.mark.parametrize("n_cores", [1, 3])
def test_the_number_of_threads_changes_nothing(
    n_cores: int, of_16: ArchitectureComparison, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda _: set(range(n_cores)))
    again = compare(16, "whitney-1998", FEW)
    assert again.to_json() == of_16.to_json()
    assert again.result.reproducible() == of_16.result.reproducible()


def test_progress_counts_up_to_the_end() -> None:
    steps: list[tuple[int, int, str]] = []
    compare(4, "whitney-1998", FEW[1:], progress=lambda *step: steps.append(step))
    assert [done for done, _, _ in steps] == list(range(1, 15))
    assert steps[-1][1] == 14


def test_what_cannot_be_built_is_left_out_with_the_reason() -> None:
    found = compare(101, "whitney-1998")
    rows = [row["architecture"] for row in found.to_json()]
    left_out = {one.name: one.reason for one in found.left_out}
    assert sorted([*rows, *left_out]) == sorted(ARCHITECTURES)
    assert "has at most 100" in left_out["switch"]
    assert "slots for 5" in left_out["full-mesh"]


def test_with_a_ping_pong_latency_and_bandwidth_are_its(
    of_16: ArchitectureComparison,
) -> None:
    for row in of_16.to_json():
        assert (row["latency_origin"], row["bandwidth_origin"]) == ("ping-pong", "ping-pong")


def test_without_a_ping_pong_latency_is_that_of_the_path_model() -> None:
    found = compare(16, "whitney-1998")
    assert found.architectures[3].latency_s.worst == pytest.approx(295e-6)
    for row in found.to_json():
        assert (row["latency_origin"], row["bandwidth_origin"]) == ("path model", "path model")


def test_a_calibration_without_path_constants_leaves_latency_open() -> None:
    row = compare(4, "whitney-1998", calibration="ideal-reno").architectures[0]
    assert row.latency_s == Range(None, None, None)
    assert row.to_json()["latency_origin"] is None


def test_designs_take_the_place_of_the_architectures() -> None:
    designs = [Cluster.parse(f"topology: {{kind: torus, shape: [{n}]}}") for n in (3, 4)]
    rows = compare(designs=designs).to_json()
    assert [row["architecture"] for row in rows] == ["torus-3", "torus-4"]


GOOD = "topology: {kind: torus, shape: [3]}"
BAD = {
    "slots": ("topology: {kind: full-mesh, nodes: 16}", "needs 15 ports"),
    "ports": ("topology: {kind: switch, nodes: 400}", "400 ports"),
    "catalogue": (GOOD + "\nparts: {catalogue: whitney}", "no catalogue 'whitney'"),
    "connectors": (
        GOOD + "\nparts: {catalogue: ethernet-2026, cable: cat-6a}",
        "has sfp connectors, cable 'cat-6a' has rj45",
    ),
    "stack": (
        "topology: {kind: switch, nodes: 16, stack_units: 2}\nparts: {catalogue: ethernet-2026}",
        "at most 1 act as one",
    ),
    "yaml": ("topology: {kind: torus, shape: [4", "line 1"),
}
"""Name of a design that cannot be loaded, built or plugged together -> its text, why not."""


@pytest.mark.parametrize("name", list(BAD))
def test_a_bad_design_is_left_out_by_the_name_of_its_file(name: str, tmp_path: Path) -> None:
    text, reason = BAD[name]
    bad, good = tmp_path / f"{name}.yaml", tmp_path / "good.yaml"
    bad.write_text(text, encoding="utf-8")
    good.write_text(GOOD, encoding="utf-8")
    found = compare(designs=[bad, good], calibration="linux-6-desktop")
    assert [row.name for row in found.architectures] == ["torus-3"]
    [one] = found.left_out
    assert (one.name, one.is_given) == (str(bad), True)
    assert reason in one.reason
    assert one.hint


def test_a_design_beyond_the_memory_is_left_out_too(monkeypatch: pytest.MonkeyPatch) -> None:
    ring = Cluster.parse("topology: {kind: ring, shape: [2040]}")
    hub = Cluster.parse("topology: {kind: hub, nodes: 4}")
    monkeypatch.setattr("linkwright.memory.free_room", lambda: Room(5e7, "a test"))
    monkeypatch.setattr("linkwright.network.BYTES_PER_ENTRY", 1e6)
    found = compare(designs=[ring, hub])
    assert [row.name for row in found.architectures] == ["hub-4"]
    assert "needs about" in found.left_out[0].reason


def test_a_run_that_fails_says_on_what() -> None:
    hub = Cluster.parse("topology: {kind: hub, nodes: 4}")
    with pytest.raises(UsageError, match="hub-4: workload barrier: 9 ranks"):
        compare(workloads=[Barrier(ranks=9)], designs=[hub])


def test_the_farthest_pair_of_a_very_large_network_is_sought_among_some(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("linkwright.comparison.paired_runs._MOST_NODES", 350)
    design = "topology: {kind: torus, shape: [8, 8, 8]}, parts: {node: {slots: null}}"
    torus = Cluster.parse(f"{{{design}}}")
    ping = PingPong(size_bytes=1, repeats=1)
    found = compare(workloads=[ping], designs=[torus], engine="analytic")
    nearest, farthest = (one.nodes for one in found.architectures[0].measured)
    assert nearest == (0, 1)
    assert farthest is not None
    sides = (np.unravel_index(node, (8, 8, 8)) for node in farthest)
    assert all(abs(one - other) > 2 for one, other in zip(*sides, strict=True))


def test_designs_that_are_all_bad_are_all_named(tmp_path: Path) -> None:
    bad = Cluster.parse("{name: big, topology: {kind: full-mesh, nodes: 16}}")
    with pytest.raises(DesignError, match=r"'missing\.yaml'.*'big': .*needs 15 ports"):
        compare(designs=["missing.yaml", bad])
    with pytest.raises(UsageError, match="no designs"):
        compare(designs=[])


@pytest.mark.parametrize("n_nodes", [-1, 0, 1, 10**9])
def test_impossible_sizes_are_refused_at_once(n_nodes: int) -> None:
    with pytest.raises(DesignError):
        compare(n_nodes)


def test_unknown_names_are_refused() -> None:
    with pytest.raises(DesignError, match="no catalogue"):
        compare(4, "whitney-1898")
    with pytest.raises(UsageError, match="unknown engine"):
        compare(4, "whitney-1998", FEW, engine="steam")


@pytest.mark.parametrize("n_nodes", range(2, 60))
def test_sides_are_the_squarest(n_nodes: int) -> None:
    sides = squarest_sides(n_nodes)
    product, least = 1, n_nodes
    for side in sides:
        product, least = product * side, min(least, side)
    assert product == n_nodes
    better = [d for d in range(least + 1, n_nodes) if n_nodes % d == 0 and d * d <= n_nodes]
    assert not better or sides == [n_nodes]
