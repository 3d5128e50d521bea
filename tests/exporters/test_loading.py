"""Files are taken back as they were loaded: nothing of them is left, and nothing else is lost.

Machines have addresses, routes, rules and parameters of their own before.
"""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest
from tests.exporters.machines import DESIGNS, machines
from tests.exporters.managers import LOADINGS, why_not_loaded
from tests.namespaces import why_missing

from linkwright.design.cluster import Cluster
from linkwright.errors import CapabilityError, RunError
from linkwright.machines import Local
from linkwright.plan.exporters.loading import Loading, Program, load

REASON = why_missing("tests/exporters")
pytestmark = pytest.mark.skipif(bool(REASON), reason=REASON)
FAST = {("ip", "ring by interface"), ("networkd", "ring")}
OWN = """
ip link add dev other type ifb
ip link set dev other up mtu 1300
ip address add 192.0.2.1/24 dev other
if [ "$(cat /proc/sys/net/ipv6/conf/all/disable_ipv6)" = 0 ]; then
    ip -6 address add 2001:db8::1/64 dev other nodad
fi
ip route add 198.51.100.0/24 via 192.0.2.2 metric 7
ip rule add from 192.0.2.9 lookup 77 priority 900
echo 0 > /proc/sys/net/ipv4/conf/all/accept_redirects
"""
"""State of a machine that is none of the plan's."""
OF_PORT = """
ip link set dev eth0 up
ip address add 203.0.113.1/32 dev eth0
"""
"""State of a port before. NetworkManager leaves alone a port that has an address already."""


@pytest.mark.parametrize(
    ("target", "design"),
    [
        pytest.param(target, design, marks=() if (target, design) in FAST else pytest.mark.slow)
        for target in LOADINGS
        for design in ("ring", "ring by interface", "chain of IPv6")
        if not (target == "frr" and "interface" in design)
    ],
)
def test_files_are_taken_back(target: str, design: str, tmp_path: Path) -> None:
    if why_not_loaded(target):
        pytest.skip(why_not_loaded(target))
    with machines(Cluster.parse(f"name: t\n{DESIGNS[design]}"), target, tmp_path) as up:
        up.shell("n0", OWN if target == "networkmanager" else OWN + OF_PORT)
        before = up.states()
        up.load()
        up.wait_for_routes()
        assert up.states() != before
        up.undo()
        assert up.states() == before
        assert not list(tmp_path.rglob("pids")), "no program is left"


def test_only_nodes_of_an_emulation_load_files(tmp_path: Path) -> None:
    with pytest.raises(CapabilityError, match="here is no node of an emulation"):
        load(LOADINGS["ip"], Local("here"), PurePosixPath(tmp_path))


def test_a_missing_program_is_named_with_its_package(tmp_path: Path) -> None:
    loading = Loading(script="true", programs=(Program("/usr/sbin/nothing", "some-package"),))
    with machines(Cluster.parse(f"name: t\n{DESIGNS['chain']}"), "ip", tmp_path) as up:
        with pytest.raises(CapabilityError, match="/usr/sbin/nothing is missing") as found:
            load(loading, up.sandbox.machine("n0"), PurePosixPath(tmp_path))
        assert found.value.hint == "apt install some-package"


def test_files_that_do_not_load_say_why(tmp_path: Path) -> None:
    with machines(Cluster.parse(f"name: t\n{DESIGNS['ring']}"), "ip", tmp_path) as up:
        up.shell("n0", "ip link set dev eth1 name other")
        with pytest.raises(RunError, match=r"n0: .*there is no NIC eth1"):
            up.load()
