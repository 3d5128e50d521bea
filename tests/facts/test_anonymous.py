"""Facts without the identities of their machines.

Nothing of an identity is left, and the cabling stays.
"""

from __future__ import annotations

import json
from typing import Any

from tests.facts.test_mutated_facts import whole

from linkwright.facts import ClusterFacts
from linkwright.facts.anonymous import anonymous

HOME = "/".join(("", "home"))
SECRETS = (
    "rack7", "example.org", "PF3XK9", "3c:ec:ef:12:34:56", "3cecef123456", "8.8.4", "2a01:4f8",
    "3eec:efff:fe12:3456", "alice", "c2030000",
)  # fmt: skip


def machine(name: str, hostname: str, **facts: Any) -> dict[str, Any]:
    return {"name": name, "hostname": hostname, **facts}


def given() -> ClusterFacts:
    """Return facts of two machines that name each other, and themselves, in many places."""
    a = machine(
        "rack7-a",
        "rack7-a.example.org",
        serial="PF3XK9",
        interfaces=[
            {
                "name": "enx3cecef123456",
                "mac": "3c:ec:ef:12:34:56",
                "addresses": ["8.8.4.4/24", "10.0.0.1/24", "2a01:4f8::1/64"],
                "offloads": {"tso": True},
            }
        ],
        routes=[{"dst": "fe80::3eec:efff:fe12:3456", "dev": "enx3cecef123456", "family": 6}],
        sysctls={"net.ipv4.conf.enx3cecef123456.rp_filter": "0"},
        usb4=[
            {"path": "0-1", "name": "rack7-b", "unique_id": "c2030000-0070-7f18-2312-0a0e3c0f4021"}
        ],
        settings={
            "environment": {"MASTER_ADDR": "rack7-b.example.org", "NCCL_SOCKET_IFNAME": "eth0"},
            "files": {f"{HOME}/alice/hostfile": "rack7-a slots=4\nrack7-b slots=4"},
        },
        names={"rack7-b": ["8.8.4.5"]},
    )
    b = machine(
        "rack7-b",
        "rack7-b",
        neighbours=[{"dst": "8.8.4.4", "dev": "eth0", "lladdr": "3c:ec:ef:12:34:56"}],
        lldp=[{"interface": "eth0", "neighbour": "rack7-a", "port": "enx3cecef123456"}],
        failure="rack7-b (root@rack7-b.example.org) is not reached",
    )
    cables = [
        {
            "ends": [["rack7-a", "enx3cecef123456"], ["rack7-b", "eth0"]],
            "evidence": "probe",
            "certainty": "sure",
        }
    ]
    facts = {"schema": 1, "when": "now", "machines": [a, b], "cables": cables}
    return ClusterFacts.parse(json.dumps(facts))


def test_nothing_of_an_identity_is_left() -> None:
    text = json.dumps(anonymous(given()).to_json())
    assert [one for one in SECRETS if one.lower() in text.lower()] == []


def test_the_same_value_has_the_same_replacement_everywhere() -> None:
    found = anonymous(given())
    a, b = found.machines
    (port,) = a.interfaces
    assert b.neighbours[0].lladdr == port.mac
    assert port.name == f"enx{str(port.mac).replace(':', '')}"
    assert a.routes[0].dev == b.lldp[0].port == port.name
    assert f"net.ipv4.conf.{port.name}.rp_filter" in a.sysctls
    assert b.lldp[0].neighbour == a.name == a.hostname
    assert a.usb4[0].name == b.name
    assert found.cables[0].ends == ((a.name, port.name), (b.name, "eth0"))
    assert b.neighbours[0].dst == port.addresses[0].partition("/")[0]
    assert a.names[b.name][0].rpartition(".")[0] == port.addresses[0].rpartition(".")[0]
    assert port.addresses[1] == "10.0.0.1/24"
    assert a.settings.environment["NCCL_SOCKET_IFNAME"] == "eth0"
    assert a.settings.files == {f"{HOME}/user/hostfile": f"{a.name} slots=4\n{b.name} slots=4"}


def test_names_in_capitals_are_those_in_small_letters() -> None:
    facts = given().to_json()
    facts["machines"][1]["hostname"] = "RACK7-B"
    facts["machines"][0]["settings"]["environment"]["MASTER_ADDR"] = "Rack7-B.EXAMPLE.ORG"
    facts["machines"][0]["lldp"] = [{"interface": "eth0", "neighbour": "RACK7-B", "port": "p"}]
    found = anonymous(ClusterFacts.parse(json.dumps(facts))).to_json()
    text = json.dumps(found).lower()
    assert "rack7" not in text
    assert "example.org" not in text
    first, second = found["machines"]
    assert first["lldp"][0]["neighbour"] == second["name"] == second["hostname"]


def test_names_of_a_design_stay_and_every_record_is_still_read() -> None:
    facts = ClusterFacts.parse(json.dumps(whole()))
    found = anonymous(facts)
    assert [one.name for one in found.machines] == ["n0", "n1", "n2"]
    assert [one.name for one in found.machines[0].interfaces] == [
        one.name for one in facts.machines[0].interfaces
    ]
    assert anonymous(facts) == found
