"""The networks of the paper and their figures, computed once each."""

from __future__ import annotations

from functools import cache

from linkwright.network import Network
from linkwright.papers.clusters import network_of
from linkwright.plan import Properties, path_model, properties
from linkwright.plan.path_model import WHITNEY


def network(name: str) -> Network:
    """Return the compiled network of `clusters/<name>.yaml`."""
    return network_of(__package__, name)


@cache
def figures(name: str) -> Properties:
    """Return cost, paths, bisection and the rest of one network."""
    return properties(network(name), path_model(WHITNEY))


def calibration_of(metric: str) -> str:
    """Return whose constants a quantity rests on: those of the path model, or none."""
    return WHITNEY if metric.startswith(("latency", "bandwidth")) else ""
