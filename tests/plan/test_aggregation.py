"""Prefixes in the place of routes to single nodes: each node is reached by the same routes, and a
table of routes has some rows per axis.

Packets under failures are followed in tests/laws, kernels are asked in tests/emulation.
"""

from __future__ import annotations

import ipaddress
from collections import defaultdict
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.kinds import compiled

from linkwright.network import Network, Routes
from linkwright.nodes.routes import NodeRoutes, all_routes
from linkwright.plan import check
from linkwright.plan.finding import Severity

COORDINATES = {"scheme": "coordinates"}
TORUS = {"kind": "torus", "shape": [16, 16]}


def said(network: Network, routes: NodeRoutes | Routes, target: int) -> dict[Any, Any]:
    """Return the rows (metric, gateway, port) of each table by which it reaches an address."""
    ip = network.addresses.ip[target].ip
    is_v6 = ip.version == 6
    found = defaultdict(list)
    for row in np.flatnonzero(routes.is_v6 == is_v6).tolist():
        bits = routes.destination[row].tobytes()[0 if is_v6 else 12 :]
        prefix = ipaddress.ip_network((bits, int(routes.prefix_length[row])))
        if ip in prefix:
            says = int(routes.metric[row]), int(routes.via[row]), int(routes.port[row])
            found[int(routes.node[row]), int(routes.table[row])].append((prefix, *says))
    assert all(len({one[0] for one in rows}) == 1 for rows in found.values()), "prefixes overlap"
    return {key: sorted(one[1:] for one in rows) for key, rows in found.items()}


@pytest.mark.parametrize("fallback", [False, True, "by-interface"])
@settings(max_examples=6)
@given(
    shape=st.lists(st.integers(2, 4), min_size=1, max_size=2),
    kind=st.sampled_from(["torus", "mesh", "hyperx"]),
    families=st.sampled_from([{}, {"ipv6": True}, {"ipv4": True, "ipv6": True}]),
)
def test_each_node_is_reached_as_before(
    fallback: bool | str, shape: list[int], kind: str, families: dict[str, bool]
) -> None:
    network = compiled(
        {"kind": kind, "shape": shape},
        addressing={**COORDINATES, **families},
        routing={"fallback": fallback},
    )
    plain = network.core.routes(with_fallback=network.fallback)
    routes = all_routes(network)
    assert len(routes.node) <= len(plain.node)
    for target in np.flatnonzero(network.addresses.port < 0).tolist():
        assert said(network, routes, target) == said(network, plain, target)


def test_tables_of_a_torus_have_rows_per_axis_and_not_per_node() -> None:
    def most(scheme: str) -> int:
        network = compiled(TORUS, addressing={"scheme": scheme})
        return int(np.bincount(all_routes(network).node).max())

    assert most("coordinates") <= 40
    assert most("per-link") > 700


def test_no_prefix_holds_the_block_of_its_own_node() -> None:
    network = compiled({"kind": "torus", "shape": [3, 5]}, addressing=COORDINATES)
    routes = all_routes(network)
    for node in range(network.n_nodes):
        assert (node, -1) not in said(network, routes, int(network.addresses.identity[node]))


@pytest.mark.parametrize("shape", [[4, 4], [3, 5]])
def test_checks_find_no_mistake(shape: list[int]) -> None:
    found = check(compiled({"kind": "torus", "shape": shape}, addressing=COORDINATES))
    assert not [one for one in found if one.severity is Severity.ERROR]


def test_where_a_node_has_an_address_elsewhere_routes_stay_single() -> None:
    own = {"n0": {"address": "192.168.9.1"}}
    network = compiled({"kind": "ring", "shape": [4]}, addressing=COORDINATES, nodes=own)
    assert not network.addresses.are_blocks_whole
    assert set(all_routes(network).prefix_length.tolist()) == {31, 32}
