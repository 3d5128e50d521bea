"""Facts of machines: each fact from outputs as machines give them, from hostile ones, and all of
them from real hosts over ssh by the command.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.machines.real_hosts import RealHosts

from linkwright.cli import run
from linkwright.errors import UsageError
from linkwright.facts import ClusterFacts, Missing
from linkwright.facts.fact import ROOT, Answers, Fact
from linkwright.facts.gathering import FACTS, read_answers
from linkwright.facts.links import LINKS
from linkwright.facts.offloads import OFFLOADS
from linkwright.facts.routing import ADDRESSES, ROUTES, RULES
from linkwright.facts.sysctls import SYSCTLS

IP_LINK = """[{"ifindex":2,"ifname":"enp1s0","flags":["BROADCAST","UP","LOWER_UP"],"mtu":9000,
"address":"00:1b:21:aa:bb:01","permaddr":"00:1b:21:aa:bb:01",
"link_type":"ether","stats64":{"rx":{"bytes":7},"tx":{"errors":1}}}]"""
IP_LINK_OF_VLAN = """[{"ifindex":3,"link":"eth0","ifname":"eth0.5","flags":["BROADCAST"],
"mtu":1500,"link_type":"ether","linkinfo":{"info_kind":"vlan","info_data":{"protocol":"802.1Q",
"id":5,"flags":["REORDER_HDR"]}}}]"""
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


NAMES = ("h0", "h1", "h2")
CABLES = [("h0", "eth0", "h1", "eth0"), ("h1", "eth1", "h2", "eth0")]


def the_interface(fact: Fact, sent: dict[str, Any]) -> dict[str, Any]:
    """Return the keys that a fact finds for the only interface of some answers."""
    (interface,) = fact.read(Answers(sent))["interfaces"].values()
    return dict(interface)


def test_an_unknown_speed_is_none() -> None:
    speed = {"/sys/class/net/enp1s0/speed": "-1\n"}
    assert the_interface(LINKS, {"ip link": [0, IP_LINK, ""], "speed": speed})["speed_mbps"] is None


def test_a_vlan_has_its_number_and_the_interface_below() -> None:
    link = the_interface(LINKS, {"ip link": [0, IP_LINK_OF_VLAN, ""]})
    assert (link["kind"], link["parent"], link["vlan"]) == ("vlan", "eth0", 5)
    assert link["carrier"] is None, "an interface that is down does not listen"


def test_offloads_and_rings_are_read() -> None:
    found = the_interface(
        OFFLOADS,
        {"ethtool -k": {"enp1s0": [0, FEATURES, ""]}, "ethtool -g": {"enp1s0": [0, RINGS, ""]}},
    )
    assert found["offloads"] == {"tso": True, "gro": False, "lro": False}
    assert found["rings"] == {"rx": 512, "tx": 256}


def test_addresses_of_dhcp_are_dynamic_and_those_of_the_link_are_left_out() -> None:
    listed = """[{"ifname":"eth0","addr_info":[
        {"family":"inet","local":"10.0.0.7","prefixlen":24,"scope":"global","dynamic":true},
        {"family":"inet6","local":"fd00::7","prefixlen":64,"scope":"global"},
        {"family":"inet6","local":"fe80::1","prefixlen":64,"scope":"link"}]}]"""
    assert the_interface(ADDRESSES, {"ip address": [0, listed, ""]}) == {
        "addresses": ["10.0.0.7/24", "fd00::7/64"],
        "dynamic_addresses": ["10.0.0.7/24"],
    }


def test_routes_of_several_next_hops_and_rules_are_read() -> None:
    route = (
        '[{"dst":"10.0.0.1","table":"7","nexthops":[{"gateway":"10.1.0.2","dev":"a","weight":1}]},'
        '{"dst":"default","dev":"a"}]'
    )
    several, plain = ROUTES.read(Answers({"ip route": [0, route, ""]}))["routes"]
    assert several["nexthops"] == [{"gateway": "10.1.0.2", "dev": "a", "weight": 1}]
    assert (several["table"], plain["table"]) == ("7", "main")
    rule = '[{"priority":100,"src":"all","iif":"eth0","table":"7"}]'
    (found,) = RULES.read(Answers({"ip rule": [0, rule, ""]}))["rules"]
    assert found == {"family": 4, "priority": 100, "src": "all", "iif": "eth0", "table": "7"}


def test_kernel_parameters_have_the_names_of_sysctl() -> None:
    path = "/proc/sys/net/ipv4/conf/eth0.5/rp_filter"
    assert SYSCTLS.read(Answers({"ipv4 rp_filter": {path: "2\n"}})) == {
        "sysctls": {"net.ipv4.conf.eth0/5.rp_filter": "2"}
    }


def test_a_missing_program_and_the_lack_of_root_are_listed_with_the_remedy() -> None:
    answers = Answers({"ip address": None}, "addresses")
    assert ADDRESSES.read(answers) == {"interfaces": {}}
    assert answers.missing == [
        Missing("addresses", "ip address is not installed", "install iproute2")
    ]
    answers = Answers({"ip address": [1, "", "netlink: Permission denied\n"]}, "addresses")
    ADDRESSES.read(answers)
    assert answers.missing == [
        Missing("addresses", "ip address ended with 1: netlink: Permission denied", ROOT)
    ]


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
paths = st.sampled_from(["", "/", "a", "//", "/sys/class/net", "/sys/class/infiniband/", "0-1/net"])
"""Paths that are shorter than the readers of files expect."""
outputs = st.one_of(
    sent_values,
    st.tuples(st.just(0), printed, st.just("")).map(list),
    st.dictionaries(paths | st.text(max_size=12), st.text(max_size=30) | sent_values, max_size=3),
)


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_hostile_answers_are_no_errors_and_give_facts_that_load(data: st.DataObject) -> None:
    fact = data.draw(st.sampled_from(FACTS))
    sent = {f"{fact.name}/{key}": data.draw(outputs) for key in fact.questions}
    found = ClusterFacts("now", (read_answers("n0", {"answers": sent}),))
    assert ClusterFacts.parse(json.dumps(found.to_json(), allow_nan=False)) == found


WRONG_FILES = {
    "": "is no file of facts",
    "[]": "is no file of facts",
    "{}": "is no file of facts",
    '{"schema": 99}': "schema 99, not 1",
    '{"schema": 1, "when": "now", "machines": 3}': "machines",
    '{"schema": 1, "when": "now", "machines": [{"name": "n0"}, {"name": "n0"}]}': "there twice",
    '{"schema": 1, "when": "now", "machines": [{"name": "n0", "interfaces": [{"name": "a", '
    '"mtu": "x"}]}]}': r"machine 'n0': interfaces\[0\].mtu",
    '{"schema": 1, "when": "now", "machines": [{"name": "a\\u001b[2J"}]}': "printed",
}


@pytest.mark.parametrize("text", WRONG_FILES)
def test_other_files_are_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "facts.json"
    path.write_text(text)
    with pytest.raises(UsageError, match=WRONG_FILES[text]):
        ClusterFacts.load(path)


def test_the_command_writes_the_facts_of_all_hosts(
    reached: RealHosts, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "hosts.yaml").write_text(
        "machines:\n"
        "  n0: {ssh: h0, options: {ConnectTimeout: 5, Compression: yes}}\n"
        "  n1: {ssh: h1}\n"
        "  n2: {ssh: h2}\n"
        "  n3: {ssh: nowhere.invalid}\n"
    )
    assert run(["facts", "hosts.yaml", "-o", "facts.json", "-q"]) == 1
    said = capsys.readouterr().err
    assert "n3 (nowhere.invalid) is not reached" in said
    assert "hint: correct the name, or give the address" in said
    found = ClusterFacts.load("facts.json")
    assert [one.name for one in found.machines] == ["n0", "n1", "n2", "n3"]
    assert "not reached" in str(found.machines[3].failure)
    n1 = found.machines[1]
    assert n1.hostname == "h1"
    ports = {one.name: one for one in n1.interfaces}
    assert set(ports) == {"lo", "mgmt0", "eth0", "eth1"}
    assert ports["eth1"].carrier
    assert ports["eth1"].kind == "veth"
    assert ports["mgmt0"].addresses == ("192.168.77.2/24",)
    assert any(one.dev == "mgmt0" for one in n1.routes)
    assert n1.sysctls["net.ipv4.conf.eth0.rp_filter"].isdigit()
    if shutil.which("ethtool", path=f"{os.environ['PATH']}:/usr/sbin"):
        assert ports["eth0"].offloads["tso"] is True
    assert run(["facts", "n0=h0,h2", "-q", "--format", "csv"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("machine,name,mac")
    assert sum(line.startswith("h2,") for line in lines) == 3


SEES = "lldpcli show neighbors | grep -c SysName"
N_CABLES = {"h0": "1", "h1": "2", "h2": "1"}


@pytest.fixture
def announced(reached: RealHosts) -> Iterator[RealHosts]:
    """Provide the hosts with lldpd; where it overlooks a port it is started another time."""
    if shutil.which("lldpd", path=f"{os.environ['PATH']}:/usr/sbin") is None:
        pytest.skip("lldpd is missing (apt install lldpd)")
    started: set[str] = set()
    try:
        for _ in range(6):
            for name in _blind(reached, within_s=8 if started else 0):
                _start_lldpd(reached, name)
                started.add(name)
        assert not _blind(reached, within_s=8), [
            (reached.folder / f"{name}.lldpd").read_text()[-2000:] for name in started
        ]
        yield reached
    finally:
        for name in started:
            subprocess.run([*reached.inside(name), "pkill", "-9", "-x", "lldpd"], check=False)


def _blind(hosts: RealHosts, within_s: float) -> list[str]:
    """Return hosts that do not see all neighbours in time."""
    ends = time.monotonic() + within_s
    while blind := [
        name
        for name, n_cables in N_CABLES.items()
        if subprocess.run(
            [*hosts.inside(name), "sh", "-c", SEES], capture_output=True, text=True, check=False
        ).stdout.strip()
        != n_cables
    ]:
        if time.monotonic() > ends:
            break
        time.sleep(0.3)
    return blind


def _start_lldpd(hosts: RealHosts, name: str) -> None:
    script = (
        "pkill -9 -x lldpd; rm -f /run/lldpd.socket; lldpd -d -I 'eth*' & "
        "sleep 0.7; lldpcli configure lldp tx-interval 1"
    )
    with (hosts.folder / f"{name}.lldpd").open("ab") as log:
        words = [*hosts.inside(name), "sh", "-c", script]
        subprocess.run(words, stdout=log, stderr=log, check=False)


def test_neighbours_by_lldp_are_the_other_ends_of_the_cables(announced: RealHosts) -> None:
    assert run(["facts", "h0,h1,h2", "-o", "facts.json", "-q"]) == 0
    machines = ClusterFacts.load("facts.json").machines
    seen = {
        (machine.name, one.interface, one.neighbour, one.port)
        for machine in machines
        for one in machine.lldp
    }
    assert seen == {
        ("h0", "eth0", "h1", "eth0"),
        ("h1", "eth0", "h0", "eth0"),
        ("h1", "eth1", "h2", "eth0"),
        ("h2", "eth0", "h1", "eth1"),
    }


def test_settings_of_the_login_and_names_of_the_others_are_found(reached: RealHosts) -> None:
    assert run(["facts", "localhost=h0,nowhere=h1", "-o", "facts.json", "-q"]) == 0
    first, second = ClusterFacts.load("facts.json").machines
    assert first.names == {"nowhere": ()}
    assert "127.0.0.1" in second.names["localhost"]
    assert all(one.fact != "names" for one in first.missing)
