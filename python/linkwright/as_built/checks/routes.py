"""Routes: missing, by another way, with another metric or source, and routes outside the plan.

A route is compared with those to the same destination in the same table. Many faults of a machine
take all its routes by one port, so that there is one finding per machine, port and kind.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Network, ip_network

from linkwright.as_built.checks.addresses import interface_of
from linkwright.as_built.deviation import Deviation
from linkwright.as_built.matched import Matched, MatchedNode
from linkwright.as_built.planned import Planned
from linkwright.facts import Route

__all__ = ["check_routes", "prefix_of"]

Prefix = IPv4Network | IPv6Network
FORWARDED = (None, "unicast", "blackhole", "unreachable", "prohibit")
"""Types of routes that send packets on, or end them."""
DEFAULT_METRIC_V6 = 1024
METRIC_OF_FRR = 20
"""Metric of all routes that FRR gives to kernels; it keeps distances and backup routes itself."""
OF_FRR = frozenset(["zebra", "static", "bgp", "isis", "ospf", "rip", "openfabric"])
"""Origins of such routes, by the names that its package adds; else they are numbers."""
FIXES = {
    "missing-route": "load the files of the plan on {node} again; if the route comes back for a "
    "while only, look for a program that removes it",
    "wrong-route": "load the files of the plan on {node} again, and remove the other route",
    "wrong-metric": "load the files of the plan on {node} again, and remove the other route",
    "wrong-source": "load the files of the plan on {node} again",
    "stale-route": "remove it, and look for its origin: an older plan, DHCP, or a VPN",
}


@dataclass(frozen=True, kw_only=True)
class Way:
    """A route in comparable form."""

    destination: Prefix
    table: str
    via: str
    interface: str
    metric: int
    source: str
    is_of_daemon: bool = False

    @property
    def text(self) -> str:
        """The route in the words of `ip route`."""
        via = f" via {self.via}" if self.via else ""
        dev = f" dev {self.interface}" if self.interface else ""
        source = f" src {self.source}" if self.source else ""
        table = "" if self.table == "main" else f" table {self.table}"
        return f"{self.destination}{via}{dev} metric {self.metric}{source}{table}"


@dataclass(frozen=True)
class _Pair:
    """A difference of a route: both sides, or one of them."""

    kind: str
    planned: Way | None
    found: Way | None

    @property
    def nic(self) -> str:
        """The interface concerned."""
        one = self.planned or self.found
        assert one is not None
        return one.interface


def check_routes(planned: Planned, machines: Matched) -> Iterator[Deviation]:
    """Yield the findings about routes; daemons find their own."""
    if planned.network.daemon:
        return
    for node in machines.nodes.values():
        if node.lacks("routes"):
            continue
        groups: dict[tuple[str, str], list[_Pair]] = {}
        for pair in _differences(planned, node):
            groups.setdefault((pair.kind, pair.nic), []).append(pair)
        for (kind, nic), pairs in groups.items():
            yield _finding(node, kind, nic, pairs)


@lru_cache(maxsize=1 << 16)
def prefix_of(text: str, family: int = 4) -> Prefix | None:
    """Return the destination of a route; None for text that is none."""
    if text == "default":
        text = "::/0" if family == 6 else "0.0.0.0/0"
    try:
        return ip_network(text, strict=False)
    except ValueError:
        return None


def _differences(planned: Planned, node: MatchedNode) -> Iterator[_Pair]:
    wanted: dict[tuple[Prefix, str], list[Way]] = {}
    for way in _planned_ways(node):
        wanted.setdefault((way.destination, way.table), []).append(way)
    tables = {table for _, table in wanted} | {"main"}
    given: dict[tuple[Prefix, str], list[Way]] = {}
    for way in _found_ways(node):
        is_default = way.destination.prefixlen == 0 and way.interface in node.interfaces
        is_of_plan = (way.destination, way.table) in wanted or (
            way.table in tables and (is_default or planned.covers(way.destination))
        )
        if is_of_plan:
            given.setdefault((way.destination, way.table), []).append(way)
    own = {
        one.name: [text.partition("/")[0] for text in one.addresses] for one in node.plan.interfaces
    }
    for key, found in given.items():
        if key in wanted and all(way.is_of_daemon for way in found):
            best = min(wanted[key], key=lambda way: way.metric)
            wanted[key] = [best]
            given[key] = [replace(way, metric=best.metric) for way in found]
    for key in dict.fromkeys([*wanted, *given]):
        yield from _compared(wanted.get(key, []), given.get(key, []), own)


def _compared(
    wanted: Sequence[Way], given: Sequence[Way], own: Mapping[str, Sequence[str]]
) -> Iterator[_Pair]:
    """Yield the differences of the routes to one destination in one table; `own` has the addresses
    of each interface in the plan.
    """
    left, rest = list(wanted), list(given)
    for kind, keys in (
        ("wrong-source", ("via", "interface", "metric")),
        ("wrong-metric", ("via", "interface")),
        ("wrong-route", ("metric",)),
        ("wrong-route", ()),
    ):
        for one in list(left):
            same = [
                other
                for other in rest
                if all(getattr(one, key) == getattr(other, key) for key in keys)
            ]
            if same:
                left.remove(one)
                rest.remove(same[0])
                if kind != "wrong-source" or not _is_source(one, same[0], own):
                    yield _Pair(kind, one, same[0])
    yield from (_Pair("missing-route", one, None) for one in left)
    yield from (_Pair("stale-route", None, one) for one in rest)


def _is_source(planned: Way, found: Way, own: Mapping[str, Sequence[str]]) -> bool:
    """Return whether packets get the planned source: without one, kernels take the address of the
    interface.
    """
    is_kernels = not found.source and planned.source in own.get(planned.interface, ())
    return is_kernels or found.source == planned.source


def _planned_ways(node: MatchedNode) -> Iterator[Way]:
    for route in node.plan.routes:
        destination = prefix_of(route.destination)
        assert destination is not None, "destinations of a plan are valid"
        yield Way(
            destination=destination,
            table=str(route.table) if route.table else "main",
            via=route.via,
            interface=route.interface,
            metric=route.metric,
            source=route.source,
        )


def _found_ways(node: MatchedNode) -> Iterator[Way]:
    connected = _connected(node)
    for route in node.facts.routes:
        destination = prefix_of(route.dst, route.family)
        if destination is None or route.type not in FORWARDED or route.table == "local":
            continue
        hops = route.nexthops or ()
        ends = [(one.gateway, one.dev) for one in hops] or [(route.gateway, route.dev)]
        for gateway, dev in ends:
            is_kernels = route.protocol in ("kernel", "ra") and not gateway
            if is_kernels or (not gateway and (destination, dev) in connected):
                continue
            # A host that is its own gateway is on the link.
            is_itself = gateway == str(destination.network_address) and _is_host(destination)
            name = node.names.get(dev or "", dev or "")
            yield Way(
                destination=destination,
                table=route.table,
                via="" if is_itself else gateway or "",
                interface=name,
                metric=_metric(route, destination),
                source=route.prefsrc or "",
                is_of_daemon=_is_of_frr(route),
            )


def _is_of_frr(route: Route) -> bool:
    origin = route.protocol or ""
    return route.metric == METRIC_OF_FRR and (origin in OF_FRR or origin.isdigit())


def _is_host(prefix: Prefix) -> bool:
    return prefix.prefixlen == prefix.max_prefixlen


def _metric(route: Route, destination: Prefix) -> int:
    if route.metric is not None:
        return route.metric
    return DEFAULT_METRIC_V6 if destination.version == 6 else 0


def _connected(node: MatchedNode) -> set[tuple[Prefix, str]]:
    """Return the subnets of the addresses of each interface."""
    return {
        (address.network, one.name)
        for one in node.facts.interfaces
        for text in one.addresses
        if (address := interface_of(text)) is not None
    }


def _finding(node: MatchedNode, kind: str, nic: str, pairs: Sequence[_Pair]) -> Deviation:
    first = pairs[0]
    planned = None if first.planned is None else first.planned.text
    found = None if first.found is None else first.found.text
    more = f"; so are {len(pairs) - 1} more routes by {nic or 'no port'}" if pairs[1:] else ""
    match kind:
        case "missing-route":
            text = f"the route {planned} is missing on {node.name}"
        case "stale-route":
            text = f"the route {found} on {node.name} is not of the plan"
        case "wrong-metric":
            assert first.found is not None
            text = f"on {node.name}, the route {planned} has metric {first.found.metric}"
        case "wrong-source":
            assert first.found is not None
            text = f"on {node.name}, the route {planned} has source {first.found.source or 'none'}"
        case _:
            text = f"on {node.name}, the route {planned} is {found}"
    return Deviation(
        kind=kind,
        node=node.name,
        nic=nic or None,
        planned=planned,
        found=found,
        reason=text + more,
        fix=FIXES[kind].format(node=node.name),
    )
