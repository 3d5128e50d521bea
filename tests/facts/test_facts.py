"""Facts of machines: each fact from outputs as machines give them, from hostile ones, and all of
them from real hosts over ssh by the command.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.machines.real_hosts import RealHosts, missing, real_hosts

from linkwright.cli import run
from linkwright.errors import UsageError
from linkwright.facts.fact import Answers
from linkwright.facts.found import FACTS, ClusterFacts
from linkwright.facts.links import LINKS
from linkwright.facts.offloads import OFFLOADS
from linkwright.facts.routing import ADDRESSES, ROUTES, RULES
from linkwright.facts.system import SYSTEM

IP_LINK = """[{"ifindex":2,"ifname":"enp1s0","flags":["BROADCAST","UP","LOWER_UP"],"mtu":9000,
"address":"00:1b:21:aa:bb:01","permaddr":"00:1b:21:aa:bb:01","parentbus":"pci",
"parentdev":"0000:01:00.0","linkinfo":{"info_kind":"vlan"}}]"""
FEATURES = """Features for enp1s0:
rx-checksumming: on
tcp-segmentation-offload: on
\ttx-tcp-segmentation: on
generic-receive-offload: off
large-receive-offload: off [fixed]
"""
RINGS = """Ring parameters for enp1s0:
Pre-set maximums:
RX:\t\t4096
TX:\t\t4096
Current hardware settings:
RX:\t\t512
TX:\t\t256
"""


def test_links_have_speed_and_slot() -> None:
    found = LINKS.read(
        Answers(
            {
                "ip link": [0, IP_LINK, ""],
                "speed": {"/sys/class/net/enp1s0/speed": "10000\n"},
                "duplex": {"/sys/class/net/enp1s0/duplex": "full\n"},
                "current_link_width": {"/sys/class/net/enp1s0/device/current_link_width": "4\n"},
                "max_link_width": {"/sys/class/net/enp1s0/device/max_link_width": "8\n"},
            }
        )
    )
    (link,) = found
    assert (link["name"], link["mtu"], link["speed_mbps"]) == ("enp1s0", 9000, 10000)
    assert (link["pci"], link["pci_width"], link["pci_most_width"]) == ("0000:01:00.0", 4, 8)
    assert link["is_up"] is link["has_carrier"] is True
    assert link["kind"] == "vlan"


def test_an_unknown_speed_is_none() -> None:
    speed = {"/sys/class/net/enp1s0/speed": "-1\n"}
    (link,) = LINKS.read(Answers({"ip link": [0, IP_LINK, ""], "speed": speed}))
    assert link["speed_mbps"] is None


def test_offloads_and_rings_are_read() -> None:
    outputs = {
        "ethtool -k": {"enp1s0": [0, FEATURES, ""]},
        "ethtool -g": {"enp1s0": [0, RINGS, ""]},
    }
    found = OFFLOADS.read(Answers(outputs))["enp1s0"]
    assert found["offloads"] == {
        "tcp-segmentation-offload": True,
        "generic-receive-offload": False,
        "large-receive-offload": False,
    }
    assert found["rings"] == {"rx": 512, "tx": 256}


def test_routes_of_several_next_hops_and_rules_are_read() -> None:
    route = (
        '[{"dst":"10.0.0.1","table":"7","nexthops":[{"gateway":"10.1.0.2","dev":"a","weight":1}]}]'
    )
    (found,) = ROUTES.read(Answers({"ip route": [0, route, ""], "ip -6 route": [0, "", ""]}))
    assert found["nexthops"] == [{"gateway": "10.1.0.2", "dev": "a", "weight": 1}]
    rule = '[{"priority":100,"src":"all","iif":"eth0","table":"7"}]'
    (found,) = RULES.read(Answers({"ip rule": [0, rule, ""]}))
    assert found == {"family": 4, "priority": 100, "src": "all", "iif": "eth0", "table": "7"}


def test_a_missing_program_becomes_a_note() -> None:
    answers = Answers({"ip address": None})
    assert ADDRESSES.read(answers) == []
    assert answers.notes == ["ip address is not installed"]
    answers = Answers({"ip address": [1, "", "Cannot open netlink socket: denied\n"]})
    assert ADDRESSES.read(answers) == []
    assert answers.notes == ["ip address ended with 1: Cannot open netlink socket: denied"]


def test_managers_are_named() -> None:
    given = {"systemctl": [3, "active\ninactive\ninactive\n", ""]}
    assert SYSTEM.read(Answers(given))["managers"] == ["networkd"]


def values(numbers: st.SearchStrategy[float]) -> st.SearchStrategy[Any]:
    """Return JSON values with some numbers."""
    return st.recursive(
        st.none() | st.booleans() | st.integers() | numbers | st.text(max_size=20),
        lambda inner: (
            st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
        ),
        max_leaves=12,
    )


printed = (values(st.floats()) | st.lists(values(st.floats()), max_size=3)).map(json.dumps)
"""Outputs of programs, also with numbers that JSON does not have."""
sent_values = values(st.floats(allow_nan=False, allow_infinity=False))
outputs = st.one_of(
    sent_values,
    st.tuples(st.just(0), printed, st.just("")).map(list),
    st.dictionaries(st.text(max_size=12), st.text(max_size=30) | sent_values, max_size=3),
)


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: fact.name)
@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_hostile_answers_are_no_errors(fact: Any, data: st.DataObject) -> None:
    sent = {key: data.draw(outputs) for key in fact.questions}
    found = fact.read(Answers(sent))
    json.dumps(found, allow_nan=False)


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"linkwright_facts": 99}', '{"linkwright_facts": 1, "machines": 3}']
)
def test_other_files_are_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "facts.json"
    path.write_text(text)
    with pytest.raises(UsageError):
        ClusterFacts.load(path)


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealHosts]:
    lacks = missing()
    if lacks:
        pytest.skip(lacks)
    cables = [("h0", "eth0", "h1", "eth0"), ("h1", "eth1", "h2", "eth0")]
    with real_hosts(tmp_path_factory.mktemp("hosts"), ("h0", "h1", "h2"), cables) as found:
        yield found


@pytest.fixture
def reached(up: RealHosts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RealHosts:
    monkeypatch.setenv("PATH", f"{up.client(tmp_path)}:{os.environ['PATH']}")
    monkeypatch.chdir(tmp_path)
    return up


def test_the_command_writes_the_facts_of_all_hosts(
    reached: RealHosts, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "hosts.yaml").write_text("hosts: {n0: h0, n1: h1, n2: h2, n3: nowhere.invalid}\n")
    assert run(["facts", "hosts.yaml", "-o", "facts.json", "-q"]) == 1
    found = ClusterFacts.load("facts.json")
    assert [one.name for one in found.machines] == ["n0", "n1", "n2", "n3"]
    assert "not reached" in str(found.machines[3].failure)
    n1 = found.machines[1].facts
    assert n1["system"]["hostname"] == "h1"
    ports = {one["name"]: one for one in n1["links"]}
    assert set(ports) == {"lo", "mgmt0", "eth0", "eth1"}
    assert ports["eth1"]["has_carrier"]
    assert ports["eth1"]["kind"] == "veth"
    assert ("mgmt0", "192.168.77.2") in {(a["interface"], a["local"]) for a in n1["addresses"]}
    assert any(one.get("dev") == "mgmt0" for one in n1["routes"])
    assert n1["forwarding"]["parameters"]["eth0"]["rp_filter"].isdigit()
    if shutil.which("ethtool", path=f"{os.environ['PATH']}:/usr/sbin"):
        assert n1["offloads"]["eth0"]["offloads"]["tcp-segmentation-offload"] is True
    assert run(["facts", "n0=h0,h2", "-q", "--format", "csv"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("machine,name,mac")
    assert sum(line.startswith("h2,") for line in lines) == 3
