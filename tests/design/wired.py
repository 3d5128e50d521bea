"""Fixtures of tests of the design side: parts' port counts, broadcast domains without the
extension, errors.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from linkwright.design.addressing import SCHEMES, Addresses, NodePorts, Prefix, place
from linkwright.design.topologies import TOPOLOGIES, Limits, Topology, Wiring
from linkwright.errors import DesignError

LIMITS = Limits(node_slots=64, hub_ports=100, switch_ports=100, leaf_ports=24, root_switch_ports=32)


def topology(kind: str, **fields: Any) -> Topology:
    return TOPOLOGIES[kind].model_validate({"kind": kind, **fields})


def built(kind: str, *, front_end: bool = False, limits: Limits = LIMITS, **fields: Any) -> Wiring:
    return topology(kind, **fields).build(limits, front_end=front_end)


def node_ports(wiring: Wiring) -> NodePorts:
    """Return the node ports with the broadcast domain of each, found by merging what cables
    join.
    """
    n_ports = wiring.n_ports.astype(np.int64)
    start = np.concatenate([[0], np.cumsum(n_ports)])
    domain = np.arange(start[-1])
    for device in range(wiring.n_nodes, len(n_ports)):
        domain[start[device] : start[device + 1]] = start[device]
    a = start[wiring.cable_a[:, 0]] + wiring.cable_a[:, 1]
    b = start[wiring.cable_b[:, 0]] + wiring.cable_b[:, 1]
    for _ in range(len(n_ports)):
        low = np.minimum(domain[a], domain[b])
        before = domain.copy()
        np.minimum.at(domain, domain[a], low)
        np.minimum.at(domain, domain[b], low)
        domain = domain[domain]
        if np.array_equal(domain, before):
            break
    node = np.repeat(np.arange(wiring.n_nodes), n_ports[: wiring.n_nodes])
    of_nodes = domain[: start[wiring.n_nodes]]
    return NodePorts(
        n_nodes=wiring.n_nodes,
        n_compute=wiring.n_compute,
        shape=wiring.shape,
        coordinates=wiring.coordinates[: wiring.n_nodes],
        node=node,
        port=np.arange(len(node)) - start[node],
        segment=np.unique(of_nodes, return_inverse=True)[1].astype(np.int64),
    )


def addressed(wiring: Wiring, scheme: str, *bases: Prefix, grow_to: int | None = None) -> Addresses:
    return place(SCHEMES[scheme](node_ports(wiring), grow_to=grow_to), bases)


def refused(error: pytest.ExceptionInfo[DesignError], *words: str) -> None:
    """Check that a message and its hint hold all words, and that there is a hint."""
    assert error.value.hint
    text = f"{error.value.message} | {error.value.hint}"
    for word in words:
        assert word in text, text
