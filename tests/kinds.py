"""Networks of every kind, from the examples of the registered topologies.

A new kind, in this package or an external one, is tested wherever these are used: no test names it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from linkwright.design.cluster import Cluster
from linkwright.design.topologies import TOPOLOGIES
from linkwright.network import HUB, Network
from linkwright.network import compile as compile_design
from linkwright.results import Result

__all__ = [
    "KINDS",
    "compiled",
    "designed",
    "examples",
    "figure",
    "has_bonds",
    "has_hubs",
    "network",
]

PARTS = {
    "catalogue": "whitney-1998",
    "node": {"slots": None},
    "switch": {"layer_3": True},
}
"""Parts of which every kind can be made."""

MOST_OF_NAME = 80
"""Characters of parameters in a name; longer ones are replaced by the number of the example."""


def examples(most_nodes: int) -> dict[str, dict[str, Any]]:
    """Return the examples with at most `most_nodes` nodes, by name.

    The first example of a kind has the kind's name, the others have their parameters behind it, or
    their number if the parameters are long.
    """
    found = {}
    for kind, topology in TOPOLOGIES.items():
        for number, example in enumerate(topology.examples):
            given = ",".join(f"{key}={value}" for key, value in example.items())
            given = given if len(given) <= MOST_OF_NAME else str(number)
            fields = {"kind": kind, **example}
            if topology.model_validate(fields).n_nodes <= most_nodes:
                found[f"{kind} {given}" if number else kind] = fields
    return found


KINDS = examples(most_nodes=12)
"""Small networks of every kind, by name."""


def designed(topology: Mapping[str, Any], **sections: Any) -> Cluster:
    """Return a design of a topology in parts that suit it; `sections` are its other sections."""
    return Cluster.from_fields({"name": "test", "topology": topology, "parts": PARTS, **sections})


def compiled(topology: Mapping[str, Any], **sections: Any) -> Network:
    """Return the network of a topology, of such a design."""
    return compile_design(designed(topology, **sections))


@cache
def network(name: str) -> Network:
    """Return one of `KINDS`."""
    return compiled(KINDS[name])


def has_hubs(network: Network) -> bool:
    """Return whether nodes share a medium."""
    return bool((network.wiring.kind == HUB).any())


def has_bonds(network: Network) -> bool:
    """Return whether nodes send by several NICs as by one."""
    return bool(network.wiring.bonds.size)


def figure(result: Result, metric: str) -> float:
    """Return the first value of a metric."""
    return float(result.filter(metric=metric).values()[0])
