"""Laws of graphs of one's own, over random ones: nodes that differ, hubs, switches and cables.

The examples of the kind meet the laws of every kind; here are the shapes that no example has.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.views.test_drawing import expect_no_overlap

from linkwright.design.cluster import Cluster
from linkwright.network import Network
from linkwright.network import compile as compile_design
from linkwright.plan import check, compare_closed_forms, plan
from linkwright.views.drawing import draw, picture_of

NICS = (None, "nic-10g", "nic-2-5g", "nic-25g-dual")
BOXES = {"switches": ("switch-10g-24", "switch-2-5g-24", "crs309"), "hubs": (None,)}


@st.composite
def graphs(draw: st.DrawFn) -> dict[str, Any]:
    """Return a connected graph: devices join one after the other, then cables between any two."""
    n_nodes, n_boxes = draw(st.integers(2, 7)), draw(st.integers(0, 3))
    is_hub = [draw(st.booleans()) for _ in range(n_boxes)]
    boxes = [f"{'hub' if hub else 'switch'}{k}" for k, hub in enumerate(is_hub)]
    nodes = [f"host-{k}" for k in range(n_nodes)]
    nics: dict[str, dict[str, str | None]] = {node: {} for node in nodes}

    def end(device: str) -> str:
        if device in boxes:
            return device
        name = f"enp{len(nics[device])}s0"
        nics[device][name] = draw(st.sampled_from(NICS))
        return f"{device}:{name}"

    devices = draw(st.permutations([*boxes, *nodes]))
    pairs = [(devices[k], devices[draw(st.integers(0, k - 1))]) for k in range(1, len(devices))]
    other = st.tuples(st.sampled_from(nodes), st.sampled_from(devices)).filter(
        lambda pair: pair[0] != pair[1]
    )
    pairs += draw(st.lists(other, max_size=6))
    cables = [(end(a), end(b)) for a, b in pairs]
    for node in nodes:
        if draw(st.booleans()):
            nics[node]["spare"] = None
    keys = {
        kind: {
            name: draw(st.sampled_from(BOXES[kind]))
            for name, hub in zip(boxes, is_hub, strict=True)
            if hub == (kind == "hubs")
        }
        for kind in BOXES
    }
    return {
        "kind": "custom",
        "nodes": {node: {"nics": own} for node, own in nics.items()},
        **keys,
        "cables": cables,
    }


def built(topology: dict[str, Any], *, front_end: bool = False, fallback: bool = True) -> Network:
    hub = {"role": "hub", "key": "hub-10", "name": "hub", "ports": [24], "rate_mbps": 10,
           "domain_delay_us": 1.0, "price": 1, "date": "2026-11-21", "source": "test",
           "confidence": "estimate"}  # fmt: skip
    parts = {"catalogue": "ethernet-2026", "node": {"slots": None}, "hub": hub}
    fields = {"topology": topology, "parts": parts, "routing": {"fallback": fallback}}
    return compile_design(Cluster.from_fields({**fields, "front_end": front_end}))


@settings(max_examples=60)
@given(graphs(), st.booleans())
def test_every_address_is_reached_and_the_proof_holds(
    topology: dict[str, Any], front_end: bool
) -> None:
    network = built(topology, front_end=front_end)
    assert network.core.soundness() == []
    assert network.core.reachability().unreachable == []
    assert len(np.unique(network.addresses.bits, axis=0)) == len(network.addresses.node)
    errors = {one.rule for one in check(network) if one.severity == "error"}
    assert errors <= {"connectors", "cable-rate"}
    assert all(one.agrees is not False for one in compare_closed_forms(network))


@settings(max_examples=40)
@given(graphs(), st.booleans())
def test_names_are_the_design_s_in_every_table_and_drawing(
    topology: dict[str, Any], front_end: bool
) -> None:
    network = built(topology, front_end=front_end)
    files = plan(network)
    for a, b in topology["cables"]:
        for end in (a, b):
            device, _, port = end.partition(":")
            assert f",{device},{port}" in files["cables.csv"], end
    assert "spare" not in files["interfaces.csv"]
    expect_no_overlap(picture_of(network))
    assert all(name in draw(network) for name in topology["nodes"])
