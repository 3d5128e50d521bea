"""Laws of every network with recomputed routes after random failures.

Nothing is renamed or renumbered; every address of every node that is still joined is reached; and
the tables as written reach the same.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, reject, settings
from hypothesis import strategies as st
from tests.plan.networks import rows
from tests.sizes import ANY_SLOTS, families, fields_of

from linkwright import _core
from linkwright.design.addressing import facing_addresses
from linkwright.design.cluster import Cluster
from linkwright.design.route_table import read_route_table
from linkwright.design.topologies import TOPOLOGIES
from linkwright.errors import DesignError
from linkwright.network import Network
from linkwright.network import compile as compile_design
from linkwright.plan import check, plan_without, tables
from linkwright.plan.connected import connected_nodes, disconnected_nodes, node_groups

Pair = tuple[Network, Network]


@st.composite
def with_failures(draw: st.DrawFn, kind: str) -> Pair:
    """Return a network, and what is left of it without some of its parts."""
    design = {
        "topology": draw(fields_of(kind, most_nodes=24)),
        "parts": ANY_SLOTS,
        "addressing": draw(families),
        "front_end": draw(st.booleans()),
        "routing": {"fallback": draw(st.booleans())},
    }
    try:
        cluster = Cluster.from_fields(design)
        whole = compile_design(cluster)
    except DesignError:
        reject()
    files = tables(whole)
    cables = rows(files["cables.csv"])
    names = [row["device"] for row in rows(files["devices.csv"])]
    names += [row["cable"] for row in cables if row["kind"] != "stack"]
    ends = [f"{row[f'{end}_device']}:{row[f'{end}_port']}" for row in cables for end in "ab"]
    names += [end for end in ends if ":eth" in end]
    dead = draw(st.lists(st.sampled_from(names), min_size=1, max_size=4))
    nodes = set(whole.device_names[: whole.n_nodes])
    assume(len(nodes - set(dead)) >= 2)
    return whole, compile_design(cluster, without=dead)


@pytest.mark.parametrize("kind", TOPOLOGIES)
@settings(max_examples=5)
@given(st.data())
def test_what_is_left_reaches_every_address_of_those_still_joined(
    kind: str, data: st.DataObject
) -> None:
    whole, left = data.draw(with_failures(kind))
    assert left.device_names == whole.device_names
    assert left.addresses.ip == whole.addresses.ip
    assert (left.addresses.identity == whole.addresses.identity).all()
    group = node_groups(left)
    parted = group[: left.n_nodes, np.newaxis] != group[left.addresses.node]
    found = left.core.reachability()
    assert found.n_unreachable == int(parted.sum())
    assert all(parted[node, address] for node, address, _ in found.unreachable)
    findings = check(left)
    errors = {finding.rule for finding in findings if finding.severity == "error"}
    assert errors <= {"disconnected", "ports", "stack-units"}
    n_disconnected = sum(finding.rule == "disconnected" for finding in findings)
    assert n_disconnected == len(disconnected_nodes(left))
    assert not (connected_nodes(left) & left.is_dead).any()


@pytest.mark.parametrize("kind", TOPOLOGIES)
@settings(max_examples=3)
@given(data=st.data())
def test_the_tables_as_written_reach_the_same(
    kind: str, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    _, left = data.draw(with_failures(kind))
    table = tmp_path_factory.mktemp("plan") / "routes.csv"
    table.write_text(tables(left)["routes.csv"])
    written = _routed_by(table, left)
    derived, by_tables = left.core.reachability(), written.reachability()
    assert by_tables.n_unreachable == derived.n_unreachable
    assert (
        by_tables.forwards_worst_of_address.tolist() == derived.forwards_worst_of_address.tolist()
    )
    assert (
        written.forwards(left.addresses.identity) == left.core.forwards(left.addresses.identity)
    ).all()


def _routed_by(table: Path, left: Network) -> _core.Network:
    n, fabric = left.n_nodes, left.core.fabric
    routes = read_route_table(
        table,
        node_names=left.device_names[:n],
        wiring=left.wiring,
        addresses=left.addresses,
        across=facing_addresses(left.addresses, fabric.port_start, fabric.port_segment),
    )
    return _core.Network(
        left.core.fabric,
        left.addresses,
        routing="explicit",
        explicit=_core.ExplicitRoutes(routes),
    )


@pytest.mark.parametrize("kind", TOPOLOGIES)
@settings(max_examples=2)
@given(st.data())
def test_the_changes_make_the_new_routes_of_the_old_ones(kind: str, data: st.DataObject) -> None:
    whole, left = data.draw(with_failures(kind))
    before, after = tables(whole), plan_without(whole, left)[0]
    same = ("devices.csv", "cables.csv", "interfaces.csv", "hosts.csv", "bom.csv")
    assert {name: after[name] for name in same} == {name: before[name] for name in same}
    routes = Counter(_line(row) for row in rows(before["routes.csv"]))
    for row in rows(after["changes.csv"]):
        if row["change"] != "add":
            routes[_line(row, "old_")] -= 1
        if row["change"] != "remove":
            routes[_line(row)] += 1
    assert min(routes.values(), default=0) >= 0
    assert +routes == Counter(_line(row) for row in rows(after["routes.csv"]))


def _line(row: dict[str, str], prefix: str = "") -> tuple[Any, ...]:
    cells = (row[f"{prefix}{name}"] for name in ("via", "nic", "metric"))
    return (row["node"], row["destination"], *cells)
