"""Complete plan folders of tiny designs; `make golden` rewrites them."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version
from typing import Any

import pytest
from tests.plan.networks import network

from linkwright.design.cluster import Cluster
from linkwright.network import compile as compile_design
from linkwright.plan import plan, plan_without

DESIGNS: dict[str, dict[str, Any]] = {
    "direct": {"kind": "direct"},
    "torus-2x2": {"kind": "torus", "shape": [2, 2]},
    "hub-3": {"kind": "hub", "nodes": 3, "sections": {"front_end": True}},
    "p-mesh-2x3": {"kind": "p-mesh", "shape": [2, 3], "lines_per_switch": 2},
    "hub-stack": {"kind": "hub", "nodes": 5, "stack_units": 2},
    "tree": {"kind": "tree", "leaves": 2, "nodes_per_leaf": 2, "uplinks": 2, "roots": 2},
    "direct-v6": {
        "kind": "direct",
        "sections": {"addressing": {"ipv4": True, "ipv6": True}},
    },
}


@pytest.mark.parametrize("name", DESIGNS)
def test_a_plan_is_what_it_was(name: str, golden: Callable[[str, str], None]) -> None:
    files = plan(network(**DESIGNS[name]))
    for file, text in files.items():
        golden(f"plan/{name}/{file}", text.replace(f'"{version("linkwright")}"', '"VERSION"'))


def test_a_plan_without_parts_is_what_it_was(golden: Callable[[str, str], None]) -> None:
    cluster = Cluster.from_fields(
        {"topology": {"kind": "p-mesh", "shape": [2, 3], "lines_per_switch": 1}}
    )
    whole, left = (compile_design(cluster, without=dead) for dead in ((), ("x0", "n4:eth1")))
    files, _ = plan_without(whole, left)
    for file in ("routes.csv", "changes.csv", "summary.json"):
        text = files[file].replace(f'"{version("linkwright")}"', '"VERSION"')
        golden(f"plan/p-mesh-2x3-without/{file}", text)
