"""Platforms of SimGrid whose routes name the links between two points: hosts, routers, or unnamed.

A route over one link says what that link joins. Longer routes then say where the other links are:
the point between two links of a route is the same in every route, so that unnamed points, which are
switches, come from where routes meet. A link that joins more than two hosts directly is a hub.
Links that streams do not share (FATPIPE) are no cables. Bandwidths are not kept: they are those of
streams.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from linkwright.design.importers.drawing import Drawing, DrawnEnd
from linkwright.design.importers.importer import Importer
from linkwright.design.importers.sketch import Sketch
from linkwright.design.importers.xml_tree import Element, parsed
from linkwright.errors import DesignError, shown

__all__ = ["SIMGRID"]

_REMEDY = "give a platform with hosts, links, and routes over links between two points"
_MOST_STEPS = 2_000_000
"""Links on all routes of a platform."""

_Point = str | tuple[str, int]
"""A host or router, or a side of a link."""


@dataclass(frozen=True)
class _Route:
    """A route: its ends, and its links with the direction of each."""

    source: str
    target: str
    links: tuple[tuple[str, str], ...]
    line: int


class _Joined:
    """Points that are known to be the same, by union-find; at most one of them has a name."""

    def __init__(self) -> None:
        self._above: dict[_Point, _Point] = {}

    def root(self, point: _Point) -> _Point:
        """Return the point that stands for all that are the same."""
        while (above := self._above.get(point, point)) != point:
            self._above[point] = self._above.get(above, above)
            point = above
        return point

    def join(self, a: _Point, b: _Point) -> bool:
        """Make two points one, and return whether that is possible."""
        a, b = self.root(a), self.root(b)
        if a == b:
            return True
        if isinstance(a, str) and isinstance(b, str):
            return False
        if isinstance(a, str):
            a, b = b, a
        self._above[a] = b
        return True


def _read(text: str, where: str) -> Drawing:
    root = parsed(text, where, "platform")
    sketch = Sketch(where)
    for element in root.every("cluster", "cabinet", "peer"):
        sketch.leave_out(
            f"a <{element.tag}>, which names no links", element.line, element.get("id")
        )
    named = {one.get("id"): one for one in root.every("host", "router")}
    links = {one.get("id"): one for one in root.every("link")}
    routes = list(_routes(root, links, named, where))
    direct = [one for one in routes if len(one.links) == 1]
    pairs: dict[str, set[frozenset[str]]] = {}
    for one in direct:
        pairs.setdefault(one.links[0][0], set()).add(frozenset((one.source, one.target)))
    hubs = {link for link, joined in pairs.items() if len(joined) > 1}
    joined = _Joined()
    for one in sorted(routes, key=lambda one: len(one.links)):
        if not _walked(one, hubs, joined):
            sketch.leave_out("a route whose links are not between two points", one.line)
    for name, element in named.items():
        sketch.device(name, element.line, "router" if element.tag == "router" else "node")
    _draw(links, hubs, pairs, routes, joined, sketch)
    return sketch.drawing()


def _routes(
    root: Element, links: dict[str, Element], named: dict[str, Element], where: str
) -> list[_Route]:
    found, n_steps = [], 0
    for route in root.every("route", "zoneRoute", "ASroute"):
        ends = [route.get(*keys) for keys in (("gw_src", "src"), ("gw_dst", "dst"))]
        if ends[0] == ends[1] or not all(end in named for end in ends):
            continue
        steps = []
        for one in route.every("link_ctn"):
            name, direction = one.get("id"), one.get("direction").upper()
            if name.endswith(("_UP", "_DOWN")) and name not in links:
                name, _, direction = name.rpartition("_")
            if name not in links:
                raise DesignError(
                    f"{where}, line {one.line}: there is no link {shown(name)}", _REMEDY
                )
            if links[name].get("sharing_policy").upper() != "FATPIPE":
                steps.append((name, direction))
        n_steps += len(steps)
        if n_steps > _MOST_STEPS:
            raise DesignError(f"{where}: routes have more than {_MOST_STEPS:,} links", _REMEDY)
        if steps:
            found.append(_Route(ends[0], ends[1], tuple(steps), route.line))
    return found


def _walked(route: _Route, hubs: set[str], joined: _Joined) -> bool:
    """Join the points that a route passes, and return whether that is possible."""
    at: _Point = route.source
    for link, direction in route.links:
        if link in hubs:
            at = f"link {link}"
            continue
        up: tuple[_Point, _Point] = ((link, 0), (link, 1))
        is_down = direction == "DOWN" or (
            direction != "UP" and joined.root(up[1]) == joined.root(at) != joined.root(up[0])
        )
        enter, leave = up[::-1] if is_down else up
        is_past_hub = isinstance(at, str) and at.startswith("link ")
        if not is_past_hub and not joined.join(enter, at):
            return False
        at = leave
    if isinstance(at, str):
        return True
    return joined.join(at, route.target)


def _draw(
    links: dict[str, Element],
    hubs: set[str],
    pairs: dict[str, set[frozenset[str]]],
    routes: list[_Route],
    joined: _Joined,
    sketch: Sketch,
) -> None:
    used = {name for route in routes for name, _ in route.links}
    unnamed: dict[_Point, str] = {}
    for name, link in links.items():
        if name not in used:
            continue
        label = name.removeprefix("link-")
        if name in hubs:
            sketch.device(label, link.line, "hub")
            for host in sorted(set(itertools.chain.from_iterable(pairs[name]))):
                sketch.cable(DrawnEnd(host), DrawnEnd(label), link.line)
            continue
        ends = []
        for side in (0, 1):
            point = joined.root((name, side))
            if isinstance(point, tuple):
                box = unnamed.setdefault(point, f"sw{len(unnamed)}")
                sketch.device(box, link.line, "switch")
                ends.append(box)
            else:
                ends.append(point)
        sketch.cable(DrawnEnd(ends[0]), DrawnEnd(ends[1]), link.line)


SIMGRID = Importer(
    source="SimGrid; `plan --for simgrid`",
    read=_read,
    suffixes=("xml",),
    recognises=lambda text: "<platform" in text[:65536],
)
