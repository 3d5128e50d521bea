"""Laws of a plan folder as Linux nodes would run it, by a model that knows nothing but its files.

Every packet arrives after as many forwards as the summary says; and after every single failure as
many pairs go on, are lost, run in a circle or are cut off as the check says.
"""

from __future__ import annotations

import json
from collections import Counter
from itertools import permutations
from typing import Any, NamedTuple

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from tests.laws.kernel import Plan, Running
from tests.laws.test_networks import ANY_SLOTS, families

from linkwright.design.cluster import Cluster
from linkwright.design.topologies import TOPOLOGIES
from linkwright.errors import LinkwrightError
from linkwright.network import compile as compile_design
from linkwright.plan import plan, rerouting
from linkwright.plan.resilience import FailureImpact

GRIDS = ("torus", "mesh", "hyperx", "p-mesh", "routed-mesh")
NETS = ("switched-mesh", "bonded-switched-mesh")


KINDS = set[str]()
"""Kinds of topologies that are tried."""


def of_kind(kind: str, **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    KINDS.add(kind)
    return st.fixed_dictionaries({"kind": st.just(kind), **fields})


few = st.integers(2, 7)
small_topologies = st.one_of(
    of_kind("direct"),
    *(of_kind(kind, nodes=few) for kind in ("hub", "single-net", "full-mesh", "tree", "fat-tree")),
    of_kind("switch", nodes=few, nfs_switch=st.booleans()),
    of_kind("hub-switch", nodes=few, density=st.integers(1, 4)),
    of_kind("ring", shape=st.tuples(st.integers(2, 9)).map(list)),
    of_kind("hypercube", dimension=st.integers(1, 3)),
    *(of_kind(kind, shape=st.lists(st.integers(2, 3), min_size=1, max_size=2)) for kind in GRIDS),
    of_kind("p-mesh", shape=st.just([2, 3]), lines_per_switch=st.integers(1, 3)),
    *(
        of_kind(
            kind,
            shape=st.lists(st.integers(1, 3), min_size=2, max_size=2).filter(lambda s: max(s) > 1),
        )
        for kind in NETS
    ),
    of_kind("bonded-dual-net", nodes=few, buses=st.integers(1, 3)),
    of_kind(
        "tree",
        leaves=st.integers(2, 3),
        nodes_per_leaf=st.integers(1, 3),
        uplinks=st.just(2),
        roots=st.integers(1, 2),
        levels=st.integers(2, 3),
        leaf_stack_units=st.integers(1, 2),
    ),
    of_kind(
        "stack-ring",
        stages=st.integers(3, 4),
        nodes_per_stage=st.integers(1, 2),
        extra_forwarders=st.integers(0, 1),
    ),
    of_kind("stack-mesh", shape=st.just([2, 3]), nodes_per_group=st.integers(1, 2)),
)


@st.composite
def designs(draw: st.DrawFn) -> dict[str, Any]:
    """Return a small design; not every scheme fits every topology."""
    schemes = st.sampled_from([None, None, "per-link", "per-segment", "p-mesh", "stack-mesh"])
    routings = st.sampled_from([None, None, "shortest-path", "dimension-order", "stack"])
    return {
        "topology": draw(small_topologies),
        "parts": ANY_SLOTS,
        "addressing": {**draw(families), "scheme": draw(schemes)},
        "routing": {"scheme": draw(routings), "fallback": draw(st.booleans())},
        "front_end": draw(st.booleans()),
    }


class Counts(NamedTuple):
    """Ordered pairs of living nodes after a failure, and what the rest of an impact says."""

    untouched: int
    by_itself: int
    lost: int
    cut_off: int
    looping: int
    unanswered: int
    extra_hops: int
    most_forwarded: int
    strict: int
    loose: int


def test_every_kind_is_tried() -> None:
    assert set(TOPOLOGIES) == KINDS


@settings(max_examples=100)
@given(designs())
def test_packets_fare_as_the_check_says(design: dict[str, Any]) -> None:
    try:
        network = compile_design(Cluster.from_fields(design))
    except LinkwrightError:
        reject()
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


def doubled(tables: Plan) -> list[str]:
    """Return nodes that have two routes to one subnet of one rank, or besides a connected one."""
    ranks = {
        node: [(route.destination, route.via and route.metric) for route in table]
        for node, table in tables.tables.items()
    }
    return [
        node
        for node, rank in ranks.items()
        if len(set(rank)) < len(rank)
        or {to for to, metric in rank if metric} & {to for to, metric in rank if not metric}
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
    """Return the way, or why there is none, of every pair of living nodes."""
    return {pair: running.way(*pair) for pair in permutations(running.living, 2)}


def counted(running: Running, before: dict[tuple[str, str], list[Any] | str]) -> Counts:
    """Count what becomes of all pairs."""
    ways, joined = all_ways(running), running.joined()
    arriving = {pair: way for pair, way in ways.items() if not isinstance(way, str)}
    failing = {pair: way for pair, way in ways.items() if isinstance(way, str)}
    cut_off = [pair for pair in failing if joined[pair[0]] != joined[pair[1]]]
    relayed = Counter(heard[0] for way in arriving.values() for heard in way[:-1])
    strict, loose = drops(running, arriving)
    return Counts(
        untouched=sum(way == before[pair] for pair, way in arriving.items()),
        by_itself=len(arriving),
        lost=len(failing) - len(cut_off),
        cut_off=len(cut_off),
        looping=sum(why == "loop" for why in failing.values()),
        unanswered=sum((b, a) in failing for a, b in arriving),
        extra_hops=max((len(way) - len(before[pair]) for pair, way in arriving.items()), default=0),
        most_forwarded=max(relayed.values(), default=0),
        strict=strict,
        loose=loose,
    )


def drops(running: Running, arriving: dict[tuple[str, str], list[Any]]) -> tuple[int, int]:
    """Return how many pairs lose their packets to reverse-path filters, strict and loose."""
    strict = loose = 0
    for (sender, _), way in arriving.items():
        source = running.plan.identity[sender]
        back = [running.leaves_by(heard[0], source) for heard in way]
        strict += back != way
        loose += None in back
    return strict, loose


def said(impact: FailureImpact) -> Counts:
    """Return the same of an impact."""
    return Counts(
        untouched=impact.n_untouched,
        by_itself=impact.n_untouched + impact.n_rerouted,
        lost=impact.n_replanned + impact.n_daemon,
        cut_off=impact.n_cut_off,
        looping=impact.n_looping,
        unanswered=impact.n_unanswered,
        extra_hops=impact.worst_extra_hops,
        most_forwarded=impact.most_forwarded,
        strict=impact.n_strict or 0,
        loose=impact.n_loose or 0,
    )
