"""Facts of machines that are as planned, under other names, with other names of ports, and in
another order.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from typing import Any

from tests.as_built.rendered import facts_of
from tests.kinds import compiled

from linkwright.facts import ClusterFacts

__all__ = ["permuted_facts"]


def permuted_facts(
    topology: Mapping[str, Any], seed: int, *, box: str = "box", **sections: Any
) -> ClusterFacts:
    """Return facts of a topology whose machines are box0, box1, ... in an order drawn from a seed,
    as are the names of their ports.
    """
    draw = random.Random(seed)
    base = compiled(topology, **sections)
    nodes = base.device_names[: base.n_nodes]
    boxes = [f"{box}{number}" for number in range(len(nodes))]
    draw.shuffle(boxes)
    machine_of = dict(zip(nodes, boxes, strict=True))
    given = {}
    for node, n_ports in zip(nodes, base.wiring.n_ports.tolist(), strict=False):
        names = [f"eth{port}" for port in range(n_ports)]
        nics = {
            nic: {"name": name} for nic, name in zip(names, _shuffled(names, draw), strict=True)
        }
        given[node] = {"name": machine_of[node], "nics": nics}
    facts = facts_of(compiled(topology, nodes=given, **sections)).given
    for machine in facts["machines"]:
        machine["name"] = machine["hostname"]
        draw.shuffle(machine["interfaces"])
    for cable in facts["cables"]:
        cable["ends"] = [[machine_of[node], port] for node, port in cable["ends"]]
    draw.shuffle(facts["machines"])
    return ClusterFacts.parse(json.dumps(facts))


def _shuffled(names: list[str], draw: random.Random) -> list[str]:
    return draw.sample(names, len(names))
