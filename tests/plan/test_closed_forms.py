"""Closed forms hold in the built networks, and latency and bandwidth follow the additive path
model.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.plan.networks import network
from tests.sizes import fields_of, network_of

from linkwright.design.topologies import TOPOLOGIES
from linkwright.plan import compare_closed_forms, path_model, properties
from linkwright.plan.paths import PathClass, _followed, count_paths


@pytest.mark.parametrize("kind", TOPOLOGIES)
@settings(max_examples=4)
@given(st.data())
def test_no_counted_value_contradicts_its_formula(kind: str, data: st.DataObject) -> None:
    found = compare_closed_forms(network_of(data.draw(fields_of(kind, most_nodes=40))))
    assert [one for one in found if one.agrees is False] == []
    assert {one.name for one in found if one.agrees} >= {"nodes", "cables", "diameter_hops"}


@pytest.mark.parametrize("kind", TOPOLOGIES)
@settings(max_examples=3)
@given(st.data())
def test_path_classes_are_those_of_every_pair(kind: str, data: st.DataObject) -> None:
    built = network_of(data.draw(fields_of(kind, most_nodes=40)))
    reached = built.core.forwards(built.addresses.identity[: built.n_compute]) != 65535
    reached[range(built.n_compute), range(built.n_compute)] = False
    assert set(count_paths(built).classes) == _followed(built, reached)


def test_a_tree_has_near_and_far_pairs() -> None:
    built = network("tree", leaves=3, nodes_per_leaf=2)
    assert count_paths(built).classes == (PathClass(1, 0), PathClass(3, 0))


# Microseconds and MB/s, best and worst, by the constants of the Whitney nodes.
CASES = [
    ({"kind": "hub", "nodes": 4}, (175, 175), (8.5, 8.5)),
    ({"kind": "switch", "nodes": 4}, (180, 180), (8.0, 8.0)),
    ({"kind": "torus", "shape": [4, 4]}, (175, 295), (8.5, 4.0)),
    ({"kind": "p-mesh", "shape": [3, 3]}, (180, 225), (8.0, 6.0)),
    ({"kind": "tree", "leaves": 3, "nodes_per_leaf": 2}, (180, 190), (8.0, 7.0)),
    # Six forwards would take more bandwidth than there is: not known, rather than negative.
    ({"kind": "mesh", "shape": [8]}, (175, 415), (8.5, None)),
]


@pytest.mark.parametrize(("fields", "latency_us", "bandwidth_MBps"), CASES)
def test_latency_and_bandwidth(
    fields: dict[str, Any],
    latency_us: tuple[float, float],
    bandwidth_MBps: tuple[float, float | None],  # noqa: N803  the unit is spelled as units are
) -> None:
    found = properties(network(**fields), path_model())
    latency, bandwidth = found.latency_s, found.bandwidth_Bps
    assert (latency.best, latency.worst) == pytest.approx([us * 1e-6 for us in latency_us])
    expected = [None if value is None else value * 1e6 for value in bandwidth_MBps]
    assert [bandwidth.best, bandwidth.worst] == pytest.approx(expected)


def test_without_a_path_model_they_are_not_known() -> None:
    found = properties(network("direct"))
    assert found.latency_s.best is None
    assert found.bandwidth_Bps.worst is None


@pytest.mark.parametrize("catalogue", ["beowulf-1996", "ethernet-2026"])
def test_on_links_of_another_rate_they_are_not_known(catalogue: str) -> None:
    found = properties(
        network("direct", sections={"parts": {"catalogue": catalogue}}), path_model()
    )
    assert found.latency_s.best is None
    assert found.bandwidth_Bps.best is None


@pytest.mark.parametrize(
    ("shape", "worst"), [([4, 4], 1), ([24, 24], 1), ([5, 7, 3], 2), ([2, 3, 2, 2], 3)]
)
def test_a_p_mesh_forwards_at_most_d_minus_1_times_for_every_address(
    shape: list[int], worst: int
) -> None:
    built = network("p-mesh", shape=shape)
    found = built.core.reachability(built.n_compute)
    assert found.n_unreachable == 0
    assert found.forwards_worst == worst
    assert found.forwards_worst_of_address.max() == worst
