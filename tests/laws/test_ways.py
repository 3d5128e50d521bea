"""The routes of all nodes as columns agree with what follows packets one by one: whoever draws a
network follows them without asking again.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from linkwright.design.cluster import Cluster
from linkwright.network import Network, compile  # noqa: A004 - the verb of the field


def network(**topology: Any) -> Network:
    return compile(Cluster.from_fields({"topology": topology}))


@pytest.mark.parametrize(
    "topology",
    [
        {"kind": "torus", "shape": [4, 3]},
        {"kind": "p-mesh", "shape": [3, 4]},
        {"kind": "mesh", "shape": [5]},
        {"kind": "switch", "nodes": 5},
    ],
)
def test_following_the_columns_takes_as_many_forwards_as_counted(topology: dict[str, Any]) -> None:
    net = network(**topology)
    device = np.repeat(np.arange(len(net.wiring.n_ports)), net.wiring.n_ports)
    ways = net.core.ways(net.addresses.identity, with_fallback=False)
    forwards = net.core.forwards(net.addresses.identity)
    for to, by_node in enumerate(ways.via):
        assert by_node[to] == -2
        assert (by_node >= 0).sum() == net.n_nodes - 1
        for sender in range(net.n_nodes):
            node, hops = sender, 0
            while by_node[node] >= 0:
                node, hops = int(device[by_node[node]]), hops + 1
            assert node == to
            assert max(hops - 1, 0) == forwards[sender, to]


def test_a_standby_route_leaves_by_the_other_port_of_a_ring() -> None:
    net = network(kind="ring", shape=[3])
    ways = net.core.ways(net.addresses.identity, with_fallback=True)
    n = net.n_nodes
    for entry, port in enumerate(ways.port.ravel()):
        standby = ways.standby_port[ways.standby_start[entry] : ways.standby_start[entry + 1]]
        assert (port == -2) == (entry // n == entry % n)
        assert len(standby) == (port >= 0)
        assert not (standby == port).any()
        assert (standby // 2 == entry % n).all()
    assert ways.standby_start[-1] == len(ways.standby_port) == len(ways.standby_via) == n * (n - 1)


def test_rows_stand_in_the_order_of_the_identities_given() -> None:
    net = network(kind="torus", shape=[3, 3])
    every = net.core.ways(net.addresses.identity, with_fallback=True)
    some = net.core.ways(net.addresses.identity[[7, 2, 7]], with_fallback=True)
    assert np.array_equal(some.port, every.port[[7, 2, 7]])
    assert np.array_equal(some.via, every.via[[7, 2, 7]])
    start = every.standby_start
    n = net.n_nodes
    expected = [every.standby_port[start[to * n] : start[to * n + n]] for to in (7, 2, 7)]
    assert np.array_equal(some.standby_port, np.concatenate(expected))
