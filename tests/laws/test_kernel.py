"""Laws of a plan folder as Linux nodes would run it, by a model that knows nothing but its files.

Every packet arrives after as many forwards as the summary says; and after every single failure as
many connections last, are lost, run in a circle or are disconnected as the check says.
"""

from __future__ import annotations

import json
from collections import Counter
from itertools import permutations
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.laws.kernel import Plan, Running
from tests.sizes import families, fields_of, network_of, schemes

from linkwright.design.addressing import SCHEMES
from linkwright.design.topologies import TOPOLOGIES
from linkwright.network import Network
from linkwright.plan import FailureProof, plan, rerouting
from linkwright.plan.resilience import FailureImpact


@st.composite
def designs(draw: st.DrawFn, kind: str) -> dict[str, Any]:
    """Return a small design; not every scheme fits every topology."""
    return {
        "topology": draw(fields_of(kind, most_nodes=9)),
        "addressing": {
            **draw(families),
            "scheme": draw(st.none() | st.sampled_from(sorted(SCHEMES))),
        },
        "routing": {"scheme": draw(schemes | st.just("stack")), "fallback": draw(st.booleans())},
        "front_end": draw(st.booleans()),
    }


class Counts(NamedTuple):
    """Connections of living nodes after a failure, and what the rest of an impact says."""

    untouched: int
    by_itself: int
    lost: int
    disconnected: int
    looping: int
    unanswered: int
    extra_hops: int
    most_forwarded: int
    strict: int
    loose: int


@pytest.mark.parametrize("kind", TOPOLOGIES)
@settings(max_examples=6)
@given(st.data())
def test_packets_fare_as_the_check_says(kind: str, data: st.DataObject) -> None:
    fares_as_said(network_of(**data.draw(designs(kind))))


@pytest.mark.parametrize("kind", ["ring", "torus", "mesh", "hypercube", "full-mesh", "hyperx"])
@settings(max_examples=4)
@given(st.data())
def test_packets_with_tables_by_interface_too(kind: str, data: st.DataObject) -> None:
    design = {**data.draw(designs(kind)), "addressing": {}}
    network = network_of(**{**design, "routing": {"fallback": "by-interface"}})
    for impact in fares_as_said(network).impacts:
        assert impact.n_lost == impact.n_disconnected, f"{impact.kind} {impact.name}"


def fares_as_said(network: Network) -> FailureProof:
    """Check every packet of a plan, whole and after each failure; return the proof."""
    files = plan(network)
    tables = Plan.read(files)
    assert not doubled(tables)
    ways = all_ways(Running(tables))
    forwards = [len(ways[pair]) - 1 for pair in permutations(tables.compute, 2)]
    summary = json.loads(files["summary.json"])["forwards"]
    assert summary["worst"] == max(forwards)
    assert summary["mean"] == pytest.approx(sum(forwards) / len(forwards))
    proof = rerouting(network, return_paths=True)
    for impact in (proof.whole, *proof.impacts):
        assert counted(failed(tables, impact), ways) == said(impact), f"{impact.kind} {impact.name}"
    return proof


def doubled(tables: Plan) -> list[str]:
    """Return nodes that have two routes to one subnet of one rank, or besides a connected one."""
    ranks = {
        node: [(route.destination, None if route.is_connected else route.metric) for route in table]
        for node, table in tables.tables.items()
    }
    return [
        node
        for node, rank in ranks.items()
        if len(set(rank)) < len(rank)
        or {to for to, m in rank if m is None} & {to for to, m in rank if m is not None}
    ]


def failed(tables: Plan, impact: FailureImpact) -> Running:
    """Return the plan as it runs after what an impact names has failed."""
    nic = tuple(impact.name.split(":"))
    dead = {
        "cable": [cable.name for cable in tables.cables if cable.name == impact.name],
        "nic": [cable.name for cable in tables.cables if nic in cable.ends],
        "hub": [cable.name for cable in tables.cables if impact.name in cable.boxes],
        "switch": [cable.name for cable in tables.cables if impact.name in cable.boxes],
    }.get(impact.kind, [])
    assert dead or impact.kind in ("none", "node")
    return Running(tables, frozenset(dead), impact.name if impact.kind == "node" else "")


def all_ways(running: Running) -> dict[tuple[str, str], list[Any] | str]:
    """Return the path, or the reason for none, of every pair of living nodes."""
    return {pair: running.way(*pair) for pair in permutations(running.living, 2)}


def counted(running: Running, before: dict[tuple[str, str], list[Any] | str]) -> Counts:
    """Count what becomes of the connections of all pairs, each of which needs both directions."""
    ways, joined = all_ways(running), running.joined()
    arriving = {pair: way for pair, way in ways.items() if not isinstance(way, str)}
    lasting = {pair: way for pair, way in arriving.items() if pair[::-1] in arriving}
    failing = ways.keys() - lasting.keys()
    disconnected = [pair for pair in failing if joined[pair[0]] != joined[pair[1]]]
    relayed = Counter(heard[0] for way in arriving.values() for heard in way[:-1])
    kept = {pair for pair, way in lasting.items() if way == before[pair]}
    strict, loose = drops(running, lasting)
    return Counts(
        untouched=sum(pair[::-1] in kept for pair in kept),
        by_itself=len(lasting),
        lost=len(failing) - len(disconnected),
        disconnected=len(disconnected),
        looping=sum("loop" in (ways[pair], ways[pair[::-1]]) for pair in failing),
        unanswered=len(arriving) - len(lasting),
        extra_hops=max((len(way) - len(before[pair]) for pair, way in lasting.items()), default=0),
        most_forwarded=max(relayed.values(), default=0),
        strict=strict,
        loose=loose,
    )


def drops(running: Running, lasting: dict[tuple[str, str], list[Any]]) -> tuple[int, int]:
    """Return how many connections reverse-path filters end, strict and loose."""
    dropped: tuple[set[tuple[str, str]], ...] = (set(), set())
    for (sender, receiver), way in lasting.items():
        source, target = running.plan.identity[sender], running.plan.identity[receiver]
        # A filter asks as if the packet came in by the NIC that it leaves by; at its own sender a
        # packet that comes back fails strict filters alone.
        nodes = [sender, *(heard[0] for heard in way)]
        leaves = [running.leaves_by(a, target, b) for a, b in zip(nodes, [None, *way], strict=True)]
        back = [
            ("", "") if heard[0] == sender else running.leaves_by(heard[0], source, out)
            for heard, out in zip(way, leaves[1:], strict=True)
        ]
        for pairs, is_dropped in zip(dropped, (back != way, None in back), strict=True):
            if is_dropped:
                pairs |= {(sender, receiver), (receiver, sender)}
    return len(dropped[0]), len(dropped[1])


def said(impact: FailureImpact) -> Counts:
    """Return the same of an impact."""
    return Counts(
        untouched=impact.n_untouched,
        by_itself=impact.n_untouched + impact.n_rerouted,
        lost=impact.n_recomputed + impact.n_daemon,
        disconnected=impact.n_disconnected,
        looping=impact.n_looping,
        unanswered=impact.n_unanswered,
        extra_hops=impact.worst_extra_hops,
        most_forwarded=impact.most_forwarded,
        strict=impact.n_strict or 0,
        loose=impact.n_loose or 0,
    )
