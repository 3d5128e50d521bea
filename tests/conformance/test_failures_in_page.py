"""The proof of failures in a page follows the routes of all nodes and counts as that of the command
line. The tests in tests/live compare more of it, in a browser.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.conformance.in_node import answers, bundled, needs_node
from tests.kinds import compiled

from linkwright.network import Network
from linkwright.plan import rerouting
from linkwright.views.check_page import proof_data

pytestmark = needs_node
CABLE = 0


@pytest.fixture(scope="module")
def core(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The core of a page's failures."""
    return bundled(tmp_path_factory.mktemp("core"), "failures/core.ts")


def tried(core: Path, network: Network, failures: list[list[dict[str, Any]]]) -> list[Any]:
    """Return the impact of some failures, with the routes of all pairs before and after."""
    pairs = [
        (sender, to)
        for to in range(network.n_nodes)
        for sender in range(network.n_nodes)
        if sender != to
    ]
    question = {"network": proof_data(network)["network"], "failures": failures, "pairs": pairs}
    found: list[Any] = answers("fail_in_node.mjs", core, question)
    return found


@pytest.mark.parametrize(
    "topology",
    [
        {"kind": "torus", "shape": [4, 3]},
        {"kind": "p-mesh", "shape": [3, 4]},
        {"kind": "mesh", "shape": [5]},
        {"kind": "switch", "nodes": 5},
    ],
)
def test_a_route_has_the_forwards_that_are_counted(core: Path, topology: dict[str, Any]) -> None:
    network = compiled(topology)
    (whole,) = tried(core, network, [[]])
    forwards = network.core.forwards(network.addresses.identity)
    is_pair = ~np.eye(network.n_nodes, dtype=np.bool_)
    assert {route["end"] for route in whole["before"]} == {"arrived"}
    assert [len(route["hops"]) - 1 for route in whole["before"]] == forwards.T[is_pair].tolist()
    assert whole["impact"]["worst"] is None


def test_the_other_port_of_a_ring_stands_by(core: Path) -> None:
    ring = compiled({"kind": "ring", "shape": [3]}, routing={"fallback": True})
    cut = [{"kind": "cable", "id": CABLE}]
    (found,) = tried(core, ring, [cut])
    dead = [ring.port_id(*end[CABLE]) for end in (ring.wiring.cable_a, ring.wiring.cable_b)]
    for before, after in zip(found["before"], found["after"], strict=True):
        is_cut = before["hops"][0]["port"] in dead
        assert (len(before["hops"]), len(after["hops"])) == (1, 2 if is_cut else 1)
        assert after["end"] == "arrived"


def test_impacts_are_those_of_the_proof(core: Path) -> None:
    network = compiled({"kind": "torus", "shape": [3, 3]}, routing={"fallback": True})
    cables = [[{"kind": "cable", "id": one}] for one in range(len(network.wiring.cable_a))]
    proof = rerouting(network, "single:cable")
    for found, impact in zip(tried(core, network, cables), proof.impacts, strict=True):
        counts = found["impact"]["counts"]
        assert counts["n_rerouted"] == impact.n_rerouted > 0
        assert counts["most_forwarded"] == impact.most_forwarded
        assert sum(found["impact"]["links"]["isDead"]) == 1
