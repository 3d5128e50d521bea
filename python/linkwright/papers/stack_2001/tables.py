"""Table 2, switches, nodes and bisection of four networks, and the numbers of the text around it.

All are counted in the built networks, each of which has the name of its row.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from linkwright.network import SWITCH, Network
from linkwright.papers.clusters import network_of
from linkwright.papers.entry import Entry
from linkwright.papers.printed import printed_numbers
from linkwright.plan.properties import bisection


def table_2() -> list[Entry]:
    """Return every number of Table 2 beside ours."""
    return _entries("2")


def text() -> list[Entry]:
    """Return the numbers of the text beside ours."""
    return _entries("text")


def network(name: str) -> Network:
    """Return the compiled network of `clusters/<name>.yaml`."""
    return network_of(__package__, name)


def _entries(table: str) -> list[Entry]:
    return [
        number.beside(network(number.row), _MEASURES[number.metric](network(number.row)))
        for number in printed_numbers(__package__).table(table)
    ]


def switches(built: Network) -> float:
    """Return the number of switches, each unit of a stack counted."""
    return float(built.wiring.stack_units[built.wiring.kind == SWITCH].sum())


def stacks(built: Network) -> float:
    """Return the number of stacks, each of which acts as one switch."""
    return float((built.wiring.kind == SWITCH).sum())


def bisection_each_way(built: Network) -> float:
    """Return what crosses the worst equal split in one direction, in bytes per second."""
    return bisection(built).total_Bps / 2


def bisection_over_star(built: Network) -> float:
    """Return the bisection as a multiple of that of a star on one stack."""
    return bisection_each_way(built) / bisection_each_way(network("star"))


def forwards_worst(built: Network) -> float:
    """Return the forwards of the worst pair, for every address of the destination."""
    return float(built.core.reachability(built.n_compute).forwards_worst)


_MEASURES: Mapping[str, Callable[[Network], float]] = MappingProxyType(
    {
        "switches": switches,
        "nodes": lambda built: float(built.n_compute),
        "bisection_each_way": bisection_each_way,
        "stacks": stacks,
        "forwards_worst": forwards_worst,
        "bisection_over_star": bisection_over_star,
    }
)
