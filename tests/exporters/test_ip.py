"""Scripts of `ip` commands, run on machines with nothing set up.

A file without one of its settings must fail, so that every setting is known to be needed.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.exporters.machines import DESIGNS, STATE, Machines, every_design, machines
from tests.namespaces import why_missing

from linkwright.design.cluster import Cluster

MUTANTS = {
    "forwarding": ("ring", r"setting net/ipv4/ip_forward 1"),
    "backup routes": ("ring", r"setting net/ipv4/conf/eth\d/ignore_routes_with_linkdown 1"),
    "backup routes of IPv6": ("ring of IPv6", r"setting net/ipv6/conf/eth\d/ignore_routes.*"),
    "filters": ("torus", r"setting net/ipv4/conf/\w+/rp_filter \d"),
    "metric": ("ring", r" metric \d+"),
    "source": ("ring", r" src \S+"),
    "search for duplicates": ("p-mesh", r" nodad"),
    "MTU": ("ring", r"ip link set dev \"\$1\" mtu \"\$2\""),
    "identity": ("ring", r"address id0 .*"),
    "address of a port": ("ring", r"address eth0 10.*"),
}
"""Settings whose absence from `up.sh` a test must notice, by design. It cannot notice that of
`send_redirects`, `accept_ra` and the forwarding of IPv6: they change the fate of frames, and
lookups are no frames.
"""

pytestmark = pytest.mark.skipif(
    bool(why_missing("tests/exporters")), reason=why_missing("tests/exporters")
)

UP = 'LINKWRIGHT_JOURNAL="$journal" sh "$folder/up.sh"'
UNDO = 'LINKWRIGHT_JOURNAL="$journal" sh "$folder/undo.sh"'


@every_design
def test_scripts_bring_the_plan_up_and_take_it_back(design: str, tmp_path: Path) -> None:
    with machines(Cluster.parse(design), "ip", tmp_path) as up:
        before = up.states()
        for node, folder in up.folders.items():
            up.shell(node, UP, folder=str(folder), journal=str(folder / "journal"))
        assert up.wrong_routes() == []
        assert list(up.disagreements()) == []
        for node, folder in up.folders.items():
            up.shell(node, UNDO, folder=str(folder), journal=str(folder / "journal"))
        assert up.states() == before


@pytest.mark.slow
@pytest.mark.parametrize("name", MUTANTS)
def test_every_setting_is_needed(name: str, tmp_path: Path) -> None:
    design, pattern = MUTANTS[name]
    with machines(Cluster.parse(f"name: t\n{DESIGNS[design]}"), "ip", tmp_path) as up:
        up.leave_out(pattern)
        assert not is_plan(up)


def is_plan(up: Machines) -> bool:
    """Return whether scripts end and bring the plan up."""
    try:
        for node, folder in up.folders.items():
            up.shell(node, UP, folder=str(folder), journal=str(folder / "journal"))
    except AssertionError:
        return False
    return not up.wrong_routes() and not any(up.disagreements())


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
