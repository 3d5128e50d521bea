"""The interfaces that carried a measured path, by the counters of all machines before and after.

Traffic of others is there too: an interface counts if it carried a good part of the path's bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from linkwright.hardware.answers import Counters
from linkwright.measurement.paths import Path
from linkwright.measurement.problem import Problem

if TYPE_CHECKING:
    from linkwright.measurement.machines import Site

__all__ = ["wrong_planes"]

LEAST_CARRIED, MOST_ASTRAY = 0.5, 0.1
"""Shares of the path's bytes: at least that on each planned interface, at most this on others."""
LEAST_ASTRAY_BYTES = 300_000
"""Traffic that an interface may have besides, such as that of the connection to the machine."""
STACKED = ("vlan", "bridge", "dummy", "loopback")
"""Kinds of interfaces whose traffic others count too."""


def wrong_planes(
    site: Site, path: Path, counters: Mapping[str, Counters], n_bytes: int
) -> Iterator[Problem]:
    """Yield the nodes that carried a path by interfaces that are not of its plan.

    Parameters
    ----------
    site : Site
    path : Path
    counters : mapping of str to Counters
        Growth of the counters of each node.
    n_bytes : int
        User data of the path in one direction.
    """
    planned: dict[str, list[str]] = {}
    for node, nic in path.legs:
        planned.setdefault(node, []).append(nic)
    for node, own in counters.items():
        nics = planned.get(node, [])
        sums = {
            nic: values.get("rx_bytes", 0) + values.get("tx_bytes", 0)
            for nic, values in own.nics.items()
            if nic in nics or not _is_counted_twice(site, node, nic)
        }
        most = max(MOST_ASTRAY * n_bytes, LEAST_ASTRAY_BYTES)
        astray = [nic for nic, n in sums.items() if n > most and nic not in nics]
        missing = [nic for nic in nics if sums.get(nic, 0) < LEAST_CARRIED * n_bytes]
        if astray:
            yield _problem(path, node, astray, nics)
        elif missing and node in (path.source, path.target):
            yield _problem(path, node, [], missing)


def _problem(path: Path, node: str, astray: list[str], planned: list[str]) -> Problem:
    by = " and ".join(astray) or "no counted interface"
    instead = f", {' and '.join(planned)} planned" if planned else ", and is not on the path"
    return Problem(
        "wrong-plane",
        path.place,
        f"{node} carried {path.place} ({path.source} to {path.target}) by {by}{instead}",
        f"compare the cables and routes of {node}: linkwright verify DESIGN --hosts HOSTS",
    )


def _is_counted_twice(site: Site, node: str, nic: str) -> bool:
    """Return whether the traffic of an interface is that of another one too."""
    found = site.matched.nodes[node]
    kind = next((one.kind for one in found.facts.interfaces if one.name == nic), "")
    is_member = any(
        one.bond and name in found.interfaces and found.interfaces[name].name == nic
        for name, one in ((each.name, each) for each in found.plan.interfaces)
    )
    return kind in STACKED or is_member
