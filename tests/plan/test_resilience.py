"""Single failures: the fast searches against taking each part out and looking.

The law is the definition: take the part out and look who still reaches whom.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.plan.networks import network

from linkwright.plan.joined import component_labels
from linkwright.plan.resilience import nodes_are_connected, resilience, separating_cables


@st.composite
def graphs(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    n_devices = draw(st.integers(1, 12))
    device = st.integers(0, n_devices - 1)
    pairs = draw(st.lists(st.tuples(device, device).filter(lambda p: p[0] != p[1]), max_size=24))
    is_node = draw(st.lists(st.booleans(), min_size=n_devices, max_size=n_devices))
    return np.array(pairs, dtype=np.int64).reshape(-1, 2), np.array(is_node)


def n_pairs_connected(ends: np.ndarray, is_node: np.ndarray) -> int:
    labels = component_labels(ends, len(is_node))[is_node]
    return int((labels[:, np.newaxis] == labels).sum())


@given(graphs())
def test_a_cable_separates_when_pairs_are_lost_without_it(
    graph: tuple[np.ndarray, np.ndarray],
) -> None:
    ends, is_node = graph
    before = n_pairs_connected(ends, is_node)
    expected = [
        n_pairs_connected(np.delete(ends, cable, axis=0), is_node) < before
        for cable in range(len(ends))
    ]
    assert separating_cables(ends, is_node).tolist() == expected


@given(graphs())
def test_components_are_closed_under_cables(graph: tuple[np.ndarray, np.ndarray]) -> None:
    ends, is_node = graph
    labels = component_labels(ends, len(is_node))
    assert (labels[ends[:, 0]] == labels[ends[:, 1]]).all()
    assert (labels <= np.arange(len(labels))).all()
    n_roots = int((labels == np.arange(len(labels))).sum())
    assert len(is_node) - n_roots <= len(ends)
    assert nodes_are_connected(ends, is_node) == (len(set(labels[is_node].tolist())) <= 1)


# (cables, NICs, hubs, switches): failures and how many of them are survived.
CASES: list[tuple[dict[str, Any], list[tuple[int, int]]]] = [
    ({"kind": "direct"}, [(1, 0), (2, 0), (0, 0), (0, 0)]),
    ({"kind": "hub", "nodes": 4}, [(4, 0), (4, 0), (1, 0), (0, 0)]),
    ({"kind": "switch", "nodes": 4}, [(4, 0), (4, 0), (0, 0), (1, 0)]),
    ({"kind": "torus", "shape": [4, 4]}, [(32, 32), (64, 64), (0, 0), (0, 0)]),
    ({"kind": "mesh", "shape": [4]}, [(3, 0), (6, 0), (0, 0), (0, 0)]),
    ({"kind": "p-mesh", "shape": [4, 4]}, [(32, 32), (32, 32), (0, 0), (8, 8)]),
    # All rows on one switch: without it, columns cannot reach each other.
    (
        {"kind": "p-mesh", "shape": [4, 4], "lines_per_switch": 4},
        [(32, 32), (32, 32), (0, 0), (2, 0)],
    ),
    # Uplinks are doubled over two roots; the leaves stay single points of failure.
    (
        {"kind": "tree", "leaves": 2, "nodes_per_leaf": 2, "uplinks": 2, "roots": 2},
        [(8, 4), (4, 0), (0, 0), (4, 2)],
    ),
]


@pytest.mark.parametrize(("fields", "expected"), CASES)
def test_what_single_failures_leave(fields: dict[str, Any], expected: list[Any]) -> None:
    found = resilience(network(**fields))
    kinds = (found.cables, found.nics, found.hubs, found.switches)
    assert [(kind.n_failures, kind.n_survived) for kind in kinds] == expected
    failures, survived = (sum(values) for values in zip(*expected, strict=True))
    assert found.fraction == survived / failures
