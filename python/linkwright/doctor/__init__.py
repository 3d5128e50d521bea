"""The state of a cluster that is up: facts, the comparison with the plan, pings of all pairs, and a
second of traffic over every cable.

Traffic leaves by ports of the fabric only, is announced before it starts, and ends with the
command.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence, Set
from dataclasses import replace
from pathlib import Path

from linkwright.as_built.matched import Matched, matched
from linkwright.as_built.planned import Planned
from linkwright.as_built.verify import compare
from linkwright.doctor.diagnosis import Diagnosis, Number, diagnosed
from linkwright.doctor.expectation import Expectation
from linkwright.doctor.measuring import Stream, listening, pings, silent, streams
from linkwright.doctor.problems import Problem
from linkwright.doctor.transfers import OF_A_FILE, measures_of
from linkwright.facts import ClusterFacts
from linkwright.machines import Machine
from linkwright.machines.agents import agents
from linkwright.network import Network
from linkwright.progress import Report

__all__ = ["Diagnosis", "Number", "Problem", "examine"]

PROGRAM = Path(__file__).parent / "traffic_program.py"


def examine(
    network: Network,
    machines: Sequence[Machine],
    facts: ClusterFacts,
    *,
    seconds: float = 1.0,
    has_parts: bool = True,
    announce: Callable[[str], None] = lambda _: None,
    report: Report = lambda *_: None,
) -> Diagnosis:
    """Return the problems of a cluster, and its numbers beside the predicted ones.

    Parameters
    ----------
    network : Network
        The plan.
    machines : sequence of Machine
        Machines that are up.
    facts : ClusterFacts
        Their facts, and those of machines that send no traffic, because only a file has them.
    seconds : float
        Time of each stream; 0 for none.
    has_parts : bool
        Whether the design names the parts that the machines have, so that its rates are theirs.
    announce : callable
        Called with a sentence before any traffic.
    report : callable
        Called with the number of streams that are done, of all, and the place of the next one.

    Raises
    ------
    UsageError
        If no machine of the facts is a node of the network.
    """
    planned = Planned(network)
    verdict = compare(planned, facts)
    nodes = _reached(matched(planned, facts), {one.name for one in machines})
    measures = measures_of(planned, nodes)
    expectation = Expectation(network, _speeds_bps(nodes), has_parts=has_parts)
    if measures.pings or measures.streams:
        announce(measures.announcement(seconds))
    fabric, every = _fabric(nodes), _interfaces(nodes)
    machine_of = {nodes.node_of[one.name]: one for one in machines if one.name in nodes.node_of}
    token, source = secrets.token_hex(8), PROGRAM.read_text(encoding="utf-8")
    own = {machine_of[node].name: nics for node, nics in fabric.items() if node in machine_of}
    given = {name: {"token": token, "nics": nics} for name, nics in own.items() if nics}
    used = [machine_of[node] for node in fabric if node in machine_of]
    with agents(used, source, given) as (started, failed):
        by_node = {nodes.node_of[name]: agent for name, agent in started.items()}
        ports = listening(by_node, measures)
        on_cables = [one for one in measures.streams if one.kind == "cable"]
        echoes = pings(by_node, [*on_cables, *measures.pings], ports)
        sent = measures.streams if seconds else ()
        found = streams(by_node, sent, ports, every, seconds, report)
        slow = [one.course for one in found if expectation.is_slow(one)]
        again = {one.course: one for one in streams(by_node, slow, ports, every, seconds, report)}
        gone = silent(by_node)
    return diagnosed(
        verdict,
        echoes,
        [_better(one, again.get(one.course, one)) for one in found],
        expectation=expectation,
        left_out=(*measures.left_out, *failed.values()),
        gone=gone,
        fabric=fabric,
    )


def _fabric(nodes: Matched) -> dict[str, list[str]]:
    """Return the interfaces of each node that carry traffic of the fabric."""
    return {
        name: [found.name for one, found in node.ports if not one.bond]
        + [one.name for one in node.facts.interfaces if one.kind == "bond"]
        for name, node in nodes.nodes.items()
    }


def _interfaces(nodes: Matched) -> dict[str, list[str]]:
    """Return all interfaces of each node, whose counters are watched."""
    return {
        name: [one.name for one in node.facts.interfaces if one.kind != "loopback"]
        for name, node in nodes.nodes.items()
    }


def _reached(nodes: Matched, names: Set[str]) -> Matched:
    """Return the nodes whose machines can send traffic."""
    carried = {node for name, node in nodes.node_of.items() if name not in names} & set(nodes.nodes)
    return replace(
        nodes,
        nodes={name: one for name, one in nodes.nodes.items() if name not in carried},
        silent={**nodes.silent, **dict.fromkeys(carried, OF_A_FILE)},
    )


def _speeds_bps(nodes: Matched) -> dict[tuple[str, str], float]:
    """Return the negotiated speed of each port by node and interface; virtual ones have none."""
    return {
        (name, one.name): one.speed_mbps * 1e6
        for name, node in nodes.nodes.items()
        for one in node.facts.interfaces
        if one.speed_mbps and one.kind == "ether"
    }


def _better(one: Stream, again: Stream) -> Stream:
    """Return the faster of two streams: a slow one may have met other work of the machines."""
    return max(one, again, key=lambda each: each.rate_bps or 0)
