"""How far the nodes of the 4x4 torus are from each other, as its numbering is explained."""

from __future__ import annotations

from linkwright.papers.clusters import network_of, nodes_by_hops
from linkwright.papers.entry import Entry
from linkwright.papers.printed import printed_numbers

__all__ = ["text"]

_HOPS = {"one-hop": 1, "two-hops": 2, "three-hops": 3, "four-hops": 4}


def text() -> list[Entry]:
    """Return the numbers of the text beside ours."""
    torus = network_of(__package__, "torus-4x4")
    reached = nodes_by_hops(torus)
    numbers = printed_numbers(__package__).table("text")
    return [number.beside(torus, reached[_HOPS[number.row]]) for number in numbers]
