"""A platform of SimGrid: hosts, links with their calibrated rates, and the routes of the plan.

Every route has a link of its class, which carries the calibrated latency and bandwidth of one
stream over its switches and relaying nodes (`plan/path_model.py`), and the links of its cables,
on which streams share the rate: both directions of a cable apart, and a hub as one. That nodes have
less time for relaying when they compute is not in it, and neither are backplanes of switches.

SimGrid finds no routes in a plan, so that each pair of hosts has its own: their number grows with
the square, and larger networks are refused.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from linkwright.errors import CapabilityError, PlanError
from linkwright.network import HUB, NODE, SWITCH, Network
from linkwright.nodes.hosts import hosts_of
from linkwright.plan.exporters.comments import comment, header, text_of
from linkwright.plan.exporters.exporter import Exporter, Files
from linkwright.plan.exporters.network_plan import NetworkPlan
from linkwright.plan.exporters.xml_text import attributes, comments
from linkwright.plan.path_model import PathModel, path_model

__all__ = ["MOST_HOSTS", "SIMGRID"]

MOST_HOSTS = 128
"""Hosts above which a platform is refused: 16,256 routes."""
HOST_SPEED = "1Gf"

USE = "Use it with: smpirun -platform platform.xml -hostfile hostfile PROGRAM"
MODEL = (
    "Without factors and without a share for acknowledgements: rates and latencies below are "
    "calibrated for streams of TCP, with headers, acknowledgements and the work of the hosts."
)
CLASSES = (
    "One stream over each class of paths, by the calibration {name}: {switches} and {forwards} in "
    "its name are its switches and relaying nodes. They limit streams one by one."
)
LINKS = (
    "Cables, with both directions apart, and hubs, of which one sends at a time; streams share "
    "them. Their latency is in the classes. Rates are those of the cables, less headers and gaps, "
    "as the calibration has them."
)
SPEED = "Speeds of hosts are a placeholder: the plan says nothing of their arithmetic."
FARTHEST = (
    "The path model has no bandwidth for some of the longer paths, because it falls to zero; they "
    "have that of the longest path with a bandwidth."
)


class PathClass(NamedTuple):
    """Number of switches and of relaying nodes of a path."""

    n_switches: int
    n_forwards: int

    @property
    def link(self) -> str:
        """Name of its link."""
        return f"path-s{self.n_switches}-f{self.n_forwards}"


@dataclass(frozen=True)
class HostRoute:
    """A route between two hosts: its class, and its links with the direction of each cable."""

    source: str
    target: str
    of: PathClass
    links: tuple[tuple[str, str], ...]


def _files(network: NetworkPlan) -> Files:
    design = network.routed
    _expect_expressible(network)
    constants = hosts_of(design)
    model = path_model(constants)
    routes = list(_routes(network))
    lines = [
        "<?xml version='1.0'?>",
        '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">',
        *comments(header(network, None, USE)),
        '<platform version="4.1">',
        *comments(comment(MODEL), "  "),
        "  <config>",
        '    <prop id="network/model" value="CM02"/>',
        '    <prop id="network/crosstraffic" value="no"/>',
        "  </config>",
        '  <zone id="cluster" routing="Full">',
        *comments(comment(SPEED), "    "),
        *(
            f"    <host{attributes(id=one.name, speed=HOST_SPEED)}/>"
            for one in network.hosts
            if not one.is_switch
        ),
        *_classes(sorted({one.of for one in routes}), model, constants.name),
        *_links(design, model),
        *(line for one in routes for line in _route(one)),
        "  </zone>",
        "</platform>",
    ]
    living = zip(network.hosts, ~design.is_dead[: design.n_nodes], strict=True)
    hosts = [one.name for one, is_alive in living if one.is_compute and is_alive]
    return {"platform.xml": text_of(lines), "hostfile": text_of(hosts)}


def _expect_expressible(network: NetworkPlan) -> None:
    design = network.network
    if design.wiring.bonds.size:
        raise CapabilityError(
            f"'{network.name}' has bonds, and SimGrid has no stream that takes wires in turn",
            "leave out the target simgrid, or predict with `linkwright simulate`",
        )
    if design.n_nodes > MOST_HOSTS:
        raise CapabilityError(
            f"'{network.name}' has {design.n_nodes} nodes, and a platform with every route has up "
            f"to {MOST_HOSTS}",
            "leave out the target simgrid, or export a smaller design",
        )


def _classes(found: Sequence[PathClass], model: PathModel, calibration: str) -> Iterator[str]:
    words = CLASSES.format(name=calibration, switches="s", forwards="f")
    yield from comments(comment(words), "    ")
    known = [one for one in found if _bandwidth(model, one) is not None]
    if len(known) < len(found):
        yield from comments(comment(FARTHEST), "    ")
    for one in found:
        latency_s = model.path_latency_s(n_switches=one.n_switches, n_forwards=one.n_forwards)
        bandwidth = _bandwidth(model, one) or min(
            value for each in known if (value := _bandwidth(model, each))
        )
        yield _link(one.link, bandwidth, latency_s, "FATPIPE")


def _bandwidth(model: PathModel, one: PathClass) -> float | None:
    return model.path_bandwidth_Bps(n_switches=one.n_switches, n_forwards=one.n_forwards)


def _links(design: Network, model: PathModel) -> Iterator[str]:
    """Yield the link of each cable and of each hub.

    The calibration holds for links of one rate; others carry the same share of theirs.
    """
    yield from comments(comment(LINKS), "    ")
    share = model.bandwidth_Bps / model.link_rate_bps
    rates = design.cable_rate_bps.tolist()
    of_hub: dict[int, float] = {}
    for cable, ends in enumerate(design.wiring.joined_devices.tolist()):
        hubs = [device for device in ends if design.wiring.kind[device] == HUB]
        for hub in hubs:
            of_hub[hub] = min(of_hub.get(hub, rates[cable]), rates[cable])
        if not hubs:
            yield _link(_cable(cable), rates[cable] * share, 0, "SPLITDUPLEX")
    for hub, rate_bps in of_hub.items():
        yield _link(design.device_names[hub], rate_bps * share, 0, "SHARED")


def _link(name: str, bandwidth_Bps: float, latency_s: float, policy: str) -> str:  # noqa: N803
    values = attributes(
        id=f"link-{name}",
        bandwidth=f"{bandwidth_Bps:.6g}Bps",
        latency=f"{latency_s:.6g}s",
        sharing_policy=policy,
    )
    return f"    <link{values}/>"


def _cable(number: int) -> str:
    return f"c{number}"


def _routes(network: NetworkPlan) -> Iterator[HostRoute]:
    """Yield the route of each pair, except of those that failed parts disconnect."""
    design = network.routed
    cable_at = {}
    for side, ends in (("UP", design.wiring.cable_a), ("DOWN", design.wiring.cable_b)):
        for cable, end in enumerate(ends.tolist()):
            cable_at[tuple(end)] = _cable(cable), side
    kinds = design.wiring.kind.tolist()
    identities = design.addresses.identity.tolist()
    for source, host in enumerate(network.hosts):
        for target, other in enumerate(network.hosts):
            if source == target or host.is_switch or other.is_switch:
                continue
            try:
                path = design.core.path(source, identities[target])
            except PlanError:
                continue
            devices = [device for device, _, _ in path]
            links = []
            for (device, _, port), (after, _, _) in itertools.pairwise(path):
                hubs = [one for one in (device, after) if kinds[one] == HUB]
                link = (design.device_names[hubs[0]], "NONE") if hubs else cable_at[device, port]
                if link not in links:
                    links.append(link)
            of = PathClass(
                sum(kinds[one] == SWITCH for one in devices),
                sum(kinds[one] == NODE for one in devices) - 2,
            )
            yield HostRoute(host.name, other.name, of, tuple(links))


def _route(route: HostRoute) -> Iterator[str]:
    ends = attributes(src=route.source, dst=route.target, symmetrical="NO")
    yield f"    <route{ends}>"
    yield f"      <link_ctn{attributes(id=f'link-{route.of.link}')}/>"
    for name, direction in route.links:
        way = {} if direction == "NONE" else {"direction": direction}
        yield f"      <link_ctn{attributes(id=f'link-{name}', **way)}/>"
    yield "    </route>"


SIMGRID = Exporter(reader="SimGrid and SMPI: platform and host file", of_all=_files)
