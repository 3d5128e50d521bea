"""Sound designs have no errors; each kind of fault is found, named and given a remedy.

Each fault is made by changing a design, its routes or its parts; how it is found on ids is
tested with the crates.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.plan.networks import network

from linkwright import calibrations
from linkwright.design.cluster import Cluster
from linkwright.errors import DesignError, PlanError, UsageError
from linkwright.network import compile  # noqa: A004 - the verb of the field
from linkwright.plan import Finding, Severity, check, plan
from linkwright.plan.checks.load import check_load
from linkwright.plan.checks.reachability import check_reachability
from linkwright.plan.checks.soundness import check_soundness
from linkwright.plan.forwarding import forwarding_load

SOUND: list[dict[str, Any]] = [
    {"kind": "direct"},
    {"kind": "hub", "nodes": 16},
    {"kind": "switch", "nodes": 16},
    {"kind": "full-mesh", "nodes": 5},
    {"kind": "torus", "shape": [4, 4]},
    {"kind": "mesh", "shape": [3, 5]},
    {"kind": "p-mesh", "shape": [4, 4], "lines_per_switch": 4},
    {"kind": "p-mesh", "shape": [24, 24]},
    {"kind": "p-mesh", "shape": [5, 7, 3]},
    {"kind": "tree", "leaves": 32, "nodes_per_leaf": 24},
]


def errors(findings: list[Finding]) -> list[str]:
    return [one.rule for one in findings if one.severity is Severity.ERROR]


@pytest.mark.parametrize("fields", SOUND, ids=str)
def test_a_sound_design_has_no_errors(fields: dict[str, Any]) -> None:
    assert errors(check(network(**fields))) == []


@pytest.mark.parametrize("fields", SOUND[:-1], ids=str)
def test_a_front_end_makes_it_no_worse(fields: dict[str, Any]) -> None:
    assert errors(check(network(**fields, sections={"front_end": True}))) == []


def test_a_front_end_needs_a_free_port_of_a_leaf() -> None:
    with pytest.raises(DesignError, match="25 ports"):
        network(**SOUND[-1], sections={"front_end": True})


def with_routes(tmp_path: Path, change: Any) -> list[Finding]:
    """Check a ring of four whose routes are given explicitly, after `change` on their CSV lines."""
    ring = {"topology": {"kind": "torus", "shape": [4]}}
    header, *lines = plan(compile(Cluster.from_fields(ring)))["routes.csv"].splitlines()
    (tmp_path / "routes.csv").write_text("\n".join([header, *change(lines)]) + "\n")
    (tmp_path / "ring.yaml").write_text(
        "topology: {kind: torus, shape: [4]}\nrouting: {scheme: explicit, table: routes.csv}\n"
    )
    return check(compile(Cluster.load(tmp_path / "ring.yaml")))


def test_given_routes_are_as_good_as_planned_ones(tmp_path: Path) -> None:
    assert errors(with_routes(tmp_path, lambda lines: lines)) == []


def test_a_missing_route_is_found(tmp_path: Path) -> None:
    findings = with_routes(
        tmp_path, lambda lines: [line for line in lines if not line.startswith("n0,")]
    )
    first = findings[0]
    assert (first.severity, first.rule) == (Severity.ERROR, "unreachable")
    assert "no route" in first.reason
    assert first.fix


def test_a_loop_is_found(tmp_path: Path) -> None:
    findings = with_routes(tmp_path, looped)
    assert any("loop" in finding.reason for finding in findings)


def looped(lines: list[str]) -> list[str]:
    """Make n0 and n1 send each other whatever is for the identity of n2."""
    built = network("torus", shape=[4])
    target = f"{built.addresses.ip[int(built.addresses.identity[2])].ip}/32"
    ends = dict(zip(("n0", "n1"), shared_link(built), strict=True))
    kept = [line for line in lines if line.split(",")[:2] not in ([n, target] for n in ends)]
    (port_0, ip_0), (port_1, ip_1) = ends["n0"], ends["n1"]
    return [*kept, f"n0,{target},{ip_1},eth{port_0},1,", f"n1,{target},{ip_0},eth{port_1},1,"]


def shared_link(built: Any) -> list[tuple[int, str]]:
    """Return port and address of nodes 0 and 1 on the cable between them."""
    addresses, wiring = built.addresses, built.wiring
    owners = list(zip(addresses.node.tolist(), addresses.port.tolist(), strict=True))
    for a, b in zip(wiring.cable_a.tolist(), wiring.cable_b.tolist(), strict=True):
        if {a[0], b[0]} == {0, 1}:
            ends = sorted([a, b])
            return [(port, str(addresses.ip[owners.index((n, port))].ip)) for n, port in ends]
    raise AssertionError("nodes 0 and 1 are neighbours")


class FaultyCore:
    """A core that reports one fault; compile makes none of them, explicit addresses could."""

    def __init__(self, built: Any, fault: tuple[str, int, int]) -> None:
        self.fabric = built.core.fabric
        self._fault = fault

    def soundness(self) -> list[tuple[str, int, int]]:
        return [self._fault]


@pytest.mark.parametrize(
    ("fault", "place", "reason"),
    [
        (("duplicate-address", 0, 1), "10.0.0.1", "n0 eth0 and n1 eth0 both have 10.0.0.1"),
        (("overlapping-subnets", 0, 0), "10.0.0.0/29", "lies within subnet 10.0.0.0/29"),
        (("subnet-spans-segments", 0, 1), "10.0.0.0/29", "n0 eth0 and n1 eth0 are in subnet"),
        (("unplugged-interface", 2, 0), "n2 eth0", "has 10.0.0.3 but no cable"),
        (("reserved-address", 0, 0), "10.0.0.1", "the first or last address of 10.0.0.0/29"),
        (("no-address", 2, 0), "n2 eth0", "has a cable but no address"),
        (("bridge-loop", 1, 0), "n1 - sw0", "closes a ring of hubs and switches"),
    ],
)
def test_every_fault_has_a_place_a_reason_and_a_fix(
    fault: tuple[str, int, int], place: str, reason: str
) -> None:
    built = network("switch", nodes=3)
    (finding,) = check_soundness(replace(built, core=FaultyCore(built, fault)))
    assert (finding.severity, finding.place, finding.rule) == (Severity.ERROR, place, fault[0])
    assert reason in finding.reason
    assert finding.fix


def test_too_few_slots_and_ports_are_found() -> None:
    """A plugin's topology may get its own arithmetic wrong; the built network is what counts."""
    built = network("switch", nodes=20)
    small = built.parts["switch"].model_copy(update={"ports": (16,)})
    slots = built.parts["node"].model_copy(update={"slots": ()})
    changed = replace(built, parts={**built.parts, "switch": small, "node": slots})
    found = errors(check(changed))
    assert found.count("ports") == 1
    assert found.count("nic-slots") == 1, "one for all nodes that are alike"


def test_a_nic_of_several_ports_takes_one_slot() -> None:
    parts = {"catalogue": "ethernet-2026", "nic": "nic-10g-dual", "node": {"slots": 2}}
    assert errors(check(network("torus", shape=[3, 3], sections={"parts": parts}))) == []
    with pytest.raises(DesignError, match=r"needs 6 ports of .* has slots for 4"):
        network("torus", shape=[3, 3, 3], sections={"parts": parts})


MISFITS: list[tuple[dict[str, Any], list[str]]] = [
    ({}, []),
    ({"nic": "nic-10g-rj45", "cable": "cat-6a"}, []),
    ({"nic": "nic-25g-dual"}, ["cable-rate"]),
    ({"nic": "nic-25g-dual", "cable": "dac-25g"}, []),
    ({"nic": "nic-100g", "cable": "cat-6a"}, ["connectors", "cable-rate"]),
    ({"nic": "usb4", "cable": "usb4-cable", "node": "mini-pc"}, []),
]


@pytest.mark.parametrize(("parts", "rules"), MISFITS)
def test_cables_must_fit(parts: dict[str, Any], rules: list[str]) -> None:
    sections = {"parts": {"catalogue": "ethernet-2026", **parts}}
    assert errors(check(network("torus", shape=[3], sections=sections))) == rules


def test_a_switch_without_the_connector_is_found() -> None:
    parts = {"catalogue": "ethernet-2026", "nic": "usb4", "cable": "usb4-cable"}
    parts["node"] = "mini-pc"
    assert errors(check(network("switch", nodes=3, sections={"parts": parts}))) == ["connectors"]


def test_uplinks_of_another_rate_have_cables_of_their_own() -> None:
    parts = {
        "catalogue": "ethernet-2026",
        "nic": "nic-25g-dual",
        "cable": "dac-25g",
        "switch": "crs812",
        "root_switch": "crs804",
    }
    tree = network("tree", nodes=16, sections={"parts": parts})
    assert errors(check(tree)) == []
    assert sorted(set(tree.cable_rate_bps.tolist())) == [25_000_000_000, 400_000_000_000]


@pytest.mark.parametrize(("stack_units", "rules"), [(5, []), (6, ["stack-units"])])
def test_stacks_of_more_units_than_act_as_one_are_found(stack_units: int, rules: list[str]) -> None:
    sections = {"parts": {"catalogue": "stack-2001"}}
    stack = network("switch", nodes=100, stack_units=stack_units, sections=sections)
    assert errors(check(stack)) == rules


@pytest.mark.parametrize(
    ("lan", "n_found"),
    [([], 0), (["192.168.0.0/16"], 0), (["10.0.0.0/8"], 1), (["10.0.0.1", "fd00::/8"], 1)],
)
def test_the_surroundings_must_not_overlap(lan: list[str], n_found: int) -> None:
    findings = check(network("switch", nodes=4), lan=lan)
    assert errors(findings) == ["lan-overlap"] * n_found


def test_a_prefix_that_is_none_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match=r"'10\.0\.0\.0/99' is not an address prefix"):
        check(network("direct"), lan=["10.0.0.0/99"])


# Packets from an identity turn at another node than their answers, except in odd rings.
@pytest.mark.parametrize(
    ("kind", "shape", "is_crooked"),
    [
        ("torus", [5], False),
        ("torus", [4, 4], True),
        ("mesh", [3, 5], True),
        ("p-mesh", [4, 4], True),
        ("p-mesh", [3, 3, 3], True),
    ],
)
def test_return_paths(kind: str, shape: list[int], *, is_crooked: bool) -> None:
    found = [one for one in check(network(kind, shape=shape)) if one.rule == "return-path"]
    assert [one.severity for one in found] == [Severity.WARNING] * is_crooked


def dying(found: list[Finding]) -> list[tuple[Severity, str]]:
    return [(one.severity, one.reason) for one in found if one.rule == "time-to-live"]


def test_routes_longer_than_a_packet_lives_are_found() -> None:
    """The limit is that of the engines, see tests/engines/test_time_to_live.py. In a ring of 130
    each node's packets die on the way to the three addresses of the node opposite.
    """
    assert dying(check(network("ring", shape=[128]))) == []
    found = check(network("ring", shape=[130]))
    reason = "routes have up to 64 forwards, a TTL of 64 allows 63: packets die between "
    pairs = f"{130 * 3} of {130 * 129 * 3:,} pairs of node and address"
    assert dying(found) == [(Severity.WARNING, reason + pairs)]
    (fix,) = [one.fix for one in found if one.rule == "time-to-live"]
    assert "net.ipv4.ip_default_ttl to 255" in fix


@pytest.mark.parametrize(("nodes", "severity"), [(510, "warning"), (512, "error")])
def test_no_header_holds_more_than_255(nodes: int, severity: str) -> None:
    assert [str(one) for one, _ in dying(check(network("ring", shape=[nodes])))] == [severity]


def test_over_ipv6_the_hop_limit_is_named() -> None:
    found = check(network("mesh", shape=[66], sections={"addressing": {"ipv6": True}}))
    fixes = [one.fix for one in found if one.rule == "time-to-live"]
    assert len(fixes) == 1
    assert "net.ipv6.conf.NIC.hop_limit" in fixes[0]


def test_packets_live_as_long_as_the_hosts_of_the_catalogue_let_them(tmp_path: Path) -> None:
    hosts = tmp_path / "longer.toml"
    longer = '[links]\nttl = {value = 65, origin = "definition"}\n'
    hosts.write_text(f"{calibrations.text_of('ideal-reno')}\n{longer}")
    ring = network("ring", shape=[130])
    assert dying(list(check_reachability(replace(ring, calibration=str(hosts))))) == []


def test_the_formula_tells_the_longest_route_where_addresses_are_sampled() -> None:
    """Only corners of a mesh are as far apart; the sample of this one has a neighbour of one."""
    mesh = network("mesh", shape=[85, 97])
    assert mesh.core.reachability().forwards_worst == mesh.closed.forwards_worst - 1
    ((_, reason),) = dying(list(check_reachability(mesh)))
    assert reason.startswith("routes have up to 179 forwards")
    assert reason.endswith("pairs of node and address looked at")


def test_forwarding_load_is_told_only_where_nodes_forward() -> None:
    rules = [finding.rule for finding in check(network("switch", nodes=4))]
    assert rules == []
    even = [finding.rule for finding in check(network("torus", shape=[5]))]
    assert even == ["forwarding-load"]
    uneven = check(network("mesh", shape=[5]))
    assert [finding.rule for finding in uneven] == ["forwarding-load", "uneven-load"]
    assert uneven[1].place == "n2"  # the middle of a line forwards most


def test_the_load_of_a_sample_is_told_as_such() -> None:
    """Per-segment addresses on a torus are reached from the nearer end of a cable, which no sum
    over lines knows; 9,216 nodes are too many to follow all packets.
    """
    found = compile(
        Cluster.parse(
            "{topology: {kind: torus, shape: [96, 96]}, addressing: {scheme: per-segment}}"
        )
    )
    load = forwarding_load(found)
    assert load
    assert not load.is_exact
    assert load.n_destinations == 2**24 // 9216
    expected = found.closed.forwards_mean * (found.n_nodes - 1)
    assert load.mean == pytest.approx(expected, rel=0.02)
    (finding,) = check_load(found, load)
    assert finding.rule == "forwarding-load"
    assert finding.reason.endswith(f"as far as {load.n_destinations:,} destinations tell")


def test_a_sample_of_the_addresses_stands_for_all_of_a_very_large_network() -> None:
    found = network("torus", shape=[90, 90])
    reached = found.core.reachability(found.n_compute)
    assert len(reached.addresses) == 2**25 // 8100
    assert list(reached.addresses) == sorted(set(reached.addresses.tolist()))
    assert reached.n_unreachable == 0
    assert reached.forwards_worst == found.closed.forwards_worst
    told = next(iter(check_reachability(found)))
    assert (told.rule, told.severity) == ("sampled-reachability", Severity.INFO)
    assert f"{len(reached.addresses):,} of {len(found.addresses.node):,} addresses" in told.reason


@pytest.mark.parametrize(
    ("dead", "n_wires"), [([], 0), (["n1:eth1"], 1), (["hub0"], 0), (["n2"], 0)]
)
def test_a_bond_that_lost_a_wire_is_told_of(dead: list[str], n_wires: int) -> None:
    fields = {"topology": {"kind": "bonded-dual-net", "nodes": 4, "buses": 2}}
    found = check(compile(Cluster.from_fields(fields), without=dead))
    wires = [finding for finding in found if finding.rule == "bond-wire"]
    assert len(wires) == n_wires
    assert all("3 nodes" in one.reason and "that n1 is not on" in one.reason for one in wires)


def test_bonds_that_have_no_wire_in_common_are_told_of() -> None:
    fields = {"topology": {"kind": "bonded-switched-mesh", "shape": [2, 3]}}
    left = compile(Cluster.from_fields(fields), without=["n0:eth1", "n3:eth1", "n5:eth0"])
    assert {finding.rule for finding in check(left)} == {"bond-wire"}
    with pytest.raises(PlanError, match="node 0 does not reach address 5: wrong segment"):
        left.core.path(0, 5)
