"""Scripts of `ip` commands, run on machines with nothing set up.

They refuse what is not theirs, take back all that they did, and let packets pass where Docker runs.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.exporters.machines import DESIGNS, STATE, machines
from tests.exporters.managers import IPTABLES, why_not_run
from tests.namespaces import why_missing

from linkwright.design.cluster import Cluster

pytestmark = pytest.mark.skipif(
    bool(why_missing("tests/exporters")), reason=why_missing("tests/exporters")
)

UP = 'LINKWRIGHT_JOURNAL="$journal" sh "$folder/up.sh"'


@pytest.mark.parametrize(
    "design",
    ["ring", *(pytest.param(name, marks=pytest.mark.slow) for name in DESIGNS if name != "ring")],
)
def test_scripts_take_back_all_that_they_did(design: str, tmp_path: Path) -> None:
    with machines(Cluster.parse(f"name: t\n{DESIGNS[design]}"), "ip", tmp_path) as up:
        for node in up.names:
            up.shell(node, "echo 0 > /proc/sys/net/ipv4/conf/all/accept_redirects")
        before = up.states()
        up.load()
        assert up.wrong_routes() == []
        up.undo()
        assert up.states() == before
        # Kernels change this parameter together with forwarding.
        for node in up.names:
            assert up.shell(node, "cat /proc/sys/net/ipv4/conf/all/accept_redirects") == "0\n"


REFUSED = {
    "no NIC": ("ring", "ip link set dev eth1 name other", "there is no NIC eth1"),
    "default route": (
        "ring",
        "ip link set dev eth1 up; ip route add default dev eth1",
        "NIC eth1 has the default route",
    ),
    "foreign address": ("ring", "ip address add 10.0.0.2/31 dev eth1", "a step failed"),
    "foreign table": (
        "ring by interface",
        "ip route add 192.0.2.1 dev lo table 1000",
        "table 1000 has routes already",
    ),
}


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if "route" in name else pytest.mark.slow) for name in REFUSED],
)
def test_a_refused_step_takes_the_others_back(name: str, tmp_path: Path) -> None:
    design, spoil, message = REFUSED[name]
    with machines(Cluster.parse(f"name: t\n{DESIGNS[design]}"), "ip", tmp_path) as up:
        up.shell("n0", spoil)
        before = up.shell("n0", STATE)
        names = {"folder": str(up.folders["n0"]), "journal": str(tmp_path / "journal")}
        told = up.shell("n0", f"! {UP}", **names)
        assert message in told
        assert "all are taken back" in told
        assert up.shell("n0", STATE) == before


DOCKER = """
for tables in iptables ip6tables; do
    $tables -P FORWARD DROP
    $tables -N DOCKER-USER
    $tables -A FORWARD -j DOCKER-USER
done
"""
RULES = "iptables -S; ip6tables -S"


@pytest.mark.skipif(bool(why_not_run(IPTABLES)), reason=why_not_run(IPTABLES))
@pytest.mark.parametrize("design", ["chain", pytest.param("chain of IPv6", marks=pytest.mark.slow)])
def test_packets_pass_where_docker_drops_them(design: str, tmp_path: Path) -> None:
    with machines(Cluster.parse(f"name: t\n{DESIGNS[design]}"), "ip", tmp_path) as up:
        up.shell("n1", DOCKER)
        before = up.shell("n1", RULES)
        up.load()
        assert list(up.trial.pinged()) == []
        up.shell("n1", "iptables -F LINKWRIGHT || true; ip6tables -F LINKWRIGHT || true")
        assert len(list(up.trial.pinged())) == 2
        # The rules of its chain are gone already.
        for one in up.loaded:
            one.undo()
        assert up.shell("n1", RULES) == before


def test_a_nic_is_found_by_its_hardware_address(tmp_path: Path) -> None:
    """The names of both NICs of a node are exchanged, and their addresses tell them apart."""
    nics = "{eth0: {mac: '02:00:00:00:00:00'}, eth1: {mac: '02:00:00:00:00:01'}}"
    design = f"name: t\n{DESIGNS['ring']}nodes: {{n0: {{nics: {nics}}}}}"
    exchange = "".join(
        f"ip link set dev {old} down; ip link set dev {old} name {new}\n"
        for old, new in (("eth0", "x"), ("eth1", "eth0"), ("x", "eth1"))
    )
    with machines(Cluster.parse(design), "ip", tmp_path) as up:
        up.shell("n0", exchange)
        for node, folder in up.folders.items():
            up.shell(node, UP, folder=str(folder), journal=str(folder / "journal"))
            told = up.shell(node, f"! {UP}", folder=str(folder), journal=str(folder / "journal"))
            assert "run undo.sh first" in told
        up.settle()
        ports = json.loads(up.shell("n0", "ip -json address"))
        found = {
            one["address"]: one["addr_info"][0]["local"] for one in ports if "eth" in one["ifname"]
        }
        assert found == {"02:00:00:00:00:00": "10.0.0.0", "02:00:00:00:00:01": "10.0.0.2"}
