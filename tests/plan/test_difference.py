"""The changes from one plan to another: equal parts, and changed ones.

That the changes make the new routes of the old ones is a law, and stands with the laws.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from tests.plan.networks import NO_SLOT_LIMIT, network

from linkwright.design.cluster import Cluster
from linkwright.errors import PlanError
from linkwright.network import compile as compile_design
from linkwright.plan import Change, difference, plan, plan_without, tables
from linkwright.plan.difference import Difference


def tables_of(kind: str, **fields: Any) -> dict[str, str]:
    return tables(network(kind, sections=NO_SLOT_LIMIT, **fields))


def counts(found: Difference, table: str) -> dict[str, int]:
    return Counter(one.change for one in found.changes if one.table == table)


def test_nothing_changes_from_a_plan_to_itself() -> None:
    one = tables_of("p-mesh", shape=[2, 4], lines_per_switch=2)
    found = difference(one, one)
    assert (found.changes, found.routes) == ((), ())
    assert {(count.add, count.remove, count.replace) for count in found.route_counts} == {(0, 0, 0)}
    assert len(found.route_counts) == 8


def test_changes_name_the_table_of_a_route() -> None:
    cluster = Cluster.from_fields(
        {"topology": {"kind": "ring", "shape": [6]}, "routing": {"fallback": "by-interface"}}
    )
    files, found = plan_without(compile_design(cluster), compile_design(cluster, without=["c0"]))
    assert files["changes.csv"].splitlines()[0].endswith("old_src,table")
    assert {one.table for one in found.routes} == {"", "1000", "1001"}
    # A chain has no way round: nothing comes back, and no rule is left.
    assert files["rules.csv"] == "node,priority,from_nic,table,from_address\n"


def test_nodes_of_another_shape_are_matched_by_place() -> None:
    found = difference(tables_of("torus", shape=[2, 12]), tables_of("torus", shape=[3, 3]))
    devices = [one for one in found.changes if one.table == "devices"]
    assert Counter(one.change for one in devices) == {"rename": 6, "remove": 18, "add": 3}
    # 1 0 was number 12 of 24 and is number 3 of 9.
    assert Change("devices", "rename", "n3", "name", "n12", "n3") in devices


def test_nodes_without_common_axes_are_matched_by_name() -> None:
    found = difference(tables_of("hub", nodes=4), tables_of("torus", shape=[2, 2]))
    devices = [one for one in found.changes if one.table == "devices"]
    assert [(one.change, one.device) for one in devices] == [("remove", "hub0")]


def test_a_name_that_was_another_devices_is_marked() -> None:
    found = difference(tables_of("torus", shape=[2, 3]), tables_of("torus", shape=[3, 2]))
    removed = {
        one.device for one in found.changes if (one.table, one.change) == ("devices", "remove")
    }
    assert removed == {"n2 (old)", "n5 (old)"}
    assert {one.device for one in found.changes if one.table == "hosts"} >= removed


def test_one_more_node_on_a_switch_is_one_more_of_each() -> None:
    found = difference(tables_of("switch", nodes=8), tables_of("switch", nodes=9))
    assert counts(found, "devices") == {"add": 1}
    assert counts(found, "cables") == {"add": 1}
    assert counts(found, "interfaces") == {"add": 1}
    bought = {one.what: (one.old, one.new) for one in found.changes if one.table == "bom"}
    assert any(old.startswith("8 at") and new.startswith("9 at") for old, new in bought.values())


def test_a_cable_that_goes_is_listed_under_the_device_at_its_first_end() -> None:
    found = difference(tables_of("switch", nodes=9), tables_of("switch", nodes=8))
    [gone] = [one for one in found.changes if one.table == "cables"]
    assert (gone.change, gone.device) == ("remove", "n8")


def test_a_switch_that_moves_into_a_chassis_is_told_by_its_parent() -> None:
    alone, split = (tables_of("p-mesh", shape=[2, 2], lines_per_switch=lines) for lines in (1, 2))
    devices = [one for one in difference(alone, split).changes if one.table == "devices"]
    parents = {one.device: (one.old, one.new) for one in devices if one.what == "parent"}
    assert parents["x0"] == ("", "chassis0")
    assert {one.device for one in devices if one.change == "add"} == {"chassis0", "chassis1"}


def test_a_network_without_parts_is_planned_with_the_whole() -> None:
    cluster = Cluster.from_fields({"topology": {"kind": "torus", "shape": [3, 3]}})
    with pytest.raises(PlanError) as error:
        plan(compile_design(cluster, without=["n4"]))
    assert "n4" in error.value.message
    assert "plan_without" in error.value.hint
