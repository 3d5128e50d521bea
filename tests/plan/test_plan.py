"""Plan tables: the sizes that the designs imply, the rules of the columns, and consistency between
tables.
"""

from __future__ import annotations

import ipaddress
import json
import time
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.kinds import KINDS, compiled
from tests.plan.networks import network, rows
from tests.sizes import fields_of, network_of

from linkwright.design.cluster import Cluster
from linkwright.design.topologies import TOPOLOGIES
from linkwright.errors import PlanError
from linkwright.network import compile as compile_design
from linkwright.plan import plan, write_plan

COLUMNS = {
    "devices.csv": "device,kind,role,part,ports,coordinates,parent,vlan",
    "cables.csv": "cable,a_device,a_port,b_device,b_port,kind,rate_mbps,label,lag,vlan",
    "interfaces.csv": "node,nic,segment,address,prefix_length,mtu,bond",
    "routes.csv": "node,destination,via,nic,metric,src",
    "hosts.csv": "node,address,hostname",
    "sysctl.csv": "node,key,value,reason",
    "bom.csv": "item,part,quantity,unit_price,currency,price_date,source,total,name",
}


def test_headers_are_the_contract() -> None:
    files = plan(network("torus", shape=[3]))
    assert {name: text.splitlines()[0] for name, text in files.items() if ".csv" in name} == COLUMNS
    keys = {"counts", "cost_per_node", "latency_us", "bandwidth_MBps", "bisection", "diameter_hops"}
    keys |= {"forwards", "resilience", "design_hash", "version"}
    assert keys <= json.loads(files["summary.json"]).keys()


def test_both_families_have_hosts_and_sources() -> None:
    sections = {"addressing": {"ipv4": True, "ipv6": True}}
    built = network("ring", shape=[4], sections=sections)
    files = plan(built)
    identity: dict[tuple[str, int], str] = {}
    for row in rows(files["hosts.csv"]):
        assert row["node"] == row["hostname"]
        identity[row["node"], ipaddress.ip_address(row["address"]).version] = row["address"]
    assert len(identity) == 2 * built.n_nodes
    routes = rows(files["routes.csv"])
    assert {ipaddress.ip_network(row["destination"]).version for row in routes} == {4, 6}
    for row in routes:
        version = ipaddress.ip_network(row["destination"]).version
        assert row["src"] == identity[row["node"], version]


def test_routes_name_bonds_as_kernels_do(tmp_path: Path) -> None:
    topology = "topology: {kind: bonded-switched-mesh, shape: [2, 2]}\n"
    built = compile_design(Cluster.parse(topology))
    files = plan(built)
    bonds = {(row["node"], row["bond"]): row for row in rows(files["bonds.csv"])}
    members = {
        (row["node"], row["bond"]): row for row in rows(files["interfaces.csv"]) if row["bond"]
    }
    assert bonds.keys() == members.keys()
    assert {row["mode"] for row in bonds.values()} == {"balance-rr"}
    assert {row["members"] for row in bonds.values()} == {"eth0 eth1"}
    (tmp_path / "routes.csv").write_text(files["routes.csv"])
    explicit = f"{topology}routing: {{scheme: explicit, table: routes.csv}}\n"
    (tmp_path / "design.yaml").write_text(explicit)
    again = plan(compile_design(Cluster.load(tmp_path / "design.yaml")))
    assert again["routes.csv"] == files["routes.csv"]
    assert "bonds.csv" not in plan(network("torus", shape=[3]))


def test_tables_by_interface_have_rules() -> None:
    files = plan(network("ring", shape=[5], sections={"routing": {"fallback": "by-interface"}}))
    assert files["routes.csv"].splitlines()[0] == COLUMNS["routes.csv"] + ",table"
    assert files["rules.csv"].splitlines()[:3] == [
        "node,priority,from_nic,table,from_address", "n0,1000,eth0,1000,", "n0,1000,eth1,1001,",
    ]  # fmt: skip
    lines = Counter((row["node"], row["table"]) for row in rows(files["routes.csv"]))
    rules = {(row["node"], row["table"]) for row in rows(files["rules.csv"])}
    assert {key for key in lines if key[1]} == rules


def test_a_torus_4x4_has_32_link_subnets() -> None:
    interfaces = rows(plan(network("torus", shape=[4, 4]))["interfaces.csv"])
    on_cables = [row for row in interfaces if row["nic"] != "lo"]
    subnets = Counter(
        ipaddress.ip_interface(f"{row['address']}/{row['prefix_length']}").network
        for row in on_cables
    )
    assert len(subnets) == 32
    assert set(subnets.values()) == {2}


def test_every_node_of_a_p_mesh_24x24_knows_48_subnets() -> None:
    built = network("p-mesh", shape=[24, 24])
    start = time.perf_counter()
    files = plan(built)
    elapsed_s = time.perf_counter() - start
    known = Counter(row["node"] for row in rows(files["routes.csv"]))
    assert set(known.values()) == {48 - 2}  # two are connected
    assert len(known) == 576
    assert elapsed_s < 30  # it takes about one; this catches loops over pairs


def test_a_logical_switch_and_a_stack_unit_have_a_parent() -> None:
    mesh = rows(plan(network("p-mesh", shape=[2, 4], lines_per_switch=2))["devices.csv"])
    switches = {row["device"]: row["parent"] for row in mesh if row["kind"] == "switch"}
    assert switches["x0"] == switches["x1"] == "chassis0"
    assert switches["chassis0"] == ""
    stack = rows(plan(network("switch", nodes=6, stack_units=2))["devices.csv"])
    units = {row["device"]: (row["parent"], row["ports"]) for row in stack if row["role"] == ""}
    assert units == {"sw0": ("", "6"), "sw0.0": ("sw0", "3"), "sw0.1": ("sw0", "3")}


def test_stack_cables_join_the_units_in_a_row() -> None:
    cables = rows(plan(network("hub", nodes=7, stack_units=3))["cables.csv"])
    stack = [row for row in cables if row["kind"] == "stack"]
    assert [(row["a_device"], row["b_device"]) for row in stack] == [
        ("hub0.0", "hub0.1"),
        ("hub0.1", "hub0.2"),
    ]


def test_a_label_names_the_connector_on_the_box() -> None:
    cables = rows(plan(network("p-mesh", shape=[2, 2], lines_per_switch=2))["cables.csv"])
    to_second_line = [row for row in cables if row["b_device"] == "x1"]
    assert [row["b_port"] for row in to_second_line] == ["p1", "p2"]
    assert [row["label"].split(" - ")[1] for row in to_second_line] == [
        "chassis0:p3",
        "chassis0:p4",
    ]


def test_every_port_of_a_bond_has_a_row_and_the_first_its_address() -> None:
    for front_end in (False, True):
        net = network("bonded-dual-net", nodes=2, sections={"front_end": front_end})
        files = plan(net)
        found = [(r["node"], r["nic"], r["address"], r["bond"])
                 for r in rows(files["interfaces.csv"])]  # fmt: skip
        assert found[:4] == [
            ("n0", "eth0", "10.0.0.1", "bond0"),
            ("n0", "eth1", "", "bond0"),
            ("n1", "eth0", "10.0.0.2", "bond0"),
            ("n1", "eth1", "", "bond0"),
        ]
        assert len(found) == 4 + 2 * front_end
        assert rows(files["routes.csv"]) == []
    assert len(rows(files["cables.csv"])) == 6


@pytest.mark.parametrize("kind", TOPOLOGIES)
@settings(max_examples=4)
@given(data=st.data(), front_end=st.booleans())
def test_tables_agree_with_each_other(kind: str, data: st.DataObject, *, front_end: bool) -> None:
    built = network_of(data.draw(fields_of(kind, most_nodes=40)), front_end=front_end)
    files = plan(built)
    devices = {row["device"]: row for row in rows(files["devices.csv"])}
    cables = rows(files["cables.csv"])
    interfaces = rows(files["interfaces.csv"])
    hosts = rows(files["hosts.csv"])
    plugged = [(c[f"{end}_device"], c[f"{end}_port"]) for c in cables for end in "ab"]
    assert len(plugged) == len(set(plugged))
    assert {device for device, _ in plugged} <= devices.keys()
    assert len({c["label"] for c in cables}) == len(cables)
    for device, row in devices.items():
        n_ends = sum(at == device and port not in ("up", "down") for at, port in plugged)
        is_box = any(other["parent"] == device for other in devices.values())
        assert is_box or n_ends == int(row["ports"])
        assert row["parent"] in devices or not row["parent"]
    in_turn = [row for row in interfaces if not row["address"]]
    assert all(row["bond"] for row in in_turn)
    addresses = {row["address"] for row in interfaces} - {""}
    assert len(addresses) == len(interfaces) - len(in_turn)
    assert {row["address"] for row in hosts} <= addresses
    assert len({row["address"] for row in hosts}) == built.n_nodes
    assert all(row["via"] in addresses for row in rows(files["routes.csv"]))
    summary = json.loads(files["summary.json"])
    assert summary["counts"]["cables"] == len(cables)
    bought = sum(float(row["total"]) for row in rows(files["bom.csv"]))
    per_node = summary["cost_per_node"]["units_bought"]
    assert bought / built.n_compute == pytest.approx(per_node)


@pytest.mark.parametrize("name", KINDS)
def test_the_same_design_gives_the_same_bytes(name: str) -> None:
    assert plan(compiled(KINDS[name])) == plan(compiled(KINDS[name]))


def test_write_plan_writes_what_plan_returns(tmp_path: Path) -> None:
    built = network("torus", shape=[2, 2])
    write_plan(built, tmp_path / "plan")
    files = plan(built)
    assert {path.name: path.read_text() for path in (tmp_path / "plan").iterdir()} == files


def test_a_plan_of_too_many_routes_is_refused_before_they_are_made() -> None:
    with pytest.raises(PlanError, match=r"would have some 3[0-9],[0-9,]+ routes"):
        plan(network("torus", shape=[60, 60]))
