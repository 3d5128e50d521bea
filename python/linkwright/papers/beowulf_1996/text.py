"""Numbers printed of the routed mesh itself: who is local to whom, and who forwards how much."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from linkwright.network import Network
from linkwright.papers.clusters import network_of, nodes_by_hops
from linkwright.papers.entry import Entry
from linkwright.papers.printed import printed_numbers
from linkwright.plan.forwarding import forwarding_load

__all__ = ["text"]


def text() -> list[Entry]:
    """Return the numbers of the text beside ours; a row has the name of its network."""
    return [
        number.beside(built, _MEASURES[number.metric](built))
        for number in printed_numbers(__package__).table("text")
        for built in (network_of(__package__, number.row),)
    ]


def _balance(built: Network) -> float:
    load = forwarding_load(built)
    assert load is not None, "nodes of the routed mesh relay"
    assert load.balance is not None, "of 16 nodes all packets are followed"
    return load.balance


_MEASURES: Mapping[str, Callable[[Network], float]] = MappingProxyType(
    {
        "local_nodes": lambda built: nodes_by_hops(built)[1],
        "remote_nodes": lambda built: nodes_by_hops(built)[2],
        "balance": _balance,
    }
)
