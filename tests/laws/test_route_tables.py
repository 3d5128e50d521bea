"""The routes of all nodes as columns agree with packets followed one by one: a drawing of a
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
    tables = net.core.route_tables(net.addresses.identity, with_fallback=False)
    forwards = net.core.forwards(net.addresses.identity)
    for to in range(net.n_nodes):
        best = tables.start[to * net.n_nodes :][: net.n_nodes + 1]
        assert [node for node in range(net.n_nodes) if best[node] == best[node + 1]] == [to]
        for sender in range(net.n_nodes):
            node, hops = sender, 0
            while node != to:
                node, hops = int(device[tables.via[best[node]]]), hops + 1
            assert max(hops - 1, 0) == forwards[sender, to]


def test_a_standby_route_leaves_by_the_other_port_of_a_ring() -> None:
    net = network(kind="ring", shape=[3])
    tables = net.core.route_tables(net.addresses.identity, with_fallback=True)
    n = net.n_nodes
    for entry in range(n * n):
        ports = tables.port[tables.start[entry] : tables.start[entry + 1]].tolist()
        node = entry % n
        assert sorted(ports) == ([] if entry // n == node else [2 * node, 2 * node + 1])
    assert tables.start[-1] == len(tables.port) == len(tables.via) == 2 * n * (n - 1)


def test_rows_stand_in_the_order_of_the_identities_given() -> None:
    net = network(kind="torus", shape=[3, 3])
    every = net.core.route_tables(net.addresses.identity, with_fallback=True)
    some = net.core.route_tables(net.addresses.identity[[7, 2, 7]], with_fallback=True)
    n = net.n_nodes
    for name in ("port", "via"):
        column = getattr(every, name)
        rows = [column[every.start[to * n] : every.start[to * n + n]] for to in (7, 2, 7)]
        assert np.array_equal(getattr(some, name), np.concatenate(rows))
