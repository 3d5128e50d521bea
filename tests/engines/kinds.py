"""Every kind of network, small: what the tests of all engines are held to."""

from __future__ import annotations

from functools import cache

import linkwright
from linkwright.results import Result

__all__ = ["KINDS", "figure", "network"]

KINDS = {
    "direct": "{kind: direct}",
    "hub": "{kind: hub, nodes: 5}",
    "single-net": "{kind: single-net, nodes: 5}",
    "switch": "{kind: switch, nodes: 5}",
    "hub-switch": "{kind: hub-switch, nodes: 7, density: 3}",
    "hub-switch-1": "{kind: hub-switch, nodes: 5, density: 1}",
    "full-mesh": "{kind: full-mesh, nodes: 4}",
    "torus": "{kind: torus, shape: [3, 4]}",
    "torus-1d": "{kind: torus, shape: [5]}",
    "ring": "{kind: ring, shape: [3]}",
    "hypercube": "{kind: hypercube, dimension: 3}",
    "mesh": "{kind: mesh, shape: [2, 1, 3]}",
    "tree": "{kind: tree, nodes: 6, uplinks: 2}",
    "p-mesh": "{kind: p-mesh, shape: [3, 2], lines_per_switch: 2}",
    "hyperx": "{kind: hyperx, shape: [2, 4]}",
    "routed-mesh": "{kind: routed-mesh, shape: [3, 2]}",
    "switched-mesh": "{kind: switched-mesh, shape: [3, 2]}",
    "fat-tree": "{kind: fat-tree, k: 4}",
    "bonded-dual-net": "{kind: bonded-dual-net, nodes: 5}",
    "bonded-triple-net": "{kind: bonded-dual-net, nodes: 4, buses: 3}",
    "bonded-switched-mesh": "{kind: bonded-switched-mesh, shape: [3, 2]}",
    "stack-ring": "{kind: stack-ring, stages: 4, nodes_per_stage: 1, extra_forwarders: 1}",
    "stack-mesh": "{kind: stack-mesh, shape: [2, 3], nodes_per_group: 1}",
    "p-mesh-3d": "{kind: p-mesh, shape: [2, 3, 2]}",
}


@cache
def network(kind: str, extra: str = "") -> linkwright.Network:
    text = f"{{name: test, topology: {KINDS[kind]}, parts: {{catalogue: whitney-1998}}{extra}}}"
    return linkwright.compile(linkwright.Cluster.parse(text))


def figure(result: Result, metric: str) -> float:
    return float(result.filter(metric=metric).values()[0])
