"""The effect of failures on pairs of nodes that stay connected by themselves: the rate of the
slowest link on their way, and their latency, before and after.

A pair is two nodes in both directions. Its latency is half a round trip of the smallest message:
the times of hosts, which runs of the analytic engine on lines of four nodes give, and those of
cables, hubs and switches on the way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from linkwright.design.cluster import Cluster
from linkwright.engines import Run, observe
from linkwright.errors import LinkwrightError
from linkwright.network import NODE, SWITCH, left_to_itself
from linkwright.network import compile as compile_network
from linkwright.nodes.hosts import hosts_of
from linkwright.plan.failures import CABLE, DEVICE, Failure
from linkwright.records.plain_numbers import significant
from linkwright.workloads import PingPong

if TYPE_CHECKING:
    from linkwright.network import Network
    from linkwright.plan.resilience import FailureImpact, FailureProof

__all__ = [
    "Detour",
    "Detours",
    "HopTimes",
    "PairFigures",
    "detours",
    "hop_times",
    "step_times",
]

NEVER = 65535
"""Marks a pair that does not communicate, in the matrix of forwards."""
MOST_FOLLOWED = 60_000
"""Product of routes and failures up to which failures are followed, the worst first: 4 us each."""
LINES_MBPS = (100, 10_000)
"""Rates of the two lines of nodes that give the bits of a message."""


@dataclass(frozen=True)
class HopTimes:
    """Times of hosts: half a round trip between neighbours without their wire, the time that each
    node adds that forwards, and the bits of the smallest message on a wire.
    """

    base_s: float
    forward_s: float
    bits: float
    first_forward_s: float = 0.0
    """Time that the first node adds beyond `forward_s`: at hosts of 1997 the interrupt at the end
    of the header sent delays the body, which is then far enough behind it at all further nodes.
    """


@dataclass(frozen=True)
class PairFigures:
    """The rate of the slowest link between two nodes, and their latency."""

    rate_bps: int
    latency_s: float | None
    """None where the hosts have no constants."""


@dataclass(frozen=True)
class Detour:
    """Two nodes whose packets take another way after a failure."""

    nodes: tuple[str, str]
    before: PairFigures
    after: PairFigures

    @property
    def harm(self) -> tuple[float, float]:
        """The factors by which rate and latency get worse, for ordering."""
        before, after = self.before, self.after
        slower = (after.latency_s or 1.0) / (before.latency_s or 1.0)
        return before.rate_bps / after.rate_bps, slower

    def to_json(self) -> dict[str, Any]:
        """Return the pair as JSON values."""
        both = {"before": self.before, "after": self.after}
        return {
            "nodes": list(self.nodes),
            "rate_mbps": {name: one.rate_bps / 1e6 for name, one in both.items()},
            "latency_us": {
                name: one.latency_s and significant(one.latency_s * 1e6, 4)
                for name, one in both.items()
            },
        }


@dataclass(frozen=True, eq=False)
class StepTimes:
    """The parts of a latency: `base_s` once, per cable its delay and, where the far end stores the
    frame, the time of the smallest one, and per device on the way its own time.
    """

    base_s: float
    delay_s: NDArray[np.float64]
    serial_s: NDArray[np.float64]
    relay_s: NDArray[np.float64]
    stores: NDArray[np.bool_]
    forwards: NDArray[np.bool_]
    """Whether a device on the way is a node, of which the first adds `first_forward_s`."""
    first_forward_s: float


Detours = Mapping[int, Sequence[Detour]]
"""Pairs by the place of a failure in its proof, the worst first; some failures are not followed."""


def hop_times(network: Network) -> HopTimes | None:
    """Return the times of a network's hosts; None if the engine has no constants for them."""
    try:
        hosts = hosts_of(network)
        slow, fast = (_line(rate_mbps * 10**6) for rate_mbps in LINES_MBPS)
        own = _line(int(network.cable_rate_bps.min(initial=LINES_MBPS[0] * 10**6)))
        over_slow, over_fast = (_latency_s(line, hosts, 1) for line in (slow, fast))
        near, far, farther = (_latency_s(own, hosts, dst) for dst in (1, 2, 3))
    except LinkwrightError:
        return None
    of_slow, of_fast, of_own = (1 / float(line.cable_rate_bps[0]) for line in (slow, fast, own))
    bits = (over_slow - over_fast) / (of_slow - of_fast)
    wire_s = bits * of_own
    return HopTimes(
        base_s=near - wire_s,
        forward_s=farther - far - wire_s,
        bits=bits,
        first_forward_s=(far - near) - (farther - far),
    )


def _line(rate_bps: int) -> Network:
    """Return four nodes in a row, with NICs of no class, which would change the hosts."""
    parts = {"catalogue": "whitney-1998", "nic": {"rate_mbps": rate_bps / 1e6}}
    fields = {"topology": {"kind": "mesh", "shape": [4]}, "parts": parts}
    return compile_network(Cluster.from_fields(fields))


def _latency_s(line: Network, hosts: Any, dst: int) -> float:
    workload = PingPong(src=0, dst=dst, size_bytes=(1,), repeats=1)
    run = Run.of(line, workload, engine="analytic", calibration=hosts)
    rows = observe(run, n_jobs=1).result.rows()
    return next(row.value for row in rows if row.metric == "latency")


def step_times(network: Network, times: HopTimes | None) -> StepTimes:
    """Return the parts of the latencies of a network; all zero without times of hosts."""
    hosts = times or HopTimes(base_s=0.0, forward_s=0.0, bits=0.0)
    known = 1e-12 if times else 0.0
    constants, kind = network.constants, network.wiring.kind
    of_boxes_ps = constants.hub_delay_ps + constants.switch_latency_ps
    return StepTimes(
        base_s=hosts.base_s,
        delay_s=constants.cable_delay_ps.astype(np.float64) * known,
        serial_s=hosts.bits / network.cable_rate_bps.astype(np.float64),
        relay_s=np.where(kind == NODE, hosts.forward_s, of_boxes_ps.astype(np.float64) * known),
        stores=(kind == NODE) | ((kind == SWITCH) & ~constants.switch_cut_through),
        forwards=kind == NODE,
        first_forward_s=hosts.first_forward_s,
    )


def detours(
    network: Network, failures: Sequence[Failure], proof: FailureProof, times: HopTimes | None
) -> Detours:
    """Return the pairs that take another way after each failure.

    Parameters
    ----------
    network : Network
        The compiled network. Tables by incoming interface are not followed.
    failures : sequence of Failure
        The failures of the proof.
    proof : FailureProof
        Their impacts.
    times : HopTimes or None
        The times of the hosts, for latencies.
    """
    if network.by_interface:
        return {}
    rerouting = [at for at, one in enumerate(proof.impacts) if one.n_rerouted]
    rerouting.sort(key=lambda at: _order(proof.impacts[at]))
    n_routes = max(1, len(network.core.routes(with_fallback=True).node))
    before = _figures(network, network.core, times) if rerouting else {}
    found = {}
    for at in rerouting[: MOST_FOLLOWED // n_routes]:
        after = _figures(network, _survivor(network, failures[at]), times)
        pairs = [*_changed(network, before, after)]
        if 2 * len(pairs) == proof.impacts[at].n_rerouted:
            found[at] = sorted(pairs, key=lambda one: one.harm, reverse=True)
    return found


def _order(impact: FailureImpact) -> tuple[bool, bool, int]:
    """Return the place of a failure: a NIC has the effect of its cable, a node its own pairs."""
    return impact.kind == "node", impact.kind == "nic", -impact.n_rerouted


def _survivor(network: Network, failure: Failure) -> Any:
    """Return the core of the network after a failure."""
    wiring = network.wiring
    alive = np.ones(len(wiring.cable_a), dtype=np.bool_)
    ends = [network.port_ids(end) for end in (wiring.cable_a, wiring.cable_b)]
    for kind, part in failure.parts:
        if kind == CABLE:
            alive[part] = False
        elif kind == DEVICE:
            alive &= ~(wiring.joined_devices == part).any(axis=1)
        else:
            alive &= (ends[0] != part) & (ends[1] != part)
    return left_to_itself(network, alive)


_Pair = tuple[int, int]
_Way = tuple[tuple[int, ...], tuple[int, ...], int, float]
"""Devices there and back, the rate of the slowest link, and half the time of both."""


def _figures(network: Network, core: Any, times: HopTimes | None) -> dict[_Pair, _Way]:
    """Return the way of each pair of nodes that reach each other."""
    identities = network.addresses.identity[: network.n_nodes]
    reached = core.forwards(identities) != NEVER
    sender, receiver = np.nonzero(reached & reached.T & ~np.eye(len(reached), dtype=np.bool_))
    if not len(sender):
        return {}
    paths = core.paths(sender.astype(np.uint32), identities[receiver])
    rates, spent = _along(network, paths, times)
    ways = {}
    for at, pair in enumerate(zip(sender.tolist(), receiver.tolist(), strict=True)):
        devices = tuple(paths.device[paths.start[at] : paths.start[at + 1]].tolist())
        ways[pair] = devices, int(rates[at]), float(spent[at])
    return {
        (a, b): (there[0], back[0], min(there[1], back[1]), (there[2] + back[2]) / 2)
        for (a, b), there in ways.items()
        if a < b and (back := ways[b, a])
    }


def _along(
    network: Network, paths: Any, times: HopTimes | None
) -> tuple[NDArray[np.uint64], NDArray[np.float64]]:
    """Return the slowest rate of each path, and the time that it takes."""
    device, start = paths.device.astype(np.int64), paths.start
    goes_on = np.ones(len(device), dtype=np.bool_)
    goes_on[start[1:] - 1] = False
    at = np.flatnonzero(goes_on)
    cable = _cable_between(network)[device[at], device[at + 1]]
    steps = step_times(network, times)
    spent = steps.delay_s[cable] + steps.relay_s[device[at + 1]] * goes_on[at + 1]
    spent += steps.serial_s[cable] * steps.stores[device[at + 1]]
    first = start[:-1] - np.arange(len(start) - 1)
    is_forwarded = np.logical_or.reduceat(steps.forwards[device[at + 1]] & goes_on[at + 1], first)
    once_s = steps.base_s + steps.first_forward_s * is_forwarded
    return (
        np.minimum.reduceat(network.cable_rate_bps[cable], first),
        once_s + np.add.reduceat(spent, first),
    )


def _cable_between(network: Network) -> NDArray[np.int64]:
    """Return the fastest cable between each two devices; -1 without one."""
    n = len(network.device_names)
    found = np.full((n, n), -1, dtype=np.int64)
    order = np.argsort(network.cable_rate_bps, kind="stable")
    a, b = network.wiring.joined_devices[order].T
    found[a, b] = found[b, a] = order
    return found


def _changed(
    network: Network, before: Mapping[_Pair, _Way], after: Mapping[_Pair, _Way]
) -> Iterator[Detour]:
    """Yield the pairs that reach each other on another way."""
    names = network.device_names

    def figures(way: _Way) -> PairFigures:
        return PairFigures(way[2], way[3] if way[3] else None)

    for (a, b), way in after.items():
        was = before.get((a, b))
        if was is not None and was[:2] != way[:2]:
            yield Detour((names[a], names[b]), figures(was), figures(way))
