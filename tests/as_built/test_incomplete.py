"""Facts that lack machines or values, and cables that only other evidence shows.

The probe's cables are replaced by LLDP, peers of USB4 and neighbours.
"""

from __future__ import annotations

from functools import cache

import pytest
from tests.as_built.planted import DESIGN
from tests.as_built.rendered import Rendered, rendered

from linkwright.as_built import Verdict
from linkwright.facts.cabling import cables_of

SWITCHES = """
name: two-switches
topology:
  kind: custom
  nodes:
    n0: {nics: {eth0: null, eth1: null}}
    n1: {nics: {eth0: null, eth1: null}}
    n2: {nics: {eth0: null, eth1: null}}
  switches: {left: null, right: null}
  cables:
  - [n0:eth0, left]
  - [n1:eth0, left]
  - [n2:eth0, left]
  - [n0:eth1, right]
  - [n1:eth1, right]
  - [n2:eth1, right]
parts: {catalogue: whitney-1998, node: {slots: null}}
"""


@cache
def _clean(text: str) -> Rendered:
    return rendered(text)


def ring() -> Rendered:
    return _clean(DESIGN).copy()


def kinds(verdict: Verdict) -> set[str]:
    return {one.kind for one in verdict.findings}


def test_a_machine_that_did_not_answer_is_named_with_its_reason() -> None:
    facts = ring()
    facts.machine("n2").clear()
    facts.given["machines"][2].update(name="n2", failure="n2 is not reached: timed out")
    verdict = facts.verify()
    assert [(one.kind, one.node) for one in verdict.findings] == [("missing-machine", "n2")]
    assert "timed out" in verdict.findings[0].reason


def test_an_identity_on_no_interface_is_given_one_of_its_own() -> None:
    facts = ring()
    node = facts.machine("n2")
    node["interfaces"] = [one for one in node["interfaces"] if one["kind"] != "dummy"]
    loopback = facts.interface("n2", "lo")
    loopback["addresses"] = ["127.0.0.1/8"]
    found = [one for one in facts.verify().findings if one.kind == "missing-address"]
    assert [(one.node, one.nic, one.found) for one in found] == [("n2", "id0", "none")]
    assert "type dummy" in found[0].fix


def test_a_machine_without_facts_leaves_its_cables_out() -> None:
    facts = ring()
    del facts.given["machines"][2]
    facts.given["cables"] = [
        one for one in facts.given["cables"] if "n2" not in {end[0] for end in one["ends"]}
    ]
    verdict = facts.verify()
    assert kinds(verdict) == {"missing-machine"}
    assert verdict.not_checked == ("cables c1 and c2: a machine at their ends is not compared",)


def test_empty_facts_of_a_machine() -> None:
    facts = ring()
    facts.given["machines"][0] = {"name": "n0"}
    assert kinds(facts.verify()) == {"missing-machine"}


def test_a_stranger_is_named() -> None:
    facts = ring()
    facts.given["machines"].append({"name": "web1", "hostname": "web1"})
    assert [(one.kind, one.node) for one in facts.verify().findings] == [("other-machine", "web1")]


def test_a_missing_nic_is_named() -> None:
    facts = ring()
    machine = facts.machine("n3")
    machine["interfaces"] = [one for one in machine["interfaces"] if one["name"] != "eth1"]
    assert "missing-interface" in kinds(facts.verify())


def test_machines_are_found_by_host_name_and_by_mac() -> None:
    facts = ring()
    facts.machine("n1").update(name="10.0.0.7", hostname="n1.lab.example")
    for cable in facts.given["cables"]:
        cable["ends"] = [["10.0.0.7" if m == "n1" else m, nic] for m, nic in cable["ends"]]
    assert facts.verify().findings == ()


def test_missing_facts_are_not_compared() -> None:
    facts = ring()
    missing = {"fact": "the firewall", "reason": "only root sees it", "needs": "root"}
    for name in ("n0", "n1"):
        facts.machine(name)["missing"] = [missing]
    verdict = facts.verify()
    assert verdict.findings == ()
    assert verdict.not_checked == ("the firewall of n0 and n1: root",)


@pytest.mark.parametrize("fact", ["routes", "rules", "addresses"])
def test_what_could_not_be_asked_is_not_missing_on_the_machine(fact: str) -> None:
    facts = ring()
    machine = facts.machine("n1")
    if fact == "addresses":
        for one in machine["interfaces"]:
            one["addresses"] = []
    else:
        machine[fact] = []
    assert facts.verify().findings != ()
    machine["missing"] = [{"fact": fact, "reason": "ip ended with 1", "needs": None}]
    verdict = facts.verify()
    assert verdict.findings == ()
    assert verdict.not_checked == (f"{fact} of n1: ip ended with 1",)


def test_cables_without_evidence_are_one_finding() -> None:
    facts = ring()
    facts.given["cables"] = []
    (found,) = facts.verify().findings
    assert (found.kind, found.node) == ("unseen-cable", None)
    assert "--probe" in found.fix


def neighbours(facts: Rendered) -> None:
    """Replace the probe's cables by the neighbours that the kernels know."""
    for cable in facts.given["cables"]:
        for own, other in (cable["ends"], cable["ends"][::-1]):
            mac = facts.interface(*other)["mac"]
            entry = {"dst": "fe80::1", "dev": own[1], "lladdr": mac, "state": ["STALE"]}
            facts.machine(own[0])["neighbours"].append(entry)
    facts.given["cables"] = []


def test_neighbours_are_evidence() -> None:
    facts = ring()
    neighbours(facts)
    assert facts.verify().findings == ()


def test_swapped_cables_are_seen_in_neighbours() -> None:
    facts = ring()
    first, second = (one["ends"] for one in facts.given["cables"][:2])
    first[0], second[0] = second[0], first[0]
    neighbours(facts)
    verdict = facts.verify()
    assert kinds(verdict) == {"swapped-cable"}
    assert len(verdict.cabling.moves) == 2


def test_lldp_is_evidence_and_a_cable_to_another_machine_is_named() -> None:
    facts = ring()
    for cable in facts.given["cables"]:
        (a, a_port), (b, b_port) = cable["ends"]
        entry = {"interface": a_port, "neighbour": b, "port": b_port}
        facts.machine(a).setdefault("lldp", []).append(entry)
    facts.given["cables"] = []
    assert facts.verify().findings == ()
    facts.machine("n0")["lldp"][0].update(neighbour="web1", port="eth0")
    assert kinds(facts.verify()) == {"wrong-port"}


def test_lldp_remembers_a_cable_that_was_pulled() -> None:
    facts = ring()
    for cable in facts.given["cables"]:
        for own, other in (cable["ends"], cable["ends"][::-1]):
            entry = {"interface": own[1], "neighbour": other[0], "port": other[1]}
            facts.machine(own[0]).setdefault("lldp", []).append(entry)
    (a, b), facts.given["cables"] = facts.given["cables"][0]["ends"], []
    facts.interface(*a)["carrier"] = facts.interface(*b)["carrier"] = False
    assert kinds(facts.verify()) == {"missing-cable"}


def test_usb4_peers_are_evidence() -> None:
    facts = ring()
    for cable in facts.given["cables"]:
        for own, other in (cable["ends"], cable["ends"][::-1]):
            link = {"path": "0-1", "name": other[0], "interface": own[1], "rx_gbps": 40}
            facts.machine(own[0]).setdefault("usb4", []).append(link)
    facts.given["cables"] = []
    assert facts.verify().findings == ()


def test_two_usb4_cables_between_machines_are_told_apart() -> None:
    facts = ring()
    machines = [facts.machine(name) for name in ("n0", "n1")]
    for machine, letter in zip(machines, "ab", strict=True):
        own = [{"path": f"{n}-0", "is_own": True, "unique_id": f"{letter}{n}"} for n in (0, 1)]
        machine["usb4"] = own
    for number in (0, 1):
        for machine, other, port in ((0, "b", number), (1, "a", 1 - number)):
            domain = port
            link = {"path": f"{domain}-1", "interface": f"eth{port}"}
            there = 1 - number if other == "b" else number
            machines[machine]["usb4"].append({**link, "unique_id": f"{other}{there}"})
    facts.given["cables"] = []
    ends = {one.ends for one in cables_of(facts.facts())}
    assert ends == {(("n0", "eth0"), ("n1", "eth1")), (("n0", "eth1"), ("n1", "eth0"))}


def test_a_node_in_the_other_switch_is_moved() -> None:
    facts = _clean(SWITCHES).copy()
    first, second = (one["ends"] for one in facts.given["cables"])
    first[0], second[0] = second[0], first[0]
    verdict = facts.verify()
    assert kinds(verdict) == {"swapped-cable"}
    assert len(verdict.cabling.moves) == 2
    assert {one.leaves.node for one in verdict.cabling.moves} == {"n0"}


def test_nodes_in_each_other_s_switch_are_moved() -> None:
    facts = _clean(SWITCHES).copy()
    first, second = (one["ends"] for one in facts.given["cables"])
    first[0], second[1] = second[1], first[0]
    verdict = facts.verify()
    assert kinds(verdict) == {"swapped-cable"}
    assert len(verdict.cabling.moves) == 2


def test_joined_switches_are_named() -> None:
    facts = _clean(SWITCHES).copy()
    first, second = (one["ends"] for one in facts.given["cables"])
    facts.given["cables"] = [{"ends": first + second, "evidence": "probe", "certainty": "shared"}]
    assert kinds(facts.verify()) == {"joined-segments"}


def test_the_management_switch_is_a_wrong_port() -> None:
    facts = ring()
    _, other = facts.given["cables"][0]["ends"]
    ends = [["n0", "mgmt0"], ["n1", "mgmt0"], ["n2", "mgmt0"], other]
    facts.given["cables"][0] = {"ends": ends, "evidence": "probe", "certainty": "shared"}
    facts.interface("n0", "eth0")["carrier"] = False
    verdict = facts.verify()
    assert kinds(verdict) == {"wrong-port"}
    assert verdict.cabling.moves[0].enters.text == "n0:eth0"


@pytest.mark.parametrize(
    "ends", [[["n0", "eth0"], ["n0", "eth0"]], [["zz", "eth0"], ["n0", "eth9"]]]
)
def test_a_probed_cable_with_one_end_is_none(ends: list[list[str]]) -> None:
    facts = ring()
    facts.given["cables"].append({"ends": ends, "evidence": "probe", "certainty": "sure"})
    assert kinds(facts.verify()) == set()
