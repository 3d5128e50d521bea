"""Single failures that leave all nodes connected, where the answer is known. That the search agrees
with taking each part out is a law of the crate.
"""

from __future__ import annotations

from typing import Any

import pytest
from tests.plan.networks import network

from linkwright.plan import connectivity

# (cables, NICs, hubs, switches): failures and how many of them are survived.
CASES: list[tuple[dict[str, Any], list[tuple[int, int]]]] = [
    ({"kind": "direct"}, [(1, 0), (2, 0), (0, 0), (0, 0)]),
    ({"kind": "hub", "nodes": 4}, [(4, 0), (4, 0), (1, 0), (0, 0)]),
    ({"kind": "switch", "nodes": 4}, [(4, 0), (4, 0), (0, 0), (1, 0)]),
    ({"kind": "torus", "shape": [4, 4]}, [(32, 32), (64, 64), (0, 0), (0, 0)]),
    ({"kind": "mesh", "shape": [4]}, [(3, 0), (6, 0), (0, 0), (0, 0)]),
    (
        {"kind": "p-mesh", "shape": [4, 4], "lines_per_switch": 1},
        [(32, 32), (32, 32), (0, 0), (8, 8)],
    ),
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
    found = connectivity(network(**fields))
    kinds = (found.cables, found.nics, found.hubs, found.switches)
    assert [(kind.n_failures, kind.n_survived) for kind in kinds] == expected
    failures, survived = (sum(values) for values in zip(*expected, strict=True))
    assert found.fraction == survived / failures
