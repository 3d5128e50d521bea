"""Networks of any kind in random sizes: the examples of the kind with other numbers.

Draws that make no network are rejected; Hypothesis reports a test that rejects too many.
"""

from __future__ import annotations

from typing import Any

from hypothesis import reject
from hypothesis import strategies as st
from pydantic import ValidationError

from linkwright.design.cluster import Cluster
from linkwright.design.topologies import TOPOLOGIES
from linkwright.errors import DesignError, LinkwrightError
from linkwright.network import Network
from linkwright.network import compile as compile_design

__all__ = ["ANY_SLOTS", "families", "fields_of", "network_of", "schemes"]

ANY_SLOTS = {"node": {"slots": None}, "switch": {"layer_3": True}}
"""Section `parts` of a design whose nodes hold any number of NICs."""
families = st.sampled_from([{}, {"ipv6": True}, {"ipv4": True, "ipv6": True}])
"""Sections `addressing`."""
schemes = st.sampled_from([None, "dimension-order", "shortest-path"])
"""Routing schemes; None is the default of a kind. Some networks refuse some of them."""


def network_of(topology: dict[str, Any], **sections: Any) -> Network:
    """Return a network; reject the draw when the design is refused."""
    try:
        return compile_design(
            Cluster.from_fields({"topology": topology, "parts": ANY_SLOTS, **sections})
        )
    except LinkwrightError:
        reject()


def fields_of(kind: str, most_nodes: int) -> st.SearchStrategy[dict[str, Any]]:
    """Return sections `topology` of a kind with at most `most_nodes` compute nodes."""
    topology = TOPOLOGIES[kind]

    def n_nodes(fields: dict[str, Any]) -> int | None:
        try:
            return topology.model_validate(fields).n_nodes
        except (DesignError, ValidationError):
            return None

    fitting = [
        fields
        for fields in ({"kind": kind, **example} for example in topology.examples)
        if (n_nodes(fields) or 0) <= most_nodes
    ]
    return (
        st.sampled_from(fitting)
        .flatmap(_varied)
        .filter(lambda fields: (n_nodes(fields) or most_nodes + 1) <= most_nodes)
    )


def _varied(value: Any) -> st.SearchStrategy[Any]:
    """Return values like one: numbers up to twice as large, lists and tables of equal length."""
    if isinstance(value, bool):
        # A switch that no longer routes may close a loop.
        return st.just(value)
    if isinstance(value, int):
        return st.integers(1, 2 * value)
    if isinstance(value, tuple):
        return st.tuples(*map(_varied, value)).map(list)
    if isinstance(value, dict):
        return st.fixed_dictionaries({key: _varied(inner) for key, inner in value.items()})
    return st.just(value)
