"""Evidence that is weak, shared or contradicts itself, and hosts that are mixed up.

Findings with one cause are one statement of the answer.
"""

from __future__ import annotations

from typing import Any

import pytest
from tests.as_built.rendered import Rendered
from tests.as_built.test_incomplete import kinds, ring

from linkwright.as_built import Verdict


def cabled(facts: Rendered, *cables: tuple[list[list[str]], str]) -> Verdict:
    """Compare facts whose probe has found some cables besides those at other ports."""
    taken = {tuple(end) for ends, _ in cables for end in ends}
    facts.given["cables"] = [
        one for one in facts.given["cables"] if not taken & {tuple(end) for end in one["ends"]}
    ]
    facts.given["cables"] += [
        {"ends": ends, "evidence": "probe", "certainty": how} for ends, how in cables
    ]
    return facts.verify()


def swap_hosts(facts: Rendered, a: str, b: str) -> None:
    """Let the machines of two nodes answer as each other."""
    first, second = facts.machine(a), facts.machine(b)
    first["name"], second["name"] = b, a
    names = {a: b, b: a}
    for cable in facts.given["cables"]:
        cable["ends"] = [[names.get(node, node), nic] for node, nic in cable["ends"]]


def test_hosts_that_are_mixed_up_are_named_and_no_plug_is_moved() -> None:
    facts = ring()
    swap_hosts(facts, "n0", "n1")
    verdict = facts.verify()
    assert verdict.cabling.moves == ()
    found = [(one.kind, one.node, one.reason) for one in verdict.findings]
    assert found == [
        ("wrong-machine", "n0", "n0 answers as n1"),
        ("wrong-machine", "n1", "n1 answers as n0"),
    ]
    assert "correct the hosts" in verdict.findings[0].fix


def test_one_machine_for_two_nodes_is_named() -> None:
    facts = ring()
    again = {**facts.machine("n0"), "name": "n1", "hostname": "box"}
    facts.given["machines"][1] = again
    [found] = [one for one in facts.verify().findings if one.kind == "wrong-machine"]
    assert (found.node, found.reason.split(":")[0]) == ("n1", "n1 is the machine of n0")


@pytest.mark.parametrize("hostname", ["n0.lab.example", "N0", "box7", None])
def test_other_host_names_are_no_mistake(hostname: str | None) -> None:
    facts = ring()
    facts.machine("n0")["hostname"] = hostname
    assert facts.verify().findings == ()


PORTS = [["n0", "eth0"], ["n1", "eth1"], ["n2", "eth0"], ["n3", "eth1"]]


def pairs(facts: Rendered, *numbers: int) -> list[list[str]]:
    return [end for number in numbers for end in facts.given["cables"][number]["ends"]]


def test_a_segment_of_four_ports_is_a_switch_and_no_cable() -> None:
    facts = ring()
    verdict = cabled(facts, (pairs(facts, 0, 2), "shared"))
    assert [one.kind for one in verdict.findings] == ["joined-segments"] * 2
    assert verdict.cabling.moves == ()
    first = verdict.findings[0]
    assert "a switch, hub or bridge is between" in first.reason
    assert "plug one cable into" in first.fix


def test_two_ports_that_share_a_segment_have_a_switch_between() -> None:
    facts = ring()
    verdict = cabled(facts, (pairs(facts, 0), "shared"))
    [found] = verdict.findings
    assert (found.kind, found.cable) == ("unplanned-switch", verdict.cabling.given[0].planned.name)


def test_a_port_in_a_foreign_segment_is_not_said_to_be_cabled_to_it() -> None:
    facts = ring()
    ends = [["n0", "mgmt0"], ["n1", "mgmt0"], ["n2", "mgmt0"], facts.given["cables"][0]["ends"][1]]
    verdict = cabled(facts, (ends, "shared"))
    [found] = [one for one in verdict.findings if one.kind == "wrong-port"]
    assert "is in the segment of n0:mgmt0, n1:mgmt0 and n2:mgmt0 instead of" in found.reason
    assert "a cable joins" not in found.reason


def test_two_cables_in_one_port_are_a_segment() -> None:
    facts = ring()
    a, b = pairs(facts, 0)
    c = pairs(facts, 1)[1]
    verdict = cabled(facts, ([a, b], "sure"), ([a, c], "sure"))
    assert not [one for one in verdict.findings if one.fix == "unplug it"]
    assert "joined-segments" in kinds(verdict)


def test_a_likely_cable_in_a_wrong_port_is_likely() -> None:
    facts = ring()
    (a, b), (c, d) = pairs(facts, 0), pairs(facts, 2)
    verdict = cabled(facts, ([a, d], "likely"), ([c, b], "likely"))
    assert kinds(verdict) == {"swapped-cable"}
    assert {one.certainty for one in verdict.findings} == {"likely"}
    assert all("a cable seems to join" in one.reason for one in verdict.findings)
    assert "certainty" not in verdict.to_json()["findings"][0]


def lacking(facts: Rendered, **values: Any) -> Verdict:
    """Compare machines without some of their facts, each of which is listed as missing."""
    for machine in facts.given["machines"]:
        machine.update(values)
        machine["missing"] = [
            {"fact": fact, "reason": "only root sees it", "needs": "root"} for fact in values
        ]
    return facts.verify()


def test_the_answer_names_the_facts_that_were_not_compared() -> None:
    answer = lacking(ring(), firewall={}, rules=[]).answer
    assert answer.startswith("six is as planned as far as it was compared: 6 machines, 6 cables.")
    assert "Not compared: firewall of n0, n1, n2, n3, n4 and n5 and rules of" in answer


def test_machines_without_the_plan_are_one_statement_per_kind() -> None:
    facts = ring()
    for machine in facts.given["machines"]:
        machine["routes"] = []
        for one in machine["interfaces"]:
            one["addresses"] = []
    verdict = facts.verify()
    of_kind = {one.kind: one for one in verdict.statements}
    assert len(of_kind) == len(verdict.statements)
    addresses = of_kind["missing-address"]
    assert addresses.reason.startswith("no machine has all addresses of the plan yet: 18")
    assert "linkwright apply" in addresses.fix
    listed = [one for one in verdict.to_json()["findings"] if one["kind"] == "missing-address"]
    assert len(listed) == len(addresses.findings) == 18


def test_machines_behind_one_fault_are_one_statement_with_its_remedy() -> None:
    facts = ring()
    refused = "ssh: connect to host 10.0.0.9 port 22: Connection refused"
    failures = {"n1": refused, "n2": "ssh: Could not resolve hostname n2", "n4": refused}
    for number, machine in enumerate(facts.given["machines"]):
        name = machine["name"]
        if name in failures:
            remedy = "start sshd there" if failures[name] == refused else "correct the name"
            failure = f"{name} is not reached: {failures[name]!r}; {remedy}"
            facts.given["machines"][number] = {"name": name, "failure": failure}
    found = [one for one in facts.verify().statements if one.kind == "missing-machine"]
    assert [(one.reason, one.fix) for one in found] == [
        ("n1 and n4 are not reached: Connection refused", "start sshd there"),
        ("n2 is not reached: 'ssh: Could not resolve hostname n2'",
         "correct the name"),
    ]  # fmt: skip
