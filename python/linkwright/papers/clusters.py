"""The networks of a paper, from the design files in the `clusters/` of its folder.

And what several papers count in them.
"""

from __future__ import annotations

from functools import cache
from importlib import resources

from linkwright.design.cluster import Cluster
from linkwright.network import Network, compile  # noqa: A004 - the verb of the field


@cache
def network_of(package: str, name: str) -> Network:
    """Return the compiled network of `clusters/<name>.yaml` in a paper's folder, built once."""
    text = (resources.files(package) / "clusters" / f"{name}.yaml").read_text(encoding="utf-8")
    return compile(Cluster.parse(text))


def nodes_by_hops(network: Network) -> list[float]:
    """Return how many nodes a node reaches in how many hops, from none on; a mean over nodes."""
    ways = network.core.reachability(network.n_compute).hops_histogram
    return [float(count) * (network.n_compute - 1) / sum(ways) for count in ways]
