"""Table 3: cost, latency, bandwidth and bisection of seven networks of 16 nodes (the trees at their
full 768).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from linkwright.papers.entry import Entry
from linkwright.papers.pmesh_1998.clusters import calibration_of, figures, network
from linkwright.papers.printed import printed_numbers
from linkwright.plan import Properties

CLUSTERS: Mapping[str, str] = MappingProxyType(
    {
        "direct": "direct",
        "hub": "hub-16",
        "switch": "switch-16",
        "switch-nonblocking": "switch-nonblocking-16",
        "torus": "torus-4x4",
        "tree": "tree-768",
        "tree-one-uplink": "tree-768-one-uplink",
        "p-mesh": "p-mesh-4x4",
    }
)
"""Design file of each row."""

METRICS: Mapping[str, Callable[[Properties], float | None]] = MappingProxyType(
    {
        "cost_per_node": lambda found: found.cost.ports_used_per_node,
        "latency_best": lambda found: found.latency_s.best,
        "latency_worst": lambda found: found.latency_s.worst,
        "bandwidth_best": lambda found: found.bandwidth_Bps.best,
        "bandwidth_worst": lambda found: found.bandwidth_Bps.worst,
        "bisection_per_node": lambda found: found.bisection.per_node_Bps,
    }
)
"""How each column is read from the figures of a built network."""


def table_3() -> list[Entry]:
    """Return every number of Table 3 beside ours."""
    return [
        number.beside(
            network(CLUSTERS[number.row]),
            _known(METRICS[number.metric](figures(CLUSTERS[number.row]))),
            calibration=calibration_of(number.metric),
        )
        for number in printed_numbers(__package__).table("3")
    ]


def _known(value: float | None) -> float:
    """Return a figure that the path model has for every network of the table."""
    assert value is not None, "no path of Table 3 is longer than four hops"
    return value
