"""The networks of a paper, from the design files in the `clusters/` of its folder."""

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
