"""The networks of a paper, from the design files in the `clusters/` of its folder."""

from __future__ import annotations

from functools import cache
from importlib import resources

from linkwright.design.cluster import Cluster
from linkwright.errors import DesignError, shown, unknown_name
from linkwright.network import Network, compile  # noqa: A004 - the verb of the field

__all__ = ["network_of"]


@cache
def network_of(package: str, name: str) -> Network:
    """Return the compiled network of `clusters/<name>.yaml` in a paper's folder, built once.

    Raises
    ------
    DesignError
        If there is no such file.
    """
    folder = resources.files(package) / "clusters"
    known = {file.name.removesuffix(".yaml"): file for file in folder.iterdir()}
    if name not in known:
        raise DesignError(
            f"{package} has no cluster {shown(name)}", unknown_name(name, sorted(known))
        )
    return compile(Cluster.parse(known[name].read_text(encoding="utf-8")))
