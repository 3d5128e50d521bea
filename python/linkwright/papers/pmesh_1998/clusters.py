"""The networks of the paper, from the design files in `clusters/`, compiled once each."""

from __future__ import annotations

from functools import cache
from importlib import resources

from linkwright.design.cluster import Cluster
from linkwright.network import Network, compile  # noqa: A004 - the verb of the field
from linkwright.plan import Properties, path_model, properties
from linkwright.plan.path_model import WHITNEY


@cache
def network(name: str) -> Network:
    """Return the compiled network of `clusters/<name>.yaml`."""
    text = (resources.files(__package__) / "clusters" / f"{name}.yaml").read_text(encoding="utf-8")
    return compile(Cluster.parse(text))


@cache
def figures(name: str) -> Properties:
    """Return cost, paths, bisection and the rest of one network."""
    return properties(network(name), path_model(WHITNEY))


def calibration_of(metric: str) -> str:
    """Return whose constants a quantity rests on: those of the path model, or none."""
    return WHITNEY if metric.startswith(("latency", "bandwidth")) else ""
