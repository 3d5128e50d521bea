"""The comparison: all seven architectures, the same on any number of threads, reasons kept.

How right the engine is, is tested with the engine.
"""

from __future__ import annotations

import json

import pytest

from linkwright import studies
from linkwright.design.cluster import Cluster
from linkwright.design.topologies import TOPOLOGIES
from linkwright.errors import DesignError, UsageError
from linkwright.studies.architectures import ARCHITECTURES, candidates, squarest_sides
from linkwright.studies.comparison import Figure
from linkwright.workloads import Barrier, PingPong

NAMES = ["direct", "hub", "switch", "torus", "tree", "p-mesh", "full-mesh"]
FEW = [PingPong(size_bytes=(1, 4096), repeats=2), Barrier(repeats=2)]


@pytest.fixture(scope="module")
def of_16() -> studies.Comparison:
    return studies.compare(16, "whitney-1998", FEW)


def test_every_architecture_is_a_row(of_16: studies.Comparison) -> None:
    assert [row.name for row in of_16.architectures] == NAMES == list(ARCHITECTURES)
    assert [row.n_nodes for row in of_16.architectures] == [2] + [16] * 6
    assert not any(row.reason for row in of_16.architectures)


def test_every_kind_of_network_on_request() -> None:
    found = studies.compare(16, "whitney-1998", every_kind=True)
    assert {row.name for row in found.architectures} == set(TOPOLOGIES)
    assert not any(row.reason for row in found.architectures)
    assert {row.n_nodes for row in found.architectures if row.name != "direct"} == {16}


def test_a_kind_that_cannot_have_so_many_nodes_says_which_it_can() -> None:
    rows = {row.name: row for row in studies.compare(7, every_kind=True).architectures}
    assert [name for name, row in rows.items() if row.reason] == ["hypercube"]
    assert "2, 4, 8 ... nodes, not 7" in rows["hypercube"].reason


@pytest.mark.parametrize(
    ("catalogue", "unbuilt"),
    [("beowulf-1996", []), ("stack-2001", ["hub"]), ("ethernet-2026", ["hub"])],
)
def test_three_nodes_of_every_catalogue(catalogue: str, unbuilt: list[str]) -> None:
    """A catalogue without hubs has no row for them; switches without uplinks give up node ports."""
    found = studies.compare(3, catalogue)
    assert [row.name for row in found.architectures if row.reason] == unbuilt
    assert not any(row.findings for row in found.architectures)


def test_the_json_has_what_scripts_rely_on(of_16: studies.Comparison) -> None:
    rows = {row["architecture"]: row for row in of_16.to_json()}
    json.dumps(of_16.to_json(), allow_nan=False)
    for row in rows.values():
        assert row["currency"] == "USD"
        assert set(row["latency_us"]) == set(row["bandwidth_MBps"]) == {"best", "worst"}
        assert set(row["forwards"]) == {"mean", "worst", "balance"}
        assert 0 <= row["survives"] <= 1
        assert row["workloads"]["barrier"]["time"] > 0
        assert not {"wall_s", "peak_rss_bytes"} & set(row["workloads"]["ping-pong"])
    costs = [30, 80, 180, 120, 596.667, 360, 450]
    assert [rows[name]["cost_per_node"] for name in NAMES] == pytest.approx(costs, rel=1e-5)
    assert rows["torus"]["forwards"]["worst"] == 3
    assert rows["p-mesh"]["forwards"] == {"mean": 0.6, "worst": 1, "balance": 1.0}
    assert rows["switch"]["forwards"]["balance"] is None
    assert rows["torus"]["max_nodes"] is None
    assert rows["torus"]["bisection_MBps_per_node"] == 12.5


def test_latency_is_that_of_the_nearest_and_farthest_pair(of_16: studies.Comparison) -> None:
    rows = {row.name: row for row in of_16.architectures}
    assert [one.nodes for one in rows["torus"].runs_of("ping-pong")] == [(0, 1), (0, 10)]
    assert [one.nodes for one in rows["p-mesh"].runs_of("ping-pong")] == [(0, 1), (0, 5)]
    assert [one.nodes for one in rows["hub"].runs_of("ping-pong")] == [(0, 1)]
    torus = rows["torus"].latency_s
    assert torus.best == pytest.approx(175e-6, rel=0.03)
    assert torus.worst == pytest.approx(295e-6, rel=0.03)


def test_a_full_mesh_beyond_the_slots_is_priced_run_and_found_fault_with(
    of_16: studies.Comparison,
) -> None:
    row = of_16.architectures[-1]
    assert [(one.severity, one.reason) for one in row.findings] == [
        ("error", "needs 15 NICs, node has 5 slots")
    ]
    assert row.runs_of("ping-pong")
    assert all(not one.findings for one in candidates(6, "whitney-1998"))


@pytest.mark.parametrize("n_cores", [1, 3])
def test_the_number_of_threads_changes_nothing(
    n_cores: int, of_16: studies.Comparison, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda _: set(range(n_cores)))
    again = studies.compare(16, "whitney-1998", FEW)
    assert again.to_json() == of_16.to_json()
    assert again.result.reproducible() == of_16.result.reproducible()


def test_progress_counts_up_to_the_end() -> None:
    steps: list[tuple[int, int, str]] = []
    studies.compare(4, "whitney-1998", FEW[1:], progress=lambda *step: steps.append(step))
    assert [done for done, _, _ in steps] == list(range(1, 15))
    assert steps[-1][1] == 14


def test_what_cannot_be_built_stays_with_the_reason() -> None:
    rows = {row["architecture"]: row for row in studies.compare(101, "whitney-1998").to_json()}
    assert list(rows) == NAMES
    assert "has at most 100" in rows["switch"]["reason"]
    assert rows["switch"]["cost_per_node"] is None
    assert rows["switch"]["latency_us"] == {"best": None, "worst": None}


def test_without_a_ping_pong_latency_is_that_of_the_path_model() -> None:
    row = studies.compare(16, "whitney-1998").architectures[3]
    assert row.latency_s.worst == pytest.approx(295e-6)


def test_a_calibration_without_path_constants_leaves_latency_open() -> None:
    row = studies.compare(4, "whitney-1998", calibration="ideal-reno").architectures[0]
    assert row.latency_s == Figure(None, None)


def test_designs_take_the_place_of_the_architectures() -> None:
    designs = [Cluster.parse(f"topology: {{kind: torus, shape: [{n}]}}") for n in (3, 4)]
    rows = studies.compare(designs=designs).to_json()
    assert [row["architecture"] for row in rows] == ["torus-3", "torus-4"]


def test_an_error_in_a_design_is_its_owners() -> None:
    design = Cluster.parse("topology: {kind: full-mesh, nodes: 16}")
    with pytest.raises(DesignError, match="needs 15 NICs"):
        studies.compare(designs=[design])


@pytest.mark.parametrize("n_nodes", [-1, 0, 1, 10**9])
def test_impossible_sizes_are_refused_at_once(n_nodes: int) -> None:
    with pytest.raises(DesignError):
        studies.compare(n_nodes)


def test_unknown_names_are_refused() -> None:
    with pytest.raises(DesignError, match="no catalogue"):
        studies.compare(4, "whitney-1898")
    with pytest.raises(UsageError, match="unknown engine"):
        studies.compare(4, "whitney-1998", FEW, engine="steam")


@pytest.mark.parametrize("n_nodes", range(2, 60))
def test_sides_are_the_squarest(n_nodes: int) -> None:
    sides = squarest_sides(n_nodes)
    product, least = 1, n_nodes
    for side in sides:
        product, least = product * side, min(least, side)
    assert product == n_nodes
    better = [d for d in range(least + 1, n_nodes) if n_nodes % d == 0 and d * d <= n_nodes]
    assert not better or sides == [n_nodes]
